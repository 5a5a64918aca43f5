// The MQTT link: everything that moves on a page comes through here.

/* global mqtt */

// A message sent while a subscription is being made can slip between its retained copy and the live stream (seen with
// NATS 2.15); subscribing once more brings the retained copies again.
const SETTLED_MS = 1000;

/** Fetch what the page has to know before it can connect. */
export async function loadConfig() {
  const asked = performance.now();
  const response = await fetch("/api/config");
  if (!response.ok) throw new Error(`no configuration: ${response.status}`);
  const config = await response.json();
  const answered = performance.now();
  // The referee's time of day at performance.now() = 0, half a round trip allowed for.
  return { ...config, utcAtZeroMs: config.utc_ms - (asked + answered) / 2 };
}

/** A referee that was started again may have its broker elsewhere: then the page starts again too. */
async function reloadIfMoved({ broker, prefix }) {
  try {
    const now = await loadConfig();
    if (now.broker !== broker || now.prefix !== prefix) location.reload();
  } catch {
    // The web server is away too; the next attempt asks again.
  }
}

/**
 * Calls `onMessage(topic, content)` for each message and `onLink(alive)` when the link comes or goes.
 * With `live` ({user, password}) it reads the undelayed messages, which only the arbiter may.
 */
export class Link {
  constructor(config, onMessage, onLink, live = null) {
    this.prefix = `${config.prefix}/`;
    this.branch = live ? "live/" : "";
    this.utcAtZeroMs = config.utcAtZeroMs;
    this.onMessage = onMessage;
    this.session = null; // the referee's run that is online
    this.newest = new Map(); // topic -> {session, seq}
    const host = location.hostname;
    this.client = mqtt.connect(config.broker.replace("{host}", host.includes(":") ? `[${host}]` : host), {
      protocolVersion: 4,
      clientId: `page-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`,
      keepalive: 10,
      connectTimeout: 4000,
      reconnectPeriod: 1500,
      resubscribe: false,
      ...(live?.user ? { username: live.user, password: live.password } : {}),
    });
    this.client.on("connect", () => {
      this.subscribe();
      clearTimeout(this.again);
      this.again = setTimeout(() => this.subscribe(), SETTLED_MS);
      onLink(true);
    });
    this.client.on("close", () => {
      clearTimeout(this.again);
      onLink(false);
    });
    this.client.on("reconnect", () => reloadIfMoved(config));
    this.client.on("error", (error) => console.warn("broker:", error.message));
    this.client.on("message", (topic, payload, packet) => {
      this.receive(topic.slice(this.prefix.length).replace("live/", ""), payload, packet.retain);
    });
  }

  subscribe() {
    // One wildcard and no acknowledgements: the broker keeps nothing for a page, so that any number may look.
    const topics = [`${this.prefix}${this.branch}+`, ...(this.branch ? [`${this.prefix}status`] : [])];
    this.client.subscribe(topics, { qos: 0 });
  }

  /** The referee's time of day now, in milliseconds. */
  utcMs() {
    return this.utcAtZeroMs + performance.now();
  }

  receive(name, payload, retained) {
    if (!payload.length) {
      this.onMessage(name, null);
      return;
    }
    const content = JSON.parse(new TextDecoder().decode(payload));
    if (!retained) this.learnTime(Date.parse(content.utc));
    if (name === "status" && content.status === "online") this.follow(content.session);
    // What another run of the referee left behind, its last will too, says nothing about this one.
    if (this.session !== null && content.session !== this.session) return;
    if (this.isNews(name, content)) this.onMessage(name, content);
  }

  follow(session) {
    if (this.session === session) return;
    this.session = session;
    for (const [name, last] of this.newest) {
      if (last.session === session) continue;
      this.newest.delete(name);
      this.onMessage(name, null);
    }
  }

  // A message cannot arrive before it was sent: if it seems to, our idea of the referee's time is late.
  learnTime(sentUtcMs) {
    this.utcAtZeroMs = Math.max(this.utcAtZeroMs, sentUtcMs - performance.now());
  }

  // A retained copy may come after the newer live one.
  isNews(name, { session, seq }) {
    const last = this.newest.get(name);
    if (last && last.session === session && seq <= last.seq) return false;
    this.newest.set(name, { session, seq });
    return true;
  }
}

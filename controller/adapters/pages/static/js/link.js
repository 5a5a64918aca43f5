// The MQTT link: everything that moves on a page comes through here.

/* global mqtt */

const TOPICS = ["status", "match", "state", "clock", "event", "ruling", "result", "health"];

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

/** Calls `onMessage(topic, content)` for each message and `onLink(alive)` when the link comes or goes. */
export class Link {
  constructor(config, onMessage, onLink) {
    this.prefix = `${config.prefix}/`;
    this.utcAtZeroMs = config.utcAtZeroMs;
    this.newest = new Map(); // topic -> {session, seq}
    const url = config.broker.replace("{host}", location.hostname.includes(":") ? `[${location.hostname}]` : location.hostname);
    this.client = mqtt.connect(url, {
      protocolVersion: 4,
      clientId: `page-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`,
      keepalive: 10,
      connectTimeout: 4000,
      reconnectPeriod: 1500,
    });
    this.client.on("connect", () => {
      this.client.subscribe(TOPICS.map((name) => this.prefix + name), { qos: 1 });
      onLink(true);
    });
    this.client.on("close", () => onLink(false));
    this.client.on("error", (error) => console.warn("broker:", error.message));
    this.client.on("message", (topic, payload, packet) => {
      const name = topic.slice(this.prefix.length);
      const content = payload.length ? JSON.parse(new TextDecoder().decode(payload)) : null;
      if (content && !packet.retain) this.learnTime(Date.parse(content.utc));
      if (content === null || this.isNews(name, content)) onMessage(name, content);
    });
  }

  /** The referee's time of day now, in milliseconds. */
  utcMs() {
    return this.utcAtZeroMs + performance.now();
  }

  // A message cannot arrive before it was sent: if it seems to, our idea of the referee's time is late.
  learnTime(sentUtcMs) {
    this.utcAtZeroMs = Math.max(this.utcAtZeroMs, sentUtcMs - performance.now());
  }

  // QoS 1 may repeat a message; an older one must not overwrite a newer.
  isNews(name, { session, seq }) {
    const last = this.newest.get(name);
    if (last && last.session === session && seq < last.seq) return false;
    this.newest.set(name, { session, seq });
    return true;
  }
}

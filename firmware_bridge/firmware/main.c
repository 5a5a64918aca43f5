/* Nardy Referee board: reads reeds and buttons, lights lamps, reports to the host. The wire is described in ../protocol.md. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <string.h>
#include <util/atomic.h>

#include "buttons.h"
#include "chain.h"
#include "frames.h"
#include "lamps.h"
#include "line.h"
#include "reeds.h"
#include "time.h"

#define FIRMWARE_MAJOR 0
#define FIRMWARE_MINOR 1
#define FIRMWARE_PATCH 0

#define SCAN_TICKS 10 /* 400 scans a second; three that agree span 5 ms */
#define MANY_BAD_SCANS 10
#define MS(ms) ((uint32_t)(ms) * TICKS_PER_MS)

#if F_CPU != 8000000
#error "the tick counts on an 8 MHz clock: one timer step is one microsecond"
#endif

static struct {
    uint8_t board_id[16]; /* written by `make flash ISP=...`; all ones when nobody gave the board a number */
    uint16_t boots;
} eeprom EEMEM;

/* -- time ---------------------------------------------------------------------------------------------------------- */

static volatile uint32_t ticks;
static volatile uint8_t tick_passed;

ISR(TIMER0_COMPA_vect)
{
    uint32_t now = ++ticks;
    tick_passed = 1;
    buttons_tick(now);
    lamps_tick(now);
}

void time_start(uint32_t from)
{
    ticks = from;
    TCCR0A = 1 << WGM01;
    OCR0A = TICK_US - 1;
    TIMSK0 = 1 << OCIE0A;
    TCCR0B = 1 << CS01;
}

uint32_t time_ticks(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = ticks;
    }
    return now;
}

uint32_t time_us(void)
{
    uint32_t now;
    uint8_t part;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = ticks;
        part = TCNT0;
        /* The counter has started again, but its interrupt waits for us. */
        if (TIFR0 & 1 << OCF0A) {
            part = TCNT0;
            now++;
        }
    }
    return now * TICK_US + part;
}

/* -- why did we start ---------------------------------------------------------------------------------------------- */

static uint8_t reset_cause __attribute__((section(".noinit")));

/* The watchdog stays on after it bit, with its shortest time: it has to be calmed before anything else. */
void before_main(void) __attribute__((naked, used, section(".init3")));
void before_main(void)
{
    reset_cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

/* -- talking ------------------------------------------------------------------------------------------------------- */

static struct reeds reeds;
static struct splitter splitter;
static uint16_t seq, boots;
static uint16_t rx_bad, tx_wait, loop_max_us, chain_bad;
static uint8_t chain_good; /* reeds.steady is fresh */
static uint8_t bad_scans;  /* in a row */
static uint8_t keyframe_owed, stat_owed, hello_owed;
static uint32_t press_sent_ticks;
static uint16_t last_command_seq;
static uint8_t last_command_code, last_command_size, last_command[SIZE_BUZZ];

static void say(uint8_t code, uint32_t t_us, const void *payload, uint8_t size)
{
    uint8_t wire[MAX_ENCODED_BYTES];
    line_send(wire, encode(code, seq++, t_us, payload, size, wire));
}

static uint8_t room(void)
{
    if (line_room() >= MAX_ENCODED_BYTES)
        return 1;
    tx_wait++;
    return 0;
}

static void say_hello(void)
{
    struct hello hello = {
        PROTOCOL_MAJOR, PROTOCOL_MINOR, PROTOCOL_TABLES, FIRMWARE_MAJOR, FIRMWARE_MINOR,    FIRMWARE_PATCH,
        RIG_FINGERPRINT, SLOTS,         reset_cause & 0x0F, boots,       buttons_session(), {0},
    };
    eeprom_read_block(hello.board_id, eeprom.board_id, sizeof hello.board_id);
    say(MSG_HELLO, time_us(), &hello, sizeof hello);
}

static void say_keyframe(uint32_t t_us)
{
    struct {
        struct keyframe head;
        uint8_t slots[REGISTERS];
    } keyframe = {{buttons_held()}, {0}};
    memcpy(keyframe.slots, reeds.steady, REGISTERS);
    say(MSG_KEYFRAME, t_us, &keyframe, sizeof keyframe);
}

static void say_stat(void)
{
    struct line_counters line = line_counters();
    struct stat stat = {rx_bad,      tx_wait,   line.rx_lost, line.rx_high, line.tx_high,
                        loop_max_us, chain_bad, buttons_lost()};
    say(MSG_STAT, time_us(), &stat, sizeof stat);
}

static void say_press(const struct waiting_press *waiting)
{
    struct press press = {waiting->button, buttons_session(), waiting->count};
    press_sent_ticks = time_ticks();
    say(MSG_PRESS, waiting->at_us, &press, sizeof press);
}

static void refuse(uint16_t command_seq, uint8_t refusal)
{
    struct nak nak = {command_seq, refusal};
    say(MSG_NAK, time_us(), &nak, sizeof nak);
}

/* -- listening ----------------------------------------------------------------------------------------------------- */

static uint8_t carry_out(const struct frame *frame)
{
    uint16_t first, second;
    switch (frame->code) {
    case MSG_LAMP:
        return lamps_set(frame->payload[0], frame->payload[1]);
    case MSG_BUZZ:
        first = frame->payload[0] | (uint16_t)frame->payload[1] << 8;
        second = frame->payload[2] | (uint16_t)frame->payload[3] << 8;
        return buzz(first, second);
    case MSG_BRIGHTNESS:
        lamps_brightness(frame->payload[0]);
        return 1;
    case MSG_SELF_TEST:
        lamps_walk();
        stat_owed = keyframe_owed = 1;
        return 1;
    }
    return 0;
}

static void obey(const struct frame *frame)
{
    struct ack ack = {frame->seq};
    uint8_t repeated = frame->seq == last_command_seq && frame->code == last_command_code &&
                       frame->size == last_command_size && !memcmp(frame->payload, last_command, frame->size);
    if (!repeated) {
        if (!carry_out(frame)) {
            refuse(frame->seq, REFUSAL_BAD_VALUE);
            return;
        }
        last_command_seq = frame->seq;
        last_command_code = frame->code;
        last_command_size = frame->size;
        memcpy(last_command, frame->payload, frame->size);
    }
    say(MSG_ACK, time_us(), &ack, sizeof ack);
}

static void answer(const struct frame *frame, uint32_t at_us)
{
    struct pong pong = {frame->seq};
    const struct waiting_press *next;
    switch (frame->code) {
    case MSG_ASK_HELLO:
        hello_owed = 1;
        break;
    case MSG_ASK_KEYFRAME:
        keyframe_owed = 1;
        break;
    case MSG_ASK_STAT:
        stat_owed = 1;
        break;
    case MSG_PING:
        say(MSG_PONG, at_us, &pong, sizeof pong);
        break;
    case MSG_PRESS_ACK:
        if (buttons_acknowledged(frame->payload[0] | (uint16_t)frame->payload[1] << 8,
                                 frame->payload[2] | (uint16_t)frame->payload[3] << 8) &&
            (next = buttons_oldest()))
            say_press(next);
        break;
    case MSG_LAMP:
    case MSG_BUZZ:
    case MSG_BRIGHTNESS:
    case MSG_SELF_TEST:
        obey(frame);
        break;
    default:
        refuse(frame->seq, REFUSAL_UNKNOWN_COMMAND);
    }
}

static void listen(void)
{
    uint8_t byte;
    uint32_t at_us = 0;
    struct frame frame;

    /* Each frame has at most one answer, so it is only read when the answer fits: the ring holds the rest back. */
    while (room() && line_take(&byte, &at_us)) {
        if (!splitter_feed(&splitter, byte))
            continue;
        enum flaw flaw = decode(&splitter, &frame);
        if (flaw == FLAW_NONE) {
            answer(&frame, at_us);
            continue;
        }
        rx_bad++;
        if (flaw == FLAW_CODE)
            refuse(frame.seq, REFUSAL_UNKNOWN_COMMAND);
        else if (flaw == FLAW_FIELDS)
            refuse(frame.seq, REFUSAL_BAD_LENGTH);
    }
}

/* -- looking ------------------------------------------------------------------------------------------------------- */

static void scan(void)
{
    uint8_t now[REGISTERS];
    uint16_t changes[EDGES_PER_FRAME];
    uint32_t t_us = time_us();

    if (!chain_read(now)) {
        chain_bad++;
        /* A single one is noise, more are a plug that is out. */
        if (bad_scans < MANY_BAD_SCANS)
            bad_scans++;
        else
            chain_good = 0;
        return;
    }
    bad_scans = 0;
    if (!chain_good) {
        /* What lies there at the start, or when the plug is in again, is no change. */
        memcpy(reeds.steady, now, REGISTERS);
        chain_good = 1;
        keyframe_owed = 1;
        return;
    }
    uint8_t count = reeds_scan(&reeds, now, changes);
    if (!count)
        return;
    if (count > EDGES_PER_FRAME || keyframe_owed || !room()) {
        keyframe_owed = 1;
        return;
    }
    say(MSG_EDGE, t_us - (AGREEING_SCANS - 1) * (uint32_t)SCAN_TICKS * TICK_US, changes, count * sizeof changes[0]);
}

int main(void)
{
    uint32_t scan_ticks, keyframe_ticks, stat_ticks;

    buttons_pull_up();
    chain_start();
    lamps_start();
    boots = eeprom_read_word(&eeprom.boots) + 1;
    eeprom_update_word(&eeprom.boots, boots); /* 3 ms */
    /* Starts somewhere else each time: a host that missed the Hello sees a jump, not frames it knows already. */
    seq = boots * 40503U;
    uint32_t from = buttons_start(!(reset_cause & (1 << PORF | 1 << BORF)), boots);
    scan_ticks = keyframe_ticks = stat_ticks = from;
    press_sent_ticks = from - MS(BUTTON_RETRY_MS);
    eeprom_busy_wait();
    time_start(from);
    line_start();
    set_sleep_mode(SLEEP_MODE_IDLE);
    wdt_enable(WDTO_500MS);
    sei();
    /* Half a frame, or the boot loader's bytes: whatever was on the line before ends here, and the Hello arrives whole. */
    line_send((const uint8_t[]){0}, 1);
    hello_owed = 1;

    for (;;) {
        uint32_t began_us = time_us(), now = time_ticks();
        wdt_reset();
        listen();
        buttons_settle(now);
        if (hello_owed && room()) {
            hello_owed = 0;
            say_hello();
        }
        const struct waiting_press *press = buttons_oldest();
        if (press && now - press_sent_ticks >= MS(BUTTON_RETRY_MS) && room())
            say_press(press);
        if (now - scan_ticks >= SCAN_TICKS) {
            scan_ticks = now;
            scan();
        }
        if (now - keyframe_ticks >= MS(KEYFRAME_MS))
            keyframe_owed = 1;
        if (now - stat_ticks >= MS(STAT_MS))
            stat_owed = 1;
        /* While the chain cannot be read its last picture is no news: the host has to see that keyframes stopped. */
        if (keyframe_owed && chain_good && room()) {
            keyframe_owed = 0;
            keyframe_ticks = now;
            say_keyframe(time_us());
        }
        if (stat_owed && room()) {
            stat_owed = 0;
            stat_ticks = now;
            say_stat();
        }
        uint32_t round_us = time_us() - began_us;
        if (round_us > loop_max_us)
            loop_max_us = round_us > 0xFFFF ? 0xFFFF : round_us;
        cli();
        if (tick_passed) {
            sei();
        } else {
            sleep_enable();
            /* The instruction after sei is carried out before any interrupt: none can slip in and be slept over. */
            sei();
            sleep_cpu();
            sleep_disable();
        }
        tick_passed = 0;
    }
}

#include "buttons.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>
#include <util/atomic.h>

#include "frames.h"
#include "rig.h"
#include "time.h"

/* The same rules as debounce.py. */
#define CLOSE_TICKS (3 * TICKS_PER_MS)
#define OPEN_TICKS (20 * TICKS_PER_MS)
#ifdef BUTTON_PAUSE_BIT
#define BUTTONS 3
#else
#define BUTTONS 2
#endif

struct contact {
    uint8_t closed, wavering, level;
    uint32_t first_us;    /* first edge away from the steady state */
    uint32_t level_ticks; /* last edge */
};

static volatile struct contact contacts[BUTTONS];
static uint8_t lost;

/* Outlives every reset but those that cut the power: the start-up code does not clear .noinit. */
static struct {
    uint16_t session, count;
    uint8_t used;
    struct waiting_press presses[PENDING_PRESSES];
} kept __attribute__((section(".noinit")));
static uint16_t kept_crc __attribute__((section(".noinit")));
static volatile uint32_t kept_ticks __attribute__((section(".noinit")));

static void seal(void)
{
    kept_crc = crc16((const uint8_t *)&kept, sizeof kept);
}

static uint8_t closed_now(uint8_t button)
{
    switch (button) {
    case 0:
        return !(BUTTON_WHITE_PIN & 1 << BUTTON_WHITE_BIT);
    case 1:
        return !(BUTTON_BLACK_PIN & 1 << BUTTON_BLACK_BIT);
#ifdef BUTTON_PAUSE_BIT
    case 2:
        return !(BUTTON_PAUSE_PIN & 1 << BUTTON_PAUSE_BIT);
#endif
    }
    return 0;
}

void buttons_pull_up(void)
{
    BUTTON_WHITE_PORT |= 1 << BUTTON_WHITE_BIT;
    BUTTON_BLACK_PORT |= 1 << BUTTON_BLACK_BIT;
#ifdef BUTTON_PAUSE_BIT
    BUTTON_PAUSE_PORT |= 1 << BUTTON_PAUSE_BIT;
#endif
}

uint32_t buttons_start(uint8_t keeps_ram, uint16_t boots)
{
    BUTTON_WHITE_PCMSK |= 1 << BUTTON_WHITE_BIT;
    BUTTON_BLACK_PCMSK |= 1 << BUTTON_BLACK_BIT;
#ifdef BUTTON_PAUSE_BIT
    BUTTON_PAUSE_PCMSK |= 1 << BUTTON_PAUSE_BIT;
#endif
    PCICR = 1 << PCIE0 | 1 << PCIE1 | 1 << PCIE2;
    if (!keeps_ram || kept_crc != crc16((const uint8_t *)&kept, sizeof kept) || kept.used > PENDING_PRESSES) {
        memset(&kept, 0, sizeof kept);
        kept.session = boots;
        kept_ticks = 0;
        seal();
    }
    /* A button held down while the board starts is no press. */
    for (uint8_t i = 0; i < BUTTONS; i++)
        contacts[i].closed = contacts[i].level = closed_now(i);
    return kept_ticks;
}

static void look(uint32_t ticks)
{
    for (uint8_t i = 0; i < BUTTONS; i++) {
        volatile struct contact *c = &contacts[i];
        uint8_t closed = closed_now(i);
        if (closed == c->level)
            continue;
        if (!c->wavering) {
            c->wavering = 1;
            c->first_us = time_us();
        }
        c->level = closed;
        c->level_ticks = ticks;
    }
}

ISR(PCINT0_vect)
{
    look(time_ticks());
}
ISR(PCINT1_vect, ISR_ALIASOF(PCINT0_vect));
ISR(PCINT2_vect, ISR_ALIASOF(PCINT0_vect));

void buttons_tick(uint32_t ticks)
{
    kept_ticks = ticks;
}

static void queue(uint8_t button, uint32_t at_us)
{
    if (kept.used == PENDING_PRESSES) {
        if (lost != 0xFF)
            lost++;
        return;
    }
    kept.count++;
    kept.presses[kept.used++] = (struct waiting_press){button, kept.count, at_us};
    seal();
}

void buttons_settle(uint32_t ticks)
{
    uint8_t pressed = 0;
    uint32_t at_us[BUTTONS];

    for (uint8_t i = 0; i < BUTTONS; i++) {
        volatile struct contact *c = &contacts[i];
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        {
            uint8_t patience = c->closed && !c->level ? OPEN_TICKS : CLOSE_TICKS;
            if (c->wavering && (int32_t)(ticks - c->level_ticks) >= patience) {
                if (c->level && !c->closed) {
                    pressed |= 1 << i;
                    at_us[i] = c->first_us;
                }
                c->closed = c->level;
                c->wavering = 0;
            }
        }
    }
    /* Several may become certain in one round: queue them in the order of the fingers. */
    while (pressed) {
        uint8_t first = 0xFF;
        for (uint8_t i = 0; i < BUTTONS; i++)
            if (pressed & 1 << i && (first == 0xFF || (int32_t)(at_us[i] - at_us[first]) < 0))
                first = i;
        pressed &= ~(1 << first);
        queue(BUTTON_WHITE + first, at_us[first]);
    }
}

const struct waiting_press *buttons_oldest(void)
{
    return kept.used ? &kept.presses[0] : 0;
}

uint8_t buttons_acknowledged(uint16_t session, uint16_t count)
{
    if (!kept.used || session != kept.session || count != kept.presses[0].count)
        return 0;
    kept.used--;
    memmove(&kept.presses[0], &kept.presses[1], kept.used * sizeof kept.presses[0]);
    seal();
    return 1;
}

uint16_t buttons_session(void)
{
    return kept.session;
}

uint8_t buttons_held(void)
{
    uint8_t held = 0;
    for (uint8_t i = 0; i < BUTTONS; i++)
        held |= contacts[i].closed << i;
    return held;
}

uint8_t buttons_lost(void)
{
    return lost;
}

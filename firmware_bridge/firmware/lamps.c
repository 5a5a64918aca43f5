#include "lamps.h"

#include <avr/io.h>
#include <util/atomic.h>

#include "protocol.h"
#include "rig.h"
#include "time.h"

#define BLINK_TICKS (250 * TICKS_PER_MS)
#define STEP_TICKS (200 * TICKS_PER_MS)
/* 16 levels at 250 Hz: no flicker. */
#define LEVELS 16

static const struct {
    volatile uint8_t *port;
    uint8_t mask;
} lamps[LAMPS] = {LAMP_TABLE};
static volatile uint8_t modes[LAMPS];
static volatile uint8_t bright = LEVELS;
static uint16_t blink_left = BLINK_TICKS;
static uint8_t blink_off;
/* Lamp that a self-test has lit, LAMPS when none; ticks left for it. */
static volatile uint8_t walking = LAMPS;
static volatile uint16_t step_left;
static volatile uint32_t buzz_left;

void lamps_start(void)
{
    LAMPS_OUTPUT()
#ifdef BUZZER_BIT
    BUZZER_DDR |= 1 << BUZZER_BIT;
#endif
}

static void silence(void)
{
    TCCR1A = 0;
    TCCR1B = 0;
}

void lamps_tick(uint8_t ticks)
{
    /* Four thousand times a second: no divisions here. */
    uint8_t dark = (ticks & (LEVELS - 1)) >= bright;

    if (!--blink_left) {
        blink_left = BLINK_TICKS;
        blink_off = !blink_off;
    }
    if (walking != LAMPS && !--step_left) {
        step_left = STEP_TICKS;
        walking++;
    }
    for (uint8_t i = 0; i < LAMPS; i++) {
        uint8_t on = modes[i] == LAMP_MODE_ON || (modes[i] == LAMP_MODE_BLINK && !blink_off);
        if (walking != LAMPS)
            on = i == walking;
        if (on && !dark)
            *lamps[i].port |= lamps[i].mask;
        else
            *lamps[i].port &= ~lamps[i].mask;
    }
    if (buzz_left && !--buzz_left)
        silence();
}

uint8_t lamps_set(uint8_t lamp, uint8_t mode)
{
    if (lamp >= LAMPS || mode > LAMP_MODE_BLINK)
        return 0;
    modes[lamp] = mode;
    return 1;
}

void lamps_brightness(uint8_t level)
{
    /* 0 is dark, 255 is every tick. */
    bright = ((uint16_t)level + LEVELS - 1) / LEVELS;
}

uint8_t buzz(uint16_t pitch_hz, uint16_t length_ms)
{
    if (length_ms && (pitch_hz < 100 || pitch_hz > 8000 || length_ms > 5000))
        return 0;
#ifdef BUZZER_BIT
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        silence();
        buzz_left = (uint32_t)length_ms * TICKS_PER_MS;
        if (length_ms) {
            /* Timer 1 toggles OC1A by itself. */
            OCR1A = F_CPU / 16 / pitch_hz - 1;
            TCNT1 = 0;
            TCCR1A = 1 << COM1A0;
            TCCR1B = 1 << WGM12 | 1 << CS11;
        }
    }
#endif
    return 1;
}

void lamps_walk(void)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        walking = 0;
        step_left = STEP_TICKS;
    }
    buzz(2000, 100);
}

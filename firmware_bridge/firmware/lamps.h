/* Lamps and buzzer. */
#ifndef NARDY_LAMPS_H
#define NARDY_LAMPS_H
#include <stdint.h>

void lamps_start(void);

/* Called by the tick with interrupts off; the lowest byte of the tick counter is enough. */
void lamps_tick(uint8_t ticks);

/* Return 0 when there is no such lamp or mode. */
uint8_t lamps_set(uint8_t lamp, uint8_t mode);

void lamps_brightness(uint8_t level);

/* Return 0 when pitch or length is out of range. */
uint8_t buzz(uint16_t pitch_hz, uint16_t length_ms);

/* Each lamp in turn and a chirp; returns at once. */
void lamps_walk(void);

#endif

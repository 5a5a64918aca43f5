/* Clock buttons: pin-change interrupts take the time, presses wait until the host has them. */
#ifndef NARDY_BUTTONS_H
#define NARDY_BUTTONS_H
#include <stdint.h>

#include "protocol.h"

struct waiting_press {
    uint8_t button;
    uint16_t count;
    uint32_t at_us;
};

/* Pull-ups on; call it a little before buttons_start, for a long cable takes its time to rise. */
void buttons_pull_up(void);

/* Begin, or go on with what was in RAM before a reset that kept it. keeps_ram: the reset was neither power-on nor
 * brown-out. boots: number of this start. Return the ticks at which the clock has to go on. */
uint32_t buttons_start(uint8_t keeps_ram, uint16_t boots);

/* Called by the tick with interrupts off. */
void buttons_tick(uint32_t ticks);

/* Turn what the contacts have settled to into waiting presses. */
void buttons_settle(uint32_t ticks);

/* The oldest press the host does not have yet, or 0. */
const struct waiting_press *buttons_oldest(void);

/* Forget the oldest if it is this one; return whether it was. */
uint8_t buttons_acknowledged(uint16_t session, uint16_t count);

uint16_t buttons_session(void);

/* Bit 0 white, 1 black, 2 pause. */
uint8_t buttons_held(void);

uint8_t buttons_lost(void);

#endif

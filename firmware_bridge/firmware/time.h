/* The board's clock and the 250 us tick that drives everything. */
#ifndef NARDY_TIME_H
#define NARDY_TIME_H
#include <stdint.h>

#define TICK_US 250
#define TICKS_PER_MS (1000 / TICK_US)

/* Go on from this many ticks: a watchdog reset does not turn the clock back. */
void time_start(uint32_t ticks);

uint32_t time_ticks(void);

/* Microseconds, wraps after 71.6 minutes. */
uint32_t time_us(void);

#endif

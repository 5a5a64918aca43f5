/* The chain of 74HC165 shift registers. */
#ifndef NARDY_CHAIN_H
#define NARDY_CHAIN_H
#include <stdint.h>

#include "rig.h"

void chain_start(void);

/* Read all slots into scan[REGISTERS], bit set where a reed is closed. Return 0, and nothing usable in scan, when the
 * end mark is wrong: the serial input of the last register is tied to ground, so after all slots zeros must follow. An
 * open plug or a chain one register short or long reads the pull-ups there. */
uint8_t chain_read(uint8_t *scan);

#endif

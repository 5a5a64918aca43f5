#include "chain.h"

#include <avr/io.h>

void chain_start(void)
{
    CHAIN_LOAD_PORT |= 1 << CHAIN_LOAD_BIT;
    CHAIN_LOAD_DDR |= 1 << CHAIN_LOAD_BIT;
    CHAIN_CLOCK_DDR |= 1 << CHAIN_CLOCK_BIT;
    CHAIN_OUTPUT_PORT |= 1 << CHAIN_OUTPUT_BIT;
}

static uint8_t next_byte(void)
{
    uint8_t byte = 0;
    for (uint8_t mask = 1; mask; mask <<= 1) {
        if (CHAIN_OUTPUT_PIN & 1 << CHAIN_OUTPUT_BIT)
            byte |= mask;
        CHAIN_CLOCK_PORT |= 1 << CHAIN_CLOCK_BIT;
        CHAIN_CLOCK_PORT &= ~(1 << CHAIN_CLOCK_BIT);
    }
    return byte;
}

uint8_t chain_read(uint8_t *scan)
{
    CHAIN_LOAD_PORT &= ~(1 << CHAIN_LOAD_BIT);
    CHAIN_LOAD_PORT |= 1 << CHAIN_LOAD_BIT;
    /* A closed reed pulls its input to ground. */
    for (uint8_t r = 0; r < REGISTERS; r++)
        scan[r] = ~next_byte();
    return next_byte() == 0;
}

/* Debouncing all reeds at once. No hardware: compiled natively too. */
#ifndef NARDY_REEDS_H
#define NARDY_REEDS_H
#include <stdint.h>

#include "protocol.h"
#include "rig.h"

/* A change counts when this many scans in a row agree on it. */
#define AGREEING_SCANS 3

struct reeds {
    uint8_t steady[REGISTERS]; /* bit set: a checker lies there */
    uint8_t low[REGISTERS];    /* vertical counters: bits 0 and 1 of how many scans have differed */
    uint8_t high[REGISTERS];
};

/* Take one scan. Return how many slots changed; the first EDGES_PER_FRAME of them are written to changes
 * (slot number, bit 15 set when a checker came). */
uint8_t reeds_scan(struct reeds *reeds, const uint8_t *scan, uint16_t *changes);

#endif

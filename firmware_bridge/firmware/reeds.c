#include "reeds.h"

uint8_t reeds_scan(struct reeds *reeds, const uint8_t *scan, uint16_t *changes)
{
    uint8_t count = 0;
    for (uint8_t r = 0; r < REGISTERS; r++) {
        uint8_t differs = scan[r] ^ reeds->steady[r];
        if (!(differs | reeds->low[r] | reeds->high[r]))
            continue;
        /* Eight two-bit counters side by side: one up where the scan differs, back to zero where it does not. */
        reeds->high[r] = (reeds->high[r] ^ reeds->low[r]) & differs;
        reeds->low[r] = ~reeds->low[r] & differs;
        uint8_t changed = reeds->high[r] & reeds->low[r]; /* three */
        reeds->high[r] &= ~changed;
        reeds->low[r] &= ~changed;
        reeds->steady[r] ^= changed;
        for (uint8_t bit = 0; changed; bit++, changed >>= 1) {
            if (!(changed & 1))
                continue;
            if (count < EDGES_PER_FRAME)
                changes[count] = (8 * r + bit) | (reeds->steady[r] >> bit & 1 ? 0x8000 : 0);
            count++;
        }
    }
    return count;
}

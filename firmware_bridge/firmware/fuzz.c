/* Throws random and mutated bytes at the frame parser for some seconds, under the address and undefined-behaviour
 * sanitizers: `make fuzz SECONDS=600`. The comparison with the Python parser is tests/bench/bridge_fuzz.py. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frames.h"
#include "reeds.h"

static uint64_t state = 0x9E3779B97F4A7C15ULL;

static uint32_t random32(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 32;
}

static void fail(const char *what, const uint8_t *bytes, unsigned length)
{
    fprintf(stderr, "%s:", what);
    for (unsigned i = 0; i < length; i++)
        fprintf(stderr, " %02x", bytes[i]);
    fprintf(stderr, "\n");
    exit(1);
}

/* What decode takes for a frame must be what encode makes of it, byte for byte. */
static void round_trip(const struct frame *frame, const uint8_t *stuffed, uint8_t length)
{
    uint8_t wire[MAX_ENCODED_BYTES];
    uint8_t made = encode(frame->code, frame->seq, frame->t_us, frame->payload, frame->size, wire);
    if (made != length + 1 || memcmp(wire, stuffed, length) || wire[length])
        fail("not what encode makes", stuffed, length);
}

int main(int count, char **arguments)
{
    time_t end = time(NULL) + (count > 1 ? atol(arguments[1]) : 10);
    unsigned long frames = 0, good = 0;
    struct splitter splitter = {0};
    struct reeds reeds = {0};

    while (time(NULL) < end) {
        for (int round = 0; round < 10000; round++) {
            uint8_t stream[4 * MAX_ENCODED_BYTES], payload[MAX_PAYLOAD];
            unsigned length;
            if (random32() % 4) {
                uint8_t size = random32() % (MAX_PAYLOAD + 1);
                for (uint8_t i = 0; i < size; i++)
                    payload[i] = random32() % 3 ? random32() : 0;
                length = encode(random32() % 0x60, random32(), random32(), payload, size, stream);
                for (unsigned spoils = random32() % 3; spoils; spoils--)
                    stream[random32() % length] ^= 1 << random32() % 8;
            } else {
                length = random32() % sizeof stream;
                for (unsigned i = 0; i < length; i++)
                    stream[i] = random32() % 50 ? random32() : 0;
            }
            for (unsigned i = 0; i < length; i++) {
                if (!splitter_feed(&splitter, stream[i]))
                    continue;
                struct splitter copy = splitter;
                struct frame frame;
                frames++;
                switch (decode(&splitter, &frame)) {
                case FLAW_NONE:
                    good++;
                    /* fall through */
                case FLAW_CODE:
                case FLAW_FIELDS:
                    round_trip(&frame, copy.stuffed, copy.length);
                    break;
                default:
                    break;
                }
            }
            uint8_t scan[REGISTERS];
            uint16_t changes[EDGES_PER_FRAME];
            for (unsigned r = 0; r < REGISTERS; r++)
                scan[r] = reeds.steady[r] ^ (random32() % 4 ? 0 : random32());
            reeds_scan(&reeds, scan, changes);
        }
    }
    printf("%lu frames, %lu of them good, no complaint\n", frames, good);
    return good ? 0 : 1;
}

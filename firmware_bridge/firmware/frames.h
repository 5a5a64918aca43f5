/* Frames of the wire, both ways between bytes and messages. No hardware: the same file is compiled natively for fuzzing.
 * The counterpart in Python is frames.py; both follow protocol.md. */
#ifndef NARDY_FRAMES_H
#define NARDY_FRAMES_H
#include <stdint.h>

#include "protocol.h"

#define HEADER_BYTES 7
#define CRC_BYTES 2
/* COBS adds one byte, the closing zero is one more. */
#define MAX_BODY (MAX_ENCODED_BYTES - 2)
#define MAX_PAYLOAD (MAX_BODY - HEADER_BYTES - CRC_BYTES)

enum flaw { FLAW_NONE, FLAW_TOO_LONG, FLAW_STUFFING, FLAW_TOO_SHORT, FLAW_CHECKSUM, FLAW_CODE, FLAW_FIELDS };

struct frame {
    uint8_t code;
    uint16_t seq;
    uint32_t t_us;
    uint8_t size; /* bytes of payload */
    uint8_t payload[MAX_PAYLOAD];
};

/* Cuts a stream at its zeros. */
struct splitter {
    uint8_t length;
    uint8_t stuffed[MAX_ENCODED_BYTES];
};

/* Take one byte; return 1 when it closed something that decode can read from the splitter. */
uint8_t splitter_feed(struct splitter *splitter, uint8_t byte);

/* Read what the splitter closed, and empty it. With FLAW_CODE and FLAW_FIELDS the header in *frame is right. */
enum flaw decode(struct splitter *splitter, struct frame *frame);

/* Write a frame with its closing zero to wire[MAX_ENCODED_BYTES]; return its length. size is at most MAX_PAYLOAD. */
uint8_t encode(uint8_t code, uint16_t seq, uint32_t t_us, const uint8_t *payload, uint8_t size, uint8_t *wire);

uint16_t crc16(const uint8_t *bytes, uint8_t length);

#endif

#include "frames.h"

#include <string.h>

#ifdef __AVR__
#include <avr/pgmspace.h>
#define TABLE PROGMEM
#define TABLE_BYTE(at) pgm_read_byte(at)
#else
#define TABLE
#define TABLE_BYTE(at) (*(at))
#endif

static const uint8_t messages[MESSAGE_COUNT][3] TABLE = {MESSAGE_TABLE};

/* CRC-16/CCITT-FALSE by bytes without a table (the shifts of avr-libc's _crc_xmodem_update in C). */
uint16_t crc16(const uint8_t *bytes, uint8_t length)
{
    uint16_t crc = 0xFFFF;
    while (length--) {
        uint8_t x = (uint8_t)(crc >> 8) ^ *bytes++;
        x ^= x >> 4;
        crc = (uint16_t)((crc << 8) ^ ((uint16_t)x << 12) ^ ((uint16_t)x << 5) ^ x);
    }
    return crc;
}

uint8_t splitter_feed(struct splitter *splitter, uint8_t byte)
{
    if (byte) {
        /* One byte more than fits is kept, so that decode sees that it is too long; the rest is dropped. */
        if (splitter->length < MAX_ENCODED_BYTES)
            splitter->stuffed[splitter->length++] = byte;
        return 0;
    }
    return splitter->length != 0;
}

static enum flaw known(uint8_t code, uint8_t size)
{
    for (uint8_t i = 0; i < MESSAGE_COUNT; i++) {
        if (TABLE_BYTE(&messages[i][0]) != code)
            continue;
        uint8_t fixed = TABLE_BYTE(&messages[i][1]), step = TABLE_BYTE(&messages[i][2]);
        if (size < fixed)
            return FLAW_FIELDS;
        if (step ? (size - fixed) % step : size - fixed)
            return FLAW_FIELDS;
        return FLAW_NONE;
    }
    return FLAW_CODE;
}

enum flaw decode(struct splitter *splitter, struct frame *frame)
{
    uint8_t body[MAX_BODY];
    uint8_t *stuffed = splitter->stuffed;
    uint8_t length = splitter->length, at = 0, size = 0;

    splitter->length = 0;
    if (length >= MAX_ENCODED_BYTES)
        return FLAW_TOO_LONG;
    while (at < length) {
        uint8_t block = stuffed[at];
        if (block > length - at)
            return FLAW_STUFFING;
        memcpy(body + size, stuffed + at + 1, block - 1);
        size += block - 1;
        at += block;
        if (at < length)
            body[size++] = 0;
    }
    if (size < HEADER_BYTES + CRC_BYTES)
        return FLAW_TOO_SHORT;
    size -= CRC_BYTES;
    if (crc16(body, size) != (uint16_t)(body[size] | (uint16_t)body[size + 1] << 8))
        return FLAW_CHECKSUM;
    frame->code = body[0];
    frame->seq = body[1] | (uint16_t)body[2] << 8;
    frame->t_us = body[3] | (uint32_t)body[4] << 8 | (uint32_t)body[5] << 16 | (uint32_t)body[6] << 24;
    frame->size = size - HEADER_BYTES;
    memcpy(frame->payload, body + HEADER_BYTES, frame->size);
    return known(frame->code, frame->size);
}

uint8_t encode(uint8_t code, uint16_t seq, uint32_t t_us, const uint8_t *payload, uint8_t size, uint8_t *wire)
{
    uint8_t body[MAX_BODY];
    uint8_t length = 0, block = 0, out = 1;

    body[length++] = code;
    body[length++] = seq;
    body[length++] = seq >> 8;
    for (uint8_t i = 0; i < 4; i++, t_us >>= 8)
        body[length++] = t_us;
    memcpy(body + length, payload, size);
    length += size;
    uint16_t crc = crc16(body, length);
    body[length++] = crc;
    body[length++] = crc >> 8;

    for (uint8_t i = 0; i < length; i++) {
        if (body[i]) {
            wire[out++] = body[i];
        } else {
            wire[block] = out - block;
            block = out++;
        }
    }
    wire[block] = out - block;
    wire[out++] = 0;
    return out;
}

/* The serial line: two rings and their interrupts. */
#ifndef NARDY_LINE_H
#define NARDY_LINE_H
#include <stdint.h>

struct line_counters {
    uint16_t rx_lost;
    uint8_t rx_high, tx_high;
};

void line_start(void);

/* Take the next byte from the host; return 0 when there is none. For a zero, *at_us is when it came in. */
uint8_t line_take(uint8_t *byte, uint32_t *at_us);

/* Bytes that fit the send ring. */
uint8_t line_room(void);

/* Queue bytes; there must be room. */
void line_send(const uint8_t *bytes, uint8_t length);

struct line_counters line_counters(void);

#endif

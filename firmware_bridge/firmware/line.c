#include "line.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "protocol.h"
#include "time.h"

#ifdef BAUD_OVERRIDE
#undef BAUD
#define BAUD BAUD_OVERRIDE
#endif
#define DIVISOR ((F_CPU + BAUD * 4) / (BAUD * 8) - 1)
#define REAL_BAUD (F_CPU / (8 * (DIVISOR + 1)))
#if 1000 * REAL_BAUD > 1040 * BAUD || 1000 * REAL_BAUD < 960 * BAUD
#error "this clock cannot make that baud rate"
#endif

/* Powers of two: indices wrap by masking. */
#define RX_BYTES 128
#define TX_BYTES 256
#define ZEROS 16

static uint8_t rx[RX_BYTES], tx[TX_BYTES];
static volatile uint8_t rx_in, rx_out, tx_in, tx_out;
/* Arrival times of the zeros that wait in rx: a ping is answered with the time of its last byte. */
static uint32_t zero_us[ZEROS];
static volatile uint8_t zeros_in, zeros_out;
static volatile uint16_t rx_lost;
static uint8_t rx_high, tx_high;

static void keep(uint8_t byte)
{
    uint8_t waiting = (uint8_t)(rx_in - rx_out);
    if (waiting == RX_BYTES || (!byte && (uint8_t)(zeros_in - zeros_out) == ZEROS)) {
        rx_lost++;
        return;
    }
    rx[rx_in++ % RX_BYTES] = byte;
    if (!byte)
        zero_us[zeros_in++ % ZEROS] = time_us();
    if (++waiting > rx_high)
        rx_high = waiting;
}

ISR(USART_RX_vect)
{
    /* The receiver holds two bytes. */
    while (UCSR0A & 1 << RXC0)
        keep(UDR0);
}

ISR(USART_UDRE_vect)
{
    if (tx_out == tx_in)
        UCSR0B &= ~(1 << UDRIE0);
    else
        UDR0 = tx[tx_out++];
}

void line_start(void)
{
    UBRR0 = DIVISOR;
    UCSR0A = 1 << U2X0;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;
}

uint8_t line_take(uint8_t *byte, uint32_t *at_us)
{
    if (rx_out == rx_in)
        return 0;
    *byte = rx[rx_out % RX_BYTES];
    if (!*byte) {
        *at_us = zero_us[zeros_out % ZEROS];
        zeros_out++;
    }
    rx_out++;
    return 1;
}

uint8_t line_room(void)
{
    return TX_BYTES - 1 - (uint8_t)(tx_in - tx_out);
}

void line_send(const uint8_t *bytes, uint8_t length)
{
    while (length--)
        tx[tx_in++] = *bytes++;
    uint8_t waiting = tx_in - tx_out;
    if (waiting > tx_high)
        tx_high = waiting;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        UCSR0B |= 1 << UDRIE0;
    }
}

struct line_counters line_counters(void)
{
    struct line_counters now = {.rx_high = rx_high, .tx_high = tx_high};
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now.rx_lost = rx_lost;
    }
    return now;
}

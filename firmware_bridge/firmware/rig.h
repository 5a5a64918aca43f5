/* Made by `python -m firmware_bridge.generate` from hardware/rig/full.toml; do not edit. */
#ifndef NARDY_RIG_H
#define NARDY_RIG_H

#define RIG_FINGERPRINT 0x8E24
#define REGISTERS 20
#define SLOTS 160

#define BUTTON_WHITE_PORT PORTC
#define BUTTON_WHITE_DDR DDRC
#define BUTTON_WHITE_PIN PINC
#define BUTTON_WHITE_BIT 0
#define BUTTON_WHITE_PCMSK PCMSK1

#define BUTTON_BLACK_PORT PORTC
#define BUTTON_BLACK_DDR DDRC
#define BUTTON_BLACK_PIN PINC
#define BUTTON_BLACK_BIT 1
#define BUTTON_BLACK_PCMSK PCMSK1

#define BUTTON_PAUSE_PORT PORTC
#define BUTTON_PAUSE_DDR DDRC
#define BUTTON_PAUSE_PIN PINC
#define BUTTON_PAUSE_BIT 2
#define BUTTON_PAUSE_PCMSK PCMSK1

#define BUZZER_PORT PORTB
#define BUZZER_DDR DDRB
#define BUZZER_PIN PINB
#define BUZZER_BIT 1

#define CHAIN_LOAD_PORT PORTD
#define CHAIN_LOAD_DDR DDRD
#define CHAIN_LOAD_PIN PIND
#define CHAIN_LOAD_BIT 2

#define CHAIN_CLOCK_PORT PORTD
#define CHAIN_CLOCK_DDR DDRD
#define CHAIN_CLOCK_PIN PIND
#define CHAIN_CLOCK_BIT 3

#define CHAIN_OUTPUT_PORT PORTD
#define CHAIN_OUTPUT_DDR DDRD
#define CHAIN_OUTPUT_PIN PIND
#define CHAIN_OUTPUT_BIT 4

#define LAMPS 5
/* port and bit of each lamp, by its number */
#define LAMP_TABLE {&PORTB, 1 << 0}, {&PORTB, 1 << 2}, {&PORTD, 1 << 5}, {&PORTD, 1 << 6}, {&PORTD, 1 << 7}
#define LAMPS_OUTPUT() \
    DDRB |= 1 << 0; \
    DDRB |= 1 << 2; \
    DDRD |= 1 << 5; \
    DDRD |= 1 << 6; \
    DDRD |= 1 << 7;

#endif

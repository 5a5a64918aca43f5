/* Made by `python -m firmware_bridge.generate` from protocol.toml; do not edit. */
#ifndef NARDY_PROTOCOL_H
#define NARDY_PROTOCOL_H
#include <stdint.h>

#define PROTOCOL_MAJOR 1
#define PROTOCOL_MINOR 0
#define PROTOCOL_TABLES 0x159FDB95UL
#define BAUD 250000UL
#define MAX_ENCODED_BYTES 64
#define KEYFRAME_MS 1000
#define STAT_MS 5000
#define BUTTON_RETRY_MS 50
#define HELLO_TIMEOUT_MS 2500
#define COMMAND_RETRY_MS 100
#define PING_MS 984
#define COMMAND_TRIES 3
#define EDGES_PER_FRAME 12
#define PENDING_PRESSES 8
#define MAX_SLOTS 200

/* A key on the clock. */
enum { BUTTON_WHITE = 1, BUTTON_BLACK = 2, BUTTON_PAUSE = 3 };

/* What a lamp does. */
enum { LAMP_MODE_OFF = 0, LAMP_MODE_ON = 1, LAMP_MODE_BLINK = 2 };

/* Why the microcontroller started. */
enum { RESET_CAUSE_UNKNOWN = 0, RESET_CAUSE_POWER_ON = 1, RESET_CAUSE_EXTERNAL = 2, RESET_CAUSE_BROWN_OUT = 4, RESET_CAUSE_WATCHDOG = 8 };

/* Why the board did not carry out a command. */
enum { REFUSAL_UNKNOWN_COMMAND = 1, REFUSAL_BAD_LENGTH = 2, REFUSAL_BAD_VALUE = 3 };

/* Who the board is; sent after each start and on request. */
#define MSG_HELLO 0x01
#define SIZE_HELLO 33
struct __attribute__((packed)) hello {
    uint8_t major; /* protocol version; the host refuses another one */
    uint8_t minor; /* protocol version; the host warns about another one */
    uint32_t tables; /* hash of protocol.toml the firmware was built from */
    uint8_t firmware_major; /* version of the firmware */
    uint8_t firmware_minor; /* version of the firmware */
    uint8_t firmware_patch; /* version of the firmware */
    uint16_t rig; /* fingerprint of the rig file the firmware was built from */
    uint8_t slots; /* reed slots in the chain */
    uint8_t reset_cause; /* ResetCause, several may be set */
    uint16_t boots; /* starts of this board since it was made */
    uint16_t session; /* the start at which the press counter last began at zero */
    uint8_t board_id[16]; /* unique number of the board */
};

/* All slots at t_us. Heals whatever was lost before it. */
#define MSG_KEYFRAME 0x02
#define SIZE_KEYFRAME 1
struct __attribute__((packed)) keyframe {
    uint8_t held; /* buttons held down, bit 0 white, 1 black, 2 pause */
};

/* Slots that changed; t_us is the scan that saw the change first. */
#define MSG_EDGE 0x03
#define SIZE_EDGE 0

/* A button went down at t_us. Sent again until PressAck; the next one waits, so presses arrive in order. */
#define MSG_PRESS 0x04
#define SIZE_PRESS 5
struct __attribute__((packed)) press {
    uint8_t button; /* Button */
    uint16_t session; /* as in Hello */
    uint16_t count; /* number of the press in its session, from 1 */
};

/* Counters since the start, for the health page. */
#define MSG_STAT 0x05
#define SIZE_STAT 13
struct __attribute__((packed)) stat {
    uint16_t rx_bad; /* frames from the host with a wrong CRC, length or COBS code */
    uint16_t tx_wait; /* times a frame had to wait for room in the ring */
    uint16_t rx_lost; /* bytes from the host that found the ring full */
    uint8_t rx_high; /* most bytes waiting in the receive ring */
    uint8_t tx_high; /* most bytes waiting in the send ring */
    uint16_t loop_max_us; /* longest round of the main loop, microseconds */
    uint16_t chain_bad; /* scans thrown away because the end mark of the chain was wrong */
    uint8_t press_lost; /* presses that found the waiting list full */
};

/* Answer to Ping; t_us is when its last byte came in. */
#define MSG_PONG 0x06
#define SIZE_PONG 2
struct __attribute__((packed)) pong {
    uint16_t ping_seq; /* seq of the Ping */
};

/* A command was carried out (or had been: a repeated seq is answered, not repeated). */
#define MSG_ACK 0x07
#define SIZE_ACK 2
struct __attribute__((packed)) ack {
    uint16_t command_seq; /* seq of the command */
};

/* A command was not carried out. */
#define MSG_NAK 0x08
#define SIZE_NAK 3
struct __attribute__((packed)) nak {
    uint16_t command_seq; /* seq of the command */
    uint8_t refusal; /* Refusal */
};

/* Say who you are. */
#define MSG_ASK_HELLO 0x41
#define SIZE_ASK_HELLO 0

/* Send a keyframe now. */
#define MSG_ASK_KEYFRAME 0x42
#define SIZE_ASK_KEYFRAME 0

/* Send the counters now. */
#define MSG_ASK_STAT 0x43
#define SIZE_ASK_STAT 0

/* Ask for the time of the board. */
#define MSG_PING 0x44
#define SIZE_PING 0

/* The press is in safe hands; also sent for a press seen before. */
#define MSG_PRESS_ACK 0x45
#define SIZE_PRESS_ACK 4
struct __attribute__((packed)) press_ack {
    uint16_t session; /* as in Press */
    uint16_t count; /* as in Press */
};

/* Command: switch a lamp. */
#define MSG_LAMP 0x50
#define SIZE_LAMP 2
struct __attribute__((packed)) lamp {
    uint8_t lamp; /* number of the lamp in the rig file */
    uint8_t mode; /* LampMode */
};

/* Command: sound the buzzer. */
#define MSG_BUZZ 0x51
#define SIZE_BUZZ 4
struct __attribute__((packed)) buzz {
    uint16_t pitch_hz; /* 100 to 8000 */
    uint16_t length_ms; /* at most 5000; 0 silences */
};

/* Command: brightness of the lamps. */
#define MSG_BRIGHTNESS 0x52
#define SIZE_BRIGHTNESS 1
struct __attribute__((packed)) brightness {
    uint8_t level; /* 0 dark to 255 full */
};

/* Command: each lamp in turn and a chirp, then a Stat and a Keyframe. */
#define MSG_SELF_TEST 0x53
#define SIZE_SELF_TEST 0

/* Every message: code, bytes of its fixed fields, bytes of one item of its open end (0: none). */
#define MESSAGE_COUNT 17
#define MESSAGE_TABLE \
    {MSG_HELLO, SIZE_HELLO, 0}, \
    {MSG_KEYFRAME, SIZE_KEYFRAME, 1}, \
    {MSG_EDGE, SIZE_EDGE, 2}, \
    {MSG_PRESS, SIZE_PRESS, 0}, \
    {MSG_STAT, SIZE_STAT, 0}, \
    {MSG_PONG, SIZE_PONG, 0}, \
    {MSG_ACK, SIZE_ACK, 0}, \
    {MSG_NAK, SIZE_NAK, 0}, \
    {MSG_ASK_HELLO, SIZE_ASK_HELLO, 0}, \
    {MSG_ASK_KEYFRAME, SIZE_ASK_KEYFRAME, 0}, \
    {MSG_ASK_STAT, SIZE_ASK_STAT, 0}, \
    {MSG_PING, SIZE_PING, 0}, \
    {MSG_PRESS_ACK, SIZE_PRESS_ACK, 0}, \
    {MSG_LAMP, SIZE_LAMP, 0}, \
    {MSG_BUZZ, SIZE_BUZZ, 0}, \
    {MSG_BRIGHTNESS, SIZE_BRIGHTNESS, 0}, \
    {MSG_SELF_TEST, SIZE_SELF_TEST, 0}

#endif

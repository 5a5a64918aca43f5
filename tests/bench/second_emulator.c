/* The firmware in libsimavr, with a modelled chain of 74HC165 and a script of what hands and host do.

   second_emulator ELF SLOTS LOAD CLOCK OUTPUT < script > bytes

   Pins are written as "PD2". Lines of the script, times in microseconds of the board, rising:
       TIME slots 0 1 7 ...    checkers lie on exactly these slots
       TIME low PC0            a pin is pulled to ground
       TIME high PC0           and let go
       TIME host 00a1ff        bytes from the host
       TIME end
   Lines of the output "byte TIME HEX" are what the board has sent; libsimavr prints others of its own. */

#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK_HZ 8000000UL
#define MOST_SLOTS 200
#define MOST_BYTES 4096

static avr_t *avr;
static avr_irq_t *input;
static const char *output;
static avr_ioport_external_t pulls['D' + 1];
static int slots, position;
static bool occupied[MOST_SLOTS], latched[MOST_SLOTS];
static uint8_t waiting[MOST_BYTES];
static int first, last;
static bool ready = true;

static double now_us(void) { return avr->cycle * 1e6 / CLOCK_HZ; }

static avr_irq_t *pin(const char *name) {
    return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(name[1]), name[2] - '0');
}

/* Pull a pin from outside. The port has to know: at each of its writes it shows its own pull-ups anew. */
static void pull(const char *name, int high) {
    avr_ioport_external_t *port = &pulls[(int)name[1]];
    int bit = 1 << (name[2] - '0');
    port->name = name[1];
    port->mask |= bit;
    port->value = high ? port->value | bit : port->value & ~bit;
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(name[1]), port);
    avr_raise_irq(pin(name), high);
}

/* A closed reed pulls its input low; after the last slot comes the grounded end mark. */
static void show(void) { pull(output, position < slots ? !latched[position] : 0); }

static void on_load(avr_irq_t *irq, uint32_t high, void *unused) {
    (void)irq, (void)unused;
    if (high)
        return;
    memcpy(latched, occupied, sizeof latched);
    position = 0;
    show();
}

static void on_clock(avr_irq_t *irq, uint32_t high, void *unused) {
    (void)unused;
    if (!high || irq->value)
        return;
    position++;
    show();
}

static void on_byte(avr_irq_t *irq, uint32_t byte, void *unused) {
    (void)irq, (void)unused;
    printf("byte %.0f %02x\n", now_us(), byte & 0xFF);
}

static void on_ready(avr_irq_t *irq, uint32_t value, void *unused) {
    (void)irq, (void)value, (void)unused;
    ready = true;
}

static void on_full(avr_irq_t *irq, uint32_t value, void *unused) {
    (void)irq, (void)value, (void)unused;
    ready = false;
}

static void run_until(double until_us) {
    while (now_us() < until_us) {
        /* One at a time: the emulated receiver takes the next byte when it has room for it. */
        if (ready && first != last) {
            avr_raise_irq(input, waiting[first]);
            first = (first + 1) % MOST_BYTES;
        }
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the firmware stopped at %.0f us\n", now_us());
            exit(1);
        }
    }
}

static void obey(char *line) {
    char *rest = line;
    double at_us = strtod(line, &rest);
    char *verb = strtok(rest, " \n");
    run_until(at_us);
    if (!verb || !strcmp(verb, "end"))
        return;
    if (!strcmp(verb, "slots"))
        memset(occupied, 0, sizeof occupied);
    for (char *word; (word = strtok(NULL, " \n"));) {
        if (!strcmp(verb, "slots"))
            occupied[atoi(word) % MOST_SLOTS] = true;
        else if (!strcmp(verb, "low"))
            pull(word, 0);
        else if (!strcmp(verb, "high"))
            pull(word, 1);
        else
            for (unsigned byte; sscanf(word, "%2x", &byte) == 1; word += 2) {
                waiting[last] = byte;
                last = (last + 1) % MOST_BYTES;
            }
    }
}

int main(int count, char **words) {
    if (count != 6)
        return 2;
    slots = atoi(words[2]);
    elf_firmware_t firmware = {0};
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr || elf_read_firmware(words[1], &firmware))
        return 2;
    firmware.frequency = CLOCK_HZ;
    avr_init(avr);
    avr_load_firmware(avr, &firmware);
    avr->log = LOG_ERROR;

    uint8_t memory[1024];
    memset(memory, 0xFF, sizeof memory);
    for (int number = 0; number < 16; number++)
        memory[number] = number;
    avr_eeprom_desc_t eeprom = {.ee = memory, .offset = 0, .size = sizeof memory};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &eeprom);

    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~AVR_UART_FLAG_STDIO;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), on_ready, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), on_full, NULL);
    input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(pin(words[3]), on_load, NULL);
    avr_irq_register_notify(pin(words[4]), on_clock, NULL);
    output = words[5];
    pull(output, 1);

    char line[8192];
    while (fgets(line, sizeof line, stdin))
        obey(line);
    return 0;
}

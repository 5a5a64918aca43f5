/* The firmware in simavr, an emulator of its own, driven by lines on stdin in virtual time:
 *   run CYCLES | slot NUMBER 0|1 | pin C0 0|1 | send HEX | level D5
 * Every line is answered by one: "at" and the bytes the board sent meanwhile in hex, or a level.
 * Arguments: ELF LOAD CLOCK OUTPUT SLOTS, pins as "D2".
 */
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SLOTS 256

static avr_t *avr;
/* simavr has words of its own for stdout. */
static FILE *answers;
static const char *output;
static uint8_t closed[MAX_SLOTS], latched[MAX_SLOTS];
static int slots, position, clock_level, load_level = 1;

static avr_irq_t *pin(const char *name)
{
    return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(name[0]), name[1] - '0');
}

/* What is wired to a pin is stronger than the chip's own pull-up, which simavr puts on at every write to the port. */
static void pull(const char *name, int level)
{
    static uint8_t masks[256], values[256];
    uint8_t port = name[0], bit = 1 << (name[1] - '0');
    masks[port] |= bit;
    values[port] = level ? values[port] | bit : values[port] & ~bit;
    avr_ioport_external_t wired = {.name = port, .mask = masks[port], .value = values[port]};
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &wired);
    avr_raise_irq(pin(name), level);
}

/* A closed reed pulls its input low; behind the last register the serial input is grounded. */
static void drive(void)
{
    pull(output, position < slots ? !latched[position] : 0);
}

static void on_load(avr_irq_t *irq, uint32_t level, void *unused)
{
    (void)irq, (void)unused;
    if (load_level && !level) {
        memcpy(latched, closed, sizeof latched);
        position = 0;
        drive();
    }
    load_level = level;
}

static void on_clock(avr_irq_t *irq, uint32_t level, void *unused)
{
    (void)irq, (void)unused;
    if (!clock_level && level) {
        position++;
        drive();
    }
    clock_level = level;
}

static void on_byte(avr_irq_t *irq, uint32_t byte, void *unused)
{
    (void)irq, (void)unused;
    fprintf(answers, " %02x", (unsigned)byte & 0xFF);
}

/* The level the chip puts on a pin, -1 while it leaves the pin alone. */
static int driven(const char *name)
{
    avr_ioport_state_t state;
    avr_ioctl(avr, AVR_IOCTL_IOPORT_GETSTATE(name[0]), &state);
    int bit = name[1] - '0';
    return state.ddr >> bit & 1 ? state.port >> bit & 1 : -1;
}

/* Virtual time: a sleeping processor waits for nobody. */
static void no_sleep(avr_t *core, avr_cycle_count_t cycles)
{
    (void)core, (void)cycles;
}

static void deliver(const char *hex)
{
    avr_irq_t *input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        avr_raise_irq(input, byte);
}

static void run(uint64_t cycles)
{
    for (avr_cycle_count_t end = avr->cycle + cycles; avr->cycle < end;) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the board stopped\n");
            exit(1);
        }
    }
}

int main(int count, char **argument)
{
    elf_firmware_t firmware = {0};
    if (count != 6 || elf_read_firmware(argument[1], &firmware) || !(avr = avr_make_mcu_by_name("atmega328p"))) {
        fprintf(stderr, "usage: second_emulator ELF LOAD CLOCK OUTPUT SLOTS\n");
        return 2;
    }
    answers = fdopen(dup(STDOUT_FILENO), "w");
    dup2(STDERR_FILENO, STDOUT_FILENO);
    avr_init(avr);
    firmware.frequency = 8000000;
    avr_load_firmware(avr, &firmware);
    avr->sleep = no_sleep;
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte, NULL);
    avr_irq_register_notify(pin(argument[2]), on_load, NULL);
    avr_irq_register_notify(pin(argument[3]), on_clock, NULL);
    output = argument[4];
    slots = atoi(argument[5]);

    char line[512], word[8], name[8];
    unsigned long long number;
    int level;
    while (fgets(line, sizeof line, stdin)) {
        fprintf(answers, "at");
        if (sscanf(line, "run %llu", &number) == 1)
            run(number);
        else if (sscanf(line, "slot %llu %d", &number, &level) == 2 && number < MAX_SLOTS)
            closed[number] = level;
        else if (sscanf(line, "pin %7s %d", name, &level) == 2)
            pull(name, level);
        else if (sscanf(line, "level %7s", name) == 1)
            fprintf(answers, " %d", driven(name));
        else if (!strncmp(line, "send ", 5))
            deliver(line + 5);
        else if (sscanf(line, "%7s", word) == 1)
            fprintf(stderr, "unknown: %s\n", word);
        fprintf(answers, "\n");
        fflush(answers);
    }
    return 0;
}

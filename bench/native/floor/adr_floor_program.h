/* What the programs that time two processes have in common: numbers on their command line, a command a line until
 * the end of the input, each answered with one line. */
#pragma once

#include "floor/adr_floor_pair.h"

/* Answers one command. */
typedef void floor_command(struct floor_pair *pair, const char *command);

/* Whether `text` is a whole number from `least` to `most`; then it is in `value`. */
bool floor_parse_number(const char *text, long least, long most, long *value);

/* Whether two words are numbers of CPUs, or -1 for one that is not pinned; then they are in `cpus`. */
bool floor_parse_cpus(char **words, int cpus[2]);

/* As floor_pair_start; says on stderr, after the program's name, what went wrong. */
bool floor_start(const char *program, struct floor_pair *pair, const int cpus[2], floor_run *const *tests);

/* Reads commands to the end of the input, then ends the pair. */
void floor_serve(struct floor_pair *pair, floor_command *command);

/* Returns NULL, or what is wrong with the batches and exchanges of an order. */
const char *floor_check_counts(const struct floor_order *order);

enum { FLOOR_NAME = 32 };

/* Whether a command is a name and three numbers, NAME BYTES BATCHES EXCHANGES; then they are in `name` and `order`, all
 * else of which is 0. */
bool floor_read_order(const char *command, char name[FLOOR_NAME], struct floor_order *order);

/* Reads a command; returns NULL, or what is wrong with it. */
typedef const char *floor_parse(const char *command, struct floor_order *order);

/* Runs what the command orders, or prints `error` and what is wrong with it. */
void floor_obey(struct floor_pair *pair, const char *command, floor_parse *parse, floor_run *const *tests);

/* Runs the order and prints `ns T1 ... T<BATCHES>`. */
void floor_measure(struct floor_pair *pair, const struct floor_order *order, floor_run *const *tests);

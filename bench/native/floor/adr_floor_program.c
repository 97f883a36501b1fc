#include "floor/adr_floor_program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMAND = 256, MAX_CPU = (1 << 16) - 1 };

bool floor_parse_number(const char *text, long least, long most, long *value) {
  char *end;
  errno = 0;
  *value = strtol(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' && *value >= least && *value <= most;
}

bool floor_parse_cpus(char **words, int cpus[2]) {
  for (int i = 0; i < 2; i++) {
    long value;
    if (!floor_parse_number(words[i], -1, MAX_CPU, &value)) { return false; }
    cpus[i] = (int)value;
  }
  return true;
}

bool floor_start(const char *program, struct floor_pair *pair, const int cpus[2], floor_run *const *tests) {
  const char *wrong = floor_pair_start(pair, cpus[0], cpus[1], tests);
  if (wrong != NULL) { fprintf(stderr, "%s: %s\n", program, wrong); }
  return wrong == NULL;
}

void floor_serve(struct floor_pair *pair, floor_command *command) {
  char line[COMMAND];
  while (fgets(line, sizeof line, stdin) != NULL) {
    command(pair, line);
    fflush(stdout);
  }
  floor_pair_end(pair);
}

bool floor_read_order(const char *command, char name[FLOOR_NAME], struct floor_order *order) {
  char rest;
  memset(order, 0, sizeof *order);
  return strstr(command, " -") == NULL
         && sscanf(command, "%31s %" SCNu64 " %" SCNu64 " %" SCNu64 " %c", name, &order->bytes, &order->batches,
                   &order->exchanges, &rest)
                == 4;
}

void floor_obey(struct floor_pair *pair, const char *command, floor_parse *parse, floor_run *const *tests) {
  struct floor_order order;
  const char *wrong = parse(command, &order);
  if (wrong != NULL) {
    printf("error %s\n", wrong);
    return;
  }
  floor_measure(pair, &order, tests);
}

const char *floor_check_counts(const struct floor_order *order) {
  if (order->batches < 1 || order->batches > FLOOR_MAX_BATCHES) { return "batches are 1 to 1048576"; }
  if (order->exchanges < 1 || order->exchanges > FLOOR_MAX_EXCHANGES) { return "exchanges are 1 to 1073741824"; }
  return NULL;
}

void floor_measure(struct floor_pair *pair, const struct floor_order *order, floor_run *const *tests) {
  floor_pair_give(pair, order, tests);
  if (adr_load_relaxed_u64(&pair->shared->wrong[0].word) + adr_load_relaxed_u64(&pair->shared->wrong[1].word) != 0) {
    printf("error a message of %" PRIu64 " bytes was not read as it was written\n", order->bytes);
    return;
  }
  printf("ns");
  for (uint64_t i = 0; i < order->batches; i++) { printf(" %" PRIu64, pair->shared->ns[i]); }
  printf("\n");
}

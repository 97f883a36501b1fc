/* adrastea-copies CPU0 CPU1: the routines of native/copy, timed one by one on two CPUs (-1: not pinned); `bench copy`
 * shows it. Reads a command a line and answers each with one:
 *   local|cross|hand|walk|apart ROUTINE BYTES BATCHES EXCHANGES
 *                                    `ns T1 ... T<BATCHES>`, nanoseconds of each batch of EXCHANGES
 *                                    (adr_copies_local.h, adr_copies_cross.h, adr_copies_hand.h);
 *                                    walk and apart take `none` for ROUTINE too
 *   routines                         `routines NAME...`, those that this CPU can run
 *   limits                           `limits TEXT`, what is chosen when, and why
 *   chosen copy|stream BYTES         `chosen NAME`
 *   set                              `set BYTES`, of the working set of walk and apart
 * or with `error TEXT`. Ends at the end of its input. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "copies/adr_copies_cross.h"
#include "copies/adr_copies_hand.h"
#include "copies/adr_copies_local.h"
#include "copies/adr_copies_set.h"
#include "copy/adr_copy_choice.h"
#include "floor/adr_floor_program.h"

enum { TEST_LOCAL, TEST_CROSS, TEST_HAND, TEST_WALK, TEST_APART, TEST_COUNT, NAME = 24, TEXT = 1024 };

static const char *const names[TEST_COUNT] = {"local", "cross", "hand", "walk", "apart"};
static floor_run *const runs[TEST_COUNT] = {copies_local_run, copies_cross_run, copies_hand_run, copies_walk_run,
                                            copies_apart_run};
static struct adr_copy_choice choice;

/* The index of a routine that this CPU can run; -2 when there is none of that name. */
static int32_t routine_index(const char *name, uint32_t test) {
  if (test >= TEST_WALK && strcmp(name, "none") == 0) { return COPIES_NO_ROUTINE; }
  const struct adr_copy_routine *found = adr_copy_routine_find(name);
  return found == NULL ? -2 : (int32_t)(found - adr_copy_routine_at(0));
}

/* Returns NULL, or what is wrong with the command. */
static const char *parse(const char *command, struct floor_order *order) {
  char test[NAME];
  char routine[NAME];
  char rest;
  memset(order, 0, sizeof *order);
  if (strstr(command, " -") != NULL
      || sscanf(command, "%23s %23s %" SCNu64 " %" SCNu64 " %" SCNu64 " %c", test, routine, &order->bytes,
                &order->batches, &order->exchanges, &rest)
             != 5) {
    return "a command is: local|cross|hand|walk|apart ROUTINE BYTES BATCHES EXCHANGES, routines, limits,"
           " chosen copy|stream BYTES, set";
  }
  order->pauses = 1;
  while (order->test < TEST_COUNT && strcmp(test, names[order->test]) != 0) { order->test++; }
  if (order->test == TEST_COUNT) { return "the tests are local, cross, hand, walk, apart"; }
  order->routine = routine_index(routine, order->test);
  if (order->routine < COPIES_NO_ROUTINE) { return "this CPU has no such routine; `routines` tells which it has"; }
  if (order->bytes > FLOOR_COPY_MAX_BYTES) { return "bytes are at most 64 MiB"; }
  return floor_check_counts(order);
}

static void list_routines(void) {
  printf("routines");
  for (int32_t i = 0; adr_copy_routine_at(i) != NULL; i++) {
    if (adr_copy_routine_at(i)->usable()) { printf(" %s", adr_copy_routine_at(i)->name); }
  }
  printf("\n");
}

static void tell_limits(void) {
  char text[TEXT];
  adr_copy_choice_print(&choice, text, sizeof text);
  printf("limits %s\n", text);
}

/* Whether the command asks what is chosen; then it is told. */
static bool tell_chosen(const char *command) {
  char which[NAME];
  int64_t bytes;
  char rest;
  if (sscanf(command, "chosen %23s %" SCNd64 " %c", which, &bytes, &rest) != 2 || bytes < 0) { return false; }
  bool stream = strcmp(which, "stream") == 0;
  if (!stream && strcmp(which, "copy") != 0) { return false; }
  printf("chosen %s\n", adr_copy_pick(stream ? choice.stream : choice.copy, bytes)->name);
  return true;
}

static void run_command(struct floor_pair *pair, const char *command) {
  if (strcmp(command, "routines\n") == 0) {
    list_routines();
  } else if (strcmp(command, "limits\n") == 0) {
    tell_limits();
  } else if (strcmp(command, "set\n") == 0) {
    printf("set %" PRIu64 "\n", copies_set_bytes());
  } else if (!tell_chosen(command)) {
    floor_obey(pair, command, parse, runs);
  }
}

int main(int argc, char **argv) {
  int cpus[2];
  struct floor_pair pair;
  if (argc != 3 || !floor_parse_cpus(argv + 1, cpus)) {
    fprintf(stderr, "usage: adrastea-copies CPU0 CPU1   (-1: not pinned)\n");
    return 2;
  }
  if (!floor_start("adrastea-copies", &pair, cpus, runs)) { return 1; }
  adr_copy_choose(ADR_COPY_SYS, cpus[0] < 0 ? 0 : cpus[0], &choice);
  copies_set_make((uint64_t)choice.caches.own / 4 * 3); /* what a program may well keep there */
  floor_serve(&pair, run_command);
  return 0;
}

/* adrastea-counts CASE TIMES: calls the functions of the C core so that callgrind can count their instructions
 * (adr_counts_cases.h). adrastea-counts serve CPU0 CPU1: times them (adr_counts_serve.h). `bench paper` runs both;
 * adrastea-counts-plain is the same on a queue without shadow head. */
#include <stdio.h>
#include <string.h>

#include "counts/adr_counts_cases.h"
#include "counts/adr_counts_serve.h"
#include "floor/adr_floor_program.h"

int main(int argc, char **argv) {
  int cpus[2];
  long times;
  if (argc == 4 && strcmp(argv[1], "serve") == 0 && floor_parse_cpus(argv + 2, cpus)) { return counts_serve(cpus); }
  if (argc == 3 && floor_parse_number(argv[2], 1, 1000000, &times) && counts_run_case(argv[1], (uint32_t)times)) {
    return 0;
  }
  fprintf(stderr, "usage: adrastea-counts CASE TIMES\n       adrastea-counts serve CPU0 CPU1   (-1: not pinned)\n");
  return 2;
}

/* adrastea-counts CASE TIMES: calls the functions of the C core so that callgrind can count their instructions
 * (adr_counts_cases.h). adrastea-counts serve CPU0 CPU1: times them (adr_counts_serve.h). `bench paper` runs both;
 * adrastea-counts-plain is the same on a queue without shadow head. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts/adr_counts_cases.h"
#include "counts/adr_counts_serve.h"

static bool parse(const char *text, long least, long most, long *value) {
  char *end;
  errno = 0;
  *value = strtol(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' && *value >= least && *value <= most;
}

int main(int argc, char **argv) {
  long first;
  long second;
  if (argc == 4 && strcmp(argv[1], "serve") == 0 && parse(argv[2], -1, 1 << 16, &first)
      && parse(argv[3], -1, 1 << 16, &second)) {
    return counts_serve((int)first, (int)second);
  }
  if (argc == 3 && parse(argv[2], 1, 1000000, &first) && counts_run_case(argv[1], (uint32_t)first)) { return 0; }
  fprintf(stderr, "usage: adrastea-counts CASE TIMES\n       adrastea-counts serve CPU0 CPU1   (-1: not pinned)\n");
  return 2;
}

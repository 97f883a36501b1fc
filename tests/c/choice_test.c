/* choice_test GOLDEN: which way collectives take, as tests/coll/choices.golden has it: at both ends of each row. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "coll/adr_coll_choice.h"

static int32_t kind_of(const char *name) {
  static const char *const kinds[] = {"",        "barrier",  "bcast",     "allreduce",      "allgather",
                                      "reduce",  "scan",     "exscan",    "reduce_scatter", "gather",
                                      "scatter", "alltoall", "allgatherv"};
  for (int32_t kind = 1; kind <= ADR_COLL_ALLGATHERV; kind++) {
    if (strcmp(name, kinds[kind]) == 0) { return kind; }
  }
  return 0;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  FILE *golden = fopen(argv[1], "r");
  CHECK(golden != NULL);
  char line[256];
  int rows = 0;
  while (fgets(line, sizeof line, golden) != NULL) {
    if (line[0] == '#') { continue; }
    char name[16];
    uint32_t choices, ranks[2];
    int64_t bytes[2];
    int32_t way;
    CHECK_EQUAL(7, sscanf(line, "%15s %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNd64 " %" SCNd64 " %" SCNd32, name,
                          &choices, &ranks[0], &ranks[1], &bytes[0], &bytes[1], &way));
    int32_t kind = kind_of(name);
    CHECK(kind != 0);
    for (int corner = 0; corner < 4; corner++) {
      CHECK_EQUAL(way, adr_coll_choice(kind, ranks[corner & 1], bytes[corner >> 1], choices));
    }
    rows++;
  }
  fclose(golden);
  CHECK(rows > 8);
  return 0;
}

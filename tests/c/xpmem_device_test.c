/* XPMEM on the machine's own kernel: its module where it has one, and that it has none where it has not. */
#include "adrastea/space.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "peer.h"
#include "space/adr_xpmem_device.h"

enum { BYTES = 1 << 20 };

static uint8_t theirs[BYTES]; /* each process has its own copy since the fork */
static int64_t *segment;      /* shared by both */

/* Exports at its first step, and finds what was written at the next. */
static void step(int number) {
  if (number == 0) {
    memset(theirs, 7, BYTES);
    *segment = adr_xpmem_export();
  }
  if (number == 1) { CHECK_EQUAL(9, theirs[5000]); }
}

static void memory_of_a_process_is_reached(void) {
  segment = mmap(NULL, sizeof *segment, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(segment != MAP_FAILED);
  struct peer peer = peer_start(step);
  peer_step(&peer);
  CHECK(*segment > 0);
  int64_t address = (int64_t)(uintptr_t)theirs;
  int64_t here = adr_xpmem_reach(*segment, address + 100, BYTES - 100);
  CHECK(here > 0);
  uint8_t *bytes = (uint8_t *)(intptr_t)here - 100;
  for (int i = 100; i < BYTES; i++) { CHECK_EQUAL(7, bytes[i]); }
  bytes[5000] = 9;
  CHECK_EQUAL(0, theirs[5000]);
  peer_step(&peer);
  CHECK_EQUAL(0, adr_xpmem_unreach(*segment, address + 100, BYTES - 100));
  peer_end(&peer);
  CHECK_EQUAL(-ESRCH, adr_xpmem_reach(*segment, address, 2 * BYTES));
}

static void that_there_is_no_xpmem_is_told(void) {
  CHECK_EQUAL(-ENODEV, adr_xpmem_status());
  CHECK_EQUAL(-ENODEV, adr_xpmem_export());
  CHECK_EQUAL(-ENODEV, adr_xpmem_reach(1, 4096, 1));
  CHECK_EQUAL(-EINVAL, adr_xpmem_unreach(1, 4096, 1));
}

int main(void) {
  if (access(ADR_XPMEM_PATH, F_OK) != 0) {
    RUN(that_there_is_no_xpmem_is_told);
    return 0;
  }
  if (access(ADR_XPMEM_PATH, R_OK | W_OK) != 0) {
    printf("skipped: " ADR_XPMEM_PATH " may not be opened here\n");
    return CHECK_SKIPPED;
  }
  RUN(memory_of_a_process_is_reached);
  return 0;
}

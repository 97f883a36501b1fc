/* One rank dies while it adds regions, or gives one back, at every stop point of native/segment/adr_region.c, each time
 * that it gets there. The other one adds regions meanwhile and afterwards: none is given out twice, none of the dead
 * rank's entries and pages is lost, and what is left to others are zeros. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "job.h"
#include "lone_victim.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_region.h"

enum { SURVIVOR, VICTIM, RANKS, CELLS = 4, PAYLOAD = 64, SMALL = 3 * ADR_PAGE, LARGE = 40 * ADR_PAGE, MOST = 200 };

#define SPARSE (UINT64_C(1) << 36)

static struct job job;

static int add(uint32_t rank, uint64_t bytes, bool sparse) {
  const struct adr_region_request request = {ADR_REGION_SYMMETRIC, (int32_t)rank, bytes, sparse};
  return adr_region_add(&job.segment, rank, &request);
}

/* No file may grow beyond what there is now: there is no room. */
static void refuse_room(void) {
  struct rlimit limit = {(rlim_t)job_header(&job)->file_end, RLIM_INFINITY};
  signal(SIGXFSZ, SIG_IGN);
  CHECK_EQUAL(0, setrlimit(RLIMIT_FSIZE, &limit));
  CHECK(add(VICTIM, LARGE, false) < 0);
  limit.rlim_cur = RLIM_INFINITY;
  CHECK_EQUAL(0, setrlimit(RLIMIT_FSIZE, &limit));
}

/* Reserves a part of a sparse region, and uses it. */
static void use_part(int index) {
  struct adr_region region;
  void *memory;
  CHECK(index >= 0);
  CHECK_EQUAL(0, adr_region_reserve(&job.segment, (uint32_t)index, SPARSE / 2, SMALL));
  CHECK_EQUAL(0, adr_region_map(&job.segment, (uint32_t)index, &region, &memory));
  memset((uint8_t *)memory + SPARSE / 2, 7, SMALL);
}

/* All that a rank does with regions. */
static void script(void) {
  int first = add(VICTIM, SMALL, false);
  CHECK(first >= 0);
  CHECK(add(VICTIM, LARGE, false) >= 0);
  refuse_room();
  CHECK_EQUAL(0, adr_region_give_back(&job.segment, VICTIM, (uint32_t)first));
  CHECK_EQUAL(first, add(VICTIM, SMALL, false)); /* used before */
  int sparse = add(VICTIM, SPARSE, true);
  use_part(sparse);
  CHECK_EQUAL(0, adr_region_give_back(&job.segment, VICTIM, (uint32_t)sparse));
  CHECK_EQUAL(sparse, add(VICTIM, SPARSE, true));
  use_part(sparse);
}

static uint64_t blocks(void) {
  struct stat found;
  CHECK_EQUAL(0, fstat(job.segment.fd, &found));
  return (uint64_t)found.st_blocks * 512;
}

/* Every region is whole, and lies in no other. */
static void check_apart(void) {
  struct adr_region all[MOST];
  uint32_t found = 0;
  for (uint32_t index = 0; index < adr_region_count(&job.segment); index++) {
    struct adr_region region;
    if (adr_region_at(&job.segment, index, &region) != 0) { continue; }
    for (uint32_t i = 0; i < found; i++) {
      CHECK(region.offset >= all[i].offset + all[i].bytes || all[i].offset >= region.offset + region.bytes);
    }
    CHECK(found < MOST);
    all[found++] = region;
  }
}

static void check_zeros(uint32_t index) {
  struct adr_region region;
  void *memory;
  CHECK_EQUAL(0, adr_region_map(&job.segment, index, &region, &memory));
  if (region.sparse) { return; }
  for (uint64_t at = 0; at < region.bytes; at++) { CHECK_EQUAL(0, ((uint8_t *)memory)[at]); }
  memset(memory, 7, region.bytes);
}

/* A sparse region is all zeros where it is reserved. */
static void check_sparse(uint32_t index) {
  struct adr_region region;
  void *memory;
  CHECK_EQUAL(0, adr_region_reserve(&job.segment, index, SPARSE / 2, SMALL));
  CHECK_EQUAL(0, adr_region_map(&job.segment, index, &region, &memory));
  for (uint64_t at = SPARSE / 2; at < SPARSE / 2 + SMALL; at++) { CHECK_EQUAL(0, ((uint8_t *)memory)[at]); }
}

/* Takes all entries that were left, whatever size they are of. */
static void take_over(void) {
  for (int i = 0; i < 6; i++) {
    int small = add(SURVIVOR, SMALL, false), large = add(SURVIVOR, LARGE, false), sparse = add(SURVIVOR, SPARSE, true);
    CHECK(small >= 0 && large >= 0 && sparse >= 0);
    check_zeros((uint32_t)small);
    check_zeros((uint32_t)large);
    check_sparse((uint32_t)sparse);
    check_apart();
  }
}

/* Gives all regions back, also those of the dead rank. */
static void give_all_back(void) {
  for (uint32_t index = 0; index < adr_region_count(&job.segment); index++) {
    CHECK_EQUAL(0, adr_region_give_back(&job.segment, SURVIVOR, index));
  }
}

static bool run_case(int point, uint32_t visit) {
  job = job_open(RANKS, CELLS, PAYLOAD);
  CHECK_EQUAL(0, add(SURVIVOR, SMALL, false));
  check_zeros(0);
  uint64_t before = blocks();
  bool died = victim_dies(script, point, visit);
  check_apart();
  CHECK(add(SURVIVOR, SMALL, false) >= 0); /* nobody waits for the dead, known as such or not */
  adr_rank_table_depart(job.segment.base, VICTIM, ADR_RANK_FAILED);
  take_over();
  give_all_back();
  CHECK(blocks() <= before); /* no page is lost: what the victim had is given back, and the survivor's first too */
  job_close(&job);
  return died;
}

int main(void) {
  run_cases(run_case, ADR_STOP_REGIONS, ADR_STOP_CONTEXTS);
  printf("ok regions_survive_wherever_a_rank_dies: %d points\n", ADR_STOP_CONTEXTS - ADR_STOP_REGIONS);
  return 0;
}

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

static struct job job;

static int add(uint32_t rank, uint64_t bytes, bool sparse) {
  const struct adr_region_request request = {ADR_REGION_WINDOW, (int32_t)rank, bytes, sparse};
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

/* All that a rank does with regions. */
static void script(void) {
  int first = add(VICTIM, SMALL, false);
  CHECK(first >= 0);
  CHECK(add(VICTIM, LARGE, false) >= 0);
  refuse_room();
  CHECK(add(VICTIM, UINT64_C(1) << 36, true) >= 0);
  CHECK_EQUAL(0, adr_region_give_back(&job.segment, VICTIM, (uint32_t)first));
  CHECK_EQUAL(first, add(VICTIM, SMALL, false)); /* used before */
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

/* A sparse one that was not ready waits for one of its size; of its pages the last is there. */
static bool is_left_sparse(uint32_t index) {
  uint64_t offset = adr_region_directory_offset(RANKS) + (uint64_t)index * ADR_REGION_ENTRY_BYTES;
  const struct adr_region_entry *entry = (void *)(job.segment.base + offset);
  return (adr_load_acquire_u64(&entry->state) & 0xff) == ADR_REGION_CLAIMED && entry->bytes == UINT64_C(1) << 36;
}

/* Takes all entries that were left, whatever size they are of, and gives all regions back. */
static void take_over(void) {
  for (int i = 0; i < 6; i++) {
    int small = add(SURVIVOR, SMALL, false), large = add(SURVIVOR, LARGE, false);
    CHECK(small >= 0 && large >= 0);
    check_zeros((uint32_t)small);
    check_zeros((uint32_t)large);
    check_apart();
  }
}

/* Returns how many pages stay with entries that were not taken over. */
static uint32_t give_all_back(void) {
  uint32_t left = 0;
  for (uint32_t index = 0; index < adr_region_count(&job.segment); index++) {
    int status = adr_region_give_back(&job.segment, SURVIVOR, index);
    CHECK(status == 0 || is_left_sparse(index));
    left += status != 0;
  }
  return left;
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
  uint32_t left = give_all_back();
  CHECK(left <= 1 && blocks() <= before + left * ADR_PAGE); /* no page is lost: what the victim had is given back, and
                                                               the survivor's first too */
  job_close(&job);
  return died;
}

int main(void) {
  run_cases(run_case, ADR_STOP_REGIONS, ADR_STOP_CONTEXTS);
  printf("ok regions_survive_wherever_a_rank_dies: %d points\n", ADR_STOP_CONTEXTS - ADR_STOP_REGIONS);
  return 0;
}

/* How many CPUs the ranks of a job have together; twin of RankTableTest. */
#include <string.h>

#include "check.h"
#include "ranktable/adr_rank_table.h"

enum { RANKS = 3, CPU_BITS = 64 };

static struct {
  union {
    struct adr_segment_header header;
    uint8_t page[ADR_PAGE];
  };
  struct adr_rank_entry entries[RANKS];
} segment;

static void new_job(uint32_t ranks) {
  memset(&segment, 0, sizeof segment);
  segment.header.rank_count = ranks;
  CHECK(adr_rank_table_entry(&segment, 0) == &segment.entries[0]);
  CHECK(adr_rank_table_entry(&segment, 2) == &segment.entries[2]);
}

/* Enters a rank that may run on the CPUs from `first` to `last`. */
static void enter(uint32_t rank, int first, int last, uint32_t quota) {
  struct adr_rank_cpus cpus = {
      .only = first == last ? first : -1, .count = (uint32_t)(last - first + 1), .quota = quota};
  for (int cpu = first; cpu <= last && cpu < 16 * CPU_BITS; cpu++) {
    cpus.mask[cpu / CPU_BITS] |= UINT64_C(1) << cpu % CPU_BITS;
  }
  CHECK_EQUAL(0, adr_rank_table_enter(&segment, rank, ADR_CORE_C, 0, ADR_RANK_CAN_MATCH | ADR_RANK_CAN_WINDOWS, &cpus));
}

static void an_entry_holds_what_its_rank_said(void) {
  new_job(1);
  enter(0, 62, 65, 150);
  const struct adr_rank_entry *entry = adr_rank_table_entry(&segment, 0);
  CHECK_EQUAL(-1, entry->cpu);
  CHECK_EQUAL(4, entry->cpu_count);
  CHECK_EQUAL(150, entry->cpu_quota);
  CHECK(adr_rank_table_has(entry, ADR_RANK_CAN_MATCH) && adr_rank_table_has(entry, ADR_RANK_CAN_WINDOWS));
  CHECK(!adr_rank_table_has(entry, ADR_RANK_CAN_RENDEZVOUS) && !adr_rank_table_has(entry, ADR_RANK_CAN_SHMEM));
  CHECK(entry->cpus[0] == UINT64_C(3) << 62 && entry->cpus[1] == 3 && entry->cpus[2] == 0);
}

static void cpus_that_several_ranks_share_count_once(void) {
  new_job(3);
  enter(0, 0, 1, 0);
  enter(1, 1, 1, 0);
  enter(2, 0, 1, 0);
  CHECK_EQUAL(2, adr_rank_table_usable_cpus(&segment, NULL, segment.header.rank_count));
  CHECK(adr_rank_table_is_oversubscribed(&segment, segment.header.rank_count));
}

static void ranks_with_cpus_of_their_own_are_not_oversubscribed(void) {
  new_job(3);
  enter(0, 0, 0, 0);
  enter(1, 70, 70, 0);
  enter(2, 1023, 1023, 0);
  CHECK_EQUAL(3, adr_rank_table_usable_cpus(&segment, NULL, segment.header.rank_count));
  CHECK(!adr_rank_table_is_oversubscribed(&segment, segment.header.rank_count));
}

static void ranks_on_different_halves_have_the_whole(void) {
  new_job(2);
  enter(0, 0, 3, 0);
  enter(1, 4, 7, 0);
  CHECK_EQUAL(8, adr_rank_table_usable_cpus(&segment, NULL, segment.header.rank_count));
}

static void the_least_quota_limits_all(void) {
  new_job(3);
  enter(0, 0, 7, 0);
  enter(1, 0, 7, 400);
  enter(2, 0, 7, 150);
  CHECK_EQUAL(2, adr_rank_table_usable_cpus(&segment, NULL, segment.header.rank_count));
  CHECK(adr_rank_table_is_oversubscribed(&segment, segment.header.rank_count));
}

static void a_quota_of_less_than_a_cpu_is_one(void) {
  new_job(1);
  enter(0, 0, 7, 5);
  CHECK_EQUAL(1, adr_rank_table_usable_cpus(&segment, NULL, segment.header.rank_count));
  CHECK(!adr_rank_table_is_oversubscribed(&segment, segment.header.rank_count));
}

static void cpus_that_the_mask_cannot_name_count_by_number(void) {
  new_job(2);
  enter(0, 2000, 2003, 0);
  enter(1, 2000, 2003, 0);
  CHECK_EQUAL(4, adr_rank_table_usable_cpus(&segment, NULL, segment.header.rank_count));
}

int main(void) {
  RUN(an_entry_holds_what_its_rank_said);
  RUN(cpus_that_several_ranks_share_count_once);
  RUN(ranks_with_cpus_of_their_own_are_not_oversubscribed);
  RUN(ranks_on_different_halves_have_the_whole);
  RUN(the_least_quota_limits_all);
  RUN(a_quota_of_less_than_a_cpu_is_one);
  RUN(cpus_that_the_mask_cannot_name_count_by_number);
  return 0;
}

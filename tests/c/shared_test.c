/* Shared allocations between two processes that map the segment each on its own. */
#include "shared/adr_shared.h"

#include <errno.h>
#include <sys/wait.h>

#include "job.h"

enum { RANKS = 2, CELLS = 4, PAYLOAD = 64, REGION = 256 << 10 };

static struct job job;
static struct adr_segment other_process; /* the same segment, with mappings of its own */
static struct adr_shared *mine;          /* of rank 0 */
static struct adr_shared *theirs;        /* of rank 1, which has mappings of its own */

static void set_up(void) {
  job = job_open(RANKS, CELLS, PAYLOAD);
  other_process = job.segment;
  CHECK_EQUAL(0, adr_shared_open(&mine, &job.segment, 0));
  CHECK_EQUAL(0, adr_shared_open(&theirs, &other_process, 1));
}

static void tear_down(void) {
  adr_shared_close(mine);
  adr_shared_close(theirs);
  adr_region_close(&other_process);
  job_close(&job);
}

static uint8_t *allocate(uint64_t bytes, uint64_t alignment, uint64_t *offset) {
  void *memory;
  CHECK_EQUAL(0, adr_shared_allocate(mine, bytes, alignment, &memory, offset));
  return memory;
}

static void written_here_is_read_there(void) {
  for (uint64_t i = 0; i < 5; i++) { /* each in a region of its own */
    uint64_t offset;
    void *other;
    uint8_t *memory = allocate(REGION - 64 * i, 8, &offset);
    CHECK_EQUAL(0, adr_shared_reach(theirs, 0, offset, REGION - 64 * i, &other));
    CHECK(other != memory);
    memory[REGION / 2] = (uint8_t)(7 + i);
    CHECK_EQUAL(7 + i, ((uint8_t *)other)[REGION / 2]);
    CHECK_EQUAL(0, adr_shared_reach(theirs, 0, offset + 10, 1, &other));
    *(uint8_t *)other = (uint8_t)(9 + i);
    CHECK_EQUAL(9 + i, memory[10]);
  }
}

static bool is_zero(const uint8_t *memory, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    if (memory[i] != 0) { return false; }
  }
  return true;
}

static void memory_is_zero_also_when_it_was_used_before(void) {
  uint64_t first;
  uint64_t second;
  uint8_t *memory = allocate(5000, 1, &first);
  CHECK(is_zero(memory, 5000));
  memset(memory, 1, 5000);
  CHECK_EQUAL(0, adr_shared_free(mine, memory));
  memory = allocate(10000, 1, &second);
  CHECK_EQUAL(first, second);
  CHECK(is_zero(memory, 10000));
}

static void addresses_and_offsets_are_aligned(void) {
  for (uint64_t alignment = 1; alignment <= 4096; alignment *= 2) {
    uint64_t offset;
    uint8_t *memory = allocate(100, alignment, &offset);
    uint64_t least = alignment > 64 ? alignment : 64;
    CHECK_EQUAL(0, offset % least);
    CHECK_EQUAL(0, (uintptr_t)memory % least);
  }
}

static void regions_grow_so_that_they_suffice(void) {
  uint64_t offset;
  for (int i = 0; i < 200; i++) { allocate(1 << 20, 4096, &offset); }
  CHECK(adr_region_count(&job.segment) <= 20);
}

static void what_cannot_be_allocated_is_refused(void) {
  void *memory;
  uint64_t offset;
  static const uint64_t bad[][2] = {{0, 8}, {UINT64_MAX, 8}, {8, 0}, {8, 3}, {8, 8192}, {8, UINT64_MAX}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK_EQUAL(-EINVAL, adr_shared_allocate(mine, bad[i][0], bad[i][1], &memory, &offset));
  }
  CHECK_EQUAL(-ENOSPC, adr_shared_allocate(mine, UINT64_C(1) << 50, 8, &memory, &offset));
  allocate(8, 8, &offset);
  CHECK_EQUAL(job.segment.shape.segment_bytes, offset); /* the failure took nothing */
}

static void no_more_regions_is_said_and_the_rest_goes_on(void) {
  void *memory;
  uint64_t offset;
  const struct adr_region_request request = {ADR_REGION_SLOTS, ADR_REGION_NO_OWNER, 1, false};
  for (int i = 0; i < (int)ADR_MAX_REGIONS - 1; i++) {
    CHECK_EQUAL(i, adr_region_add(&job.segment, 0, &request)); /* taken for other things */
  }
  uint8_t *last = allocate(200 << 10, 8, &offset);
  CHECK_EQUAL(ADR_SEGMENT_REGIONS, adr_shared_allocate(mine, 100 << 10, 8, &memory, &offset));
  CHECK_EQUAL(0, adr_shared_free(mine, last));
  allocate(100 << 10, 8, &offset);
}

static void only_what_was_allocated_is_freed_and_once(void) {
  uint64_t offset;
  uint8_t *memory = allocate(1000, 8, &offset);
  CHECK_EQUAL(-EINVAL, adr_shared_free(mine, memory + 8));
  CHECK_EQUAL(-EINVAL, adr_shared_free(mine, memory + 1024));
  CHECK_EQUAL(-EINVAL, adr_shared_free(mine, memory - 8));
  CHECK_EQUAL(-EINVAL, adr_shared_free(mine, NULL));
  CHECK_EQUAL(-EINVAL, adr_shared_free(mine, &offset));
  CHECK_EQUAL(-EINVAL, adr_shared_free(theirs, memory));
  CHECK_EQUAL(0, adr_shared_free(mine, memory));
  CHECK_EQUAL(-EINVAL, adr_shared_free(mine, memory));
}

static void what_does_not_lie_in_one_region_is_refused(void) {
  uint64_t first;
  uint64_t second;
  void *memory;
  allocate(REGION, 8, &first);
  allocate(REGION, 8, &second);
  CHECK_EQUAL(first + REGION, second); /* neighbours, but two mappings */
  const uint64_t bad[][2] = {{first - 1, 1},          {first - 8, 16},
                             {first, REGION + 1},     {second - 1, 2},
                             {second + REGION, 1},    {first, 0},
                             {first, UINT64_MAX},     {0, 8},
                             {UINT64_MAX - 4095, 16}, {second, UINT64_MAX - 8}};
  for (int again = 0; again < 2; again++) {
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
      CHECK_EQUAL(-EINVAL, adr_shared_reach(theirs, 0, bad[i][0], bad[i][1], &memory));
    }
    CHECK_EQUAL(-EINVAL, adr_shared_reach(theirs, 1, first, 8, &memory));
    CHECK_EQUAL(-EINVAL, adr_shared_reach(theirs, -1, first, 8, &memory));
    CHECK_EQUAL(-EINVAL, adr_shared_reach(theirs, RANKS, first, 8, &memory));
    CHECK_EQUAL(0, adr_shared_reach(theirs, 0, first, REGION, &memory)); /* from now on it is mapped */
  }
}

static void an_entry_that_leads_elsewhere_is_the_ranks_fault(void) {
  uint64_t offset;
  void *memory;
  allocate(8, 8, &offset);
  struct adr_region_entry *entry = (void *)(job.segment.base + adr_region_directory_offset(RANKS));
  adr_store_relaxed_u64(&entry->offset, 0);
  CHECK_EQUAL(ADR_CORRUPT, adr_shared_reach(theirs, 0, 0, 8, &memory));
}

static void a_count_of_regions_that_was_set_back_gives_none_away_twice(void) {
  uint64_t first, second;
  uint8_t *kept = allocate(REGION, 8, &first);
  memset(kept, 1, REGION);
  adr_store_relaxed_u32(&adr_segment_header_of(&job.segment)->region_count, 0);
  memset(allocate(REGION, 8, &second), 2, REGION);
  CHECK(second != first);
  for (int i = 0; i < REGION; i++) { CHECK_EQUAL(1, kept[i]); }
}

/* A region of rank `owner`, mapped in the process of rank 0. */
static uint8_t *region_of(enum adr_region_kind kind, int32_t owner, bool sparse, uint64_t *offset) {
  const struct adr_region_request request = {kind, owner, REGION, sparse};
  struct adr_region region;
  void *memory;
  int index = adr_region_add(&job.segment, 1, &request);
  CHECK(index >= 0);
  CHECK_EQUAL(0, adr_region_map(&job.segment, (uint32_t)index, &region, &memory));
  *offset = region.offset;
  return memory;
}

static void check_located(const uint8_t *memory, uint64_t offset) {
  uint64_t found = 0;
  CHECK_EQUAL(0, adr_shared_locate(mine, memory, 8, &found));
  CHECK_EQUAL(offset, found);
  CHECK_EQUAL(0, adr_shared_locate(mine, memory + 100, REGION - 100, &found));
  CHECK_EQUAL(offset + 100, found);
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, memory - 1, 8, &found));
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, memory, REGION + 1, &found));
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, memory + REGION - 7, 8, &found));
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, memory + REGION, 0, &found));
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, memory + 8, UINT64_MAX, &found));
}

static void check_reached(const uint8_t *memory, uint64_t offset, int32_t rank) {
  void *other;
  CHECK_EQUAL(0, adr_shared_reach(theirs, rank, offset, 8, &other));
  CHECK(other != memory);
  ((uint8_t *)other)[7] = (uint8_t)(40 + rank);
  CHECK_EQUAL(40 + rank, memory[7]);
}

static void memory_of_each_kind_is_located_and_reached(void) {
  uint64_t offset;
  uint8_t *memory = allocate(REGION, 8, &offset);
  check_located(memory, offset);
  check_reached(memory, offset, 0);
  for (int i = 0; i < 4; i++) {
    memory = region_of(ADR_REGION_SYMMETRIC, i % 2, i / 2 == 1, &offset); /* one region is that of several ranks */
    check_located(memory, offset);
    check_reached(memory, offset, 0);
    check_reached(memory, offset, 1);
  }
}

static void other_memory_is_not_located(void) {
  static uint8_t private_memory[8];
  uint64_t offset;
  void *other;
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, private_memory, 8, &offset)); /* nothing is mapped yet */
  uint8_t *memory = allocate(1000, 8, &offset);
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, private_memory, 8, &offset));
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, &offset, 8, &offset));
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, NULL, 8, &offset));
  CHECK_EQUAL(0, adr_shared_locate(mine, memory + 500, 500, &offset));
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, memory + 500, 501, &offset)); /* nobody has the rest */
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, memory + 2048, 8, &offset));
  CHECK_EQUAL(0, adr_shared_locate(mine, memory, 1000, &offset));
  CHECK_EQUAL(0, adr_shared_reach(theirs, 0, offset, 1000, &other));
  CHECK_EQUAL(-EINVAL, adr_shared_locate(theirs, other, 8, &offset)); /* the heap of another rank */
  CHECK_EQUAL(0, adr_shared_free(mine, memory));
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, memory, 8, &offset));
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, region_of(ADR_REGION_SLOTS, 0, false, &offset), 8, &offset));
}

static void a_part_of_a_sparse_region_is_located_and_reached(void) {
  uint64_t offset;
  uint8_t *memory = region_of(ADR_REGION_SYMMETRIC, 0, true, &offset);
  CHECK_EQUAL(0, adr_region_reserve(&job.segment, 0, 8192, 4096));
  uint64_t found;
  CHECK_EQUAL(0, adr_shared_locate(mine, memory + 8192, 4096, &found));
  CHECK_EQUAL(offset + 8192, found);
  check_reached(memory + 8192, offset + 8192, 1);
}

static void memory_that_was_given_back_is_not_located_until_there_is_a_region_again(void) {
  uint64_t first, second;
  uint8_t *memory = region_of(ADR_REGION_SYMMETRIC, 0, false, &first);
  CHECK_EQUAL(0, adr_region_give_back(&job.segment, 0, 0));
  CHECK_EQUAL(-EINVAL, adr_shared_locate(mine, memory, 8, &second));
  CHECK_EQUAL(memory, region_of(ADR_REGION_SYMMETRIC, 0, false, &second)); /* its stretch is used again */
  CHECK_EQUAL(first, second);
  check_located(memory, second);
}

static void what_peers_write_into_an_entry_moves_no_memory(void) {
  uint64_t offset, next, found;
  void *other;
  uint8_t *memory = region_of(ADR_REGION_SYMMETRIC, 1, false, &offset);
  check_reached(memory, offset, 0);
  region_of(ADR_REGION_SYMMETRIC, 0, false, &next);
  struct adr_region_entry *entry = (void *)(job.segment.base + adr_region_directory_offset(RANKS));
  adr_store_relaxed_u64(&entry->bytes, UINT64_C(1) << 50);
  adr_store_relaxed_u64(&entry->offset, 0);
  check_located(memory, offset);
  CHECK_EQUAL(ADR_CORRUPT, adr_shared_reach(theirs, 0, 4096, 8, &other));
  CHECK_EQUAL(0, adr_shared_reach(theirs, 0, offset, 8, &other)); /* it is mapped */
  adr_store_relaxed_u64(&entry->offset, next);
  adr_store_relaxed_u64(&entry->bytes, REGION);
  CHECK_EQUAL(ADR_CORRUPT, adr_shared_reach(theirs, 0, next, 8, &other)); /* regions do not move */
  CHECK_EQUAL(0, adr_shared_locate(mine, memory, 8, &found));
  CHECK_EQUAL(offset, found);
}

enum { WORDS = 40000, ROUNDS = 50 };

/* Rank 1 in a process of its own: adds one to what rank 0 wrote, where it is told. */
static int answer(int told, int done) {
  uint64_t offset;
  while (read(told, &offset, sizeof offset) == sizeof offset) {
    void *memory;
    if (adr_shared_reach(theirs, 0, offset, WORDS * sizeof(uint64_t), &memory) != 0) { return 1; }
    uint64_t *words = memory;
    for (int i = 0; i < WORDS; i++) { words[i]++; }
    if (write(done, "d", 1) != 1) { return 1; }
  }
  return 0;
}

static void ask(int told, int done) {
  uint64_t offset;
  char byte;
  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint64_t *words = (uint64_t *)(void *)allocate(WORDS * sizeof(uint64_t), 64, &offset);
    for (uint64_t i = 0; i < WORDS; i++) { words[i] = i * round; }
    CHECK_EQUAL(sizeof offset, write(told, &offset, sizeof offset)); /* the pipes order what is written */
    CHECK_EQUAL(1, read(done, &byte, 1));
    for (uint64_t i = 0; i < WORDS; i++) { CHECK_EQUAL(i * round + 1, words[i]); }
    if (round % 3 != 0) { CHECK_EQUAL(0, adr_shared_free(mine, words)); }
  }
}

static void a_process_reaches_what_is_allocated_after_it_began(void) {
  int told[2];
  int done[2];
  int status;
  CHECK(pipe(told) == 0 && pipe(done) == 0);
  pid_t child = fork();
  if (child == 0) {
    close(told[1]);
    close(done[0]);
    _exit(answer(told[0], done[1]));
  }
  close(told[0]);
  close(done[1]);
  ask(told[1], done[0]);
  close(told[1]);
  CHECK_EQUAL(child, waitpid(child, &status, 0));
  CHECK_EQUAL(0, status);
  close(done[0]);
}

#define TEST(test) \
  do { \
    set_up(); \
    RUN(test); \
    tear_down(); \
  } while (0)

int main(void) {
  TEST(written_here_is_read_there);
  TEST(memory_is_zero_also_when_it_was_used_before);
  TEST(addresses_and_offsets_are_aligned);
  TEST(regions_grow_so_that_they_suffice);
  TEST(what_cannot_be_allocated_is_refused);
  TEST(no_more_regions_is_said_and_the_rest_goes_on);
  TEST(only_what_was_allocated_is_freed_and_once);
  TEST(what_does_not_lie_in_one_region_is_refused);
  TEST(an_entry_that_leads_elsewhere_is_the_ranks_fault);
  TEST(a_count_of_regions_that_was_set_back_gives_none_away_twice);
  TEST(memory_of_each_kind_is_located_and_reached);
  TEST(other_memory_is_not_located);
  TEST(a_part_of_a_sparse_region_is_located_and_reached);
  TEST(memory_that_was_given_back_is_not_located_until_there_is_a_region_again);
  TEST(what_peers_write_into_an_entry_moves_no_memory);
  TEST(a_process_reaches_what_is_allocated_after_it_began);
  return 0;
}

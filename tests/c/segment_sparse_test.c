/* Sparse regions: parts that are reserved, once or again, while others use them, and released; regions that are given
 * back and made anew in the same place; and a file system that fills up, in a mount namespace of its own, which is not
 * tried where none may be mounted. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "job.h"
#include "mounting.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_region.h"

enum { RANKS = 2, CELLS = 4, PAYLOAD = 64, PART = 16 * ADR_PAGE };

#define LARGE (UINT64_C(1) << 36) /* more than any memory file system of a test has */

static char directory[64];
static struct adr_segment segment;

static void open_segment(void) {
  CHECK_EQUAL(0, adr_segment_create(&segment, directory, JOB_ID, 0, RANKS, CELLS, PAYLOAD, ADR_BOX_DEFAULTS));
  for (uint32_t rank = 0; rank < RANKS; rank++) { CHECK_EQUAL(0, adr_segment_reserve(&segment, rank)); }
}

static void close_segment(void) {
  CHECK_EQUAL(0, adr_segment_unlink(&segment));
  adr_segment_close(&segment);
}

static int add(uint32_t rank, uint64_t bytes, bool sparse) {
  const struct adr_region_request request = {ADR_REGION_SYMMETRIC, (int32_t)rank, bytes, sparse};
  int index = adr_region_add(&segment, rank, &request);
  CHECK(index >= 0);
  return index;
}

static uint8_t *memory_of(int index) {
  struct adr_region region;
  void *memory;
  CHECK_EQUAL(0, adr_region_map(&segment, (uint32_t)index, &region, &memory));
  return memory;
}

static int reserve(int index, uint64_t offset, uint64_t bytes) {
  return adr_region_reserve(&segment, (uint32_t)index, offset, bytes);
}

static void check_bytes(int expected, const uint8_t *memory, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; i++) { CHECK_EQUAL(expected, memory[i]); }
}

static int64_t blocks(void) {
  struct stat found;
  CHECK_EQUAL(0, fstat(segment.fd, &found));
  return (int64_t)found.st_blocks;
}

static int64_t file_bytes(void) {
  struct stat found;
  CHECK_EQUAL(0, fstat(segment.fd, &found));
  return (int64_t)found.st_size;
}

static void a_part_that_is_reserved_again_keeps_its_bytes(void) {
  open_segment();
  int index = add(0, LARGE, true);
  CHECK_EQUAL(0, reserve(index, PART, PART));
  memset(memory_of(index) + PART, 7, PART);
  int64_t before = blocks();
  CHECK_EQUAL(0, reserve(index, PART, PART));
  CHECK_EQUAL(before, blocks());
  CHECK_EQUAL(0, reserve(index, 0, 3 * PART)); /* overlapping at both ends */
  CHECK_EQUAL(before + 2 * PART / 512, blocks());
  check_bytes(0, memory_of(index), PART);
  check_bytes(7, memory_of(index) + PART, PART);
  check_bytes(0, memory_of(index) + 2 * PART, PART);
  close_segment();
}

static void what_is_no_part_is_refused(void) {
  static const uint64_t bad[][2] = {{1, ADR_PAGE},
                                    {0, 0},
                                    {0, 1},
                                    {8, 8},
                                    {LARGE, ADR_PAGE},
                                    {LARGE - ADR_PAGE, 2 * ADR_PAGE},
                                    {ADR_PAGE, UINT64_MAX - ADR_PAGE + 1}};
  open_segment();
  int index = add(0, LARGE, true), whole = add(0, PART, false);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK_EQUAL(-EINVAL, reserve(index, bad[i][0], bad[i][1]));
    CHECK_EQUAL(-EINVAL, adr_region_release(&segment, (uint32_t)index, bad[i][0], bad[i][1]));
  }
  CHECK_EQUAL(-EINVAL, reserve(whole, 0, ADR_PAGE)); /* it has all */
  CHECK_EQUAL(-EINVAL, adr_region_release(&segment, (uint32_t)whole, 0, ADR_PAGE));
  CHECK_EQUAL(-EINVAL, reserve(7, 0, ADR_PAGE));
  CHECK_EQUAL(-EINVAL, adr_region_release(&segment, 7, 0, ADR_PAGE));
  close_segment();
}

static void a_part_that_is_released_is_a_hole_and_what_lies_beside_it_stays(void) {
  open_segment();
  int index = add(0, LARGE, true);
  CHECK_EQUAL(0, reserve(index, 0, 3 * PART));
  memset(memory_of(index), 5, 3 * PART);
  int64_t before = blocks(), size = file_bytes();
  CHECK_EQUAL(0, adr_region_release(&segment, (uint32_t)index, PART, PART));
  CHECK_EQUAL(before - PART / 512, blocks());
  CHECK_EQUAL(size, file_bytes());
  check_bytes(5, memory_of(index), PART);
  check_bytes(5, memory_of(index) + 2 * PART, PART);
  CHECK_EQUAL(0, reserve(index, PART, PART));
  check_bytes(0, memory_of(index) + PART, PART);
  CHECK_EQUAL(before, blocks());
  close_segment();
}

enum { CYCLES = 1000 };

static void a_thousand_regions_after_each_other_take_one_place(void) {
  open_segment();
  int64_t size = 0, most = 0, empty = 0;
  for (int i = 0; i < CYCLES; i++) {
    CHECK_EQUAL(0, add(0, LARGE, true));
    CHECK_EQUAL(0, reserve(0, 0, PART));
    CHECK_EQUAL(0, reserve(0, LARGE / 2, PART));
    check_bytes(0, memory_of(0), PART);
    check_bytes(0, memory_of(0) + LARGE / 2, PART);
    check_bytes(0, memory_of(0) + LARGE - ADR_PAGE, ADR_PAGE); /* the last page is always there */
    memset(memory_of(0), i | 1, PART);
    memset(memory_of(0) + LARGE / 2, i | 1, PART);
    memset(memory_of(0) + LARGE - ADR_PAGE, i | 1, ADR_PAGE);
    if (i == 0) { most = blocks(), size = file_bytes(); }
    CHECK_EQUAL(most, blocks());
    CHECK_EQUAL(0, adr_region_give_back(&segment, 0, 0));
    if (i == 0) { empty = blocks(); }
    CHECK_EQUAL(empty, blocks());
    CHECK_EQUAL(size, file_bytes());
  }
  CHECK_EQUAL(most - empty, (2 * PART + ADR_PAGE) / 512);
  CHECK_EQUAL(1, adr_region_count(&segment));
  close_segment();
}

static void the_place_of_one_kind_is_used_again_by_the_other(void) {
  open_segment();
  int64_t before = blocks();
  CHECK_EQUAL(0, add(0, 4 * PART, true));
  CHECK_EQUAL(0, reserve(0, PART, PART));
  memset(memory_of(0) + PART, 3, PART);
  CHECK_EQUAL(0, adr_region_give_back(&segment, 0, 0));
  CHECK_EQUAL(before, blocks());
  CHECK_EQUAL(0, add(0, 3 * PART, false)); /* more than half of it */
  CHECK_EQUAL(before + 4 * PART / 512, blocks());
  check_bytes(0, memory_of(0), 4 * PART);
  memset(memory_of(0), 4, 4 * PART);
  CHECK_EQUAL(0, adr_region_give_back(&segment, 0, 0));
  CHECK_EQUAL(0, add(0, 4 * PART, true));
  CHECK_EQUAL(before + ADR_PAGE / 512, blocks());
  CHECK_EQUAL(0, reserve(0, 0, 4 * PART));
  check_bytes(0, memory_of(0), 4 * PART);
  CHECK_EQUAL(1, add(0, 2 * PART, true)); /* half of it, or less, has a place of its own */
  CHECK_EQUAL(2, add(0, 8 * PART, true));
  close_segment();
}

static void a_region_of_a_rank_that_is_gone_is_given_back_by_any_and_used_again(void) {
  open_segment();
  int index = add(1, LARGE, true);
  CHECK_EQUAL(0, reserve(index, PART, PART));
  memset(memory_of(index) + PART, 9, PART);
  CHECK_EQUAL(-EPERM, adr_region_give_back(&segment, 0, (uint32_t)index));
  int64_t size = file_bytes();
  adr_rank_table_depart(segment.base, 1, ADR_RANK_FAILED);
  CHECK_EQUAL(0, adr_region_give_back(&segment, 0, (uint32_t)index));
  CHECK_EQUAL(index, add(0, LARGE, true));
  CHECK_EQUAL(0, reserve(index, PART, PART));
  check_bytes(0, memory_of(index) + PART, PART);
  CHECK_EQUAL(size, file_bytes());
  close_segment();
}

enum { ROUNDS = 300 };

/* One process counts in every word of its pages while the other one reserves over them: no count is lost. */
static void a_part_can_be_reserved_while_another_process_uses_it(void) {
  open_segment();
  int index = add(0, LARGE, true);
  CHECK_EQUAL(0, reserve(index, PART, PART));
  uint32_t *words = (uint32_t *)(void *)(memory_of(index) + PART);
  fflush(stdout);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    for (int i = 0; i < ROUNDS; i++) {
      for (uint32_t at = 0; at < PART / sizeof *words; at++) { ((volatile uint32_t *)words)[at]++; }
    }
    _exit(0);
  }
  int status;
  while (waitpid(child, &status, WNOHANG) == 0) { CHECK_EQUAL(0, reserve(index, 0, 3 * PART)); }
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  for (uint32_t at = 0; at < PART / sizeof *words; at++) { CHECK_EQUAL(ROUNDS, words[at]); }
  close_segment();
}

static void mount_with(const char *options) { CHECK_EQUAL(0, mount("none", directory, "tmpfs", 0, options)); }

/* Reserves parts until there is no room, and uses them. Returns how many there are. */
static uint64_t reserve_all(int index) {
  uint64_t parts = 0;
  int status;
  while ((status = reserve(index, parts * PART, PART)) == 0) {
    memset(memory_of(index) + parts * PART, (int)(parts % 251) + 1, PART);
    parts++;
  }
  CHECK_EQUAL(-ENOSPC, status);
  return parts;
}

static void check_parts(int index, uint64_t parts) {
  for (uint64_t i = 0; i < parts; i++) { check_bytes((int)(i % 251) + 1, memory_of(index) + i * PART, PART); }
}

static void a_file_system_that_is_full_refuses_and_keeps_what_was_reserved(const char *options) {
  mount_with(options);
  open_segment();
  int index = add(0, LARGE, true);
  uint64_t parts = reserve_all(index);
  CHECK(parts > 20);
  int64_t before = blocks();
  CHECK_EQUAL(-ENOSPC, reserve(index, 0, LARGE));
  CHECK_EQUAL(-ENOSPC, reserve(index, (parts - 1) * PART, 2 * PART)); /* one half is in use */
  CHECK_EQUAL(before, blocks());
  CHECK_EQUAL(0, reserve(index, 0, parts * PART)); /* what is there needs no room */
  check_parts(index, parts);
  const struct adr_region_request request = {ADR_REGION_HEAP, 0, 2 * PART, false};
  CHECK_EQUAL(-ENOSPC, adr_region_add(&segment, 0, &request));
  CHECK_EQUAL(0, adr_region_release(&segment, (uint32_t)index, (parts - 1) * PART, PART));
  CHECK_EQUAL(0, reserve(index, (parts + 7) * PART, PART)); /* there is room again */
  check_bytes(0, memory_of(index) + (parts + 7) * PART, PART);
  check_parts(index, parts - 1);
  CHECK_EQUAL(0, adr_region_give_back(&segment, 0, (uint32_t)index));
  int all = add(0, LARGE, true);
  CHECK_EQUAL(index, all);
  CHECK(reserve_all(all) >= parts);
  close_segment();
  CHECK_EQUAL(0, umount(directory));
}

static void a_full_file_system_refuses_a_part(void) {
  a_file_system_that_is_full_refuses_and_keeps_what_was_reserved("size=4m");
}

static void a_full_file_system_with_huge_pages_refuses_a_part(void) {
  a_file_system_that_is_full_refuses_and_keeps_what_was_reserved("size=4m,huge=advise");
}

/* The place of a region that was given back, on a file system where others have taken the room meanwhile. */
static void a_place_that_cannot_be_reserved_any_more_is_refused_and_stays_for_the_next(void) {
  mount_with("size=4m");
  open_segment();
  CHECK_EQUAL(0, add(0, 32 * PART, true));
  CHECK_EQUAL(0, adr_region_give_back(&segment, 0, 0));
  CHECK_EQUAL(1, add(0, LARGE, true));
  reserve_all(1);
  int64_t before = blocks();
  const struct adr_region_request request = {ADR_REGION_HEAP, 0, 32 * PART, false};
  CHECK_EQUAL(-ENOSPC, adr_region_add(&segment, 0, &request));
  CHECK_EQUAL(before, blocks());
  CHECK_EQUAL(0, adr_region_give_back(&segment, 0, 1));
  CHECK_EQUAL(0, adr_region_add(&segment, 0, &request));
  check_bytes(0, memory_of(0), 32 * PART);
  close_segment();
  CHECK_EQUAL(0, umount(directory));
}

int main(void) {
  alarm(120);
  job_directory(directory);
  RUN(a_part_that_is_reserved_again_keeps_its_bytes);
  RUN(what_is_no_part_is_refused);
  RUN(a_part_that_is_released_is_a_hole_and_what_lies_beside_it_stays);
  RUN(a_thousand_regions_after_each_other_take_one_place);
  RUN(the_place_of_one_kind_is_used_again_by_the_other);
  RUN(a_region_of_a_rank_that_is_gone_is_given_back_by_any_and_used_again);
  RUN(a_part_can_be_reserved_while_another_process_uses_it);
  if (may_mount(directory)) {
    RUN(a_full_file_system_refuses_a_part);
    RUN(a_full_file_system_with_huge_pages_refuses_a_part);
    RUN(a_place_that_cannot_be_reserved_any_more_is_refused_and_stays_for_the_next);
  } else {
    printf("not run: no file system may be mounted here\n");
  }
  return rmdir(directory);
}

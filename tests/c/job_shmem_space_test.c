/* Symmetric memory of C ranks where the file system is too small, in a mount namespace of its own: all PEs get the same
 * error, whichever has no room, and nothing is kept. Skipped where no file system may be mounted. */
#include <stdbool.h>
#include <sys/stat.h>

#include "mounting.h"
#include "ranks.h"

#define MIB (INT64_C(1) << 20)

static adr_shmem *shmem;

static int64_t bytes_of_file(void) {
  struct stat file;
  int descriptor;
  int64_t offset;
  CHECK_EQUAL(0, adr_shmem_file(shmem, &descriptor, &offset));
  CHECK_EQUAL(0, fstat(descriptor, &file));
  return file.st_blocks * 512;
}

/* No PE can tell before which of them finds no room. */
static void check_no_room(int status) {
  if (status != -ENOSPC) { fprintf(stderr, "%d: %s\n", status, adr_job_error(job)); }
  CHECK_EQUAL(-ENOSPC, status);
}

static void all_have_looked(void) { CHECK_EQUAL(0, adr_barrier(job)); }

static void check_nothing_is_kept(int64_t before) {
  all_have_looked();
  CHECK(bytes_of_file() <= before + MIB / 4); /* the system gives pages back by more than one at a time */
  all_have_looked();
}

/* Each PE can have the pages of its part alone, but not all of them. */
static void allocate_more_than_there_is(void) {
  int64_t offset, object, moved;
  CHECK_EQUAL(0, adr_shmem_open(job, 64 * MIB, NULL, &shmem));
  CHECK_EQUAL(0, adr_shmem_allocate(shmem, 1, MIB, &object));
  memset(adr_shmem_memory(shmem, adr_shmem_pe(shmem), object), 9, MIB);
  CHECK_EQUAL(0, adr_shmem_barrier(shmem));
  const int64_t before = bytes_of_file();
  all_have_looked();
  check_no_room(adr_shmem_allocate(shmem, 1, 10 * MIB, &offset));
  check_nothing_is_kept(before);
  check_no_room(adr_shmem_reallocate(shmem, object, 10 * MIB, &moved));
  check_nothing_is_kept(before);
  CHECK_EQUAL(object, moved);
  CHECK_EQUAL(MIB, adr_shmem_bytes_of(shmem, object));
  CHECK_EQUAL(MIB, adr_shmem_allocated(shmem));
  const uint8_t *own = adr_shmem_memory(shmem, adr_shmem_pe(shmem), object);
  for (int64_t byte = 0; byte < MIB; byte++) { CHECK_EQUAL(9, own[byte]); }
  CHECK_EQUAL(0, adr_shmem_allocate(shmem, 1, 2 * MIB, &offset));
  memset(adr_shmem_memory(shmem, adr_shmem_pe(shmem), offset), 9, 2 * MIB);
  CHECK_EQUAL(0, adr_shmem_barrier(shmem));
  CHECK_EQUAL(0, adr_shmem_close(shmem));
}

static void open_with_more_data_than_there_is(void) {
  const struct adr_shmem_data data = {.bytes = 10 * MIB, .program = {1, 2}};
  check_no_room(adr_shmem_open(job, MIB, &data, &shmem));
  CHECK(shmem == NULL);
  all_have_looked();
  CHECK_EQUAL(0, adr_shmem_open(job, MIB, NULL, &shmem)); /* what was had is there again */
  int64_t offset;
  CHECK_EQUAL(0, adr_shmem_allocate(shmem, 1, MIB, &offset));
  memset(adr_shmem_memory(shmem, adr_shmem_pe(shmem), offset), 1, MIB);
  CHECK_EQUAL(0, adr_shmem_barrier(shmem));
  CHECK_EQUAL(0, adr_shmem_close(shmem));
}

static void run_in(const char *size, rank_body *body) {
  char options[64];
  snprintf(options, sizeof options, "size=%s", size);
  CHECK_EQUAL(0, mount("none", ranks_directory, "tmpfs", 0, options));
  set_number("ADRASTEA_CELLS", 4);
  set_number("ADRASTEA_CELL_BYTES", 512);
  run_ranks(2, body);
  CHECK_EQUAL(0, umount(ranks_directory));
}

static void pages_that_one_pe_cannot_have_are_had_by_none(void) { run_in("16m", allocate_more_than_there_is); }

static void data_that_one_pe_cannot_have_is_had_by_none(void) { run_in("16m", open_with_more_data_than_there_is); }

int main(void) {
  ranks_begin();
  if (!may_mount(ranks_directory)) {
    ranks_end();
    puts("no file system may be mounted here");
    return CHECK_SKIPPED;
  }
  RUN(pages_that_one_pe_cannot_have_are_had_by_none);
  RUN(data_that_one_pe_cannot_have_is_had_by_none);
  ranks_end();
  return 0;
}

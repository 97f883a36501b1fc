/* A file system too small for the job, in a mount namespace of its own: an error, never a SIGBUS.
 * Skipped where no file system may be mounted. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "job.h"
#include "mounting.h"
#include "shared/adr_shared.h"

enum { CELLS = 4, PAYLOAD = 64 };

static char directory[64];
static int joiners; /* ranks that tried to attach just before space was reserved */

/* Stands in front of the system's own: another rank tries to attach at the worst moment, when the creator has done all
 * that comes before. */
int posix_fallocate(int fd, off_t offset, off_t bytes) {
  struct adr_segment joining;
  if (offset == 0) {
    CHECK_EQUAL(ADR_AGAIN, adr_segment_attach(&joining, directory, JOB_ID, 0));
    joiners++;
  }
  return syscall(SYS_fallocate, fd, 0, offset, bytes) == 0 ? 0 : errno;
}

static void mount_small(const char *size) {
  char options[64];
  snprintf(options, sizeof options, "size=%s", size);
  CHECK_EQUAL(0, mount("none", directory, "tmpfs", 0, options));
}

static void create_leaves_nothing_when_header_and_table_do_not_fit(void) {
  struct adr_segment segment;
  mount_small("16k");
  CHECK_EQUAL(-ENOSPC, adr_segment_create(&segment, directory, JOB_ID, 0, 1024, CELLS, PAYLOAD, ADR_BOX_DEFAULTS));
  CHECK(access(segment.path, F_OK) != 0);
  CHECK_EQUAL(0, umount(directory));
}

/* One that took the file for whole would touch a page that cannot be had. */
static void who_joins_meanwhile_is_not_led_to_pages_that_are_not_there(void) {
  struct adr_segment segment;
  char path[96];
  static const char zeros[64 << 10];
  mount_small("64k");
  snprintf(path, sizeof path, "%s/filling", directory);
  int filling = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  CHECK(filling >= 0);
  while (write(filling, zeros, sizeof zeros) > 0) {}
  joiners = 0;
  CHECK_EQUAL(-ENOSPC, adr_segment_create(&segment, directory, JOB_ID, 0, 2, CELLS, PAYLOAD, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(1, joiners);
  close(filling);
  CHECK_EQUAL(0, umount(directory));
}

static void reserve_fails_when_the_area_does_not_fit(void) {
  struct adr_segment segment;
  mount_small("64k");
  CHECK_EQUAL(0, adr_segment_create(&segment, directory, JOB_ID, 0, 2, 64, 8192, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(-ENOSPC, adr_segment_reserve(&segment, 0));
  adr_segment_unlink(&segment);
  adr_segment_close(&segment);
  CHECK_EQUAL(0, umount(directory));
}

static void reserve_takes_what_fits(void) {
  struct adr_segment segment;
  mount_small("64k");
  CHECK_EQUAL(0, adr_segment_create(&segment, directory, JOB_ID, 0, 2, CELLS, PAYLOAD, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(0, adr_segment_reserve(&segment, 0));
  CHECK_EQUAL(0, adr_segment_reserve(&segment, 1));
  adr_segment_unlink(&segment);
  adr_segment_close(&segment);
  CHECK_EQUAL(0, umount(directory));
}

static void allocations_take_what_there_is_and_then_fail(void) {
  struct adr_segment segment;
  struct adr_shared *shared;
  void *memory;
  uint64_t offset;
  int taken = 0;
  int status;
  mount_small("2m");
  CHECK_EQUAL(0, adr_segment_create(&segment, directory, JOB_ID, 0, 1, CELLS, PAYLOAD, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(0, adr_segment_reserve(&segment, 0));
  CHECK_EQUAL(0, adr_shared_open(&shared, &segment, 0));
  CHECK_EQUAL(-ENOSPC, adr_shared_allocate(shared, 3 << 20, 8, &memory, &offset));
  while ((status = adr_shared_allocate(shared, 64 << 10, 8, &memory, &offset)) == 0) {
    memset(memory, 1, 64 << 10);
    taken++;
  }
  CHECK_EQUAL(-ENOSPC, status);
  CHECK(taken >= 28); /* all but header, area and a piece too small */
  CHECK_EQUAL(0, adr_shared_free(shared, memory));
  CHECK_EQUAL(0, adr_shared_allocate(shared, 64 << 10, 8, &memory, &offset));
  adr_shared_close(shared);
  adr_segment_unlink(&segment);
  adr_segment_close(&segment);
  CHECK_EQUAL(0, umount(directory));
}

int main(void) {
  job_directory(directory);
  if (!may_mount(directory)) {
    rmdir(directory);
    printf("skipped: no file system may be mounted here\n");
    return CHECK_SKIPPED;
  }
  RUN(create_leaves_nothing_when_header_and_table_do_not_fit);
  RUN(who_joins_meanwhile_is_not_led_to_pages_that_are_not_there);
  RUN(reserve_fails_when_the_area_does_not_fit);
  RUN(reserve_takes_what_fits);
  RUN(allocations_take_what_there_is_and_then_fail);
  return rmdir(directory);
}

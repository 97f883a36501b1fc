/* Reserving space while signals come: posix_fallocate is put in front of the system's own, and is interrupted as often
 * as told. A call that is interrupted has done nothing. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "job.h"
#include "segment/adr_region.h"
#include "segment/adr_reservation.h"

enum { OFFSET = 4096, BYTES = 20 << 20, CELLS = 64, PAYLOAD = 8192 };

static int64_t most = INT64_MAX;     /* bytes that are reserved before the next signal comes */
static int64_t capacity = INT64_MAX; /* bytes that the file system has */
static int interruptions;            /* to come whatever the call */

int posix_fallocate(int fd, off_t offset, off_t bytes) {
  if (interruptions > 0) {
    interruptions--;
    return EINTR;
  }
  if (bytes > most) { return EINTR; }
  if (bytes > capacity) { return ENOSPC; }
  capacity -= bytes;
  return syscall(SYS_fallocate, fd, 0, offset, bytes) == 0 ? 0 : errno;
}

static int open_file(void) {
  char directory[64], path[96];
  job_directory(directory);
  snprintf(path, sizeof path, "%s/file", directory);
  int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  CHECK(fd >= 0);
  CHECK_EQUAL(0, unlink(path));
  CHECK_EQUAL(0, rmdir(directory));
  return fd;
}

static int64_t reserved_bytes(int fd) {
  struct stat found;
  CHECK_EQUAL(0, fstat(fd, &found));
  return (int64_t)found.st_blocks * 512;
}

static void reserves_all_however_soon_the_next_signal_comes(void) {
  static const int64_t mosts[] = {INT64_MAX, BYTES - 1, 5 << 20, 4 << 20, 1 << 20, 100 << 10, 64 << 10};
  for (size_t i = 0; i < sizeof mosts / sizeof mosts[0]; i++) {
    int fd = open_file();
    most = mosts[i];
    CHECK_EQUAL(0, adr_reservation_reserve(fd, OFFSET, BYTES));
    CHECK(reserved_bytes(fd) >= BYTES); /* of huge pages there may be more */
    close(fd);
  }
  most = INT64_MAX;
}

static void keeps_nothing_when_the_rest_does_not_fit(void) {
  int fd = open_file();
  CHECK_EQUAL(0, adr_reservation_reserve(fd, 0, OFFSET));
  int64_t before = reserved_bytes(fd);
  most = 1 << 20;
  capacity = 3 << 20;
  CHECK_EQUAL(-ENOSPC, adr_reservation_reserve(fd, OFFSET, BYTES));
  CHECK(reserved_bytes(fd) <= before);
  most = capacity = INT64_MAX;
  close(fd);
}

/* Others may use any of it, also what was taken before a signal came. */
static void what_is_completed_keeps_all_that_it_has_when_the_rest_does_not_fit(void) {
  int fd = open_file();
  const char used = 7;
  CHECK_EQUAL(0, adr_reservation_reserve(fd, OFFSET, 2 << 20));
  CHECK_EQUAL(1, pwrite(fd, &used, 1, OFFSET));
  CHECK_EQUAL(1, pwrite(fd, &used, 1, OFFSET + (1 << 20)));
  most = 1 << 20;
  capacity = 3 << 20;
  CHECK_EQUAL(-ENOSPC, adr_reservation_complete(fd, OFFSET, BYTES));
  for (int64_t at = OFFSET; at <= OFFSET + (1 << 20); at += 1 << 20) {
    char found = 0;
    CHECK_EQUAL(1, pread(fd, &found, 1, at));
    CHECK_EQUAL(used, found);
  }
  CHECK(reserved_bytes(fd) >= 2 << 20);
  most = capacity = INT64_MAX;
  CHECK_EQUAL(0, adr_reservation_complete(fd, OFFSET, BYTES));
  CHECK(reserved_bytes(fd) >= BYTES);
  close(fd);
}

static void what_cannot_fit_is_refused_at_once(void) {
  int fd = open_file();
  capacity = BYTES - 1;
  CHECK_EQUAL(-ENOSPC, adr_reservation_reserve(fd, OFFSET, BYTES));
  CHECK_EQUAL(BYTES - 1, capacity);
  CHECK_EQUAL(0, reserved_bytes(fd));
  capacity = INT64_MAX;
  close(fd);
}

/* Each of them once at least, whatever comes first. */
static void a_signal_keeps_nobody_from_making_and_growing_a_segment(void) {
  struct adr_segment segment;
  char directory[64];
  job_directory(directory);
  interruptions = 3;
  CHECK_EQUAL(0, adr_segment_create(&segment, directory, JOB_ID, 0, 2, CELLS, PAYLOAD, ADR_BOX_DEFAULTS));
  interruptions = 3;
  CHECK_EQUAL(0, adr_segment_reserve(&segment, 0));
  interruptions = 3;
  CHECK_EQUAL(0, adr_segment_reserve_box(&segment, 0, 1));
  interruptions = 3;
  CHECK_EQUAL(0, adr_region_add(&segment, 0, &(struct adr_region_request){ADR_REGION_HEAP, 0, 1 << 20, false}));
  CHECK_EQUAL(0, adr_segment_unlink(&segment));
  adr_segment_close(&segment);
  CHECK_EQUAL(0, rmdir(directory));
}

int main(void) {
  alarm(60); /* else one that begins anew for ever would do so */
  RUN(reserves_all_however_soon_the_next_signal_comes);
  RUN(keeps_nothing_when_the_rest_does_not_fit);
  RUN(what_is_completed_keeps_all_that_it_has_when_the_rest_does_not_fit);
  RUN(what_cannot_fit_is_refused_at_once);
  RUN(a_signal_keeps_nobody_from_making_and_growing_a_segment);
  return 0;
}

#include "segment/adr_reservation.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

enum { INTERRUPTED_BYTES = 4 << 20, LEAST_BYTES = 64 << 10 };

/* A call that a signal interrupts has done nothing, and would begin anew for ever where signals come faster than it
 * takes: from then on so many bytes in a call, fewer each time. */
static uint64_t shorter(uint64_t stretch) {
  if (stretch > INTERRUPTED_BYTES) { return INTERRUPTED_BYTES; }
  return stretch / 2 > LEAST_BYTES ? stretch / 2 : LEAST_BYTES;
}

static bool punch(int fd, uint64_t offset, uint64_t bytes) {
  return bytes == 0 || fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes) == 0;
}

void adr_reservation_release(int fd, uint64_t offset, uint64_t bytes) { punch(fd, offset, bytes); }

/* Writes zeros where the file system cannot punch holes. */
static int clear(int fd, uint64_t offset, uint64_t bytes) {
  static const uint8_t zeros[1 << 16];
  while (bytes > 0) {
    ssize_t written = pwrite(fd, zeros, bytes < sizeof zeros ? bytes : sizeof zeros, (off_t)offset);
    if (written < 0 && errno != EINTR) { return -errno; }
    offset += written < 0 ? 0 : (uint64_t)written;
    bytes -= written < 0 ? 0 : (uint64_t)written;
  }
  return 0;
}

int adr_reservation_empty(int fd, uint64_t offset, uint64_t bytes) {
  return punch(fd, offset, bytes) ? 0 : clear(fd, offset, bytes);
}

/* Takes the space of what is missing of a stretch, and tells up to where that was done. */
static int take(int fd, uint64_t offset, uint64_t bytes, uint64_t *done) {
  uint64_t stretch = bytes; /* all at once, so that what cannot fit takes nothing from others meanwhile */
  *done = 0;
  while (*done < bytes) {
    uint64_t next = bytes - *done < stretch ? bytes - *done : stretch;
    int error = posix_fallocate(fd, (off_t)(offset + *done), (off_t)next);
    if (error == 0) {
      *done += next;
    } else if (error == EINTR) {
      stretch = shorter(stretch);
    } else {
      return -error; /* that call has undone its own stretch, and no other */
    }
  }
  return 0;
}

int adr_reservation_reserve(int fd, uint64_t offset, uint64_t bytes) {
  uint64_t done;
  int status = take(fd, offset, bytes, &done);
  if (status < 0) { punch(fd, offset, done); }
  return status;
}

int adr_reservation_complete(int fd, uint64_t offset, uint64_t bytes) {
  uint64_t done;
  return take(fd, offset, bytes, &done); /* what was done stays: nobody can tell which of it others use */
}

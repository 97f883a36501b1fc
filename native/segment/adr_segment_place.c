#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "segment/adr_segment.h"

static struct flock place_of(uint32_t rank, short type) {
  return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = ADR_SEGMENT_PLACES + (off_t)rank, .l_len = 1};
}

int adr_segment_hold_place(const struct adr_segment *segment, uint32_t rank) {
  struct flock lock = place_of(rank, F_WRLCK);
  return fcntl(segment->fd, F_SETLK, &lock) == 0 ? 0 : -errno;
}

/* A lock for reading is in the way of the holder's alone, and of nobody who asks as well. */
enum adr_segment_place adr_segment_look_at_place(int fd, uint32_t rank) {
  struct flock lock = place_of(rank, F_RDLCK);
  if (fcntl(fd, F_GETLK, &lock) != 0) { return ADR_SEGMENT_PLACE_UNKNOWN; }
  return lock.l_type == F_UNLCK ? ADR_SEGMENT_PLACE_FREE : ADR_SEGMENT_PLACE_HELD;
}

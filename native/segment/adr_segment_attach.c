#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/adr_segment.h"

/* A plain file, ours, private. */
static int check_kind(const struct stat *found) {
  if (!S_ISREG(found->st_mode)) { return ADR_SEGMENT_NOT_REGULAR; }
  if (found->st_uid != geteuid()) { return ADR_SEGMENT_OWNER; }
  return (found->st_mode & (S_IRWXG | S_IRWXO)) != 0 ? ADR_SEGMENT_MODE : 0;
}

/* What has the name, before it is opened: to open a device or a FIFO does something to it, and what another user keeps
 * to himself cannot be. */
static int check_name(const char *path) {
  struct stat found;
  return lstat(path, &found) != 0 ? -errno : check_kind(&found);
}

/* The file itself, once more, since its name may be another's by now; and large enough for a header. */
static int check_file(int fd) {
  struct stat found;
  if (fstat(fd, &found) != 0) { return -errno; }
  int status = check_kind(&found);
  if (status < 0) { return status; }
  return found.st_size < (off_t)ADR_PAGE ? ADR_AGAIN : 0; /* the creator has not given it its size yet */
}

/* `header` is a copy: a rank that is broken may write to the shared one at any time. */
static int check_header(const struct adr_segment_header *header, uint64_t job_id) {
  if (adr_load_relaxed_u64(&header->magic) != ADR_MAGIC) { return ADR_SEGMENT_MAGIC; }
  if (header->layout_version != ADR_LAYOUT_VERSION) { return ADR_SEGMENT_VERSION; }
  if (header->layout_crc != ADR_LAYOUT_CRC) { return ADR_SEGMENT_CRC; }
  return header->job_id == job_id ? 0 : ADR_SEGMENT_JOB;
}

/* Sizes are computed anew and compared, so nothing later is an offset that this process did not work out. The size of
 * the file is asked for only now: until the magic is there the creator may still be making the file longer. */
static int check_sizes(struct adr_segment *segment, const struct adr_segment_header *header) {
  struct stat found;
  if (adr_segment_shape_of(&segment->shape, header) < 0) { return ADR_SEGMENT_SIZES; }
  if (fstat(segment->fd, &found) != 0) { return -errno; }
  return (uint64_t)found.st_size < segment->shape.segment_bytes ? ADR_SEGMENT_SIZES : 0;
}

static int check_mapped_header(struct adr_segment *segment, uint64_t job_id) {
  const struct adr_segment_header *shared = mmap(NULL, ADR_PAGE, PROT_READ, MAP_SHARED, segment->fd, 0);
  if (shared == MAP_FAILED) { return -errno; }
  struct adr_segment_header header;
  /* SYNC segment-magic: acquire, pairs with create; what follows reads a whole header. */
  bool complete = adr_load_acquire_u64(&shared->magic) != 0;
  adr_segment_header_read(&header, shared);
  munmap((void *)(uintptr_t)shared, ADR_PAGE);
  if (!complete) { return ADR_AGAIN; }
  int status = check_header(&header, job_id);
  return status < 0 ? status : check_sizes(segment, &header);
}

static int attach_open(struct adr_segment *segment, uint64_t job_id) {
  int status = check_file(segment->fd);
  if (status == 0) { status = check_mapped_header(segment, job_id); }
  if (status < 0) { return status; }
  void *base = mmap(NULL, segment->shape.segment_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, segment->fd, 0);
  if (base == MAP_FAILED) { return -errno; }
  segment->base = base;
  return 0;
}

int adr_segment_attach(struct adr_segment *segment, const char *directory, uint64_t job_id) {
  *segment = (struct adr_segment){.fd = -1};
  int status = adr_segment_path(segment->path, directory, job_id);
  if (status == 0) { status = check_name(segment->path); }
  if (status < 0) { return status; }
  segment->fd = open(segment->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (segment->fd < 0) { return errno == ELOOP || errno == EISDIR ? ADR_SEGMENT_NOT_REGULAR : -errno; }
  status = attach_open(segment, job_id);
  if (status < 0) { adr_segment_close(segment); }
  return status;
}

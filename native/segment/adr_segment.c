#include "segment/adr_segment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/adr_process.h"
#include "segment/adr_reservation.h"

int adr_segment_path(char path[PATH_MAX], const char *directory, uint64_t job_id) {
  int length = snprintf(path, PATH_MAX, "%s/adrastea-%u-%016" PRIx64, directory, (unsigned)geteuid(), job_id);
  return length < 0 || length >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/* Locks the new file for as long as this process lives. Another job's clean-up may have come between our
 * open and our lock, and have taken the file for a dead creator's: then it is locked by that, or has no
 * name any more. */
static int lock_new(int fd) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = ADR_SEGMENT_PLACES};
  struct stat found;
  if (fcntl(fd, F_SETLK, &lock) != 0) { return errno == EACCES ? -EAGAIN : -errno; }
  if (fstat(fd, &found) != 0) { return -errno; }
  return found.st_nlink == 0 ? -EAGAIN : 0;
}

static int open_new(const char *path) {
  for (int attempt = 0; attempt < 16; attempt++) {
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) { return -errno; }
    int status = lock_new(fd);
    if (status == 0) { return fd; }
    unlink(path);
    close(fd);
    if (status != -EAGAIN) { return status; }
  }
  return -EAGAIN;
}

/* Gives header and rank table their space, and then the file its size: who joins maps the header as soon as the file is
 * that long, so nobody may see a size whose pages are not there. */
static int size_file(const struct adr_segment *segment) {
  int status = adr_reservation_reserve(segment->fd, 0, segment->shape.rank_area_offset);
  if (status < 0) { return status; }
  return ftruncate(segment->fd, (off_t)segment->shape.segment_bytes) == 0 ? 0 : -errno;
}

static int map_whole(struct adr_segment *segment) {
  void *base = mmap(NULL, segment->shape.segment_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, segment->fd, 0);
  if (base == MAP_FAILED) { return -errno; }
  segment->base = base;
  return 0;
}

static void fill_header(const struct adr_segment *segment, uint64_t job_id) {
  const struct adr_segment_shape *shape = &segment->shape;
  struct adr_segment_header *header = adr_segment_header_of(segment);
  header->layout_version = ADR_LAYOUT_VERSION;
  header->layout_crc = ADR_LAYOUT_CRC;
  header->job_id = job_id;
  header->segment_bytes = shape->segment_bytes;
  header->rank_count = shape->rank_count;
  header->cell_count = shape->cell_count;
  header->cell_stride = shape->cell_stride;
  header->cell_payload = shape->cell_payload;
  header->rank_table_offset = shape->rank_table_offset;
  header->rank_area_offset = shape->rank_area_offset;
  header->rank_area_bytes = shape->rank_area_bytes;
  header->cells_offset = shape->cells_offset;
  header->box_ring_bytes = shape->boxes.slots * ADR_LINE;
  header->box_limit = shape->boxes.limit;
  header->box_threshold = shape->boxes.threshold;
  header->box_preallocate_ranks = shape->boxes.preallocate_ranks;
  header->box_table_offset = shape->box_table_offset;
  header->boxes_offset = shape->boxes_offset;
  header->creator_pid = (uint32_t)getpid();
  header->creator_uid = (uint32_t)geteuid();
  header->creator_start = adr_process_start();
  adr_store_relaxed_u64(&header->file_end, shape->segment_bytes);
  /* SYNC segment-magic: release, pairs with attach; orders the whole header before it. */
  adr_store_release_u64(&header->magic, ADR_MAGIC);
}

int adr_segment_create(struct adr_segment *segment, const char *directory, uint64_t job_id, uint32_t ranks,
                       uint32_t cells, uint32_t payload, struct adr_box_settings boxes) {
  *segment = (struct adr_segment){.fd = -1};
  int status = adr_segment_shape_make(&segment->shape, ranks, cells, payload, boxes);
  if (status == 0) { status = adr_segment_path(segment->path, directory, job_id); }
  if (status < 0) { return status; }
  segment->fd = open_new(segment->path);
  if (segment->fd < 0) { return segment->fd; }
  status = size_file(segment);
  if (status == 0) { status = map_whole(segment); }
  if (status < 0) {
    unlink(segment->path);
    adr_segment_close(segment);
    return status;
  }
  fill_header(segment, job_id);
  return 0;
}

int adr_segment_count_in(struct adr_segment *segment) {
  struct adr_segment_header *header = adr_segment_header_of(segment);
  /* SYNC attached: acq_rel; who unlinks comes after all that the others did to join. */
  uint32_t before = adr_add_acq_rel_u32(&header->attached, 1);
  if (before + 1 != segment->shape.rank_count) { return 0; }
  int status = adr_segment_unlink(segment);
  return status < 0 ? status : 1;
}

bool adr_segment_count_out(struct adr_segment *segment) {
  adr_atomic_u32 *attached = &adr_segment_header_of(segment)->attached;
  /* SYNC attached: acquire, pairs with the counts, as where ranks wait for them. */
  uint32_t in = adr_load_acquire_u32(attached);
  while (in != segment->shape.rank_count) {
    /* SYNC attached: acq_rel; hands on what the counts before it hand on. */
    if (adr_cas_acq_rel_u32(attached, in, in - 1)) { return true; }
    in = adr_load_acquire_u32(attached); /* SYNC attached: acquire, as above */
  }
  return false;
}

int adr_segment_unlink(const struct adr_segment *segment) {
  return unlink(segment->path) == 0 || errno == ENOENT ? 0 : -errno;
}

void adr_segment_close(struct adr_segment *segment) {
  if (segment->base != NULL) { munmap(segment->base, segment->shape.segment_bytes); }
  if (segment->fd >= 0) { close(segment->fd); }
  segment->base = NULL;
  segment->fd = -1;
}

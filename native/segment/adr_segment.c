#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/adr_process.h"
#include "segment/adr_region.h"
#include "segment/adr_reservation.h"
#include "segment/adr_segment.h"

int adr_segment_path(char path[PATH_MAX], const char *directory, uint64_t job_id, uint32_t node) {
  int length =
      snprintf(path, PATH_MAX, "%s/adrastea-%u-%016" PRIx64 "-%" PRIu32, directory, (unsigned)geteuid(), job_id, node);
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

/* Gives header, rank table, the world's slot and the first page of the directory of regions their space, and then the
 * file its size: a process that joins maps the header as soon as the file is that long, so nobody may see a size whose
 * pages are not there. */
static int size_file(const struct adr_segment *segment) {
  int status =
      adr_reservation_reserve(segment->fd, 0, adr_region_directory_offset(segment->shape.rank_count) + ADR_PAGE);
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
  header->box_limit = shape->boxes.limit | (shape->boxes.learns ? ADR_BOX_LEARNS : 0);
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

/* Fills the world's slot, whose lines are zeros: no collective yet. */
static void fill_world_slot(const struct adr_segment *segment) {
  uint32_t ranks = segment->shape.rank_count;
  struct adr_slot *slot = (void *)(segment->base + adr_world_slot_offset(ranks));
  slot->ranks = ranks;
  uint32_t *members = (uint32_t *)(slot + 1);
  for (uint32_t rank = 0; rank < ranks; rank++) { members[rank] = rank; }
}

int adr_segment_create(struct adr_segment *segment, const char *directory, uint64_t job_id, uint32_t node,
                       uint32_t ranks, uint32_t cells, uint32_t payload, struct adr_box_settings boxes) {
  *segment = (struct adr_segment){.fd = -1};
  int status = adr_segment_shape_make(&segment->shape, ranks, cells, payload, boxes);
  if (status == 0) { status = adr_segment_path(segment->path, directory, job_id, node); }
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
  fill_world_slot(segment); /* before the magic, which says that the segment is there */
  fill_header(segment, job_id);
  return 0;
}

int adr_segment_count_in(struct adr_segment *segment) {
  adr_atomic_u32 *attached = &adr_segment_header_of(segment)->attached;
  int status = 0;
  while (1) {
    uint32_t in = adr_load_acquire_u32(attached); /* SYNC attached: acquire, pairs with the counts */
    bool last = in + 1 == segment->shape.rank_count;
    /* Before the others go on: they may leave, and join a later job of the same number. */
    if (last) { status = adr_segment_unlink(segment); }
    /* SYNC attached: acq_rel; everything a rank wrote into its area comes before its count. */
    if (adr_cas_acq_rel_u32(attached, in, in + 1)) { return status == 0 && last ? 1 : status; }
  }
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
  adr_region_close(segment);
  if (segment->base != NULL) { munmap(segment->base, segment->shape.segment_bytes); }
  if (segment->fd >= 0) { close(segment->fd); }
  segment->base = NULL;
  segment->fd = -1;
}

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
  return status < 0 ? status : map_whole(segment);
}

int adr_segment_attach(struct adr_segment *segment, const char *directory, uint64_t job_id, uint32_t node) {
  *segment = (struct adr_segment){.fd = -1};
  int status = adr_segment_path(segment->path, directory, job_id, node);
  if (status == 0) { status = check_name(segment->path); }
  if (status < 0) { return status; }
  segment->fd = open(segment->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (segment->fd < 0) { return errno == ELOOP || errno == EISDIR ? ADR_SEGMENT_NOT_REGULAR : -errno; }
  status = attach_open(segment, job_id);
  if (status < 0) { adr_segment_close(segment); }
  return status;
}

int adr_segment_reserve(struct adr_segment *segment, uint32_t rank) {
  const struct adr_segment_shape *shape = &segment->shape;
  if (rank >= shape->rank_count) { return -EINVAL; }
  uint64_t area = shape->rank_area_offset + rank * shape->rank_area_bytes;
  int status = adr_reservation_reserve(segment->fd, area, shape->boxes_offset);
  if (status < 0) { return status; }
  memset(segment->base + area, 0, shape->box_table_offset + shape->rank_count * ADR_BOX_ENTRY_BYTES);
  uint8_t *cell = segment->base + area + shape->cells_offset;
  for (uint32_t index = 0; index < shape->cell_count; index++, cell += shape->cell_stride) {
    memset(cell, 0, sizeof(struct adr_cell));
  }
  return 0;
}

int adr_segment_reserve_box(struct adr_segment *segment, uint32_t rank, uint32_t source) {
  const struct adr_segment_shape *shape = &segment->shape;
  uint64_t bytes = (uint64_t)shape->boxes.slots * ADR_LINE;
  if (rank >= shape->rank_count || source >= shape->rank_count || bytes == 0) { return -EINVAL; }
  uint64_t area = shape->rank_area_offset + rank * shape->rank_area_bytes;
  return adr_reservation_reserve(segment->fd, area + shape->boxes_offset + source * bytes, bytes);
}

static struct flock place_of(uint32_t rank, short type) {
  return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = ADR_SEGMENT_PLACES + (off_t)rank, .l_len = 1};
}

int adr_segment_lock_place(const struct adr_segment *segment, uint32_t rank) {
  struct flock lock = place_of(rank, F_WRLCK);
  return fcntl(segment->fd, F_SETLK, &lock) == 0 ? 0 : -errno;
}

/* A lock for reading is in the way of the holder's alone, and of no other that asks. */
enum adr_segment_place adr_segment_check_place(int fd, uint32_t rank) {
  struct flock lock = place_of(rank, F_RDLCK);
  if (fcntl(fd, F_GETLK, &lock) != 0) { return ADR_SEGMENT_PLACE_UNKNOWN; }
  return lock.l_type == F_UNLCK ? ADR_SEGMENT_PLACE_FREE : ADR_SEGMENT_PLACE_HELD;
}

enum { JOB_DIGITS = 16, MOST_NODE_DIGITS = 9 };

static bool is_ours(const char *name) {
  char prefix[64];
  int length = snprintf(prefix, sizeof prefix, "adrastea-%u-", (unsigned)geteuid());
  if (strncmp(name, prefix, (size_t)length) != 0) { return false; }
  const char *job = name + length;
  if (strspn(job, "0123456789abcdef") != JOB_DIGITS || job[JOB_DIGITS] != '-') { return false; }
  const char *node = job + JOB_DIGITS + 1;
  size_t digits = strspn(node, "0123456789");
  return digits >= 1 && digits <= MOST_NODE_DIGITS && node[digits] == '\0';
}

/* Whether this process has the file open: as its own segment, or as that of another library in it. Its locks are the
 * process's, so they would be in nobody's way here, and to open and close the file once more would drop them. Where
 * /proc does not tell it counts as open: a file that stays is removed by another process's job. */
static bool is_open_here(int directory, const char *name) {
  struct stat file, other;
  if (fstatat(directory, name, &file, AT_SYMLINK_NOFOLLOW) != 0) { return true; } /* it has gone */
  DIR *listing = opendir("/proc/self/fd");
  if (listing == NULL) { return true; }
  bool open_here = false;
  for (struct dirent *entry; !open_here && (entry = readdir(listing)) != NULL;) {
    open_here = fstatat(dirfd(listing), entry->d_name, &other, 0) == 0 && other.st_dev == file.st_dev
                && other.st_ino == file.st_ino;
  }
  closedir(listing);
  return open_here;
}

/* The creator holds a lock on the file for its lifetime, and each rank that has come one on a byte behind it: a process
 * that gets all of them knows that all are gone. They are kept until the name is gone, so that a creator that was only
 * about to lock finds out (lock_new). */
static bool remove_if_stale(int directory, const char *name) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  struct stat found;
  int fd = openat(directory, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) { return false; }
  bool removed = fstat(fd, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid()
                 && fcntl(fd, F_SETLK, &lock) == 0 && unlinkat(directory, name, 0) == 0;
  close(fd);
  return removed;
}

int adr_segment_remove_stale(const char *directory) {
  DIR *listing = opendir(directory);
  if (listing == NULL) { return -errno; }
  int removed = 0;
  for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
    if (!is_ours(entry->d_name) || is_open_here(dirfd(listing), entry->d_name)) { continue; }
    if (remove_if_stale(dirfd(listing), entry->d_name)) { removed++; }
  }
  closedir(listing);
  return removed;
}

struct text {
  int error;
  const char *text;
};

static const struct text texts[] = {
    {0, "no error"},
    {ADR_AGAIN, "the segment's creator has not finished it yet"},
    {ADR_CORRUPT, "the segment holds what no correct rank writes"},
    {ADR_SEGMENT_OWNER, "the segment belongs to another user"},
    {ADR_SEGMENT_MODE, "the segment may be opened by group or others; it has to be of mode 0600"},
    {ADR_SEGMENT_NOT_REGULAR, "the segment's path is no regular file, but a symbolic link, a directory, a FIFO, a "
                              "socket or a device; remove it"},
    {ADR_SEGMENT_VERSION, "the segment has another layout version; all ranks need the same Adrastea"},
    {ADR_SEGMENT_CRC, "the segment has another layout; all ranks need the same Adrastea"},
    {ADR_SEGMENT_SIZES, "the segment's sizes contradict each other or the size of its file"},
    {ADR_SEGMENT_JOB, "the segment is that of another job"},
    {ADR_SEGMENT_MAGIC, "the file is no segment, or one of the other byte order"},
    {ADR_SEGMENT_REGIONS, "the job has as many regions as it can have (16384)"},
    {-ENOSPC, "the segment's file system is full; make it larger (that of a container: docker run --shm-size), "
              "choose another one with ADRASTEA_SHM_DIR, or lower ADRASTEA_CELLS or ADRASTEA_CELL_BYTES"},
    {-ENOENT, "the job has no segment (yet)"},
    {-EEXIST, "the job already has a segment"},
};

const char *adr_segment_strerror(int error) {
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (texts[i].error == error) { return texts[i].text; }
  }
  const char *name = strerrordesc_np(-error);
  return name != NULL ? name : "unknown error";
}

#include "segment/adr_region.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/adr_stop.h"
#include "segment/adr_geometry.h"
#include "segment/adr_huge.h"
#include "segment/adr_reservation.h"

enum { KIND_SHIFT = 8, RANK_SHIFT = 32 };

/* What is mapped here. */
struct adr_region_mappings {
  uint32_t count;                    /* of those that are regions ... */
  uint32_t located[ADR_MAX_REGIONS]; /* ... their indices, in order of addresses */
  struct adr_region_mapping {
    uint8_t *memory; /* NULL: not mapped */
    struct adr_region region;
  } at[ADR_MAX_REGIONS]; /* by index */
};

static uint64_t entry_offset(const struct adr_segment *segment, uint32_t index) {
  return adr_region_directory_offset(segment->shape.rank_count) + (uint64_t)index * ADR_REGION_ENTRY_BYTES;
}

static struct adr_region_entry *entry_of(const struct adr_segment *segment, uint32_t index) {
  return (struct adr_region_entry *)(void *)(segment->base + entry_offset(segment, index));
}

static uint64_t claimed_by(uint32_t rank) { return ADR_REGION_CLAIMED | (uint64_t)(rank + 1) << RANK_SHIFT; }

/* Whether a rank does nothing any more; `number` is its rank + 1. */
static bool is_gone(const struct adr_segment *segment, uint64_t number) {
  if (number == 0 || number > segment->shape.rank_count) { return false; }
  const struct adr_rank_entry *rank = (void *)(segment->base + adr_rank_entry_offset((uint32_t)number - 1));
  /* SYNC rank-state: acquire, pairs with the release at its end; what it stored in entries is seen. */
  uint32_t state = adr_load_acquire_u32(&rank->state);
  return state == ADR_RANK_LEFT || state == ADR_RANK_FAILED;
}

/* Bytes of a huge page, when a region of so many bytes can have one; otherwise 0. */
static uint64_t huge_page(const struct adr_segment *segment, uint64_t bytes) {
  struct stat file;
  if (bytes < ADR_HUGE_LEAST_BYTES || fstat(segment->fd, &file) != 0) { return 0; }
  uint64_t huge = adr_huge_page("", file.st_dev);
  return bytes >= huge ? huge : 0;
}

/* Whether an entry can become a region of `whole` bytes: it has no stretch yet, or one that is not much too large. */
static bool suits(const struct adr_region_entry *entry, uint64_t whole) {
  /* SYNC region-stretch: acquire, pairs with `place`, whose size comes before. */
  bool has_stretch = adr_load_acquire_u64(&entry->offset) != 0;
  uint64_t bytes = adr_load_relaxed_u64(&entry->bytes);
  return !has_stretch || (bytes >= whole && bytes / 2 < whole);
}

/* Leaves an entry to others again. */
static void let_go(struct adr_region_entry *entry) {
  /* SYNC region-state: release, pairs with the acquire in `claim`; orders the stretch, and that it was cleared. */
  adr_store_release_u64(&entry->state, ADR_REGION_FREE);
}

static bool claim(const struct adr_segment *segment, uint32_t rank, uint32_t index, uint64_t whole) {
  struct adr_region_entry *entry = entry_of(segment, index);
  /* SYNC region-state: acquire, pairs with whoever let the entry go; its stretch is read after it. */
  uint64_t state = adr_load_acquire_u64(&entry->state);
  bool left =
      state == ADR_REGION_FREE || ((state & 0xff) == ADR_REGION_CLAIMED && is_gone(segment, state >> RANK_SHIFT));
  if (!left || !suits(entry, whole)) { return false; }
  /* SYNC region-state: acq_rel, pairs with `let_go`, which may have come in between: so the stretch is asked once more.
   * One rank gets it. */
  if (!adr_cas_acq_rel_u64(&entry->state, state, claimed_by(rank))) { return false; }
  ADR_STOP(region_claimed);
  if (suits(entry, whole)) { return true; }
  let_go(entry);
  return false;
}

/* Whether the page of an entry is there: an entry below the count has one. */
static int prepare(const struct adr_segment *segment, uint32_t index, uint32_t count) {
  if (index < count) { return 0; }
  int status = adr_reservation_reserve(segment->fd, entry_offset(segment, index), ADR_REGION_ENTRY_BYTES);
  ADR_STOP(region_paged);
  return status;
}

/* Claims the first entry that can become the region: its index, ADR_SEGMENT_REGIONS, ADR_CORRUPT or -errno. */
static int claim_any(const struct adr_segment *segment, uint32_t rank, uint64_t whole) {
  uint32_t count = adr_region_count(segment);
  if (count > ADR_MAX_REGIONS) { return ADR_CORRUPT; }
  for (uint32_t index = 0; index < ADR_MAX_REGIONS; index++) {
    int status = prepare(segment, index, count);
    if (status < 0) { return status; }
    if (claim(segment, rank, index, whole)) { return (int)index; }
  }
  return ADR_SEGMENT_REGIONS;
}

/* Gives an entry its stretch of the file, and tells where what was taken for it starts: the numbers are the entry's
 * before anything is reserved, so that a rank that takes it over finds the pages. Returns 0 or ADR_CORRUPT. */
static int place(const struct adr_segment *segment, struct adr_region_entry *entry, uint64_t whole, uint64_t slack,
                 uint64_t *taken) {
  /* SYNC segment-file-end: acq_rel. Each region gets a stretch of its own. Acquire: one that another rank has given
   * back is reserved by us after that rank has undone its reservation. Release: for the same reason at the next rank,
   * through us. */
  uint64_t start = adr_add_acq_rel_u64(&adr_segment_header_of(segment)->file_end, whole + slack);
  ADR_STOP(region_extended);
  *taken = start;
  if (start < segment->shape.segment_bytes || start % ADR_PAGE != 0 || start > INT64_MAX / 2) { return ADR_CORRUPT; }
  adr_store_relaxed_u64(&entry->bytes, whole);
  ADR_STOP(region_sized);
  /* SYNC region-stretch: release, pairs with the acquire in `suits`; the size comes before. */
  adr_store_release_u64(&entry->offset, adr_align_up(start, slack + ADR_PAGE));
  ADR_STOP(region_placed);
  return 0;
}

/* There is no room: takes a stretch that is new away from the entry, and the end of the file back, unless another rank
 * has added behind. First from the entry: in between nobody has it. */
static void refuse(const struct adr_segment *segment, struct adr_region_entry *entry, uint64_t start, uint64_t end) {
  /* SYNC region-stretch: release, as in `place`. */
  adr_store_release_u64(&entry->offset, 0);
  ADR_STOP(region_refused);
  /* SYNC segment-file-end: acq_rel, pairs with the next rank's addition, which the hole that was punched comes
   * before. */
  adr_cas_acq_rel_u64(&adr_segment_header_of(segment)->file_end, end, start);
  ADR_STOP(region_shortened);
}

static bool lies_behind_areas(const struct adr_segment *segment, uint64_t offset, uint64_t bytes, uint64_t file_bytes) {
  return offset % ADR_PAGE == 0 && bytes % ADR_PAGE == 0 && bytes > 0 && offset >= segment->shape.segment_bytes
         && offset <= file_bytes && bytes <= file_bytes - offset;
}

/* Makes a claimed entry's stretch all zeros, and reserves it; of a sparse one the last page alone, so that the file is
 * that long. Returns 0 or a negative value; then it was let go. */
static int fill(const struct adr_segment *segment, struct adr_region_entry *entry, uint64_t whole, bool sparse) {
  bool used = adr_load_relaxed_u64(&entry->offset) != 0;
  uint64_t huge = huge_page(segment, whole);
  uint64_t slack = huge == 0 ? 0 : huge - ADR_PAGE; /* to begin at a multiple; what is left of it stays a hole */
  uint64_t start = 0;
  int status = used ? 0 : place(segment, entry, whole, slack, &start);
  if (status < 0) { return status; }
  uint64_t offset = adr_load_relaxed_u64(&entry->offset), bytes = adr_load_relaxed_u64(&entry->bytes);
  if (!lies_behind_areas(segment, offset, bytes, INT64_MAX)) { return ADR_CORRUPT; }
  if (used) { status = adr_reservation_empty(segment->fd, offset, bytes); }
  ADR_STOP(region_emptied);
  uint64_t hole = sparse ? bytes - ADR_PAGE : 0;
  if (status == 0) { status = adr_reservation_reserve(segment->fd, offset + hole, bytes - hole); }
  ADR_STOP(region_reserved);
  if (status < 0 && !used) { refuse(segment, entry, start, start + whole + slack); }
  return status;
}

/* Lets others look at an entry. */
static void raise_count(const struct adr_segment *segment, uint32_t index) {
  adr_atomic_u32 *counter = &adr_segment_header_of(segment)->region_count;
  uint32_t count = adr_region_count(segment);
  while (count <= index) {
    /* SYNC region-count: acq_rel. Release: the pages of all entries below it are reserved; ours, and those of whoever
     * raised it before. */
    count = adr_compare_exchange_acq_rel_u32(counter, count, index + 1);
  }
  ADR_STOP(region_counted);
}

static bool is_kind(enum adr_region_kind kind) {
  return kind == ADR_REGION_HEAP || kind == ADR_REGION_SLOTS || kind == ADR_REGION_SYMMETRIC;
}

int adr_region_add(struct adr_segment *segment, uint32_t rank, const struct adr_region_request *request) {
  uint32_t ranks = segment->shape.rank_count;
  if (rank >= ranks || request->bytes == 0 || request->bytes > INT64_MAX / 4 || !is_kind(request->kind)
      || request->owner < ADR_REGION_NO_OWNER || request->owner >= (int32_t)ranks) {
    return -EINVAL;
  }
  uint64_t whole = adr_align_up(request->bytes, ADR_PAGE);
  int index = claim_any(segment, rank, whole);
  if (index < 0) { return index; }
  struct adr_region_entry *entry = entry_of(segment, (uint32_t)index);
  int status = fill(segment, entry, whole, request->sparse);
  if (status < 0) {
    let_go(entry);
    return status;
  }
  raise_count(segment, (uint32_t)index);
  uint64_t ready = ADR_REGION_READY | (uint64_t)request->kind << KIND_SHIFT | (request->sparse ? ADR_REGION_SPARSE : 0)
                   | (uint64_t)(request->owner + 1) << RANK_SHIFT;
  /* SYNC region-state: acq_rel. Release: the stretch, and that it is reserved and zero, come before. A CAS: a rank that
   * was taken for dead finds out. */
  if (!adr_cas_acq_rel_u64(&entry->state, claimed_by(rank), ready)) { return ADR_CORRUPT; }
  ADR_STOP(region_ready);
  return index;
}

uint32_t adr_region_count(const struct adr_segment *segment) {
  /* SYNC region-count: acquire, pairs with `raise_count`; the pages of the entries below it are there. */
  return adr_load_acquire_u32(&adr_segment_header_of(segment)->region_count);
}

int adr_region_at(const struct adr_segment *segment, uint32_t index, struct adr_region *region) {
  struct stat found;
  uint32_t count = adr_region_count(segment);
  if (index >= count || index >= ADR_MAX_REGIONS) { return -EINVAL; }
  const struct adr_region_entry *entry = entry_of(segment, index);
  /* SYNC region-state: acquire, pairs with the CAS to READY; the stretch is whole and its pages are there. */
  uint64_t state = adr_load_acquire_u64(&entry->state); /* read once, as the two below, then checked */
  if ((state & 0xff) != ADR_REGION_READY) { return -EINVAL; }
  *region = (struct adr_region){.kind = (uint32_t)(state >> KIND_SHIFT) & 0xff,
                                .owner = (int32_t)((uint32_t)(state >> RANK_SHIFT) - 1), /* whatever stands there */
                                .sparse = (state & ADR_REGION_SPARSE) != 0};
  region->offset = adr_load_relaxed_u64(&entry->offset);
  region->bytes = adr_load_relaxed_u64(&entry->bytes);
  if (fstat(segment->fd, &found) != 0) { return -errno; }
  return lies_behind_areas(segment, region->offset, region->bytes, (uint64_t)found.st_size) ? 0 : ADR_CORRUPT;
}

bool adr_region_is_of(const struct adr_region *region, uint32_t rank) {
  return region->kind == ADR_REGION_HEAP ? region->owner == (int32_t)rank : region->kind == ADR_REGION_SYMMETRIC;
}

/* Addresses for so many bytes of whole pages, from a multiple of ADR_REGION_ALIGNMENT on. */
static uint8_t *aligned_room(uint64_t bytes) {
  uint64_t whole = adr_align_up(bytes, adr_pages_bytes()) + ADR_REGION_ALIGNMENT;
  uint8_t *room = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) { return room; }
  uint64_t before = -(uintptr_t)room & (ADR_REGION_ALIGNMENT - 1);
  if (before > 0) { munmap(room, before); }
  munmap(room + before + (whole - ADR_REGION_ALIGNMENT), ADR_REGION_ALIGNMENT - before);
  return room + before;
}

/* A region may begin in the middle of a page of the system. */
static int map_now(const struct adr_segment *segment, const struct adr_region *region, uint8_t **memory) {
  uint64_t behind = adr_pages_behind(region->offset), bytes = behind + region->bytes;
  bool aligned = region->kind == ADR_REGION_SYMMETRIC;
  uint8_t *room = aligned ? aligned_room(bytes) : NULL;
  if (room == MAP_FAILED) { return -errno; }
  uint8_t *page = mmap(room, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (aligned ? MAP_FIXED : 0), segment->fd,
                       (off_t)(region->offset - behind));
  if (page == MAP_FAILED) {
    int error = errno;
    if (aligned) { munmap(room, bytes); }
    return -error;
  }
  *memory = page + behind;
  return 0;
}

/* Makes pages huge of a region that is mapped here, as far as a part of it, whose pages are all there, covers whole
 * huge ones, of `huge` bytes. Without them it is as good. */
static void make_huge(uint64_t huge, uint8_t *memory, uint64_t region_offset, uint64_t offset, uint64_t bytes) {
  if (huge == 0 || region_offset % huge != 0) { return; }
  uint64_t from = adr_align_up(offset, huge), to = (offset + bytes) / huge * huge;
  if (from < to) { adr_huge_request(memory + from, to - from); }
}

/* Where the first one stands in the list that begins behind an address. */
static uint32_t first_behind(const struct adr_region_mappings *mappings, uintptr_t address) {
  uint32_t low = 0;
  for (uint32_t high = mappings->count; low < high;) {
    uint32_t middle = low + (high - low) / 2;
    if ((uintptr_t)mappings->at[mappings->located[middle]].memory <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Whether `at` is where region `index` stands in the list, if it does, plus 1. */
static bool is_listed(const struct adr_region_mappings *mappings, uint32_t at, uint32_t index) {
  return at > 0 && mappings->located[at - 1] == index;
}

/* Has adr_region_locate find a region that is mapped. Returns false: it did already. */
static bool list(struct adr_region_mappings *mappings, uint32_t index) {
  uint32_t at = first_behind(mappings, (uintptr_t)mappings->at[index].memory);
  if (is_listed(mappings, at, index)) { return false; }
  memmove(mappings->located + at + 1, mappings->located + at, (mappings->count - at) * sizeof *mappings->located);
  mappings->located[at] = index;
  mappings->count++;
  return true;
}

/* What lies there is no region's any more. It stays mapped, for the next region of that entry. */
static void forget(struct adr_region_mappings *mappings, uint32_t index) {
  if (mappings == NULL || mappings->at[index].memory == NULL) { return; }
  uint32_t at = first_behind(mappings, (uintptr_t)mappings->at[index].memory);
  if (!is_listed(mappings, at, index)) { return; }
  memmove(mappings->located + at - 1, mappings->located + at, (mappings->count - at) * sizeof *mappings->located);
  mappings->count--;
}

int adr_region_map(struct adr_segment *segment, uint32_t index, struct adr_region *region, void **address) {
  int status = adr_region_at(segment, index, region);
  if (status < 0) { return status; }
  if (segment->regions == NULL) { segment->regions = calloc(1, sizeof *segment->regions); }
  if (segment->regions == NULL) { return -ENOMEM; }
  struct adr_region_mapping *mapping = &segment->regions->at[index];
  if (mapping->memory == NULL) {
    status = map_now(segment, region, &mapping->memory);
    if (status < 0) { return status; }
  } else if (mapping->region.offset != region->offset || mapping->region.bytes != region->bytes) {
    return ADR_CORRUPT; /* an entry keeps its stretch: this one was changed by a rank that is broken */
  }
  mapping->region = *region;
  bool is_new = list(segment->regions, index);
  if (is_new && !region->sparse) { /* of a sparse one that would take all pages */
    make_huge(huge_page(segment, region->bytes), mapping->memory, region->offset, 0, region->bytes);
  }
  *address = mapping->memory;
  return 0;
}

int adr_region_locate(const struct adr_segment *segment, const void *memory, uint64_t bytes, struct adr_region *region,
                      uint64_t *offset) {
  const struct adr_region_mappings *mappings = segment->regions;
  uint32_t at = mappings == NULL ? 0 : first_behind(mappings, (uintptr_t)memory);
  if (at == 0) { return -EINVAL; }
  const struct adr_region_mapping *mapping = &mappings->at[mappings->located[at - 1]];
  uint64_t start = (uintptr_t)memory - (uintptr_t)mapping->memory;
  if (start >= mapping->region.bytes || bytes > mapping->region.bytes - start) { return -EINVAL; }
  *region = mapping->region;
  *offset = mapping->region.offset + start;
  return 0;
}

/* Finds a part of a sparse region, whole pages within it. */
static int part_of(const struct adr_segment *segment, uint32_t index, uint64_t offset, uint64_t bytes,
                   struct adr_region *region) {
  int status = adr_region_at(segment, index, region);
  if (status < 0) { return status; }
  bool pages = offset % ADR_PAGE == 0 && bytes % ADR_PAGE == 0 && bytes > 0;
  bool within = offset <= region->bytes && bytes <= region->bytes - offset;
  return region->sparse && pages && within ? 0 : -EINVAL;
}

int adr_region_reserve(struct adr_segment *segment, uint32_t index, uint64_t offset, uint64_t bytes) {
  struct adr_region region, mapped;
  void *memory;
  int status = part_of(segment, index, offset, bytes, &region);
  if (status == 0) { status = adr_reservation_complete(segment->fd, region.offset + offset, bytes); }
  uint64_t huge = status < 0 ? 0 : huge_page(segment, bytes);
  if (huge == 0) { return status; }
  status = adr_region_map(segment, index, &mapped, &memory);
  if (status < 0) { return status; }
  if (mapped.offset != region.offset || mapped.bytes != region.bytes) { return ADR_CORRUPT; }
  make_huge(huge, memory, region.offset, offset, bytes);
  return 0;
}

int adr_region_release(const struct adr_segment *segment, uint32_t index, uint64_t offset, uint64_t bytes) {
  struct adr_region region;
  int status = part_of(segment, index, offset, bytes, &region);
  return status < 0 ? status : adr_reservation_empty(segment->fd, region.offset + offset, bytes);
}

/* Frees an entry that was read in this state; false: it has changed. */
static bool take_back(struct adr_segment *segment, uint32_t rank, uint32_t index, uint64_t state) {
  struct adr_region_entry *entry = entry_of(segment, index);
  /* SYNC region-state: acq_rel; of several that give it back one does, after all that its owner did. */
  if (!adr_cas_acq_rel_u64(&entry->state, state, claimed_by(rank))) { return false; }
  ADR_STOP(region_taken_back);
  uint64_t offset = adr_load_relaxed_u64(&entry->offset), bytes = adr_load_relaxed_u64(&entry->bytes);
  if (lies_behind_areas(segment, offset, bytes, INT64_MAX)) { adr_reservation_release(segment->fd, offset, bytes); }
  ADR_STOP(region_released);
  forget(segment->regions, index);
  let_go(entry);
  ADR_STOP(region_freed);
  return true;
}

int adr_region_give_back(struct adr_segment *segment, uint32_t rank, uint32_t index) {
  if (rank >= segment->shape.rank_count || index >= ADR_MAX_REGIONS || index >= adr_region_count(segment)) {
    return -EINVAL;
  }
  /* SYNC region-state: acquire, as in adr_region_at. */
  uint64_t state = adr_load_acquire_u64(&entry_of(segment, index)->state);
  if ((state & 0xff) != ADR_REGION_READY) { return -EINVAL; }
  if (state >> RANK_SHIFT != rank + 1 && !is_gone(segment, state >> RANK_SHIFT)) { return -EPERM; }
  return take_back(segment, rank, index, state) ? 0 : -EINVAL;
}

bool adr_region_give_back_of(struct adr_segment *segment, uint32_t rank, uint32_t owner, uint32_t index) {
  if (rank >= segment->shape.rank_count || index >= ADR_MAX_REGIONS || index >= adr_region_count(segment)) {
    return false;
  }
  /* SYNC region-state: acquire, as in adr_region_at. */
  uint64_t state = adr_load_acquire_u64(&entry_of(segment, index)->state);
  bool is_its = (state & 0xff) == ADR_REGION_READY && state >> RANK_SHIFT == (uint64_t)owner + 1;
  return is_its && is_gone(segment, state >> RANK_SHIFT) && take_back(segment, rank, index, state);
}

void adr_region_close(struct adr_segment *segment) {
  for (uint32_t index = 0; segment->regions != NULL && index < ADR_MAX_REGIONS; index++) {
    const struct adr_region_mapping *mapping = &segment->regions->at[index];
    if (mapping->memory == NULL) { continue; }
    uint64_t before = adr_pages_behind((uintptr_t)mapping->memory);
    munmap(mapping->memory - before, before + mapping->region.bytes);
  }
  free(segment->regions);
  segment->regions = NULL;
}

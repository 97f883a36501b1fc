#include "segment/adr_region.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "segment/adr_geometry.h"
#include "segment/adr_huge.h"
#include "segment/adr_reservation.h"

static struct adr_rank_area *area_of(const struct adr_segment *segment, uint32_t rank) {
  uint64_t offset = segment->shape.rank_area_offset + rank * segment->shape.rank_area_bytes;
  return (struct adr_rank_area *)(void *)(segment->base + offset);
}

/* Bytes of a huge page, when a region of so many bytes can have one; otherwise 0. */
static uint64_t huge_page(const struct adr_segment *segment, uint64_t bytes) {
  struct stat file;
  if (fstat(segment->fd, &file) != 0) { return 0; }
  uint64_t huge = adr_huge_page("", file.st_dev);
  return bytes >= huge ? huge : 0;
}

int adr_region_add(struct adr_segment *segment, uint32_t rank, uint64_t bytes) {
  if (rank >= segment->shape.rank_count || bytes == 0 || bytes > INT64_MAX / 2) { return -EINVAL; }
  struct adr_rank_area *area = area_of(segment, rank);
  uint32_t count = adr_load_relaxed_u32(&area->region_count); /* ours alone to write */
  if (count >= ADR_MAX_REGIONS) { return ADR_SEGMENT_REGIONS; }
  uint64_t whole = adr_align_up(bytes, ADR_PAGE);
  uint64_t huge = huge_page(segment, whole);
  uint64_t slack = huge == 0 ? 0 : huge - ADR_PAGE; /* to begin at a multiple; what is left of it stays a hole */
  /* SYNC segment-file-end: acq_rel. Each rank gets a stretch of its own. Acquire: one that another rank has given back
   * is reserved by us after that rank has undone its reservation. Release: for the same reason at the next rank,
   * through us. */
  uint64_t start = adr_add_acq_rel_u64(&adr_segment_header_of(segment)->file_end, whole + slack);
  if (start < segment->shape.segment_bytes || start % ADR_PAGE != 0 || start > INT64_MAX / 2) { return ADR_CORRUPT; }
  uint64_t offset = adr_align_up(start, slack + ADR_PAGE);
  int status = adr_reservation_reserve(segment->fd, offset, whole);
  if (status < 0) {
    /* Back, unless another rank has added behind: else repeated failures would use the offsets up.
     * SYNC segment-file-end: acq_rel, pairs with the next rank's addition, which the hole that was punched comes
     * before. */
    adr_cas_acq_rel_u64(&adr_segment_header_of(segment)->file_end, start + whole + slack, start);
    return status;
  }
  area->regions[count] = (struct adr_region){.offset = offset, .bytes = whole};
  /* SYNC region-count: release, pairs with adr_region_at; orders the entry and the reserved space. */
  adr_store_release_u32(&area->region_count, count + 1);
  return (int)count;
}

static bool lies_behind_areas(const struct adr_segment *segment, struct adr_region region, uint64_t file_bytes) {
  return region.offset % ADR_PAGE == 0 && region.bytes % ADR_PAGE == 0 && region.bytes > 0
         && region.offset >= segment->shape.segment_bytes && region.offset <= file_bytes
         && region.bytes <= file_bytes - region.offset;
}

int adr_region_at(const struct adr_segment *segment, uint32_t rank, uint32_t index, struct adr_region *region) {
  struct stat found;
  if (rank >= segment->shape.rank_count || index >= ADR_MAX_REGIONS) { return -EINVAL; }
  const struct adr_rank_area *area = area_of(segment, rank);
  /* SYNC region-count: acquire, pairs with adr_region_add; the entry below is whole. */
  if (index >= adr_load_acquire_u32(&area->region_count)) { return -EINVAL; }
  region->offset = adr_load_once_u64(&area->regions[index].offset); /* read once, then checked */
  region->bytes = adr_load_once_u64(&area->regions[index].bytes);
  if (fstat(segment->fd, &found) != 0) { return -errno; }
  return lies_behind_areas(segment, *region, (uint64_t)found.st_size) ? 0 : ADR_CORRUPT;
}

/* A region may begin in the middle of a page of the system. */
int adr_region_map(const struct adr_segment *segment, struct adr_region region, void **address) {
  uint64_t behind = adr_pages_behind(region.offset);
  uint8_t *page = mmap(NULL, behind + region.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, segment->fd,
                       (off_t)(region.offset - behind));
  if (page == MAP_FAILED) { return -errno; }
  void *mapped = page + behind;
  uint64_t huge = huge_page(segment, region.bytes);
  if (huge != 0 && region.offset % huge == 0) {
    adr_huge_request(mapped, region.bytes);
  } /* without them it is as good */
  *address = mapped;
  return 0;
}

void adr_region_unmap(void *address, uint64_t bytes) {
  uint64_t behind = adr_pages_behind((uintptr_t)address);
  munmap((uint8_t *)address - behind, behind + bytes);
}

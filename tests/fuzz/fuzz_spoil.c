/* What a broken rank could write, and where. Bytes are taken from the input in statements of their own: the order of
 * operands is the compiler's, and an input is to mean the same to each. */
#include "fuzz_job.h"
#include "segment/adr_geometry.h"

enum { PLACES = 11, VALUES = 10 };

static uint64_t cell_of(const struct fuzz_job *job, struct fuzz_input *in) {
  uint32_t rank = fuzz_below(in, FUZZ_RANKS);
  return adr_cell_offset(&job->header, rank, fuzz_below(in, FUZZ_CELLS));
}

static uint64_t queue_of(const struct fuzz_job *job, struct fuzz_input *in) {
  uint32_t which = fuzz_below(in, 2 * FUZZ_RANKS);
  return which < FUZZ_RANKS ? adr_receive_queue_offset(&job->header, which)
                            : adr_free_queue_offset(&job->header, which - FUZZ_RANKS);
}

/* -128 to 127. */
static uint64_t nearby(struct fuzz_input *in) { return (uint64_t)(int64_t)(int8_t)fuzz_u8(in); }

/* Kind and packed or not, sequence, length. */
static uint64_t slot_header(struct fuzz_input *in) {
  uint64_t flags = fuzz_u8(in);
  uint64_t sequence = nearby(in);
  uint64_t length = fuzz_u16(in);
  return sequence << ADR_BOX_SEQUENCE_SHIFT | (flags & ADR_BOX_KIND_MASK) << ADR_BOX_KIND_SHIFT
         | ((flags & 8) != 0 ? ADR_BOX_PACKED : 0) | length;
}

static uint64_t near_cell(const struct fuzz_job *job, struct fuzz_input *in) {
  uint64_t cell = cell_of(job, in);
  return cell + nearby(in);
}

uint64_t fuzz_value(const struct fuzz_job *job, struct fuzz_input *in, uint64_t before) {
  switch (fuzz_below(in, VALUES)) {
  case 0:
    return fuzz_u8(in);
  case 1:
    return fuzz_u64(in);
  case 2:
    return cell_of(job, in);
  case 3:
    return near_cell(job, in);
  case 4:
    return queue_of(job, in);
  case 5:
    return slot_header(in);
  case 6:
    return -(uint64_t)fuzz_u8(in);
  case 7:
    return before + nearby(in);
  case 8:
    return before ^ UINT64_C(1) << fuzz_below(in, 64);
  default:
    return job->segment.shape.segment_bytes - (uint64_t)fuzz_u8(in) * ADR_LINE;
  }
}

static uint64_t queue_word(const struct fuzz_job *job, struct fuzz_input *in) {
  static const uint8_t words[] = {0, 8, 128}; /* head, tail, shadow head */
  uint64_t queue = queue_of(job, in);
  return queue + words[fuzz_below(in, 3)];
}

static uint64_t cell_word(const struct fuzz_job *job, struct fuzz_input *in) {
  uint64_t cell = cell_of(job, in);
  return cell + 8 * fuzz_below(in, 8);
}

static uint64_t box_word(const struct fuzz_job *job, struct fuzz_input *in) {
  uint32_t rank = fuzz_below(in, FUZZ_RANKS);
  uint32_t source = fuzz_below(in, FUZZ_RANKS);
  return adr_box_entry_offset(&job->header, rank, source) + 8 * fuzz_below(in, 2);
}

static uint64_t ring_word(const struct fuzz_job *job, struct fuzz_input *in, uint32_t words) {
  uint32_t rank = fuzz_below(in, FUZZ_RANKS);
  uint32_t source = fuzz_below(in, FUZZ_RANKS);
  return adr_box_ring_offset(&job->header, rank, source) + 8 * (fuzz_u16(in) % words);
}

static uint64_t entry_word(struct fuzz_input *in, uint32_t words) {
  uint32_t rank = fuzz_below(in, FUZZ_RANKS);
  return adr_rank_entry_offset(rank) + 8 * fuzz_below(in, words);
}

/* State, intent. */
static uint64_t busy_entry_word(struct fuzz_input *in) {
  static const uint8_t words[] = {0, 128, 136, 144};
  uint32_t rank = fuzz_below(in, FUZZ_RANKS);
  return adr_rank_entry_offset(rank) + words[fuzz_below(in, 4)];
}

static uint64_t region_word(struct fuzz_input *in) {
  return adr_region_directory_offset(FUZZ_RANKS) + 8 * fuzz_below(in, 64);
}

static uint64_t place(const struct fuzz_job *job, struct fuzz_input *in) {
  switch (fuzz_below(in, PLACES)) {
  case 0:
    return queue_word(job, in);
  case 1:
  case 2:
    return cell_word(job, in);
  case 3:
    return box_word(job, in);
  case 4:
    return ring_word(job, in, 32); /* its beginning, where most is read */
  case 5:
    return ring_word(job, in, 512);
  case 6:
    return entry_word(in, ADR_RANK_ENTRY_BYTES / 8);
  case 7:
    return busy_entry_word(in);
  case 8:
    return 8 * fuzz_below(in, ADR_SEGMENT_HEADER_BYTES / 8);
  case 9:
    return region_word(in);
  default:
    return 8 * (uint64_t)fuzz_u16(in);
  }
}

uint64_t *fuzz_word(const struct fuzz_job *job, struct fuzz_input *in) {
  uint64_t at = place(job, in) % job->segment.shape.segment_bytes; /* without fastboxes the last area has no rings */
  return (uint64_t *)(void *)(job->segment.base + at);
}

void fuzz_spoil(struct fuzz_job *job, struct fuzz_input *in) {
  uint64_t *word = fuzz_word(job, in);
  uint32_t half = fuzz_below(in, 4); /* 0, 1: one half of the word */
  uint64_t value = fuzz_value(job, in, *word);
  if (half < 2) {
    *((uint32_t *)(void *)word + half) = (uint32_t)value;
  } else {
    *word = value;
  }
}

/* Twin of io.adrastea.layout.SegmentHeaderDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"
#include "layout/adr_layout_barrier.h"

#define ADR_MAGIC UINT64_C(0x4145545341524441) /* "ADRASTEA" in memory on a little-endian machine */
#define ADR_MAX_LOCAL_RANKS 1024u

/* In `checks`: the types of a message are told to its receiver. */
enum { ADR_CHECK_TYPES = 1 };

/* In `box_limit`: senders find out which long messages up to the limit go by fastbox. */
#define ADR_BOX_LEARNS 0x80000000u

/* The segment's first bytes. */
struct adr_segment_header {
  /* block 0, writer: the creator, before it stores the magic */
  adr_atomic_u64 magic;
  uint32_t layout_version;
  uint32_t layout_crc;
  uint64_t job_id;
  uint64_t segment_bytes; /* all up to the end of the last rank area; regions lie behind */
  uint32_t rank_count;
  uint32_t cell_count;   /* cells of one rank */
  uint32_t cell_stride;  /* bytes from one cell to the next */
  uint32_t cell_payload; /* bytes of payload of one cell */
  uint64_t rank_table_offset;
  uint64_t rank_area_offset; /* of rank 0 */
  uint64_t rank_area_bytes;  /* from one rank's area to the next */
  uint64_t cells_offset;     /* of a rank's first cell in its area */
  uint32_t creator_pid;
  uint32_t creator_uid;
  uint64_t creator_start;         /* clock ticks since boot */
  uint32_t box_ring_bytes;        /* ring of one fastbox, a power of two; 0: no fastboxes */
  uint32_t box_limit;             /* most bytes of payload of a message in a fastbox; ADR_BOX_LEARNS */
  uint32_t box_threshold;         /* messages by queue after which a sender asks for a fastbox */
  uint32_t box_preallocate_ranks; /* jobs of up to so many ranks have all fastboxes from the start */
  uint64_t box_table_offset;      /* of a rank's box entries in its area, one per source */
  uint64_t boxes_offset;          /* of a rank's first ring in its area; ring s belongs to source s */
  /* block 1, writers: every rank */
  adr_atomic_u32 attached;        /* ranks that have attached */
  adr_atomic_u32 departed;        /* ranks that have left or were found dead */
  adr_atomic_u64 file_end;        /* where the next region is put */
  adr_atomic_u32 region_count;    /* entries of the directory that may be looked at */
  adr_atomic_u32 checks;          /* ADR_CHECK_...; by the creator alone, before it counts itself in */
  adr_atomic_u32 context_id_next; /* number at which the search for a free one begins */
  uint8_t reserved1[100];
  /* blocks 2 and 3 */
  struct adr_barrier barrier; /* of all ranks of the node */
};
#define ADR_SEGMENT_HEADER_BYTES 512
#define ADR_SEGMENT_HEADER_FIELDS(X) \
  X(segment_header, magic, 0, 8) \
  X(segment_header, layout_version, 8, 4) \
  X(segment_header, layout_crc, 12, 4) \
  X(segment_header, job_id, 16, 8) \
  X(segment_header, segment_bytes, 24, 8) \
  X(segment_header, rank_count, 32, 4) \
  X(segment_header, cell_count, 36, 4) \
  X(segment_header, cell_stride, 40, 4) \
  X(segment_header, cell_payload, 44, 4) \
  X(segment_header, rank_table_offset, 48, 8) \
  X(segment_header, rank_area_offset, 56, 8) \
  X(segment_header, rank_area_bytes, 64, 8) \
  X(segment_header, cells_offset, 72, 8) \
  X(segment_header, creator_pid, 80, 4) \
  X(segment_header, creator_uid, 84, 4) \
  X(segment_header, creator_start, 88, 8) \
  X(segment_header, box_ring_bytes, 96, 4) \
  X(segment_header, box_limit, 100, 4) \
  X(segment_header, box_threshold, 104, 4) \
  X(segment_header, box_preallocate_ranks, 108, 4) \
  X(segment_header, box_table_offset, 112, 8) \
  X(segment_header, boxes_offset, 120, 8) \
  X(segment_header, attached, 128, 4) \
  X(segment_header, departed, 132, 4) \
  X(segment_header, file_end, 136, 8) \
  X(segment_header, region_count, 144, 4) \
  X(segment_header, checks, 148, 4) \
  X(segment_header, context_id_next, 152, 4) \
  X(segment_header, reserved1, 156, 100) \
  X(segment_header, barrier, 256, 256)

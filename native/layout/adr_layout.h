/* The bytes of a segment: a struct is in a header of its own, adr_layout_<struct>.h, here is the list of them. Twin of
 * LayoutDump in io.adrastea.layout, where a struct is a *Descriptor class; drawings and the names of the writers are in
 * docs/layout.md.
 *
 * Offsets are written out here and in Java; tests/layout/layout.golden holds them once more, a C dump and
 * a Java test both match it, and its CRC-32C is ADR_LAYOUT_CRC, which every attacher compares.
 * Change a field: change both twins, the golden file and the CRC, and raise ADR_LAYOUT_VERSION.
 *
 * Rules (docs/layout.md): fixed-width integers and offsets only, naturally aligned, little-endian or the
 * machine's own order (never mixed: the magic tells); an offset is counted from the segment's first byte,
 * 0 is null; each 128-byte block has one named writer or set of writers.
 *
 * ADR_<STRUCT>_FIELDS(X) is X(struct, field, offset, bytes), one line per field: for the static asserts below and for
 * the dump. */
#pragma once

#include <stddef.h>

#include "layout/adr_layout_barrier.h"
#include "layout/adr_layout_box_entry.h"
#include "layout/adr_layout_box_message.h"
#include "layout/adr_layout_cell.h"
#include "layout/adr_layout_context_id_entry.h"
#include "layout/adr_layout_copy_ring.h"
#include "layout/adr_layout_mpsc_queue.h"
#include "layout/adr_layout_rank_area.h"
#include "layout/adr_layout_rank_entry.h"
#include "layout/adr_layout_region_entry.h"
#include "layout/adr_layout_segment_header.h"
#include "layout/adr_layout_slot.h"
#include "layout/adr_layout_split.h"

#define ADR_LAYOUT_VERSION 19u
#define ADR_LAYOUT_CRC 0x75d362f9u

/* clang-format off */
#define ADR_LAYOUT_STRUCTS(S, X) \
  S(segment_header, ADR_SEGMENT_HEADER_BYTES) ADR_SEGMENT_HEADER_FIELDS(X) \
  S(barrier, ADR_BARRIER_BYTES) ADR_BARRIER_FIELDS(X) \
  S(rank_entry, ADR_RANK_ENTRY_BYTES) ADR_RANK_ENTRY_FIELDS(X) \
  S(rank_area, ADR_RANK_AREA_BYTES) ADR_RANK_AREA_FIELDS(X) \
  S(mpsc_queue, ADR_MPSC_QUEUE_BYTES) ADR_MPSC_QUEUE_FIELDS(X) \
  S(region_entry, ADR_REGION_ENTRY_BYTES) ADR_REGION_ENTRY_FIELDS(X) \
  S(context_id_entry, ADR_CONTEXT_ID_ENTRY_BYTES) ADR_CONTEXT_ID_ENTRY_FIELDS(X) \
  S(slot, ADR_SLOT_BYTES) ADR_SLOT_FIELDS(X) \
  S(slot_member, ADR_SLOT_MEMBER_BYTES) ADR_SLOT_MEMBER_FIELDS(X) \
  S(slot_line, ADR_SLOT_LINE_BYTES) ADR_SLOT_LINE_FIELDS(X) \
  S(box_entry, ADR_BOX_ENTRY_BYTES) ADR_BOX_ENTRY_FIELDS(X) \
  S(box_message, ADR_BOX_MESSAGE_BYTES) ADR_BOX_MESSAGE_FIELDS(X) \
  S(cell, ADR_CELL_BYTES) ADR_CELL_FIELDS(X) \
  S(copy_ring, ADR_COPY_RING_BYTES) ADR_COPY_RING_FIELDS(X) \
  S(split, ADR_SPLIT_BYTES) ADR_SPLIT_FIELDS(X)
/* clang-format on */

#define ADR_ASSERT_FIELD(name, field, at, size) \
  _Static_assert(offsetof(struct adr_##name, field) == (at), #name "." #field " moved"); \
  _Static_assert(sizeof(((struct adr_##name *)0)->field) == (size), #name "." #field " changed size");
#define ADR_ASSERT_STRUCT(name, size) _Static_assert(sizeof(struct adr_##name) == (size), #name " changed size");
ADR_LAYOUT_STRUCTS(ADR_ASSERT_STRUCT, ADR_ASSERT_FIELD)

/* The bytes of a segment. Twin of the *Descriptor classes in io.adrastea.layout; drawings and the
 * names of the writers are in docs/layout.md.
 *
 * Offsets are written out here and in Java; tests/layout/layout.golden holds them once more, a C dump and
 * a Java test both match it, and its CRC-32C is ADR_LAYOUT_CRC, which every attacher compares.
 * Change a field: change both twins, the golden file and the CRC, and raise ADR_LAYOUT_VERSION.
 *
 * Rules (docs/layout.md): fixed-width integers and offsets only, naturally aligned, little-endian or the
 * machine's own order (never mixed: the magic tells); an offset is counted from the segment's first byte,
 * 0 is null; each 128-byte block has one named writer or set of writers. */
#ifndef ADR_LAYOUT_H
#define ADR_LAYOUT_H

#include "base/adr_atomic.h"
#include "base/adr_base.h"

#define ADR_LAYOUT_VERSION 4u
#define ADR_LAYOUT_CRC 0x84688742u
#define ADR_MAGIC UINT64_C(0x4145545341524441) /* "ADRASTEA" in memory on a little-endian machine */
#define ADR_MAX_LOCAL_RANKS 1024u

/* X(struct, type, field, offset, bytes): one line per field, used for the struct's own
 * static asserts and for the dump. */

/* A barrier of all ranks (000 Fig. 2): who arrives counts, the last one turns the signal over. */
struct adr_barrier {
  /* block 0, writers: every rank */
  adr_atomic_u32 counter; /* ranks that have arrived */
  uint8_t reserved0[124];
  /* block 1, writer: the rank that arrives last */
  adr_atomic_u32 signal; /* sense of the barrier that was passed last: 0 or 1 */
  uint8_t reserved1[124];
};
#define ADR_BARRIER_BYTES 256
#define ADR_BARRIER_FIELDS(X) \
  X(barrier, counter, 0, 4) \
  X(barrier, reserved0, 4, 124) \
  X(barrier, signal, 128, 4) \
  X(barrier, reserved1, 132, 124)

/* The segment's first bytes. */
struct adr_segment_header {
  /* block 0, writer: the creator, before it stores the magic */
  adr_atomic_u64 magic;
  uint32_t layout_version;
  uint32_t layout_crc;
  uint64_t job_id;
  uint64_t segment_bytes; /* header, rank table and rank areas; regions lie behind */
  uint32_t rank_count;
  uint32_t cell_count; /* cells of one rank */
  uint32_t cell_stride; /* bytes from one cell to the next */
  uint32_t cell_payload; /* bytes of payload of one cell */
  uint64_t rank_table_offset;
  uint64_t rank_area_offset; /* of rank 0 */
  uint64_t rank_area_bytes; /* from one rank's area to the next */
  uint64_t cells_offset; /* of a rank's first cell in its area */
  uint32_t creator_pid;
  uint32_t creator_uid;
  uint64_t creator_start; /* clock ticks since boot */
  uint32_t box_ring_bytes; /* ring of one fastbox, a power of two; 0: no fastboxes */
  uint32_t box_limit;      /* most bytes of payload of a message in a fastbox */
  uint32_t box_threshold;  /* messages by queue after which a sender asks for a fastbox */
  uint32_t box_eager;      /* jobs of up to so many ranks have all fastboxes from the start */
  uint64_t box_table_offset; /* of a rank's box entries in its area, one per source */
  uint64_t boxes_offset; /* of a rank's first ring in its area; ring s belongs to source s */
  /* block 1, writers: every rank */
  adr_atomic_u32 attached; /* ranks that have attached */
  adr_atomic_u32 departed; /* ranks that have left or were found dead */
  adr_atomic_u64 file_end; /* where the next region begins */
  uint8_t reserved1[112];
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
  X(segment_header, box_eager, 108, 4) \
  X(segment_header, box_table_offset, 112, 8) \
  X(segment_header, boxes_offset, 120, 8) \
  X(segment_header, attached, 128, 4) \
  X(segment_header, departed, 132, 4) \
  X(segment_header, file_end, 136, 8) \
  X(segment_header, reserved1, 144, 112) \
  X(segment_header, barrier, 256, 256)

/* States of a rank. */
enum {
  ADR_RANK_ABSENT = 0,
  ADR_RANK_JOINING = 1,  /* identity written, area not yet ready */
  ADR_RANK_ATTACHED = 2, /* area reserved and formatted */
  ADR_RANK_LEFT = 3,     /* closed its job in order */
  ADR_RANK_FAILED = 4,   /* gave up joining, or was found dead */
};

/* Flags of a rank. */
enum {
  ADR_RANK_CHANNEL = 1,  /* speaks the channel level only: fastboxes and cells, no rendezvous */
  ADR_RANK_WAKEABLE = 2, /* sleeps on its doorbell's futex and can be woken */
  ADR_RANK_WAKER = 4,    /* can wake a sleeper */
  ADR_RANK_THREAD = 8,   /* a thread of a process that holds several ranks */
};

/* Cores, as the rank table names them. */
enum { ADR_CORE_C = 1, ADR_CORE_FFM = 2, ADR_CORE_JNI = 3, ADR_CORE_JNA = 4, ADR_CORE_JAVA = 5 };

/* One rank in the rank table. */
struct adr_rank_entry {
  /* block 0, writer: the rank; `state` also by who finds it dead */
  adr_atomic_u32 state;
  uint32_t flags;
  uint32_t pid;
  uint32_t core;
  uint64_t start_time; /* of the process, clock ticks since boot */
  uint64_t pid_namespace; /* inode of the PID namespace that `pid` belongs to */
  int32_t cpu; /* the one CPU it is pinned to, or -1 */
  uint32_t cpu_count; /* CPUs it may run on */
  uint32_t cpu_quota; /* hundredths of a CPU that its control group may use; 0: no limit */
  uint8_t reserved0[84];
  /* block 1, writer: the rank, around its enqueues */
  adr_atomic_u64 intent_queue;
  adr_atomic_u64 intent_cell;
  adr_atomic_u64 intent_generation;
  uint8_t reserved1[104];
  /* block 2, writers: every rank that rings, and the sleeper */
  adr_atomic_u32 doorbell_word; /* futex */
  adr_atomic_u32 doorbell_sleeping;
  adr_atomic_u32 doorbell_fenced; /* 1: the rank fences what it gives before it looks who sleeps */
  uint8_t reserved2[116];
  /* block 3, writers: every rank that rings, and the owner: bit s: the box of source s is active, or wanted */
  adr_atomic_u64 doorbell_active[16];
  /* block 4, writer: the rank: bit c: it may run on CPU c */
  uint64_t cpus[16];
};
#define ADR_RANK_ENTRY_BYTES 640
#define ADR_RANK_ENTRY_FIELDS(X) \
  X(rank_entry, state, 0, 4) \
  X(rank_entry, flags, 4, 4) \
  X(rank_entry, pid, 8, 4) \
  X(rank_entry, core, 12, 4) \
  X(rank_entry, start_time, 16, 8) \
  X(rank_entry, pid_namespace, 24, 8) \
  X(rank_entry, cpu, 32, 4) \
  X(rank_entry, cpu_count, 36, 4) \
  X(rank_entry, cpu_quota, 40, 4) \
  X(rank_entry, reserved0, 44, 84) \
  X(rank_entry, intent_queue, 128, 8) \
  X(rank_entry, intent_cell, 136, 8) \
  X(rank_entry, intent_generation, 144, 8) \
  X(rank_entry, reserved1, 152, 104) \
  X(rank_entry, doorbell_word, 256, 4) \
  X(rank_entry, doorbell_sleeping, 260, 4) \
  X(rank_entry, doorbell_fenced, 264, 4) \
  X(rank_entry, reserved2, 268, 116) \
  X(rank_entry, doorbell_active, 384, 128) \
  X(rank_entry, cpus, 512, 128)

/* Multi-producer single-consumer queue of cells (001 Fig. 3, shadow head of section 3.1). */
struct adr_mpsc_queue {
  /* block 0, writers: enqueuers; the dequeuer when it takes the head over or the last cell out */
  adr_atomic_u64 head;
  adr_atomic_u64 tail;
  uint8_t reserved0[112];
  /* block 1, writer: the dequeuer */
  uint64_t shadow_head;
  uint8_t reserved1[120];
};
#define ADR_MPSC_QUEUE_BYTES 256
#define ADR_MPSC_QUEUE_FIELDS(X) \
  X(mpsc_queue, head, 0, 8) \
  X(mpsc_queue, tail, 8, 8) \
  X(mpsc_queue, reserved0, 16, 112) \
  X(mpsc_queue, shadow_head, 128, 8) \
  X(mpsc_queue, reserved1, 136, 120)

/* A stretch of the segment's file that a rank added later: shared allocations. */
struct adr_region {
  uint64_t offset; /* in the file */
  uint64_t bytes;
};
#define ADR_REGION_BYTES 16
#define ADR_REGION_FIELDS(X) \
  X(region, offset, 0, 8) \
  X(region, bytes, 8, 8)

#define ADR_MAX_REGIONS 31u

/* What a rank says of the fastbox from one source; its ring lies at segment_header.boxes_offset. */
struct adr_box_entry {
  /* writer: the rank, as of all entries of its table; reader: the source */
  adr_atomic_u32 open;     /* 1: the ring is there */
  uint32_t reserved0;
  adr_atomic_u64 released; /* bytes of the ring that were read and may be written again, counted from the start */
  uint8_t reserved1[48];
};
#define ADR_BOX_ENTRY_BYTES 64
#define ADR_BOX_ENTRY_FIELDS(X) \
  X(box_entry, open, 0, 4) \
  X(box_entry, reserved0, 4, 4) \
  X(box_entry, released, 8, 8) \
  X(box_entry, reserved1, 16, 48)

/* A rank's own part of the segment: reserved, first touched and formatted by the rank. Behind it lie, at the offsets that
 * the header names: its box table, its cells, and place for the rings of its fastboxes, reserved when one is made. */
struct adr_rank_area {
  struct adr_mpsc_queue receive_queue;
  struct adr_mpsc_queue free_queue;
  /* blocks 4 to 7, writer: the rank */
  adr_atomic_u32 region_count;
  uint8_t reserved0[12];
  struct adr_region regions[ADR_MAX_REGIONS];
};
#define ADR_RANK_AREA_BYTES 1024
#define ADR_RANK_AREA_FIELDS(X) \
  X(rank_area, receive_queue, 0, 256) \
  X(rank_area, free_queue, 256, 256) \
  X(rank_area, region_count, 512, 4) \
  X(rank_area, reserved0, 516, 12) \
  X(rank_area, regions, 528, 496)

/* The head of a copy ring, through which a large message is copied by both of its ends at once (000 section 3.2); the bytes of
 * the ring follow. It lies in a shared allocation of the receiver. */
struct adr_copy_ring {
  /* block 0, writer: the sender */
  adr_atomic_u64 filled; /* bytes written since the start */
  uint8_t reserved0[120];
  /* block 1, writer: the receiver */
  adr_atomic_u64 drained; /* bytes read since the start */
  uint8_t reserved1[120];
};
#define ADR_COPY_RING_BYTES 256
#define ADR_COPY_RING_FIELDS(X) \
  X(copy_ring, filled, 0, 8) \
  X(copy_ring, reserved0, 8, 120) \
  X(copy_ring, drained, 128, 8) \
  X(copy_ring, reserved1, 136, 120)

/* What is left of a message that both of its ends copy, each a part: the receiver from the front, the sender from the back.
 * Lies in a shared allocation of the receiver. */
struct adr_split {
  /* block 0, writers: the sender and the receiver */
  adr_atomic_u64 taken; /* tag of the transfer 16 | pages taken from the front 24 | from the back 24 */
  uint8_t reserved0[120];
};
#define ADR_SPLIT_BYTES 128
#define ADR_SPLIT_FIELDS(X) \
  X(split, taken, 0, 8) \
  X(split, reserved0, 8, 120)

/* In the tag of a match word: the message belongs to the transfer of a large one, and is a cookie. */
#define ADR_MATCH_TRANSFER UINT64_C(0x80000000)

/* Kinds of messages and pieces. */
enum {
  ADR_KIND_FIRST = 1, /* the first piece of a message, maybe the only one: carries match and total length */
  ADR_KIND_NEXT = 2,  /* a later piece of the message begun last by this source */
  ADR_KIND_ABORT = 3, /* the sender gives up the message begun last: no more of it comes */
};

/* A cell's header; the payload follows. Writers: the rank that holds the cell (`owner`, from taking it
 * out of its free queue until it enqueues it; then the receiver); `next` also by the next enqueuer of the
 * queue that the cell is in. */
struct adr_cell {
  adr_atomic_u64 next; /* the cell behind it in its queue */
  uint64_t match;      /* context 32 | tag 32 */
  uint64_t total_length; /* bytes of the whole message */
  uint64_t sequence;   /* number of this piece from source to destination, from 0 */
  uint32_t length;     /* bytes of payload here */
  uint32_t source;     /* rank that sent it */
  uint32_t kind;
  uint32_t owner;      /* rank whose free queue it belongs to; fixed */
  adr_atomic_u64 generation; /* raised at every dequeue */
  uint32_t destination; /* rank it was sent to last, plus 1; private to the owner */
  uint32_t reserved0;
};
#define ADR_CELL_BYTES 64
#define ADR_CELL_FIELDS(X) \
  X(cell, next, 0, 8) \
  X(cell, match, 8, 8) \
  X(cell, total_length, 16, 8) \
  X(cell, sequence, 24, 8) \
  X(cell, length, 32, 4) \
  X(cell, source, 36, 4) \
  X(cell, kind, 40, 4) \
  X(cell, owner, 44, 4) \
  X(cell, generation, 48, 8) \
  X(cell, destination, 56, 4) \
  X(cell, reserved0, 60, 4)

/* A message in a fastbox: it begins where the one before it ends, or at the next line (flag ADR_BOX_PACKED of the one
 * before); the payload follows, over as many lines as it needs. Writer: the source. */
struct adr_box_slot {
  adr_atomic_u64 header; /* sequence 44 | packed 1 | kind 3 | length 16; written last */
  uint64_t match;        /* context 32 | tag 32 */
};
#define ADR_BOX_SLOT_BYTES 16
#define ADR_BOX_SLOT_FIELDS(X) \
  X(box_slot, header, 0, 8) \
  X(box_slot, match, 8, 8)

#define ADR_BOX_LENGTH_MASK UINT64_C(0xffff)
#define ADR_BOX_KIND_SHIFT 16
#define ADR_BOX_KIND_MASK UINT64_C(7)
#define ADR_BOX_PACKED (UINT64_C(1) << 19) /* the next message begins at the next 8 bytes, not at the next line */
#define ADR_BOX_SEQUENCE_SHIFT 20
#define ADR_BOX_SEQUENCE_MASK (~UINT64_C(0) >> ADR_BOX_SEQUENCE_SHIFT)
#define ADR_KIND_PAD 4 /* in a fastbox: go on at the ring's start; has the sequence number of the message there */

#define ADR_LAYOUT_STRUCTS(S, X) \
  S(segment_header, ADR_SEGMENT_HEADER_BYTES) ADR_SEGMENT_HEADER_FIELDS(X) \
  S(barrier, ADR_BARRIER_BYTES) ADR_BARRIER_FIELDS(X) \
  S(rank_entry, ADR_RANK_ENTRY_BYTES) ADR_RANK_ENTRY_FIELDS(X) \
  S(rank_area, ADR_RANK_AREA_BYTES) ADR_RANK_AREA_FIELDS(X) \
  S(mpsc_queue, ADR_MPSC_QUEUE_BYTES) ADR_MPSC_QUEUE_FIELDS(X) \
  S(region, ADR_REGION_BYTES) ADR_REGION_FIELDS(X) \
  S(box_entry, ADR_BOX_ENTRY_BYTES) ADR_BOX_ENTRY_FIELDS(X) \
  S(box_slot, ADR_BOX_SLOT_BYTES) ADR_BOX_SLOT_FIELDS(X) \
  S(cell, ADR_CELL_BYTES) ADR_CELL_FIELDS(X) \
  S(copy_ring, ADR_COPY_RING_BYTES) ADR_COPY_RING_FIELDS(X) \
  S(split, ADR_SPLIT_BYTES) ADR_SPLIT_FIELDS(X)

#define ADR_ASSERT_FIELD(name, field, at, size) \
  _Static_assert(offsetof(struct adr_##name, field) == (at), #name "." #field " moved"); \
  _Static_assert(sizeof(((struct adr_##name *)0)->field) == (size), #name "." #field " changed size");
#define ADR_ASSERT_STRUCT(name, size) _Static_assert(sizeof(struct adr_##name) == (size), #name " changed size");
ADR_LAYOUT_STRUCTS(ADR_ASSERT_STRUCT, ADR_ASSERT_FIELD)

#endif

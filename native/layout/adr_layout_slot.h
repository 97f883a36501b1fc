/* Twin of io.adrastea.layout.SlotDescriptor, SlotMemberDescriptor and SlotLineDescriptor; the rules are in
 * adr_layout.h.
 *
 * | slot | local rank of each member, up to a multiple of 128 bytes | slot_member 0 | slot_member 1 | ... | far words |
 *
 * There is a far word for each member on another node, where the node of the rank that has made the communicator keeps
 * account of them. A job with C ranks is on one node, so they meet none. */
#pragma once

#include "base/adr_atomic.h"
#include "base/adr_base.h"

/* In `choices`: what all members must know to take the same way. */
enum {
  ADR_SLOT_OVERSUBSCRIBED = 1,  /* members outnumber the CPUs that they may use */
  ADR_SLOT_CHECKED = 2,         /* every member compares every collective with what every other member calls */
  ADR_SLOT_COUNTER_BARRIER = 4, /* of the world: its barrier is the counter in the header of the segment */
  ADR_SLOT_STAGES_ALONE = 8,    /* collectives that are too long for lines go through stages */
  ADR_SLOT_DIRECT_EARLY = 16,   /* they go straight from memory that all can reach as soon as a page is moved */
};

/* A communicator's place in shared memory. */
struct adr_slot {
  /* block 0, writer: the lowest member, before anybody else knows of the slot */
  uint32_t context_id; /* of the communicator: number in bits 14 to 29, generation in bits 0 to 13 */
  uint32_t ranks;      /* members */
  uint32_t choices;    /* ADR_SLOT_... */
  uint32_t far;        /* members on other nodes */
  uint8_t reserved0[112];
  /* block 1, writers: every member */
  adr_atomic_u64 stages;  /* offset of the stages in the file, 0: none yet; by the lowest member alone */
  adr_atomic_u32 revoked; /* 1: no collective is possible any more */
  uint32_t reserved1;
  adr_atomic_u64 agreed; /* number of the last agreement in bits 32 to 62, what was agreed in 0 to 31 */
  adr_atomic_u64 shrunk; /* number of the last shrinking in bits 52 to 63, local rank + 1 of the new slot's owner in 40
                          * to 51, its offset in 128ths in 0 to 39 */
  adr_atomic_u32 least_by_system; /* 1 + bytes from which on the system copies soon enough, as the lowest member has
                                   * measured it; 0: it has not yet; by that member alone */
  uint8_t reserved2[92];
};
#define ADR_SLOT_BYTES 256
#define ADR_SLOT_FIELDS(X) \
  X(slot, context_id, 0, 4) \
  X(slot, ranks, 4, 4) \
  X(slot, choices, 8, 4) \
  X(slot, far, 12, 4) \
  X(slot, reserved0, 16, 112) \
  X(slot, stages, 128, 8) \
  X(slot, revoked, 136, 4) \
  X(slot, reserved1, 140, 4) \
  X(slot, agreed, 144, 8) \
  X(slot, shrunk, 152, 8) \
  X(slot, least_by_system, 160, 4) \
  X(slot, reserved2, 164, 92)

#define ADR_SLOT_LINES 4     /* lines of a member: its last four collectives */
#define ADR_SLOT_PAYLOAD 48u /* bytes that a line carries */

/* What one member tells of one collective. */
struct adr_slot_line {
  /* one block, writer: the member */
  adr_atomic_u64 head; /* sequence in bits 32 to 63, kind in 24 to 31, root in 8 to 23, roots so far in 0 to 7; last */
  uint64_t what; /* lag in bits 62 and 63, in 61 whether the first step is taken, bytes of each rank in 16 to 60, kind
                  * of element in 8 to 15, operator */
  uint8_t payload[ADR_SLOT_PAYLOAD];
  adr_atomic_u64 progress;          /* sequence in bits 32 to 63, steps taken in 0 to 31 */
  uint8_t result[ADR_SLOT_PAYLOAD]; /* what the member has combined; whole once `progress` says so; or ADR_SLOT_... */
  adr_atomic_u64 wants; /* sequence in bits 32 to 63; in 0 to 31 number of what the member asks another one to copy:
                         * odd, it asks; even, that is over */
};
#define ADR_SLOT_LINE_BYTES 128

/* What the payload of a line tells where a collective may go straight from member to member: how this one's buffers can
 * be reached. */
enum {
  ADR_SLOT_TELL_BY = 0,      /* word: input in bits 0 to 7, output in 8 to 15, spaces to the others in 16 to 23 */
  ADR_SLOT_TELL_IN = 1,      /* word: where the input begins */
  ADR_SLOT_TELL_OUT = 2,     /* word: where the output begins */
  ADR_SLOT_TELL_SEGMENT = 3, /* word: XPMEM segment id of the process, 0: none */
  ADR_SLOT_TELL_WORDS = 4,
  ADR_SLOT_STEP_SHIFT = 61, /* in `what`: 1, the member had taken the first step when it showed the line */
  ADR_SLOT_LAG_SHIFT = 62,  /* in `what`: collectives before this one that the member had not done yet, 0 to 3 */
};
#define ADR_SLOT_LINE_FIELDS(X) \
  X(slot_line, head, 0, 8) \
  X(slot_line, what, 8, 8) \
  X(slot_line, payload, 16, 48) \
  X(slot_line, progress, 64, 8) \
  X(slot_line, result, 72, 48) \
  X(slot_line, wants, 120, 8)

/* What the result of a line tells where a collective may go straight from member to member: what this member asks
 * another one to copy, and what it has copied for others. */
enum {
  ADR_SLOT_WANTS_WHAT = 0,   /* word: which member is asked, and ADR_SLOT_WANTS_... in bits 32 to 63 */
  ADR_SLOT_WANTS_PLACE = 1,  /* word: where in that member's memory, as it has told */
  ADR_SLOT_WANTS_BYTES = 2,  /* word */
  ADR_SLOT_HAS_COPIED = 3,   /* word: number of what was asked for in bits 0 to 31, member + 1 in 32 to 63; 0: none */
  ADR_SLOT_WANTS_INPUT = 0,  /* its input is to be read */
  ADR_SLOT_WANTS_OUTPUT = 1, /* its output is to be read */
  ADR_SLOT_WANTS_WRITE = 2,  /* its output is to be written */
};

/* States of a member. */
enum {
  ADR_MEMBER_OPEN = 0,
  ADR_MEMBER_CLOSED = 1, /* it has closed the communicator */
  ADR_MEMBER_BROKEN = 2, /* it cannot go on: a collective was left in the middle */
};

/* Whether a member is there: what decides when the communicator's number is free. In the world's slot nobody comes
 * in. */
enum {
  ADR_PRESENCE_NONE = 0, /* it has not come in yet */
  ADR_PRESENCE_IN = 1,
  ADR_PRESENCE_OUT = 2, /* it has closed the communicator, or was kept out */
  /* It is there, also in the world's slot, and has given up the making of a communicator out of this one: it makes no
   * more. */
  ADR_PRESENCE_DECLINED = 3,
};

/* A member's part of a slot. */
struct adr_slot_member {
  /* all blocks, writer: the member */
  adr_atomic_u32 state;     /* ADR_MEMBER_... */
  adr_atomic_u32 presence;  /* ADR_PRESENCE_...; also written by a rank that keeps it out */
  adr_atomic_u64 done;      /* collectives that it has ended */
  adr_atomic_u64 agreement; /* shrink in bit 63, number of the agreement in 32 to 62, this member's flags in 0 to 31 */
  adr_atomic_u32 spaces;    /* through which it can reach all other members' memory, as last told; 0: not told */
  adr_atomic_u32 writes;    /* number + 1 of the member whose memory it writes now; 0: of none */
  uint8_t reserved1[96];
  struct adr_slot_line lines[ADR_SLOT_LINES]; /* of collective s: line s modulo 4 */
};
#define ADR_SLOT_MEMBER_BYTES 640
#define ADR_SLOT_MEMBER_FIELDS(X) \
  X(slot_member, state, 0, 4) \
  X(slot_member, presence, 4, 4) \
  X(slot_member, done, 8, 8) \
  X(slot_member, agreement, 16, 8) \
  X(slot_member, spaces, 24, 4) \
  X(slot_member, writes, 28, 4) \
  X(slot_member, reserved1, 32, 96) \
  X(slot_member, lines, 128, 512)

/* Where the members' parts begin in a slot of so many, and how long such a slot is. */
static inline uint64_t adr_slot_members_offset(uint32_t ranks) {
  return adr_align_up(ADR_SLOT_BYTES + (uint64_t)ranks * sizeof(uint32_t), ADR_BLOCK);
}

static inline uint64_t adr_slot_bytes(uint32_t ranks) {
  return adr_slot_members_offset(ranks) + (uint64_t)ranks * ADR_SLOT_MEMBER_BYTES;
}

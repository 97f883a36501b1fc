/* Fastbox: a ring of bytes for one ordered pair of ranks, in the receiver's memory, that bypasses the queue. Twin of
 * io.adrastea.fastbox.Outbox and Inbox.
 *
 * Sources: 001 section 3.2 (fastboxes: a receiver checks few places, a message costs one line) and 003 section 3.2
 * (receive buffers per pair) in one. A message is a header word, its match word and the payload, contiguous: up to 48 bytes
 * share one line. Its header carries the sequence number that the receiver waits for, so one load tells that a message is
 * there and that it is the next one of its source, whatever went by queue.
 *
 * Where the next message begins is told by the one before. While the receiver keeps up, each begins on a line of its own: two CPUs
 * at work in one line slow each other down. When it is behind, and in a burst, they are packed at multiples of 8 bytes, so that one line carries
 * several and the ring holds more.
 *
 * Invariants:
 * - The receiver looks at one place only, the next header's. There is no other word there that could be taken for it: either
 *   a header of an earlier lap, whose sequence is another, or zero. A place that may hold old payload is zeroed before the
 *   header in front of it shows (`stale` tells how far there is such).
 * - Positions count bytes from the start of the ring's life; writer's position + 8 - `released` never exceeds the ring. */
#ifndef ADR_FASTBOX_H
#define ADR_FASTBOX_H

#include "base/adr_stop.h"
#include "copy/adr_copy.h"
#include "layout/adr_layout.h"

#define ADR_BOX_WORD 8u
#define ADR_BOX_HEAD (ADR_LINE - ADR_BOX_SLOT_BYTES) /* payload that shares the header's line */

/* The writer's side; private to it. */
struct adr_outbox {
  uint8_t *ring; /* NULL: there is none yet */
  uint64_t mask; /* bytes of the ring - 1 */
  uint64_t position; /* of the next message */
  uint64_t room;     /* positions below may be written, as far as is known */
  uint64_t stale;    /* header places below may hold old payload */
  uint64_t clean;    /* but this one does not: it was zeroed ahead */
  bool behind;       /* the reader had more than half of the ring unread when it was looked at last */
  const struct adr_box_entry *entry;
  struct adr_box_slot *withheld; /* in a burst: the message whose header is still to be stored, NULL: none */
  uint64_t withheld_header;
};

/* Room for one message. */
struct adr_box_room {
  struct adr_box_slot *slot;
  uint64_t pad; /* where a pad goes first; equal to `begin`: none */
  uint64_t begin;
  uint64_t end; /* where the next message will begin */
  bool packed;
};

static inline struct adr_box_slot *adr_box_slot_at(uint8_t *ring, uint64_t mask, uint64_t position) {
  return (struct adr_box_slot *)(void *)(ring + (position & mask));
}

static inline uint64_t adr_box_end(uint64_t begin, uint32_t length, bool packed) {
  return adr_align_up(begin + ADR_BOX_SLOT_BYTES + length, ADR_LINE >> (packed ? 3 : 0)); /* to ADR_BOX_WORD */
}

/* Whether all up to `end`, and a header place behind it, may be written by now. */
static inline bool adr_outbox_find_released(struct adr_outbox *box, uint64_t end) {
  /* SYNC box-released: acquire, pairs with the reader's release; it has read what we write over. */
  uint64_t released = adr_load_acquire_u64(&box->entry->released);
  box->room = released + box->mask + 1;
  box->behind = box->position - released > box->mask / 2;
  return end + ADR_BOX_WORD <= box->room;
}

/* Finds room for a message of `length` bytes; false: there is none now. Nothing is written. */
static inline bool adr_outbox_find(struct adr_outbox *box, uint32_t length, bool packed, struct adr_box_room *room) {
  uint64_t begin = box->position;
  uint64_t left = box->mask + 1 - (begin & box->mask);
  if (ADR_UNLIKELY(ADR_BOX_SLOT_BYTES + length > left)) { /* it is to be contiguous */
    begin += left;
  }
  uint64_t end = adr_box_end(begin, length, packed);
  if (ADR_UNLIKELY(end + ADR_BOX_WORD > box->room) && !adr_outbox_find_released(box, end)) {
    return false;
  }
  *room = (struct adr_box_room){adr_box_slot_at(box->ring, box->mask, begin), box->position, begin, end, packed};
  return true;
}

/* Shows what a burst has withheld. */
static inline void adr_outbox_show(struct adr_outbox *box) {
  if (box->withheld != NULL) {
    /* SYNC box-header: release, pairs with the reader's acquire; orders this message and all behind it. */
    adr_store_release_u64(&box->withheld->header, box->withheld_header);
    ADR_STOP(box_burst_shown);
    box->withheld = NULL;
  }
}

/* Stores the header that the reader waits for, or keeps it back in a burst: its first, what comes behind it cannot be seen
 * before it. */
static inline void adr_outbox_publish(struct adr_outbox *box, struct adr_box_slot *slot, uint64_t header, bool burst) {
  if (ADR_UNLIKELY(burst)) {
    if (box->withheld == NULL) {
      box->withheld = slot;
      box->withheld_header = header;
    } else {
      adr_store_relaxed_u64(&slot->header, header);
    }
    ADR_STOP(box_withheld);
    return;
  }
  /* SYNC box-header: release, pairs with the reader's acquire; orders match, payload and the zero behind. */
  adr_store_release_u64(&slot->header, header);
  ADR_STOP(box_shown);
}

/* Copies a payload into `room`. The first line last: the receiver keeps looking at it, and the fewer stores it sees apart, the
 * less often it takes the line away in between. */
static inline void adr_outbox_fill(const struct adr_box_room *room, uint64_t match, const uint8_t *payload,
                                   uint32_t length) {
  uint8_t *place = (uint8_t *)(room->slot + 1);
  uint32_t head = length;
  if (ADR_UNLIKELY(length > ADR_BOX_HEAD)) {
    head = ADR_BOX_HEAD;
    memcpy(place + head, payload + head, length - head);
    ADR_STOP(box_tail_filled);
  }
  room->slot->match = match;
  ADR_STOP(box_match_filled);
  adr_copy_short(place, payload, head);
  ADR_STOP(box_filled);
}

/* While the receiver answers: the message goes where it finds it sooner, and what the next message of this size will write is
 * fetched; the header place behind that is zeroed ahead, so that no store to a line of its own delays the next header. */
static inline void adr_outbox_prepare(struct adr_outbox *box, const struct adr_box_room *room) {
  uint64_t lines = room->end - room->begin;
  uint64_t ahead = room->end + lines;
  if (ahead + ADR_BOX_WORD > box->room && !adr_outbox_find_released(box, ahead)) {
    return;
  }
  for (uint64_t at = 0; at < lines; at += ADR_LINE) {
    adr_demote((const uint8_t *)room->slot + at);
    adr_prefetch_write(adr_box_slot_at(box->ring, box->mask, room->end + at));
  }
  if (lines > ADR_LINE) {
    adr_store_relaxed_u64(&adr_box_slot_at(box->ring, box->mask, ahead)->header, 0);
    ADR_STOP(box_zeroed_ahead);
    box->clean = ahead;
  }
}

/* Sends what was written into `room`. */
static inline void adr_outbox_commit(struct adr_outbox *box, const struct adr_box_room *room, uint64_t sequence,
                                     uint32_t length, bool burst) {
  uint64_t header = sequence << ADR_BOX_SEQUENCE_SHIFT | (room->packed ? ADR_BOX_PACKED : 0)
                    | (uint64_t)ADR_KIND_FIRST << ADR_BOX_KIND_SHIFT | length;
  if (room->packed || ADR_UNLIKELY(room->end < box->stale && room->end != box->clean)) {
    /* Relaxed: published, like the message, by the release of the header in front of it. */
    adr_store_relaxed_u64(&adr_box_slot_at(box->ring, box->mask, room->end)->header, 0);
    ADR_STOP(box_zeroed_behind);
  }
  bool crosses = room->begin % ADR_LINE + ADR_BOX_SLOT_BYTES + length > ADR_LINE; /* payload lies where a line begins */
  if (room->packed || crosses || room->pad != room->begin) {
    box->stale = room->end + box->mask + 1;
  }
  box->position = room->end;
  if (ADR_LIKELY(room->pad == room->begin)) {
    adr_outbox_publish(box, room->slot, header, burst);
  } else {
    adr_store_relaxed_u64(&room->slot->header, header);
    ADR_STOP(box_behind_pad);
    adr_outbox_publish(box, adr_box_slot_at(box->ring, box->mask, room->pad),
                       sequence << ADR_BOX_SEQUENCE_SHIFT | (uint64_t)ADR_KIND_PAD << ADR_BOX_KIND_SHIFT, burst);
  }
}

/* Puts a message of at most ADR_BOX_HEAD bytes on a line of its own: what usually happens, in few instructions. The position is at a line's
 * begin. False: there is no room as far as is known, or the place behind is to be zeroed first. */
static inline bool adr_outbox_put_line(struct adr_outbox *box, uint64_t sequence, uint64_t match, const uint8_t *payload,
                                       uint32_t length) {
  uint64_t end = box->position + ADR_LINE;
  if (ADR_UNLIKELY(end + ADR_BOX_WORD > box->room || end < box->stale)) {
    return false;
  }
  struct adr_box_slot *slot = adr_box_slot_at(box->ring, box->mask, box->position);
  slot->match = match;
  ADR_STOP(line_match);
  adr_copy_inline(slot + 1, payload, length);
  ADR_STOP(line_filled);
  box->position = end;
  /* SYNC box-header: release, pairs with the reader's acquire; orders match and payload. */
  adr_store_release_u64(&slot->header, sequence << ADR_BOX_SEQUENCE_SHIFT
                                           | (uint64_t)ADR_KIND_FIRST << ADR_BOX_KIND_SHIFT | length);
  ADR_STOP(line_shown);
  return true;
}

/* Gives `room` back unsent, whatever was written into it. */
static inline void adr_outbox_abort(struct adr_outbox *box, const struct adr_box_room *room) {
  box->stale = room->end + box->mask + 1;
  box->clean = 0;
}

/* The reader's side; private to it. */
struct adr_inbox {
  uint8_t *ring; /* NULL: not open */
  uint64_t mask;
  uint64_t position; /* of the next message */
  uint64_t freed;    /* all below it is given back */
  uint64_t released; /* as the writer was told last */
  uint64_t tell_at;  /* position from which on it is to be told anew: a quarter of the ring further */
  struct adr_box_entry *entry;
  uint32_t held; /* messages below `position` that are still in use */
  uint32_t idle; /* looks in a row that found nothing */
};

/* What a message that was given back while an older one is held has for its kind: the reader's own mark. */
#define ADR_KIND_GIVEN 7u

static inline uint32_t adr_box_kind(uint64_t header) {
  return (uint32_t)(header >> ADR_BOX_KIND_SHIFT & ADR_BOX_KIND_MASK);
}

/* The header of the next message when it has this sequence number; 0: it is not there. */
static inline uint64_t adr_inbox_peek(const struct adr_inbox *box, uint64_t sequence) {
  /* SYNC box-header: acquire, pairs with the writer's release; orders match and payload. */
  uint64_t header = adr_load_acquire_u64(&adr_box_slot_at(box->ring, box->mask, box->position)->header);
  return ((header ^ sequence << ADR_BOX_SEQUENCE_SHIFT) >> ADR_BOX_SEQUENCE_SHIFT) == 0 ? header : 0;
}

/* Whether the next message is there and is what it usually is, a whole message of at most ADR_COPY_INLINE bytes; `found` is its header. False:
 * look closer. In few instructions. */
static inline bool adr_inbox_see(const struct adr_inbox *box, uint64_t sequence, uint64_t *found) {
  uint64_t at = box->position & box->mask;
  /* SYNC box-header: acquire, pairs with the writer's release; orders match and payload. */
  uint64_t header = adr_load_acquire_u64(&((struct adr_box_slot *)(void *)(box->ring + at))->header);
  uint64_t usual = sequence << ADR_BOX_SEQUENCE_SHIFT | (uint64_t)ADR_KIND_FIRST << ADR_BOX_KIND_SHIFT;
  uint64_t length = (header ^ usual) & ~ADR_BOX_PACKED; /* when nothing else differs */
  *found = header;
  return ADR_LIKELY(length <= ADR_COPY_INLINE && at + ADR_BOX_SLOT_BYTES + length <= box->mask + 1);
}

/* As peek, over a pad. ADR_CORRUPT when a header is none: its kind, or a length that goes beyond the ring's end. */
static inline int64_t adr_inbox_look(struct adr_inbox *box, uint64_t sequence) {
  uint64_t header = adr_inbox_peek(box, sequence);
  if (ADR_UNLIKELY(adr_box_kind(header) == ADR_KIND_PAD)) {
    box->position = (box->position | box->mask) + 1;
    header = adr_inbox_peek(box, sequence);
  }
  if (header == 0 || adr_box_kind(header) == 0) { /* kind 0: a zeroed place, where the sequence is 0 modulo 2^44 */
    return 0;
  }
  uint64_t last = (box->position & box->mask) + ADR_BOX_SLOT_BYTES + (header & ADR_BOX_LENGTH_MASK);
  bool sound = adr_box_kind(header) == ADR_KIND_FIRST && last <= box->mask + 1;
  return ADR_LIKELY(sound) ? (int64_t)(header & ~(UINT64_C(1) << 63)) : ADR_CORRUPT;
}

/* Whether nothing waits in the box, neither the next message nor one behind something that went by queue: the place of the next
 * header is zero or holds one of an earlier lap. For a writer that is gone. */
static inline bool adr_inbox_is_empty(const struct adr_inbox *box, uint64_t sequence) {
  /* SYNC box-header: acquire, pairs with the writer's release. */
  uint64_t header = adr_load_acquire_u64(&adr_box_slot_at(box->ring, box->mask, box->position)->header);
  uint64_t ahead = header - (sequence << ADR_BOX_SEQUENCE_SHIFT); /* its number less the expected one, in the upper bits */
  return adr_box_kind(header) == 0 || (int64_t)ahead < 0;
}

/* Tells the writer what is given back; whether there was something to tell. Not at every message: the line goes to the writer and back. */
static inline bool adr_inbox_tell(struct adr_inbox *box) {
  if (box->released == box->freed) {
    return false;
  }
  box->released = box->freed;
  box->tell_at = box->freed + (box->mask >> 2);
  /* SYNC box-released: release, pairs with the writer's acquire; our reads come before its writes. */
  ADR_STOP(box_tell);
  adr_store_release_u64(&box->entry->released, box->freed);
  ADR_STOP(box_told);
  return true;
}

/* Moves `freed` over all that is given back. Returns 0 or ADR_CORRUPT. */
static inline int adr_inbox_sweep(struct adr_inbox *box) {
  while (box->freed != box->position) {
    uint64_t header = adr_load_relaxed_u64(&adr_box_slot_at(box->ring, box->mask, box->freed)->header);
    uint32_t length = (uint32_t)(header & ADR_BOX_LENGTH_MASK);
    if (adr_box_kind(header) == ADR_KIND_PAD) {
      box->freed = (box->freed | box->mask) + 1;
    } else if (adr_box_kind(header) == ADR_KIND_GIVEN) {
      box->freed = adr_box_end(box->freed, length, (header & ADR_BOX_PACKED) != 0);
    } else {
      return 0;
    }
    if (box->freed > box->position) {
      return ADR_CORRUPT;
    }
  }
  return 0;
}

static inline void adr_inbox_mark(struct adr_inbox *box, uint64_t position) {
  adr_atomic_u64 *header = &adr_box_slot_at(box->ring, box->mask, position)->header;
  adr_store_relaxed_u64(header, adr_load_relaxed_u64(header) | (uint64_t)ADR_KIND_GIVEN << ADR_BOX_KIND_SHIFT);
  ADR_STOP(box_given);
}

/* Ends with the message at `position`, whose header is known: it goes back now or, while an older one is held, with that. Whether the
 * writer was told. */
static inline bool adr_inbox_end(struct adr_inbox *box, uint64_t header) {
  uint64_t begin = box->position;
  box->position = adr_box_end(begin, (uint32_t)(header & ADR_BOX_LENGTH_MASK), (header & ADR_BOX_PACKED) != 0);
  if (ADR_UNLIKELY(box->held != 0)) {
    adr_inbox_mark(box, begin);
    return false;
  }
  box->freed = box->position;
  return ADR_UNLIKELY(box->position > box->tell_at) && adr_inbox_tell(box);
}

/* Goes on behind the message at `position` and leaves it in use. Returns where it is, for give. */
static inline uint64_t adr_inbox_hold(struct adr_inbox *box, uint64_t header) {
  uint64_t begin = box->position;
  if (box->held++ == 0) {
    box->freed = begin; /* a pad in front of it is free */
  }
  box->position = adr_box_end(begin, (uint32_t)(header & ADR_BOX_LENGTH_MASK), (header & ADR_BOX_PACKED) != 0);
  return begin;
}

/* Gives a message back that was held. Returns 0; ADR_INVALID: none is held there; ADR_CORRUPT. */
static inline int adr_inbox_give(struct adr_inbox *box, uint64_t position) {
  if (box->held == 0 || position < box->freed || position >= box->position || position % ADR_BOX_WORD != 0
      || adr_box_kind(adr_load_relaxed_u64(&adr_box_slot_at(box->ring, box->mask, position)->header))
             != ADR_KIND_FIRST) {
    return ADR_INVALID;
  }
  box->held--;
  adr_inbox_mark(box, position);
  int status = adr_inbox_sweep(box);
  adr_inbox_tell(box);
  return status;
}

#endif

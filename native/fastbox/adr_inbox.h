/* The reader's side of a fastbox, whose ring, source and invariants are in adr_box_ring.h. Twin of
 * io.adrastea.fastbox.Inbox. */
#pragma once

#include "base/adr_stop.h"
#include "copy/adr_copy.h"
#include "fastbox/adr_box_ring.h"

/* What a message that was given back while an older one is retained has for its kind: the reader's own mark. */
#define ADR_KIND_RELEASED 7u

/* Bits of a header that tell where its message ends; and its kind, which is not 0, as it is before any has come. */
#define ADR_BOX_END_BITS (ADR_BOX_LENGTH_MASK | ADR_BOX_PACKED | (uint64_t)ADR_BOX_KIND_MASK << ADR_BOX_KIND_SHIFT)

/* Private to the reader. */
struct adr_inbox {
  uint8_t *ring; /* NULL: not open */
  uint64_t mask;
  uint64_t position; /* of the next message */
  uint64_t freed;    /* all below it is given back */
  uint64_t released; /* as the writer was told last */
  uint64_t tell_at;  /* position from which on it is to be told anew: a quarter of the ring further */
  struct adr_box_entry *entry;
  uint64_t usual_bits;     /* of the header of the message passed last: ADR_BOX_END_BITS */
  uint64_t usual_bytes;    /* from its begin to where the next may begin, before that is rounded down */
  uint64_t usual_multiple; /* minus what the next begins at a multiple of */
  uint32_t retained;       /* messages below `position` that are still in use */
  uint32_t idle;           /* polls in a row that found nothing */
};

/* The header of the next message when it has this sequence number; 0: it is not there. */
static inline uint64_t adr_inbox_peek(const struct adr_inbox *box, uint64_t sequence) {
  /* SYNC box-header: acquire, pairs with the writer's release; orders match and payload. */
  uint64_t header = adr_load_acquire_u64(&adr_box_message_at(box->ring, box->mask, box->position)->header);
  return ((header ^ sequence << ADR_BOX_SEQUENCE_SHIFT) >> ADR_BOX_SEQUENCE_SHIFT) == 0 ? header : 0;
}

/* Whether the next message is there and is what it usually is, a whole message of at most ADR_COPY_INLINE bytes;
 * `found` is its header. False: look closer. In few instructions. */
static inline bool adr_inbox_peek_usual(const struct adr_inbox *box, uint64_t sequence, uint64_t *found) {
  uint64_t at = box->position & box->mask;
  /* SYNC box-header: acquire, pairs with the writer's release; orders match and payload. */
  uint64_t header = adr_load_acquire_u64(&((struct adr_box_message *)(void *)(box->ring + at))->header);
  uint64_t usual = sequence << ADR_BOX_SEQUENCE_SHIFT | (uint64_t)ADR_KIND_FIRST << ADR_BOX_KIND_SHIFT;
  uint64_t length = (header ^ usual) & ~ADR_BOX_PACKED; /* when nothing else differs */
  *found = header;
  return ADR_LIKELY(length <= ADR_COPY_INLINE && at + ADR_BOX_MESSAGE_BYTES + length <= box->mask + 1);
}

/* The header of the message at `position`, behind the next one, when it is a whole message of this sequence number;
 * 0: none is there, or something that poll is to see to. */
static inline uint64_t adr_inbox_peek_behind(const struct adr_inbox *box, uint64_t position, uint64_t sequence) {
  /* SYNC box-header: acquire, pairs with the writer's release; orders match and payload. */
  uint64_t header = adr_load_acquire_u64(&adr_box_message_at(box->ring, box->mask, position)->header);
  uint64_t usual = sequence << ADR_BOX_SEQUENCE_SHIFT | (uint64_t)ADR_KIND_FIRST << ADR_BOX_KIND_SHIFT;
  uint64_t length = (header ^ usual) & ~ADR_BOX_PACKED; /* when nothing else differs */
  bool whole =
      length <= ADR_BOX_LENGTH_MASK && (position & box->mask) + ADR_BOX_MESSAGE_BYTES + length <= box->mask + 1;
  return whole ? header : 0;
}

static inline uint64_t peek_behind_pad(struct adr_inbox *box, uint64_t sequence) {
  box->position = (box->position | box->mask) + 1;
  return adr_inbox_peek(box, sequence);
}

/* As peek, over a pad. ADR_CORRUPT when a header is not valid: its kind, or a length that goes beyond the ring's
 * end. */
static inline int64_t adr_inbox_poll(struct adr_inbox *box, uint64_t sequence) {
  uint64_t header = adr_inbox_peek(box, sequence);
  if (ADR_UNLIKELY(adr_box_kind(header) == ADR_KIND_PAD)) { header = peek_behind_pad(box, sequence); }
  if (header == 0 || adr_box_kind(header) == 0) { /* kind 0: a zeroed place, where the sequence is 0 modulo 2^44 */
    return 0;
  }
  uint64_t last = (box->position & box->mask) + ADR_BOX_MESSAGE_BYTES + (header & ADR_BOX_LENGTH_MASK);
  bool sound = adr_box_kind(header) == ADR_KIND_FIRST && last <= box->mask + 1;
  return ADR_LIKELY(sound) ? (int64_t)(header & ~(UINT64_C(1) << 63)) : ADR_CORRUPT;
}

/* Whether nothing waits in the box, neither the next message nor one behind something that went by queue: the place of
 * the next header is zero or holds one of an earlier lap. For a writer that is gone. */
static inline bool adr_inbox_is_empty(const struct adr_inbox *box, uint64_t sequence) {
  /* SYNC box-header: acquire, pairs with the writer's release. */
  uint64_t header = adr_load_acquire_u64(&adr_box_message_at(box->ring, box->mask, box->position)->header);
  uint64_t ahead =
      header - (sequence << ADR_BOX_SEQUENCE_SHIFT); /* its number less the expected one, in the upper bits */
  return adr_box_kind(header) == 0 || (int64_t)ahead < 0;
}

/* Tells the writer what is given back; whether there was something to tell. Not at every message: the line goes to the
 * writer and back. */
static inline bool adr_inbox_tell(struct adr_inbox *box) {
  if (box->released == box->freed) { return false; }
  box->released = box->freed;
  box->tell_at = box->freed + (box->mask >> 2);
  /* SYNC box-released: release, pairs with the writer's acquire; our reads come before its writes. */
  ADR_STOP(box_tell);
  adr_store_release_u64(&box->entry->released, box->freed);
  ADR_STOP(box_told);
  return true;
}

/* Whether a message ends where one like the message passed last would. */
static inline bool adr_inbox_is_usual(const struct adr_inbox *box, uint64_t header) {
  return ADR_LIKELY(((header ^ box->usual_bits) & ADR_BOX_END_BITS) == 0);
}

/* Where the message ends that begins at `begin` and has this header. If the message passed last was like it, that is
 * computed without this header: the messages of a stream are alike, so the CPU foretells the comparison, and asks for
 * the next line before it has this one. Computed from the header, each line would be asked for only when the one before
 * it is there, which takes three times as long. */
static inline uint64_t adr_inbox_end_of(const struct adr_inbox *box, uint64_t begin, uint64_t header) {
  uint64_t end = (begin + box->usual_bytes) & box->usual_multiple;
  if (!adr_inbox_is_usual(box, header)) {
    end = adr_box_end(begin, (uint32_t)(header & ADR_BOX_LENGTH_MASK), (header & ADR_BOX_PACKED) != 0);
    ADR_KEEP_BRANCH(end);
  }
  return end;
}

static inline void adr_inbox_note_usual(struct adr_inbox *box, uint64_t header) {
  uint64_t multiple = (header & ADR_BOX_PACKED) != 0 ? ADR_BOX_WORD : ADR_LINE;
  box->usual_bits = header & ADR_BOX_END_BITS;
  box->usual_bytes = ADR_BOX_MESSAGE_BYTES + (header & ADR_BOX_LENGTH_MASK) + multiple - 1;
  box->usual_multiple = -multiple;
}

/* Goes on behind the message at `position`, whose header is known. */
static inline void adr_inbox_pass(struct adr_inbox *box, uint64_t header) {
  if (!adr_inbox_is_usual(box, header)) { adr_inbox_note_usual(box, header); }
  box->position = (box->position + box->usual_bytes) & box->usual_multiple;
}

/* Moves `freed` over all that is given back. Returns 0 or ADR_CORRUPT. */
static inline int adr_inbox_sweep(struct adr_inbox *box) {
  while (box->freed != box->position) {
    uint64_t header = adr_load_relaxed_u64(&adr_box_message_at(box->ring, box->mask, box->freed)->header);
    if (adr_box_kind(header) == ADR_KIND_PAD) {
      box->freed = (box->freed | box->mask) + 1;
    } else if (adr_box_kind(header) == ADR_KIND_RELEASED) {
      box->freed = adr_inbox_end_of(box, box->freed, header);
    } else {
      return 0;
    }
    if (box->freed > box->position) { return ADR_CORRUPT; }
  }
  return 0;
}

static inline void adr_inbox_mark(struct adr_inbox *box, uint64_t position) {
  adr_atomic_u64 *header = &adr_box_message_at(box->ring, box->mask, position)->header;
  adr_store_relaxed_u64(header, adr_load_relaxed_u64(header) | (uint64_t)ADR_KIND_RELEASED << ADR_BOX_KIND_SHIFT);
  ADR_STOP(box_given);
}

/* Ends with the message at `position`, whose header is known: it goes back now or, while an older one is retained, with
 * that. Whether the writer was told. */
static inline bool adr_inbox_end(struct adr_inbox *box, uint64_t header) {
  uint64_t begin = box->position;
  adr_inbox_pass(box, header);
  if (ADR_UNLIKELY(box->retained != 0)) {
    adr_inbox_mark(box, begin);
    return false;
  }
  box->freed = box->position;
  return ADR_UNLIKELY(box->position > box->tell_at) && adr_inbox_tell(box);
}

/* Ends with all messages up to `end`, of which the last one's header is known, while none is retained: they go back
 * now. Whether the writer was told. */
static inline bool adr_inbox_end_all(struct adr_inbox *box, uint64_t end, uint64_t last_header) {
  if (!adr_inbox_is_usual(box, last_header)) { adr_inbox_note_usual(box, last_header); }
  box->position = end;
  box->freed = end;
  return ADR_UNLIKELY(end > box->tell_at) && adr_inbox_tell(box);
}

/* Goes on behind the message at `position` and leaves it in use. Returns where it is; to be handed to
 * adr_inbox_release. */
static inline uint64_t adr_inbox_retain(struct adr_inbox *box, uint64_t header) {
  uint64_t begin = box->position;
  if (box->retained++ == 0) { box->freed = begin; /* a pad in front of it is free */ }
  adr_inbox_pass(box, header);
  return begin;
}

/* Gives a message back that was retained. Returns 0; ADR_INVALID: none is retained there; ADR_CORRUPT. */
static inline int adr_inbox_release(struct adr_inbox *box, uint64_t position) {
  if (box->retained == 0 || position < box->freed || position >= box->position || position % ADR_BOX_WORD != 0
      || adr_box_kind(adr_load_relaxed_u64(&adr_box_message_at(box->ring, box->mask, position)->header))
             != ADR_KIND_FIRST) {
    return ADR_INVALID;
  }
  box->retained--;
  adr_inbox_mark(box, position);
  int status = adr_inbox_sweep(box);
  adr_inbox_tell(box);
  return status;
}

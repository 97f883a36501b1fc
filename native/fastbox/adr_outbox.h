/* The writer's side of a fastbox, whose ring, source and invariants are in adr_box_ring.h. Twin of
 * io.adrastea.fastbox.Outbox. */
#pragma once

#include "base/adr_stop.h"
#include "copy/adr_copy.h"
#include "fastbox/adr_box_ring.h"

#define ADR_BOX_HEAD (ADR_LINE - ADR_BOX_MESSAGE_BYTES) /* payload that shares the header's line */

/* How far ahead of a message of one line the writer of a stream fetches a line for writing. Two lines: stores leave a
 * CPU in their order, so the line of the next message is wanted while it still waits for this one's. Lines further
 * ahead are taken back by a reader that is close behind, whose CPU fetches them too. */
#define ADR_BOX_AHEAD (2 * ADR_LINE)

/* After an answer so many lines are sent before they count as a stream: in a ping-pong a line fetched too early costs
 * some 2 ns. */
#define ADR_BOX_ANSWERED (4 * ADR_LINE)

/* Private to the writer. */
struct adr_outbox {
  uint8_t *ring;     /* NULL: there is none yet */
  uint64_t mask;     /* bytes of the ring - 1 */
  uint64_t position; /* of the next message */
  uint64_t room;     /* positions below may be written, as far as is known */
  uint64_t stale;    /* header places below may hold old payload */
  uint64_t clean;    /* but this one does not: it was zeroed ahead */
  uint64_t stream;   /* from here on messages are a stream, which nobody has answered */
  bool behind;       /* the reader had more than half of the ring unread when it was checked last */
  const struct adr_box_entry *entry;
  struct adr_box_message *withheld; /* in a burst: the message whose header is still to be stored, NULL: none */
  uint64_t withheld_header;
};

/* Room for one message. */
struct adr_box_room {
  struct adr_box_message *message;
  uint64_t pad; /* where a pad goes first; equal to `begin`: none */
  uint64_t begin;
  uint64_t end; /* where the next message will begin */
  bool packed;
};

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
  if (ADR_UNLIKELY(ADR_BOX_MESSAGE_BYTES + length > left)) { /* it is to be contiguous */
    begin += left;
  }
  uint64_t end = adr_box_end(begin, length, packed);
  if (ADR_UNLIKELY(end + ADR_BOX_WORD > box->room) && !adr_outbox_find_released(box, end)) { return false; }
  *room = (struct adr_box_room){adr_box_message_at(box->ring, box->mask, begin), box->position, begin, end, packed};
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

/* The header that the reader waits for is kept back: what comes behind it cannot be seen before it. */
static inline void adr_outbox_withhold(struct adr_outbox *box, struct adr_box_message *message, uint64_t header) {
  if (box->withheld == NULL) {
    box->withheld = message;
    box->withheld_header = header;
  } else {
    adr_store_relaxed_u64(&message->header, header);
  }
  ADR_STOP(box_withheld);
}

/* Stores the header that the reader waits for, or keeps it back in a burst. */
static inline void adr_outbox_publish(struct adr_outbox *box, struct adr_box_message *message, uint64_t header,
                                      bool burst) {
  if (ADR_UNLIKELY(burst)) {
    adr_outbox_withhold(box, message, header);
    return;
  }
  /* SYNC box-header: release, pairs with the reader's acquire; orders match, payload and the zero behind. */
  adr_store_release_u64(&message->header, header);
  ADR_STOP(box_shown);
}

/* Copies a payload into `room`. The first line last: the receiver keeps polling it, and the fewer stores it sees
 * apart, the less often it takes the line away in between. */
static inline void adr_outbox_fill(const struct adr_box_room *room, uint64_t match, const uint8_t *payload,
                                   uint32_t length) {
  uint8_t *place = (uint8_t *)(room->message + 1);
  uint32_t head = length;
  if (ADR_UNLIKELY(length > ADR_BOX_HEAD)) {
    head = ADR_BOX_HEAD;
    adr_copy_lines(place + head, payload + head, length - head);
    ADR_STOP(box_tail_filled);
  }
  room->message->match = match;
  ADR_STOP(box_match_filled);
  adr_copy_short(place, payload, head);
  ADR_STOP(box_filled);
}

/* While the receiver answers: the message goes where it finds it sooner, and what the next message of this size will
 * write is fetched; the header place behind that is zeroed ahead, so that no store to a line of its own delays the next
 * header. */
static inline void adr_outbox_prepare(struct adr_outbox *box, const struct adr_box_room *room) {
  uint64_t lines = room->end - room->begin;
  uint64_t ahead = room->end + lines;
  if (ahead + ADR_BOX_WORD > box->room && !adr_outbox_find_released(box, ahead)) { return; }
  for (uint64_t at = 0; at < lines; at += ADR_LINE) {
    adr_demote((const uint8_t *)room->message + at);
    adr_prefetch_write(adr_box_message_at(box->ring, box->mask, room->end + at));
  }
  if (lines > ADR_LINE) {
    adr_store_relaxed_u64(&adr_box_message_at(box->ring, box->mask, ahead)->header, 0);
    ADR_STOP(box_zeroed_ahead);
    box->clean = ahead;
  }
}

/* Puts a message of at most ADR_BOX_HEAD bytes on a line of its own: what usually happens, in few instructions. The
 * position is at a line's begin. False: there is no room as far as is known, or the place behind is to be zeroed first.
 */
static inline bool adr_outbox_put_line(struct adr_outbox *box, uint64_t sequence, uint64_t match,
                                       const uint8_t *payload, uint32_t length) {
  uint64_t end = box->position + ADR_LINE;
  if (ADR_UNLIKELY(end + ADR_BOX_WORD > box->room || end < box->stale)) { return false; }
  struct adr_box_message *message = adr_box_message_at(box->ring, box->mask, box->position);
  if (box->position >= box->stream && end + ADR_BOX_AHEAD <= box->room) { /* else the reader may still want it */
    adr_prefetch_write(adr_box_message_at(box->ring, box->mask, box->position + ADR_BOX_AHEAD));
  }
  message->match = match;
  ADR_STOP(line_match);
  adr_copy_inline(message + 1, payload, length);
  ADR_STOP(line_filled);
  box->position = end;
  /* SYNC box-header: release, pairs with the reader's acquire; orders match and payload. */
  adr_store_release_u64(&message->header,
                        sequence << ADR_BOX_SEQUENCE_SHIFT | (uint64_t)ADR_KIND_FIRST << ADR_BOX_KIND_SHIFT | length);
  ADR_STOP(line_shown);
  return true;
}

/* Whether the message sent last may have had more than a line, or was packed: it has made places behind it stale. */
static inline bool adr_outbox_is_long(const struct adr_outbox *box) {
  return box->stale == box->position + box->mask + 1;
}

/* Whether payload lies where a line begins. */
static inline bool adr_outbox_crosses(const struct adr_box_room *room, uint32_t length) {
  return room->begin % ADR_LINE + ADR_BOX_MESSAGE_BYTES + length > ADR_LINE;
}

/* Sends what was written into `room`. */
static inline void adr_outbox_commit(struct adr_outbox *box, const struct adr_box_room *room, uint64_t sequence,
                                     uint32_t length, bool burst) {
  uint64_t header = sequence << ADR_BOX_SEQUENCE_SHIFT | (room->packed ? ADR_BOX_PACKED : 0)
                    | (uint64_t)ADR_KIND_FIRST << ADR_BOX_KIND_SHIFT | length;
  if (room->packed || ADR_UNLIKELY(room->end < box->stale && room->end != box->clean)) {
    /* Relaxed: published, like the message, by the release of the header in front of it. */
    adr_store_relaxed_u64(&adr_box_message_at(box->ring, box->mask, room->end)->header, 0);
    ADR_STOP(box_zeroed_behind);
  }
  bool crosses = adr_outbox_crosses(room, length);
  if (room->packed || crosses || room->pad != room->begin) { box->stale = room->end + box->mask + 1; }
  box->position = room->end;
  if (ADR_LIKELY(room->pad == room->begin)) {
    adr_outbox_publish(box, room->message, header, burst);
  } else {
    adr_store_relaxed_u64(&room->message->header, header);
    ADR_STOP(box_behind_pad);
    adr_outbox_publish(box, adr_box_message_at(box->ring, box->mask, room->pad),
                       sequence << ADR_BOX_SEQUENCE_SHIFT | (uint64_t)ADR_KIND_PAD << ADR_BOX_KIND_SHIFT, burst);
  }
}

/* Gives `room` back unsent, whatever was written into it. */
static inline void adr_outbox_abort(struct adr_outbox *box, const struct adr_box_room *room) {
  box->stale = room->end + box->mask + 1;
  box->clean = 0;
}

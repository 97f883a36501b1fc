/* Control messages: what ranks tell each other about what they do, beside the messages of the program. They have a type
 * of 8 bits, by which they go to the handler that is registered for it. They go out at once or as soon as there is
 * room; those to a rank keep their order. Twin of io.adrastea.engine.control.ControlMessages. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "adrastea/job.h"
#include "layout/adr_layout_cell.h"
#include "layout/adr_layout_control.h"

enum {
  ADR_CONTROL_WORDS = 8, /* most of a message that a C rank sends, and of one that a handler sees */
};

/* The match word of a control message, of no communicator; its lower bits hold the type. */
#define ADR_CONTROL_MATCH ((int64_t)(UINT64_C(0xffffffff) << 32 | ADR_MATCH_TRANSFER))

/* Takes in a message. Words that are not there are 0. Returns 0, or ADR_CORRUPT: no correct rank sends it. It may send
 * one message, for which there is room in the queue. */
typedef int (*adr_control_handler)(struct adr_job *job, uint32_t source, uint32_t type,
                                   const uint64_t words[ADR_CONTROL_WORDS]);

/* A message that waits for room. */
struct adr_control_entry {
  struct adr_control_entry *next;
  uint32_t peer;
  uint32_t type;
  uint32_t count; /* of words */
  uint64_t words[ADR_CONTROL_WORDS];
};

struct adr_control {
  adr_control_handler handlers[ADR_CONTROL_COUNT]; /* NULL: nobody */
  struct adr_control_entry *entries;               /* all there are */
  struct adr_control_entry *spent;                 /* linked */
  struct adr_control_entry *first;                 /* of those that wait, linked */
  struct adr_control_entry *last;
  bool *stuck; /* of each rank: it had no room in this pass */
  uint32_t ranks;
  uint32_t unknown;      /* messages that nobody handles, and that the program was not told of */
  uint32_t unknown_type; /* of the first of them */
  uint32_t unknown_source;
};

/* Takes all memory that it ever needs. Returns 0 or -ENOMEM. */
int adr_control_open(struct adr_control *control, uint32_t ranks);

void adr_control_close(struct adr_control *control);

/* Names the handler that takes in the messages of a type. Returns 0; -EINVAL: there is no such type; -EEXIST: it has a
 * handler. */
int adr_control_register(struct adr_control *control, uint32_t type, adr_control_handler handler);

/* Whether one more message may wait: else nothing is taken in that is answered. */
static inline bool adr_control_has_room(const struct adr_control *control) { return control->spent != NULL; }

/* Whether messages wait for room. */
static inline bool adr_control_is_idle(const struct adr_control *control) { return control->first == NULL; }

/* Sends a message, now or as soon as there is room. Returns 0; -EAGAIN: there is no room, and none in the queue; or
 * what the channel says. */
int adr_control_send(struct adr_control *control, adr_channel *channel, uint32_t peer, uint32_t type,
                     const uint64_t *words, uint32_t count);

/* Sends what waits, as far as there is room. One that must wait stops only those to its rank. Returns 0, or what the
 * channel says. */
int adr_control_flush(struct adr_control *control, adr_channel *channel);

/* Whether a match word is that of a control message. */
static inline bool adr_control_is(int64_t match) { return (uint64_t)match >> 32 == UINT64_C(0xffffffff); }

/* Hands a message of `bytes` bytes at `payload`, in shared memory, to its handler. Returns 0 or ADR_CORRUPT. One that
 * nobody handles is noted for adr_control_tell. */
int adr_control_hand(struct adr_control *control, struct adr_job *job, uint32_t source, int64_t match,
                     const void *payload, uint64_t bytes);

/* Tells of messages that nobody handles, once: -EPROTO and the words, or 0. */
int adr_control_tell(struct adr_control *control, adr_error *error);

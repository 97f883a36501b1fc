/* The channel: a rank's way to send pieces of messages to other ranks of its node, and to receive them in
 * order. One flat set of functions on addresses and lengths, so that a binding is one small file.
 *
 * Sources: 001 section 2.1 (cells, receive queue, free queue at the sender), 000 section 3.1 (a message as
 * several cells, pending sends above). Matching, requests and waiting belong to the caller.
 *
 * Contract of the fast path (send, poll, take, release, receive): no system call, no allocation, no log,
 * no division, no waiting beyond the spins asked for. A channel is used by one thread at a time.
 *
 * Every function returns a value >= 0, or a negative errno value: -EAGAIN nothing there or no room now,
 * -ENOMSG the next message is another one, -EPROTO the segment holds what no correct rank writes,
 * -EINVAL an argument is out of range. */
#ifndef ADRASTEA_CHANNEL_H
#define ADRASTEA_CHANNEL_H

#include <stdint.h>

#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct adr_channel adr_channel;

/* Kinds of pieces. */
#define ADR_PIECE_FIRST 1 /* begins a message: match and total length count */
#define ADR_PIECE_NEXT 2  /* goes on with the message begun last for this destination */
#define ADR_PIECE_ABORT 3 /* gives up the message begun last for this destination; empty */

/* The piece that poll found, and what is known of a message received: eight words, in this order. */
typedef struct adr_inbound {
  int64_t source;       /* rank that sent it */
  int64_t kind;         /* ADR_PIECE_... */
  int64_t match;        /* context 32 | tag 32 */
  int64_t length;       /* bytes of payload here */
  int64_t total_length; /* bytes of the whole message */
  int64_t payload;      /* offset of the payload from the segment's first byte */
  int64_t sequence;     /* number of the piece from its source, from 0 */
  int64_t cell;         /* offset of its cell */
} adr_inbound;

/* Opens the channel of `rank` on a segment mapped at `base`, whose area that rank has formatted. NULL: no
 * memory, or no such rank. */
ADR_API adr_channel *adr_channel_open(void *base, int32_t rank);

/* Gives the channel's own memory back; the segment stays as it is. */
ADR_API void adr_channel_close(adr_channel *channel);

/* Sends as many of `length` bytes at `source` + `offset` as fit one cell. Returns the bytes taken (0 for an
 * empty message), or -EAGAIN: no cell is free for that destination now. */
ADR_API int32_t adr_channel_try_send(adr_channel *channel, int32_t destination, int32_t kind, int64_t match,
                                     int64_t total_length, const void *source, int64_t offset, int64_t length);

/* Finds the next piece, in order. 1: `inbound` describes it and it stays there, the same at the next poll,
 * until it is taken or released; -EAGAIN: none. */
ADR_API int32_t adr_channel_poll(adr_channel *channel, adr_inbound *inbound);

/* Copies the first `length` bytes of the piece found by poll to `destination` + `offset` and ends with it: its
 * cell goes back at the next poll, receive or close. `length` is at most the piece's. Returns 0. */
ADR_API int32_t adr_channel_take(adr_channel *channel, void *destination, int64_t offset, int64_t length);

/* Ends with the piece found by poll without a copy. Returns 0. */
ADR_API int32_t adr_channel_release(adr_channel *channel);

/* Waits for a whole small message at most `spins` looks long, and receives it when it is from `source` (-1:
 * any), its match equals `match` in the bits of `mask`, it came in one piece and fits `capacity`. Returns
 * its length, with `inbound` telling source and match; -EAGAIN: nothing came; -ENOMSG: something else is
 * next and is left to poll. */
ADR_API int32_t adr_channel_receive(adr_channel *channel, int64_t match, int64_t mask, int32_t source,
                                    void *destination, int64_t offset, int64_t capacity, int32_t spins,
                                    adr_inbound *inbound);

#ifdef __cplusplus
}
#endif
#endif

/* The channel: a rank's way to send pieces of messages to other ranks of its node, and to receive them in
 * order. One flat set of functions on addresses and lengths, so that a binding is one small file.
 *
 * Sources: [Nemesis 2006, 2.1] (cells, receive queue, free queue at the sender), [Nemesis 2006, 3.2] and [MVAPICH
 * 2006, 3.2] (fastbox), [MVAPICH 2006, 3.4.1] (finding the active ones), [MPICH2 2007, 3.1] (a message as several
 * cells, pending sends above), [MPICH2 2007, 3.3] (receive without posting). Matching, requests and waiting belong to
 * the caller.
 *
 * A message of one piece goes by the fastbox to its destination when there is one and it fits, by cells otherwise;
 * sequence numbers keep the order of all pieces between two ranks, whichever way they take.
 *
 * Contract of the fast path (send, claim, commit, poll, take, release, retain, receive): no system call, no
 * allocation, no log, no division, no waiting beyond the spins asked for. A channel is used by one thread at a time.
 *
 * A rank that has left or failed, as the rank table says, is gone: adr_channel_reclaim takes notice of it, repairs what
 * it left half done, and takes this rank's cells back from it. What it has sent before stays to be received.
 *
 * Every function returns a value >= 0, or a negative errno value: -EAGAIN nothing there or no room now, -ESRCH the
 * destination is gone, -ENOMSG the next message is another one, -EPROTO the segment holds what no correct rank writes,
 * -EINVAL an argument is out of range, -EBUSY a claim is open for that destination, -EMSGSIZE a claim is larger than a
 * cell. */
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
  int64_t sequence;     /* number of the piece from its source, modulo 2^44 */
  int64_t
      place; /* where it lies, for releasing it later: the offset of its cell or, negative, its place in a fastbox */
} adr_inbound;

/* What poll found. */
#define ADR_POLL_PIECE 1  /* a piece */
#define ADR_POLL_WANTED 2 /* rank `source` wants a fastbox to this rank: open or close it */

/* Opens the channel of `rank` on a segment mapped at `base`, whose area that rank has formatted. NULL: no
 * memory, no such rank, or sizes in the segment's header that contradict each other. */
ADR_API adr_channel *adr_channel_open(void *base, int32_t rank);

/* Opens the channel where others may have written to the header since it was checked: NULL too when it does not tell
 * just `bytes`, those of the segment that are mapped. */
ADR_API adr_channel *adr_channel_open_within(void *base, int64_t bytes, int32_t rank);

/* Gives the channel's own memory back; the segment stays as it is. */
ADR_API void adr_channel_close(adr_channel *channel);

/* Sends as many of `length` bytes at `source` + `offset` as fit one piece. Returns the bytes taken (0 for an
 * empty message), -EAGAIN: there is no room for that destination now, -ESRCH, or -EBUSY. */
ADR_API int32_t adr_channel_try_send(adr_channel *channel, int32_t destination, int32_t kind, int64_t match,
                                     int64_t total_length, const void *source, int64_t offset, int64_t length);

/* Sends a whole message of one piece: the first `length` bytes of `count` elements of a datatype (adrastea/datatype.h),
 * packed into the room where it is sent. Returns `length`, or as adr_channel_claim. */
ADR_API int32_t adr_channel_try_send_elements(adr_channel *channel, int32_t destination, int64_t match,
                                              const void *program, const void *memory, int64_t offset, int64_t count,
                                              int64_t length);

/* Takes room for a piece of exactly `length` bytes, to be filled in place. Returns the offset of the room from the
 * segment's first byte, -EAGAIN, -ESRCH, -EMSGSIZE or -EBUSY. Until commit or abort nothing else goes to that
 * destination, but what is of no communicator (bits 31 to 63 of `match` set). */
ADR_API int64_t adr_channel_claim(adr_channel *channel, int32_t destination, int32_t kind, int64_t match,
                                  int64_t total_length, int64_t length);

/* Sends what was claimed. Returns 0; -ESRCH: the destination is gone, and the room was given back; or -EINVAL: nothing
 * is claimed there. */
ADR_API int32_t adr_channel_commit(adr_channel *channel, int32_t destination);

/* Gives the room back; nothing is sent. Returns 0, or -EINVAL: nothing is claimed there. */
ADR_API int32_t adr_channel_abort(adr_channel *channel, int32_t destination);

/* Begins a burst: what goes to `destination` by fastbox is held back until the burst ends, and shows there with one
 * store. Returns 0, or -EINVAL. A burst that meets a full fastbox, or a piece that goes by cell, shows what it has
 * first. */
ADR_API int32_t adr_channel_begin_burst(adr_channel *channel, int32_t destination);

/* Ends a burst: what was held back shows. Returns 0, or -EINVAL. */
ADR_API int32_t adr_channel_end_burst(adr_channel *channel, int32_t destination);

/* The way of messages of `length` bytes to that rank which are likely to be waited for, as far as it was found out:
 * ADR_WAY_BOX or ADR_WAY_CELLS; -EINVAL. */
enum { ADR_WAY_BOX = 0, ADR_WAY_CELLS = 1 };
ADR_API int32_t adr_channel_way(adr_channel *channel, int32_t destination, int64_t length);

/* Finds the next piece; the fastbox of rank `first` (-1: none) is polled before others. ADR_POLL_PIECE: `inbound`
 * describes it and it stays there, the same at the next poll, until it is taken, released or retained; ADR_POLL_WANTED;
 * -EAGAIN: nothing there. */
ADR_API int32_t adr_channel_poll(adr_channel *channel, int32_t first, adr_inbound *inbound);

/* As poll, and tells in the same call of the whole messages that lie behind the piece in the fastbox that this lies in,
 * in their order, of `most` pieces at most: `inbound` has that many. They can be read where they lie until something
 * else is done with the channel that receives. Position and sequence numbers stay those of the piece, which is at hand
 * as after poll: the channel alone has them, and a caller that lets go of a batch has lost nothing. Returns how many, 1
 * or more; 0: rank `source` of the first wants a fastbox; -EAGAIN: nothing there, and neither some 55 ns later where
 * the last batch had found something. */
ADR_API int32_t adr_channel_poll_batch(adr_channel *channel, int32_t first, adr_inbound *inbound, int32_t most);

/* Copies the first `length` bytes of the piece found by poll to `destination` + `offset` and ends with it: its
 * room goes back at the next poll, receive or close. `length` is at most the piece's. Returns 0. */
ADR_API int32_t adr_channel_take(adr_channel *channel, void *destination, int64_t offset, int64_t length);

/* Ends with the piece found by poll without a copy. Returns 0. */
ADR_API int32_t adr_channel_release(adr_channel *channel);

/* Ends with the first `count` pieces of those that poll_batch found, without a copy; `more` is not 0: it found more,
 * and the next one is at hand then, as after poll. Returns 0, or -EINVAL: no batch is at hand. */
ADR_API int32_t adr_channel_release_batch(adr_channel *channel, int32_t count, int32_t more);

/* Keeps the piece found by poll where it lies: later polls go on behind it, and it stays as it is until it is released.
 * Returns 0, or -EAGAIN: it cannot be retained now, since its successor is just being linked. */
ADR_API int32_t adr_channel_retain(adr_channel *channel);

/* Releases a retained piece, in any order; `source` and `place` are those that poll told. Returns 0. */
ADR_API int32_t adr_channel_release_retained(adr_channel *channel, int32_t source, int64_t place);

/* Waits for a whole small message for at most `spins` polls, and receives it when it is from `source` (-1:
 * any), its match equals `match` in the bits of `mask`, it came in one piece and fits `capacity`. Returns
 * its length, with `inbound` telling source and match; -EAGAIN: nothing came; -ENOMSG: something else is
 * next and is left to poll. */
ADR_API int32_t adr_channel_receive(adr_channel *channel, int64_t match, int64_t mask, int32_t source,
                                    void *destination, int64_t offset, int64_t capacity, int32_t spins,
                                    adr_inbound *inbound);

/* Receives as adr_channel_receive does, into `count` elements of a datatype (adrastea/datatype.h), of `capacity` bytes
 * in all: the message is unpacked from where it lies. */
ADR_API int32_t adr_channel_receive_elements(adr_channel *channel, int64_t match, int64_t mask, int32_t source,
                                             const void *program, void *memory, int64_t offset, int64_t count,
                                             int64_t capacity, int32_t spins, adr_inbound *inbound);

/* Opens the fastbox from rank `source` to this rank; its ring was reserved and is all zeros. Returns 0, or -EINVAL. */
ADR_API int32_t adr_channel_open_box(adr_channel *channel, int32_t source);

/* Refuses a fastbox that rank `source` wants: its messages go on by cells. Returns 0, or -EINVAL. */
ADR_API int32_t adr_channel_refuse_box(adr_channel *channel, int32_t source);

/* Moves on what there is to do about ranks that are gone, a step at a time and never waiting: to be called again and
 * again while it may matter, about every 100 ms of a wait. Repairs the queues of this rank where an enqueuer has died
 * in the middle, takes back the cells that the dead have of it, gives the memory of their fastboxes back that are read
 * empty. Not for the fast path: system calls. Returns how many fastboxes; -EAGAIN: a link of the receive queue is
 * missing, behind which there may be messages, to be asked again; or -EPROTO. */
ADR_API int32_t adr_channel_reclaim(adr_channel *channel);

/* Arrives at the barrier of all ranks [MPICH2 2007, Fig. 2]. Returns 0. */
ADR_API int32_t adr_channel_barrier_arrive(adr_channel *channel);

/* Whether all ranks have arrived, asked at most `spins` times: 0, or -EAGAIN. */
ADR_API int32_t adr_channel_barrier_wait(adr_channel *channel, int32_t spins);

/* Prepares this process for waking ranks that sleep. Returns 0, or a negative errno value: it cannot, and is not to say
 * in the rank table that it can. To be called before it joins. */
ADR_API int32_t adr_channel_prepare_to_wake(void);

/* For jobs with more ranks than CPUs, where ranks fall asleep often: this rank executes a fence between giving
 * something and checking which ranks sleep, so that those that fall asleep need not interrupt other CPUs. It must be
 * called before the rank sends anything, and has an effect once all ranks have called it. Returns 0. */
ADR_API int32_t adr_channel_enable_sender_fence(adr_channel *channel);

/* Says that this rank is about to sleep. The caller has to check afterwards all that it waits for, and then to call
 * adr_channel_sleep or adr_channel_end_sleep. Returns the word to sleep on, or a negative errno value: it may sleep for
 * short stretches only, since nobody can be relied on to wake it. */
ADR_API int64_t adr_channel_announce_sleep(adr_channel *channel);

/* Sleeps until rank `rank`, this one, is woken or so many nanoseconds are over; not at all if it was woken since `word`
 * was got. `base` as for adr_channel_open: no channel is used, so another thread may use, or close, it meanwhile.
 * Returns 0; -ETIMEDOUT: nobody has woken it, as far as is known. */
ADR_API int32_t adr_channel_sleep(void *base, int32_t rank, int64_t word, int64_t nanos);

/* Says that this rank does not sleep any more. Returns 0. */
ADR_API int32_t adr_channel_end_sleep(adr_channel *channel);

/* Wakes rank `rank` if it sleeps, or is about to: it was given something without the channel. Returns 0, or -EINVAL. */
ADR_API int32_t adr_channel_wake(adr_channel *channel, int32_t rank);

/* Gives the CPU of the calling thread, of rank `rank`, to others that want it
 * (sched_yield), after it has told the others on which CPU it does so and when: `now`, in nanoseconds of
 * CLOCK_MONOTONIC. `base` as for adr_channel_sleep: no channel is used. Returns 0. */
ADR_API int32_t adr_channel_give_way(void *base, int32_t rank, int64_t now);

/* After a wait in which it has given way: rank `rank`, this one, goes on to its own work, and is taken to be at it
 * until that time. Returns 0. */
ADR_API int32_t adr_channel_works_until(void *base, int32_t rank, int64_t time);

/* For rank `rank`, this one of `ranks`, which has given way and has its CPU again: whether another rank has given way,
 * or fallen asleep, on this CPU since that time, or is at work there, so that it was ranks that had the CPU before.
 * Returns 1, 0: as far as is known it was other programs, or a negative errno value: the CPU cannot be told. */
ADR_API int32_t adr_channel_was_given_way(void *base, int32_t rank, int32_t ranks, int64_t since);

/* Where more want the CPUs than there are, to be called now and then by rank `rank`, this one, while it waits for rank
 * `other` and has yielded its CPU without success: publishes on which CPU it runs, and if that is the CPU of the other,
 * one of the two moves to another CPU that its thread may run on: the higher one, or the lower where that cannot, since
 * it is pinned or a rank of the core `java`. It is not bound to that CPU, and does not use those that its cpuset gets
 * afterwards. A rank that is pinned stays. `base` as for adr_channel_sleep: no channel is used. Returns 1 when it
 * moved, 0, or a negative errno value: it cannot. */
ADR_API int32_t adr_channel_avoid_shared_cpu(void *base, int32_t rank, int32_t other);

#ifdef __cplusplus
}
#endif
#endif

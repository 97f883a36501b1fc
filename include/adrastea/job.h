/* A C program as a rank of a job, beside Java ranks or other C ranks: join, send, poll, barrier, shared memory.
 *
 *   adr_job *job;
 *   adr_error error;
 *   if (adr_job_join(&job, 0, &error) < 0) { fprintf(stderr, "%s\n", error.text); return 1; }
 *   adr_send(job, 0, ADR_MATCH(0, 7), "hello", 5);
 *   adr_job_leave(job);
 *
 * The level is that of the channel (channel.h): pieces of messages, in the order in which they were sent. There is no
 * matching, and nothing happens between calls. The rank table says so, and Java ranks send a C rank cells and fastboxes
 * only. Communicators and collectives are in comm.h. A job is used by one thread at a time; several can take turns at
 * it (adr_job_allow_threads).
 *
 * Every function returns a value >= 0, or a negative one: -errno or ADR_ERROR_...; adr_job_error tells in words what
 * the last one was, adr_strerror what a number means. The library installs no signal handlers, prints nothing and,
 * unless ADR_JOIN_END_WITH_LAUNCHER asks for it, starts no thread and ends no process. docs/c.md is a guide. */
#ifndef ADRASTEA_JOB_H
#define ADRASTEA_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "adrastea/channel.h"
#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct adr_job adr_job;

/* Where a rank is meant: any. */
#define ADR_ANY (-1)

/* The match word of a message: context in the upper half, tag in the lower. Context 0 is `world`, the communicator of
 * all ranks; tags are 0 to 2^31 - 1. Java's world.recv(buffer, source, tag) receives what was sent with ADR_MATCH(0,
 * tag). */
#define ADR_MATCH(context, tag) \
  ((int64_t)((uint64_t)(uint32_t)(context) << 32 | ((uint32_t)(tag)&UINT32_C(0x7fffffff))))
#define ADR_CONTEXT(match) ((uint32_t)((uint64_t)(match) >> 32))
#define ADR_TAG(match) ((int32_t)((match)&0x7fffffff))

/* Errors beside -errno. */
#define ADR_ERROR_RANK_FAILED (-5101) /* a rank that was waited for has failed or left: adr_job_failed_rank */
#define ADR_ERROR_LAUNCHER (-5102)    /* the launcher is gone */
#define ADR_ERROR_COLLECTIVE (-5103)  /* a rank cannot take part in a collective, or calls another one (comm.h) */

/* What went wrong while joining. */
typedef struct adr_error {
  int32_t code;   /* as returned */
  char text[508]; /* one line: what was wrong, what is allowed, what to do */
} adr_error;

/* Flag of adr_job_join: a thread checks about five times a second whether the launcher is still there, and ends the
 * process with _exit(143) when it is not. Without it, waiting functions return ADR_ERROR_LAUNCHER then. */
#define ADR_JOIN_END_WITH_LAUNCHER 1u

/* Joins the job that the environment names (ADRASTEA_JOB, ADRASTEA_RANK, ADRASTEA_SIZE, which `adrastea run` sets; or
 * the variables of Slurm's srun or of Open MPI's mpirun; or ADRASTEA_RENDEZVOUS, where ranks meet that no launcher has
 * started; ADRASTEA_BOOTSTRAP chooses) and waits until all its ranks are there; without any of them it is a job of one.
 * Rank 0 makes the shared memory, with the settings ADRASTEA_CELLS, ADRASTEA_CELL_BYTES and ADRASTEA_BOX_...;
 * ADRASTEA_SHM_DIR, ADRASTEA_JOIN_TIMEOUT, ADRASTEA_BIND, ADRASTEA_LAUNCHER, ADRASTEA_SPINS and ADRASTEA_OVERSUBSCRIBED
 * are read as Java ranks read them.
 *
 * Returns 0 and sets `*job`; or fills `*error` (which may be NULL), sets `*job` to NULL and returns -EINVAL: a setting
 * is missing, out of range or contradicts another, of this rank or of ranks that meet; -ETIMEDOUT: ranks did not come;
 * -EEXIST: another process is this rank already; -EALREADY: this process has joined already, and has not left;
 * ADR_ERROR_RANK_FAILED: a rank died or gave up while joining; ADR_ERROR_LAUNCHER; -ENOSPC: the shared memory does not
 * fit its file system; a value of adr_strerror's: the segment is another user's, another layout's, or has another
 * number of ranks; or another -errno. A process is one rank of one job at a time, and may join the next when it has
 * left. */
ADR_API int adr_job_join(adr_job **job, unsigned flags, adr_error *error);

/* What adr_job_leave would leave undone: each message sent in part, in words, written to `text` of `size` bytes, cut
 * off there. NULL is allowed for it. Returns how many they are. */
ADR_API int adr_job_outstanding(const adr_job *job, char *text, size_t size);

/* Leaves the job and frees it, its shared allocations and all addresses of shared memory. Messages sent stay to be
 * received. Returns 0, or -EBUSY: a message was sent in part only (adr_try_send; adr_job_outstanding names it before);
 * the job is left all the same. NULL is allowed. */
ADR_API int adr_job_leave(adr_job *job);

/* Leaves the job as failed and frees it, as adr_job_leave does, except that what waits for this rank fails: other ranks
 * are told "rank 1 (process 4711) has failed: REASON; ...". The reason is a short line of UTF-8, of which 255 bytes are
 * kept; NULL or "": none is told. A program that gives up calls this and exits with a code that is not 0, by which the
 * launcher ends the job. Returns 0. NULL is allowed for the job. Where threads take turns at it the caller is inside,
 * no other one comes in any more, and memory stays mapped until the process ends. */
ADR_API int adr_job_fail(adr_job *job, const char *reason);

/* What comes with the SIGTERM of adr_job_end, with an exit code in the low 8 bits: si_value.sival_int where si_code is
 * SI_QUEUE. */
#define ADR_JOB_ENDS 0x41445200

/* Ends the whole job, also where the exit code is 0, by which a launcher ends no job: leaves it as failed, and frees
 * it, as adr_job_fail does, and waits for the processes of all other ranks of this node. Those that have not ended by
 * themselves after 0.2 s, since they wait for nobody, get SIGTERM with the code, which a handler may exit with; after
 * 0.2 s more they are killed. The caller exits then. Returns 0, or -ENOMEM, when nothing was done. */
ADR_API int adr_job_end(adr_job *job, const char *reason, int code);

/* This rank, the number of ranks, and the number of the job. */
ADR_API int adr_job_rank(const adr_job *job);
ADR_API int adr_job_size(const adr_job *job);
ADR_API uint64_t adr_job_id(const adr_job *job);

/* From now on several threads may use the job: each calls adr_job_enter before its calls, and adr_job_exit behind them,
 * and behind what it reads of their results in the job, as adr_job_error. One thread is inside at a time, in the order
 * in which they came; a call that waits lets others in meanwhile. Two threads wait for pieces of messages, or are in
 * collectives of one communicator, one after the other all the same. Such a rank's waits are not told to a launcher.
 * Returns 0, also when this was called before; or a negative errno value. */
ADR_API int adr_job_allow_threads(adr_job *job);

/* Comes in, and goes out again. Without adr_job_allow_threads they do nothing. */
ADR_API void adr_job_enter(adr_job *job);
ADR_API void adr_job_exit(adr_job *job);

/* One line for the last error of this job: what was wrong, what is allowed. Valid until the next call on the job. */
ADR_API const char *adr_job_error(const adr_job *job);

/* The rank of the last ADR_ERROR_RANK_FAILED, -1: there was none. */
ADR_API int adr_job_failed_rank(const adr_job *job);

/* Ranks that have failed: their processes are gone, or they gave up; checks all of them now. Writes the numbers of
 * the first `most`, ascending, to `ranks`, and returns how many there are. Those that left in order are not among them.
 */
ADR_API int adr_job_failed_ranks(adr_job *job, int32_t *ranks, int most);

/* Ranks that have left the job in order, likewise: none of them has failed. Twin of leftRanks() of Java's job.world().
 * There is nothing to acknowledge: a job has one thread, which can send nothing while it waits, so that a wait for
 * ADR_ANY that no other rank can end fails each time. */
ADR_API int adr_job_left_ranks(adr_job *job, int32_t *ranks, int most);

/* Whether a rank has left the job in order: 1; else 0, also when there is no such rank. A wait for ADR_ANY fails with
 * such a rank (adr_job_failed_rank) only when no other rank is there any more, after all that they had sent was found.
 */
ADR_API int adr_job_has_left(adr_job *job, int rank);

/* Tells of failed ranks as adr_job_failed_ranks does, and goes on without them. Until then every wait for ADR_ANY fails
 * with ADR_ERROR_RANK_FAILED, since the message might have come from one of them; afterwards it waits for the ranks
 * that are there, and fails for a rank that fails later. What these had sent is found all the same; of a message of
 * theirs that breaks off after a piece was released a wait for ADR_ANY tells once, by failing with that rank, before
 * the acknowledgement or else after it. What needs one of them by its number, and the barrier, fail as before. All that
 * have failed are acknowledged, also those for whose numbers there is no place; it cannot be taken back. Twin of
 * acknowledgeFailedRanks() of Java's job.world(); after MPIX_Comm_failure_ack and MPIX_Comm_failure_get_acked of ULFM,
 * MPI's User Level Failure Mitigation. */
ADR_API int adr_job_acknowledge_failed_ranks(adr_job *job, int32_t *ranks, int most);

/* One line for a value that any function of the library returned; a static string. */
ADR_API const char *adr_strerror(int error);

/* Sends `bytes` at `buffer` (any number of them: as many pieces as it takes) and waits until the buffer can be used
 * again. Messages that come in meanwhile stay where they are; so two C ranks that both send each other more than there
 * is room for, before either receives, wait for ever: use adr_try_send then. (A Java rank takes messages in while it
 * sends.)
 *
 * Returns 0; -EINVAL: no such rank, a match with bit 31 set, no buffer, less than 0 bytes; -EBUSY: a message of
 * adr_try_send is on its way there; -EDEADLK: a message of this rank to itself for which there is no room;
 * ADR_ERROR_RANK_FAILED; ADR_ERROR_LAUNCHER; or -EPROTO. After an error a receiver that has seen the beginning gets an
 * ADR_PIECE_ABORT. */
ADR_API int adr_send(adr_job *job, int destination, int64_t match, const void *buffer, int64_t bytes);

/* A message on its way out: fill in the first four, zero the others. */
typedef struct adr_outgoing {
  int32_t destination;
  int64_t match;
  const void *buffer; /* unchanged until all is sent */
  int64_t bytes;
  int64_t sent;  /* bytes that have gone out */
  int32_t begun; /* whether anything has: an empty message too has one piece */
} adr_outgoing;

/* Sends as much of `message` as there is room for now, and never waits. Returns 1: all is sent; 0: to be called again
 * with the same message, whose address stays the same; -EBUSY: another message is on its way to that destination;
 * -EINVAL as adr_send; ADR_ERROR_RANK_FAILED: the destination is known to have failed or left; or -EPROTO. Messages to
 * several destinations may be on their way at once. */
ADR_API int adr_try_send(adr_job *job, adr_outgoing *message);

/* Gives up a message that adr_try_send has begun: its receiver gets an ADR_PIECE_ABORT. Returns 0, or -EINVAL: it is
 * not on its way. */
ADR_API int adr_cancel_send(adr_job *job, adr_outgoing *message);

/* A piece of a message. */
typedef struct adr_message {
  int32_t source;
  int32_t kind;         /* ADR_PIECE_FIRST, ADR_PIECE_NEXT or ADR_PIECE_ABORT */
  int64_t match;        /* of the message: ADR_CONTEXT, ADR_TAG */
  int64_t total_length; /* bytes of the message */
  int64_t offset;       /* where in the message this piece begins */
  int64_t length;       /* bytes of this piece; the message is whole when offset + length == total_length */
  const void *payload;  /* in shared memory, valid until adr_release */
} adr_message;

/* Finds the next piece. Pieces of one source come in the order in which they were sent, and messages of one source one
 * after the other; pieces of different sources may alternate. A message of up to a cell's payload (8 KiB by default) is
 * one piece.
 *
 * Returns 1 and describes it: it stays, and is found again, until adr_release; 0: nothing is there; or -EPROTO: the
 * shared memory holds what no correct rank writes, or a rank of another version told this one something that it does
 * not know, which is dropped, and told once when no piece is there: the next call goes on. */
ADR_API int adr_poll(adr_job *job, adr_message *message);

/* Waits for the next piece, from anybody; `expected` tells whose end ends the waiting: a rank, or ADR_ANY: any that has
 * failed and is not acknowledged, or all others when each has left or failed. Returns 1 as adr_poll,
 * ADR_ERROR_RANK_FAILED (within about a second, and only when nothing is there), ADR_ERROR_LAUNCHER, -EINVAL: no such
 * rank; or -EPROTO. */
ADR_API int adr_wait(adr_job *job, int expected, adr_message *message);

/* Waits as adr_wait does, for at most `nanos` nanoseconds, 0 and more. Returns as adr_wait; 0: nothing has come in that
 * time; -EINVAL also: `nanos` is below 0. */
ADR_API int adr_wait_within(adr_job *job, int expected, int64_t nanos, adr_message *message);

/* Ends with the piece found last, whose payload must not be read any more. Its room goes back to the sender at the next
 * poll, wait or send. Returns 0, or -EINVAL: none was found. */
ADR_API int adr_release(adr_job *job);

/* Waits until all ranks are in the barrier, by a line of each in shared memory or, with ADRASTEA_BARRIER=counter, by a
 * counter and a signal [MPICH2 2007, Fig. 2]; in Java it is world.barrier(). Messages stay where they are meanwhile:
 * what other ranks send this one before their barrier has to be received before, unless there is room for it. Returns
 * 0, ADR_ERROR_RANK_FAILED, ADR_ERROR_LAUNCHER or -EPROTO; called again, it goes on with the same barrier. Or
 * ADR_ERROR_COLLECTIVE: a rank calls another collective, or cannot go on with one (comm.h). */
ADR_API int adr_barrier(adr_job *job);

/* Takes `bytes` of shared memory, all zeros, at a multiple of `alignment` (a power of two up to 4096), near the calling
 * thread. Other ranks reach it by this rank's number and `*offset`. Returns 0; -EINVAL; -ENOSPC: no room for it;
 * -ENOMEM; or a value of adr_strerror's. */
ADR_API int adr_job_allocate(adr_job *job, int64_t bytes, int64_t alignment, void **memory, int64_t *offset);

/* Gives back what adr_job_allocate gave, when no rank uses it any more. Returns 0, or -EINVAL: it is no such memory, or
 * was freed. */
ADR_API int adr_job_free(adr_job *job, void *memory);

/* Memory that `rank` (this one too) has allocated, `bytes` long from `offset` on, which may lie inside an allocation;
 * mapped here until adr_job_leave. Returns 0, -EINVAL: no such rank, or not inside its allocations; or another negative
 * value. */
ADR_API int adr_job_reach(adr_job *job, int rank, int64_t offset, int64_t bytes, void **memory);

#ifdef __cplusplus
}
#endif
#endif

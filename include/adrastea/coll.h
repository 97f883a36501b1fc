/* One member's part of a communicator's slot in shared memory: its side of each collective, which it takes a step at a
 * time [MPICH2 2007, 3.4]. Java's cores call these functions (io.adrastea.core.SlotMember, the same ones in the same
 * order), and C programs those of adrastea/job.h, which wait.
 *
 * Nothing here waits: a call looks at what it waits for a bounded number of times, and says what the caller is to do
 * next. One thread at a time uses a member. Up to ADR_COLL_UNDER_WAY collectives are under way at once: they begin in
 * the same order at all members, and may end in any. The calls that go on with one say which: 0 to 3. Values are
 * combined in the order of the members, from the left: v0 op v1 op ... op v(n-1), whichever way they travel. */
#ifndef ADRASTEA_COLL_H
#define ADRASTEA_COLL_H

#include <stdint.h>

#include "adrastea/operator.h"
#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct adr_coll adr_coll;

/* Kinds of collectives. */
enum {
  ADR_COLL_BARRIER = 1,
  ADR_COLL_BCAST = 2,
  ADR_COLL_ALLREDUCE = 3,
  ADR_COLL_ALLGATHER = 4,
  ADR_COLL_REDUCE = 5,
  ADR_COLL_SCAN = 6,
  ADR_COLL_EXSCAN = 7,
  ADR_COLL_REDUCE_SCATTER = 8,
  ADR_COLL_GATHER = 9, /* exchanges: each member gives a block to the root, the root to each, each to each */
  ADR_COLL_SCATTER = 10,
  ADR_COLL_ALLTOALL = 11,
  ADR_COLL_ALLGATHERV = 12, /* an allgather of members that give different numbers of bytes */
};

/* Collectives that a member has under way at most. */
enum { ADR_COLL_UNDER_WAY = 4 };

/* What a bcast and an allgather are a part of, where others have the kind of element. */
enum { ADR_COLL_FOR_DUP = 1, ADR_COLL_FOR_SPLIT = 2, ADR_COLL_FOR_INTERCOMMUNICATOR = 3 };

/* What an alltoall by parts is called as in a topology, likewise: most blocks are empty, and nobody looks at members
 * that give nothing. */
enum { ADR_COLL_FOR_NEIGHBOR_ALLTOALL = 3, ADR_COLL_FOR_NEIGHBOR_ALLGATHER = 4 };

/* Likewise, with the kind added to it: it brings what one group of an intercommunicator gives to the other. In place of
 * the root such an alltoall has a number, up to ADR_COLL_MOST_AGREED, that all members are to name alike, and such an
 * allgather by parts, in which each gives its block to all of the other group, how many members the first group has. */
enum { ADR_COLL_FOR_GROUPS = 16, ADR_COLL_MOST_AGREED = 65535 };

/* Flags of an exchange, in place of an operator. */
enum {
  ADR_COLL_STAYS = 1,    /* this member's own block is where it is to be, and is not moved */
  ADR_COLL_BY_PARTS = 2, /* adr_coll_parts tells how long each block is, and where it lies */
};

/* Rows of adr_coll_parts, of one word for each member. */
enum {
  ADR_COLL_GIVE_BYTES = 0, /* bytes that this member gives it */
  ADR_COLL_GIVE_AT = 1,    /* where they lie in the input */
  ADR_COLL_TAKE_BYTES = 2, /* bytes that this member takes from it */
  ADR_COLL_TAKE_AT = 3,    /* where they go in the output */
  ADR_COLL_PART_ROWS = 4,
};

/* Most bytes of a member's part: their rounds can be counted in 31 bits. */
#define ADR_COLL_MOST_BYTES (INT64_C(1) << 40)

/* What a step returns beside 0: the collective has ended, and -EAGAIN: member adr_coll_other is waited for. */
#define ADR_COLL_MISMATCH (-74) /* that member called another collective, or with another root, size, element, ... */
#define ADR_COLL_BROKEN (-125)  /* that member cannot go on: it has broken off */
#define ADR_COLL_CLOSED (-108)  /* that member has closed the communicator */
#define ADR_COLL_REVOKED (-43)  /* the communicator is revoked */
#define ADR_COLL_NEEDS_STAGES 1 /* step again after adr_coll_stages; member 0 publishes the stages before */
#define ADR_COLL_FILL 2         /* put BYTES of the input from POSITION on to TARGET, then step */
#define ADR_COLL_DRAIN 3        /* take BYTES at SOURCE to POSITION of the output, then step */
#define ADR_COLL_COMBINE 4      /* make TARGET[i] = TARGET[i] op SOURCE[i] for BYTES, then step */
#define ADR_COLL_MOVED 5        /* bytes were moved: step again before anybody is waited for */
#define ADR_COLL_EXPOSE 6       /* tell by adr_coll_expose how others can reach the buffers, then step */
#define ADR_COLL_REACH 7        /* give by adr_coll_reach BYTES of member adr_coll_other's shared memory, then step */
#define ADR_COLL_READ 8         /* bring BYTES at SOURCE of that member's memory to TARGET or POSITION, then step */
#define ADR_COLL_KEEP 9         /* copy BYTES of the input from SOURCE on to POSITION of the output, then step */
#define ADR_COLL_WRITE \
  10 /* bring BYTES of the input or, as PLACE tells, of the output from POSITION on to TARGET of that member's memory, \
      * between adr_coll_begin_write and adr_coll_end_write, then step */

/* What adr_coll_words tells: of FILL, DRAIN and COMBINE the first five, of a MISMATCH that member's head and what. For
 * REACH and READ SOURCE is what that member has told by adr_coll_expose, and further on; for WRITE TARGET is. */
enum {
  ADR_COLL_SOURCE = 0,
  ADR_COLL_TARGET = 1,
  ADR_COLL_POSITION = 2,
  ADR_COLL_BYTES = 3,
  ADR_COLL_PLACE = 4, /* where SOURCE and TARGET lie, in bytes from its first: ADR_COLL_IN_... */
  ADR_COLL_IN_SLOT = 0,
  ADR_COLL_IN_STAGES = 1,
  ADR_COLL_IN_OUTPUT = 2, /* of the caller, at POSITION */
  ADR_COLL_IN_INPUT = 3,  /* likewise */
  ADR_COLL_BY = 5,        /* how the other member's memory can be reached: ADR_COLL_BY_... */
  ADR_COLL_SEGMENT = 6,   /* XPMEM segment id of its process, 0: none */
  ADR_COLL_HEAD = 0,
  ADR_COLL_WHAT = 1,
  ADR_COLL_GIVEN = 2,    /* bytes that the other gives this member in an exchange, and ... */
  ADR_COLL_EXPECTED = 3, /* ... that this one expects; both 0: not that is wrong; below zero: that this member gives
                          * the other one, which has expected none */
  ADR_COLL_WORDS = 7,
};

/* How memory of a member can be reached. */
enum {
  ADR_COLL_BY_OFFSET = 1,  /* it lies in its shared allocations, at an offset in the file */
  ADR_COLL_BY_ADDRESS = 2, /* it lies at an address of its process, and stays until the collective is over */
  ADR_COLL_BY_STAGES = 4,  /* of READ and WRITE: it is no member's, but lies in the stages, at SOURCE or TARGET */
};

/* Spaces through which a member can reach all others. */
enum { ADR_COLL_SHARED = 1, ADR_COLL_XPMEM = 2, ADR_COLL_CMA = 4 };

/* Becomes member `self` of the slot of `bytes` bytes that is mapped at `slot`, in the job of `job_ranks` ranks whose
 * segment is mapped at `base`. Returns 0 and sets `*coll`; -ENOMEM; or -EPROTO: the slot tells what cannot be. */
ADR_API int32_t adr_coll_open(void *base, int32_t job_ranks, void *slot, int64_t bytes, int32_t self, adr_coll **coll);

/* Begins a collective and looks for its end at most `spins` times for each thing that is waited for; with 0 once, and
 * without asking whether it can still come, for a caller that has others to look at: of those steps alone one that
 * waits would never find that a member cannot go on.
 *
 * `root`: number of a member, 0 where there is none; of an allreduce by an operator of the caller's
 * (ADR_USER_OPERATOR) the bytes of one element; of a reduce_scatter 1: adr_coll_parts tells how long each part is.
 * `element`: its kind, 0: none; of a bcast and an allgather ADR_COLL_FOR_... where it makes a communicator; of a
 * reduce, scan, exscan and reduce_scatter by an operator of the caller's also, in the bits from 8 on, the bytes of one
 * element. `bytes`: of each member's part; of a reduce_scatter of all parts, which lie one behind the other and, with
 * root 0, are as long. `in`: what this member gives, from `in_offset` on; NULL: it is asked to FILL. `out`: where the
 * result goes, which may be `in`; NULL: it is asked to DRAIN. A bcast reads `in` at the root and writes `out` at the
 * others; a reduce writes `out` at the root, an exscan at all but member 0, a reduce_scatter the member's own part.
 *
 * Returns 0, a status above, -EAGAIN, -EPROTO, -EINVAL: an argument is out of range; or -EBUSY: the collective of four
 * before has not ended. */
ADR_API int32_t adr_coll_begin(adr_coll *coll, int32_t kind, int32_t root, int64_t bytes, int32_t element, int32_t op,
                               const void *in, int64_t in_offset, void *out, int64_t out_offset, int32_t spins);

/* Where the parts of an exchange are told that begins next: ADR_COLL_PART_ROWS rows of words, always in the same place.
 * A member that gives one block for all tells of it in its own column. For a reduce_scatter all members tell the same
 * in the row ADR_COLL_GIVE_BYTES; parts that take more rounds than 31 bits count are refused: -EINVAL. Returns NULL:
 * there is no memory. */
ADR_API int64_t *adr_coll_parts(adr_coll *coll);

/* Which collective the last adr_coll_begin was about, by which it is gone on with. */
ADR_API int32_t adr_coll_begun(const adr_coll *coll);

/* Goes on. The buffers are those of adr_coll_begin, though they may have been moved. -EINVAL: it is not under way. */
ADR_API int32_t adr_coll_step(adr_coll *coll, int32_t which, const void *in, int64_t in_offset, void *out,
                              int64_t out_offset, int32_t spins);

/* Tells how the others can reach this member's buffers in the collective that has asked for it. Large data goes in one
 * copy where all can reach what they need, else through stages.
 *
 * `in_by`, `out_by`: ADR_COLL_BY_..., 0: it cannot be reached; `in`, `out`: offset or address; `spaces`: set of those
 * by which this member can reach the memory of all the others; `segment`: XPMEM segment id of this process, 0: none.
 * Returns 0 or -EINVAL: nothing was asked, or an argument is out of range. */
ADR_API int32_t adr_coll_expose(adr_coll *coll, int32_t which, int32_t in_by, int64_t in, int32_t out_by, int64_t out,
                                int32_t spaces, int64_t segment);

/* Gives memory of a member that REACH has asked for, as it is mapped here: `bytes` bytes from `offset` in the file on,
 * which hold those asked for and stay mapped. Returns 0, -EINVAL: they do not hold them, or -ENOMEM. */
ADR_API int32_t adr_coll_reach(adr_coll *coll, int32_t which, int64_t offset, void *memory, int64_t bytes);

/* The caller cannot do what READ or WRITE asks for, against what the lines tell: it has lost XPMEM since, say. That
 * member copies instead, through the stages; of these the caller is asked to READ and WRITE (ADR_COLL_BY_STAGES). To be
 * stepped on then. Returns 0; -EPERM: there are no stages, the collective cannot go on; or -EINVAL: it was not asked.
 */
ADR_API int32_t adr_coll_relay(adr_coll *coll, int32_t which);

/* The member that the last status of a collective is about, or that is waited for; -1: none. */
ADR_API int32_t adr_coll_other(const adr_coll *coll, int32_t which);

/* What its last status tells: ADR_COLL_WORDS words, always in the same place. */
ADR_API const int64_t *adr_coll_words(const adr_coll *coll, int32_t which);

/* Bytes of all members' stages. */
ADR_API int64_t adr_coll_stages_bytes(const adr_coll *coll);

/* Offset in the file of the stages that member 0 has published, 0: not there yet. */
ADR_API int64_t adr_coll_stages_offset(const adr_coll *coll);

/* Member 0 publishes the stages; their memory is zeros. Returns 0 or -EINVAL. */
ADR_API int32_t adr_coll_publish_stages(adr_coll *coll, int64_t offset);

/* Gives the stages as they are mapped here. Returns 0 or -EINVAL: they are too few bytes. */
ADR_API int32_t adr_coll_stages(adr_coll *coll, void *stages, int64_t bytes);

/* Tells the others that this member cannot go on. Its program may have its buffers again when adr_coll_is_written_by is
 * 0 for each member that is still alive. Returns 0. */
ADR_API int32_t adr_coll_break_off(adr_coll *coll);

/* Before this member does what WRITE asks for. Returns 0: the memory stays until adr_coll_end_write, which is to be
 * soon; ADR_COLL_BROKEN: that member has broken off, nothing may be written; or -EINVAL. */
ADR_API int32_t adr_coll_begin_write(adr_coll *coll, int32_t which);

/* Afterwards, whether all was written or not. Returns 0. */
ADR_API int32_t adr_coll_end_write(adr_coll *coll);

/* After this member has broken off: 1, a member may still be writing its memory; 0; or -EINVAL: there is no such one.
 */
ADR_API int32_t adr_coll_is_written_by(const adr_coll *coll, int32_t member);

/* Says that this member has closed the communicator. Returns 1 when all have, else 0. */
ADR_API int32_t adr_coll_close_state(adr_coll *coll);

/* The communicator is revoked: every wait in it ends. Returns 0. */
ADR_API int32_t adr_coll_revoke(adr_coll *coll);

/* A member's state: 0 open, 1 closed, 2 broken; -EINVAL: no such member. */
ADR_API int32_t adr_coll_state(const adr_coll *coll, int32_t member);

/* Gives private memory back; the slot stays as it is. NULL is allowed. */
ADR_API void adr_coll_close(adr_coll *coll);

#ifdef __cplusplus
}
#endif
#endif

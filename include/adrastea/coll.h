/* One member's part of a communicator's slot in shared memory: its side of each collective, which it takes a step at a
 * time [MPICH2 2007, 3.4]. Java's cores call these functions (io.adrastea.core.SlotMember, the same ones in the same
 * order), and C programs those of adrastea/job.h, which wait.
 *
 * Nothing here waits: a call looks at what it waits for a bounded number of times, and says what the caller is to do
 * next. One thread at a time uses a member, for one collective at a time. Values are combined in the order of the
 * members, from the left: v0 op v1 op ... op v(n-1), whichever way they travel. */
#ifndef ADRASTEA_COLL_H
#define ADRASTEA_COLL_H

#include <stdint.h>

#include "adrastea/operation.h"
#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct adr_coll adr_coll;

/* Kinds of collectives. */
enum { ADR_COLL_BARRIER = 1, ADR_COLL_BCAST = 2, ADR_COLL_ALLREDUCE = 3, ADR_COLL_ALLGATHER = 4 };

/* What a step returns beside 0: the collective has ended, and -EAGAIN: member adr_coll_other is waited for. */
#define ADR_COLL_MISMATCH (-74) /* that member called another collective, or with another root, size, element, ... */
#define ADR_COLL_BROKEN (-125)  /* that member cannot go on: it has broken off */
#define ADR_COLL_CLOSED (-108)  /* that member has closed the communicator */
#define ADR_COLL_REVOKED (-43)  /* the communicator is revoked */
#define ADR_COLL_NEEDS_CELLS 1  /* step again after adr_coll_cells; member 0 publishes the cells before */
#define ADR_COLL_FILL 2         /* put BYTES of the input from POSITION on to TARGET, then step */
#define ADR_COLL_DRAIN 3        /* take BYTES at SOURCE to POSITION of the output, then step */
#define ADR_COLL_COMBINE 4      /* make TARGET[i] = TARGET[i] op SOURCE[i] for BYTES, then step */
#define ADR_COLL_MOVED 5        /* bytes were moved: step again before anybody is waited for */

/* What adr_coll_words tells: of FILL, DRAIN and COMBINE the first five, of a MISMATCH that member's head and what. */
enum {
  ADR_COLL_SOURCE = 0,
  ADR_COLL_TARGET = 1,
  ADR_COLL_POSITION = 2,
  ADR_COLL_BYTES = 3,
  ADR_COLL_PLACE = 4, /* where SOURCE and TARGET lie, in bytes from its first: ADR_COLL_IN_... */
  ADR_COLL_IN_SLOT = 0,
  ADR_COLL_IN_CELLS = 1,
  ADR_COLL_HEAD = 0,
  ADR_COLL_WHAT = 1,
  ADR_COLL_WORDS = 5,
};

/* Becomes member `self` of the slot of `bytes` bytes that is mapped at `slot`, in the job of `job_ranks` ranks whose
 * segment is mapped at `base`. Returns 0 and sets `*coll`; -ENOMEM; or -EPROTO: the slot tells what cannot be. */
ADR_API int32_t adr_coll_open(void *base, int32_t job_ranks, void *slot, int64_t bytes, int32_t self, adr_coll **coll);

/* Begins a collective and looks for its end at most `spins` times for each thing that is waited for.
 *
 * `root`: number of a member, 0 where there is none; of an allreduce by an operation of the caller's
 * (ADR_USER_OPERATION) the bytes of one element. `bytes`: of each member's part. `in`: what this member gives, from
 * `in_offset` on; NULL: it is asked to FILL. `out`: where the result goes, which may be `in`; NULL: it is asked to
 * DRAIN. A bcast reads `in` at the root and writes `out` at the others.
 *
 * Returns 0, a status above, -EAGAIN, -EPROTO, -EINVAL: an argument is out of range; or -EBUSY: another collective was
 * not gone through with. A barrier that has not ended is gone on with by the next one. */
ADR_API int32_t adr_coll_begin(adr_coll *coll, int32_t kind, int32_t root, int64_t bytes, int32_t element,
                               int32_t operation, const void *in, int64_t in_offset, void *out, int64_t out_offset,
                               int32_t spins);

/* Goes on. The buffers are those of adr_coll_begin, though they may have been moved. */
ADR_API int32_t adr_coll_step(adr_coll *coll, const void *in, int64_t in_offset, void *out, int64_t out_offset,
                              int32_t spins);

/* The member that the last status is about, or that is waited for; -1: none. */
ADR_API int32_t adr_coll_other(const adr_coll *coll);

/* What the last status tells: ADR_COLL_WORDS words, always in the same place. */
ADR_API const int64_t *adr_coll_words(const adr_coll *coll);

/* Bytes of all members' cells. */
ADR_API int64_t adr_coll_cells_bytes(const adr_coll *coll);

/* Offset in the file of the cells that member 0 has published, 0: not there yet. */
ADR_API int64_t adr_coll_cells_offset(const adr_coll *coll);

/* Member 0 publishes the cells; their memory is zeros. Returns 0 or -EINVAL. */
ADR_API int32_t adr_coll_publish_cells(adr_coll *coll, int64_t offset);

/* Gives the cells as they are mapped here. Returns 0 or -EINVAL: they are too few bytes. */
ADR_API int32_t adr_coll_cells(adr_coll *coll, void *cells, int64_t bytes);

/* Tells the others that this member cannot go on. Returns 0. */
ADR_API int32_t adr_coll_break_off(adr_coll *coll);

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

/* Communicators of C programs, and what their ranks call together: barrier, bcast, reductions and scans, allgather,
 * gather, scatter and alltoall, through shared memory, beside Java ranks or other C ranks.
 *
 *   adr_comm *world = adr_job_world(job);
 *   double sum;
 *   if (adr_comm_allreduce(world, &mine, &sum, 1, ADR_DOUBLE, ADR_SUM) < 0) { puts(adr_job_error(job)); }
 *
 * What is said here holds for all of them. Every rank of a communicator calls the same ones in the same order, with the
 * same root, number of bytes, kind of elements and operator; ranks that see that they differ get ADR_ERROR_COLLECTIVE,
 * and always where ADRASTEA_CHECK=collectives. Messages stay where they are meanwhile, as in adr_barrier. A call that
 * ends with an error other than -EINVAL was the last one on its communicator: each further one says why. A barrier
 * alone, where no rank is at fault, can be called again and goes on. The functions return 0, or
 *
 *   -EINVAL                  an argument is out of range; nothing was begun
 *   ADR_ERROR_RANK_FAILED    a rank has failed or left, so that it cannot take part: adr_job_failed_rank
 *   ADR_ERROR_COLLECTIVE     a rank calls something else, cannot go on, or has closed the communicator
 *   ADR_ERROR_LAUNCHER, -EPROTO, and for longer data -ENOSPC: there is no room for shared memory
 *
 * adr_job_error tells in words what the last one was. */
#ifndef ADRASTEA_COMM_H
#define ADRASTEA_COMM_H

#include <stdint.h>

#include "adrastea/job.h"
#include "adrastea/operator.h"
#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct adr_comm adr_comm;

/* The color of a rank that is to be in no new communicator. */
#define ADR_NO_COLOR (-1)

/* The communicator of all ranks. It lasts as long as the job. */
ADR_API adr_comm *adr_job_world(adr_job *job);

/* This rank in a communicator, and how many it has. */
ADR_API int adr_comm_rank(const adr_comm *comm);
ADR_API int adr_comm_size(const adr_comm *comm);

/* The number in the job of a rank of the communicator, where messages are sent to; -1: there is no such rank. */
ADR_API int adr_comm_job_rank(const adr_comm *comm, int rank);

/* The context of its messages, for ADR_MATCH. */
ADR_API uint32_t adr_comm_context(const adr_comm *comm);

/* Makes a communicator of the same ranks in the same order; all of them call this. Returns also -ENFILE: all numbers of
 * communicators are taken. `*made` is NULL after an error. When a rank gets another error, the others may have the
 * new one already: a collective there that needs this rank ends with ADR_ERROR_COLLECTIVE. A rank that could not map it
 * makes no more out of `comm`, but by adr_comm_shrink. */
ADR_API int adr_comm_dup(adr_comm *comm, adr_comm **made);

/* Makes a communicator of all ranks with the same color, 0 or more, in the order of their keys, and of their numbers
 * where keys are equal; all ranks call this. With ADR_NO_COLOR `*made` is NULL. Returns as adr_comm_dup. */
ADR_API int adr_comm_split(adr_comm *comm, int32_t color, int32_t key, adr_comm **made);

/* Makes a communicator of some ranks of the job by these alone: the first of them makes it here, for `count` ranks,
 * whose numbers in the job stand in `ranks`, none twice and its own first. It tells the others `*word`, which is never
 * 0, in its own way, as by a word in shared memory (release and acquire), and may use the communicator at once. Returns
 * also -ENFILE and -ENOMEM as adr_comm_dup. */
ADR_API int adr_comm_offer(adr_job *job, const int *ranks, int count, adr_comm **made, uint64_t *word);

/* Comes in to the communicator that the first of these ranks has made and told of. ADR_ERROR_COLLECTIVE: it is not of
 * these ranks, or that rank has closed it. Whoever does not come in keeps the memory of the communicator from being
 * used again until it ends. */
ADR_API int adr_comm_accept(adr_job *job, const int *ranks, int count, uint64_t word, adr_comm **made);

/* Ends with a communicator, which is freed; every rank does this for itself. Returns 0, or -EINVAL: it is the world.
 * NULL is allowed. */
ADR_API int adr_comm_close(adr_comm *comm);

/* Waits until all ranks are in the barrier. */
ADR_API int adr_comm_barrier(adr_comm *comm);

/* Brings `bytes` bytes of the root to all others. It may return before all have them. */
ADR_API int adr_comm_bcast(adr_comm *comm, void *buffer, int64_t bytes, int root);

/* Combines element by element what all ranks give, x0 op x1 op ... op x(n-1), in the order of their numbers: results
 * are equal bit for bit at all ranks and from run to run. `in` NULL: the operands are in `out`, which the result
 * replaces. `element` and `op`: ADR_DOUBLE and so on, ADR_SUM and so on. -EINVAL also: that operator has no
 * meaning for such elements. An operator of a Java program's own cannot be run here: when Java ranks call with one,
 * all ranks get ADR_ERROR_COLLECTIVE. */
ADR_API int adr_comm_allreduce(adr_comm *comm, const void *in, void *out, int64_t count, int32_t element, int32_t op);

/* What is said of operands, elements and operators there holds for these too. */

/* Combines what all ranks give for the root alone: elsewhere `out` is not looked at, and may be NULL. `in` NULL, at the
 * root: the operands are in `out`. */
ADR_API int adr_comm_reduce(adr_comm *comm, const void *in, void *out, int64_t count, int32_t element, int32_t op,
                            int root);

/* Combines for each rank r what ranks 0 to r give: x0 op x1 op ... op xr. */
ADR_API int adr_comm_scan(adr_comm *comm, const void *in, void *out, int64_t count, int32_t element, int32_t op);

/* Combines for each rank r what ranks 0 to r - 1 give; `out` of rank 0 stays as it is. */
ADR_API int adr_comm_exscan(adr_comm *comm, const void *in, void *out, int64_t count, int32_t element, int32_t op);

/* Combines what all ranks give, a part for each of them, of `count` elements each and one behind the other, and brings
 * rank r part r. `in` NULL: the operands are in `out`, and the result goes to its beginning; what stands behind that is
 * not defined. */
ADR_API int adr_comm_reduce_scatter_block(adr_comm *comm, const void *in, void *out, int64_t count, int32_t element,
                                          int32_t op);

/* Combines as adr_comm_reduce_scatter_block does, with parts of `counts` elements, one word for each rank, which are
 * the same at all ranks. -EINVAL also where among more than 32 ranks a few parts are so long (about 550 GB) that the
 * rounds cannot be counted. */
ADR_API int adr_comm_reduce_scatter(adr_comm *comm, const void *in, void *out, const int64_t *counts, int32_t element,
                                    int32_t op);

/* Gathers `bytes` bytes of each rank at all of them: those of rank r in `out` + r x `bytes`. `in` NULL: this rank's are
 * there already. */
ADR_API int adr_comm_allgather(adr_comm *comm, const void *in, void *out, int64_t bytes);

/* Gathers `bytes` bytes of each rank at the root: those of rank r in `out` + r x `bytes`. Elsewhere `out` may be NULL.
 * `in` NULL, at the root: its own are there already. Ranks other than the root may return before the root has all. */
ADR_API int adr_comm_gather(adr_comm *comm, const void *in, void *out, int64_t bytes, int root);

/* Brings each rank `bytes` bytes of the root: rank r those in `in` + r x `bytes`. Elsewhere `in` may be NULL. `out`
 * NULL, at the root: its own stay where they are. */
ADR_API int adr_comm_scatter(adr_comm *comm, const void *in, void *out, int64_t bytes, int root);

/* Brings each rank `bytes` bytes of every rank: this one's for rank r lie in `in` + r x `bytes`, those of rank r come
 * to `out` + r x `bytes`. `in` NULL: they lie in `out`, where what comes replaces them. */
ADR_API int adr_comm_alltoall(adr_comm *comm, const void *in, void *out, int64_t bytes);

/* The next calls do the same with blocks that differ: `counts` and `displacements` have the bytes of each rank's block
 * and where it begins in the buffer, one word for each rank. Giver and taker name the same number of bytes; where they
 * differ, the taker gets ADR_ERROR_COLLECTIVE, which tells both. Blocks where something is received do not overlap:
 * -EINVAL. */

/* `bytes` of this rank; counts and displacements, of `out`, at the root alone, elsewhere NULL is allowed. */
ADR_API int adr_comm_gatherv(adr_comm *comm, const void *in, int64_t bytes, void *out, const int64_t *counts,
                             const int64_t *displacements, int root);

/* Counts and displacements, of `in`, at the root alone, elsewhere NULL is allowed; `bytes` of this rank. */
ADR_API int adr_comm_scatterv(adr_comm *comm, const void *in, const int64_t *counts, const int64_t *displacements,
                              void *out, int64_t bytes, int root);

/* Counts and displacements of `out`, at all ranks. */
ADR_API int adr_comm_allgatherv(adr_comm *comm, const void *in, int64_t bytes, void *out, const int64_t *counts,
                                const int64_t *displacements);

/* Counts and displacements of both. `in` NULL: blocks lie in `out`, as long as those that replace them. */
ADR_API int adr_comm_alltoallv(adr_comm *comm, const void *in, const int64_t *in_counts,
                               const int64_t *in_displacements, void *out, const int64_t *out_counts,
                               const int64_t *out_displacements);

/* Revokes a communicator: all collectives on it end with ADR_ERROR_COLLECTIVE, within a second and at every rank, and
 * so does what Java ranks wait for on it; messages of C ranks do not. What is allowed from then on are adr_comm_agree,
 * adr_comm_shrink and adr_comm_close. After MPIX_Comm_revoke of ULFM, MPI's User Level Failure Mitigation. */
ADR_API int adr_comm_revoke(adr_comm *comm);

/* Agrees on flags: each bit of `*agreed` is set when every rank has set it that came here before it died; at all ranks
 * that live the same, whoever dies meanwhile. Ranks that have failed or left, or have closed the communicator, are not
 * waited for. All others call it, also when the communicator is revoked, or takes no more collectives.
 * ADR_ERROR_COLLECTIVE: a rank calls adr_comm_shrink where others call this. After another error the next call goes on
 * with it, with the flags of the first. */
ADR_API int adr_comm_agree(adr_comm *comm, uint32_t flags, uint32_t *agreed);

/* Makes a communicator of the ranks that live, in their order, whoever dies meanwhile: all of them get the same. One
 * that dies late may be in it still. All ranks that live call it, also when the communicator is revoked, or takes no
 * more collectives. Returns as adr_comm_dup and adr_comm_agree. */
ADR_API int adr_comm_shrink(adr_comm *comm, adr_comm **made);

#ifdef __cplusplus
}
#endif
#endif

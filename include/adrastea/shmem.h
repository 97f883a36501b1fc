/* OpenSHMEM's symmetric memory for C programs, beside Java ranks or other C ranks. Each rank of a job, here a PE, has a
 * part of it, which all PEs read, write and compute in by loads, stores and instructions of their own.
 *
 *   adr_shmem *shmem;
 *   int64_t cells;
 *   if (adr_shmem_open(job, 1 << 20, NULL, &shmem) < 0) { puts(adr_job_error(job)); }
 *   adr_shmem_allocate(shmem, 64, 8 * 100, &cells);
 *   adr_shmem_fetch_add64(shmem, 1, &before, owner, cells + 8 * cell);
 *   adr_shmem_barrier(shmem);
 *   adr_shmem_close(shmem);
 *
 * The parts of all PEs lie one behind the other in one stretch of memory, which each process maps where it likes: a
 * place of PE p is adr_shmem_base + p * adr_shmem_stride + offset. Objects are allocated and freed by all PEs together,
 * and lie at the same offset in each part. Their pages are reserved before anybody has the object, so that no store
 * meets memory that is not there; an offset in no object is the program's own risk. A part consists of the heap, in
 * which objects are allocated, and behind it, for C programs that ask for it, a copy of their own data (struct
 * adr_shmem_data).
 *
 * Any thread may access memory at any time. A program that accesses it by itself orders that by its own fences. All
 * other calls are, like those on the job, for one thread at a time. Memory of a PE that has died stays, and is read and
 * changed as before. (A call that is refused notes why in the job: a program passes no wrong arguments from several
 * threads at once.)
 *
 * The functions return 0, or
 *
 *   -EINVAL                  an argument is out of range, or the call has no place here; nothing was done
 *   -ENOSPC                  the heap has no place, or the file system no room, at a PE: all PEs get it, and nothing is
 *                            kept
 *   ADR_ERROR_RANK_FAILED    a PE that has failed or left is needed, or has left a lock: adr_job_failed_rank
 *   ADR_ERROR_COLLECTIVE     as in adrastea/comm.h; also: PEs do not make the same calls of all
 *   ADR_ERROR_LAUNCHER, -EPROTO, -ENOMEM
 *
 * adr_job_error tells in words what the last one was. */
#ifndef ADRASTEA_SHMEM_H
#define ADRASTEA_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#include "adrastea/comm.h"
#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct adr_shmem adr_shmem;

/* A stretch of the program that is to be symmetric beside the heap. */
struct adr_shmem_data {
  int64_t bytes;       /* whole pages of 4096 */
  uint64_t program[2]; /* a number for the program: PEs with the same one have the same data at the same offsets */
};

/* Makes symmetric memory for all ranks of the job, which all call this, with as many bytes of heap, 64 or more, and
 * each with data of its own; NULL: none. The pages of the own data are there afterwards, all zeros; those of the heap
 * come when objects are allocated. Where one PE has no room, all get an error. `*shmem` is NULL after an error. */
ADR_API int adr_shmem_open(adr_job *job, int64_t heap_bytes, const struct adr_shmem_data *data, adr_shmem **shmem);

/* What moves a program's data into its PE's part: `move` gets `data`, and where they are to lie, at an offset of a
 * file. It returns 0; or says why not, in `why` of `size` bytes, and returns -errno. */
struct adr_shmem_mover {
  int (*move)(void *data, int descriptor, int64_t offset, char *why, size_t size);
  void *data;
};

/* As adr_shmem_open, and has the data moved: when their pages are there, and before any PE is done with this call, so
 * that whatever another PE writes to them comes later. Where one PE's cannot be moved, all get an error; those of
 * others may have been moved then. */
ADR_API int adr_shmem_open_moving(adr_job *job, int64_t heap_bytes, const struct adr_shmem_data *data,
                                  const struct adr_shmem_mover *mover, adr_shmem **shmem);

/* Ends with it, and waits for nobody: others may access this PE's part until they have closed it, too; then its memory
 * goes. NULL is allowed. */
ADR_API int adr_shmem_close(adr_shmem *shmem);

/* The number of this PE, which is that of its rank in the job; how many there are. */
ADR_API int adr_shmem_pe(const adr_shmem *shmem);
ADR_API int adr_shmem_pes(const adr_shmem *shmem);

/* Where the part of PE 0 is mapped in this process, and how far it is from there to that of the next PE. */
ADR_API void *adr_shmem_base(const adr_shmem *shmem);
ADR_API int64_t adr_shmem_stride(const adr_shmem *shmem);

/* Bytes of each part in which objects lie, whole lines of 64. */
ADR_API int64_t adr_shmem_heap_bytes(const adr_shmem *shmem);

/* The offset of the data in each part; and the bytes of a PE's data, 0: it has none; -EINVAL: there is no such PE. */
ADR_API int64_t adr_shmem_data_start(const adr_shmem *shmem);
ADR_API int64_t adr_shmem_data_bytes(const adr_shmem *shmem, int pe);

/* Whether a PE runs the same program as this one: 1: both have data, by the same number; 0: no. */
ADR_API int adr_shmem_same_program(const adr_shmem *shmem, int pe);

/* Where the part of PE 0 lies: in which open file, and at which offset there. The descriptor stays the library's, and
 * is open while the job is. Returns 0. */
ADR_API int adr_shmem_file(const adr_shmem *shmem, int *descriptor, int64_t *offset);

/* The communicator of these PEs, of their own, for collectives of all of them; it ends with the memory. */
ADR_API adr_comm *adr_shmem_comm(const adr_shmem *shmem);
ADR_API adr_job *adr_shmem_job(const adr_shmem *shmem);

/* Allocates an object of so many bytes, 1 or more, at a multiple of a power of two (1: any), and of 64: all zeros. All
 * PEs call this alike; it is a barrier. An offset is so aligned, and up to 2 MiB each C rank's address, too, unless
 * pages of the system are larger than 4096: addresses are aligned to that then. */
ADR_API int adr_shmem_allocate(adr_shmem *shmem, int64_t alignment, int64_t bytes, int64_t *offset);

/* Makes an object larger or smaller, which all PEs call alike. What is in it stays, as far as it has room, and what
 * comes new is zero. After an error the object is as it was. */
ADR_API int adr_shmem_reallocate(adr_shmem *shmem, int64_t offset, int64_t bytes, int64_t *moved);

/* Frees an object, which all PEs call alike; it is a barrier. */
ADR_API int adr_shmem_free(adr_shmem *shmem, int64_t offset);

/* Bytes that objects take up in each part; bytes that were asked for of an object, 0: none has this offset. */
ADR_API int64_t adr_shmem_allocated(const adr_shmem *shmem);
ADR_API int64_t adr_shmem_bytes_of(const adr_shmem *shmem, int64_t offset);

/* A place in a PE's part as it is mapped here; NULL: there is no such PE, or the offset lies in neither its heap nor
 * its data. */
ADR_API void *adr_shmem_memory(const adr_shmem *shmem, int pe, int64_t offset);

/* Copies bytes to a PE's part, or from it; -EINVAL: they do not lie in its heap or in its data. */
ADR_API int adr_shmem_put(adr_shmem *shmem, const void *origin, int64_t bytes, int pe, int64_t offset);
ADR_API int adr_shmem_get(adr_shmem *shmem, void *result, int64_t bytes, int pe, int64_t offset);

/* How a signal changes: the operations of adr_shmem_put_signal. */
enum adr_shmem_signal { ADR_SIGNAL_SET = 0, ADR_SIGNAL_ADD = 1 };

/* Copies bytes to a PE's part, then changes a word of 8 bytes there, its signal; a PE that waits for that word is
 * woken, and sees the bytes. */
ADR_API int adr_shmem_put_signal(adr_shmem *shmem, const void *origin, int64_t bytes, int pe, int64_t offset,
                                 int64_t signal_offset, uint64_t signal, int op);

/* Change an element of 4 or 8 bytes, at a multiple of them, as one step, and fetch what was there before. */
ADR_API int adr_shmem_fetch_add32(adr_shmem *shmem, uint32_t value, uint32_t *before, int pe, int64_t offset);
ADR_API int adr_shmem_fetch_add64(adr_shmem *shmem, uint64_t value, uint64_t *before, int pe, int64_t offset);
ADR_API int adr_shmem_swap32(adr_shmem *shmem, uint32_t value, uint32_t *before, int pe, int64_t offset);
ADR_API int adr_shmem_swap64(adr_shmem *shmem, uint64_t value, uint64_t *before, int pe, int64_t offset);

/* Likewise store `desired` if the element is `expected`. */
ADR_API int adr_shmem_compare_swap32(adr_shmem *shmem, uint32_t expected, uint32_t desired, uint32_t *before, int pe,
                                     int64_t offset);
ADR_API int adr_shmem_compare_swap64(adr_shmem *shmem, uint64_t expected, uint64_t desired, uint64_t *before, int pe,
                                     int64_t offset);

/* All PEs meet; what any has accessed before is done, and seen by all. */
ADR_API int adr_shmem_barrier(adr_shmem *shmem);

/* All PEs meet; what they have stored may be seen later. */
ADR_API int adr_shmem_sync(adr_shmem *shmem);

/* Whether what is waited for is there: words of this PE's part, which it reads so that no compiler keeps them back, and
 * in whose order what others have stored before is seen (acquire). Not 0: it is. */
typedef int (*adr_shmem_met)(const void *words);

/* Writes what is waited for, as "a long at offset 64 to be greater than 3", for errors. */
typedef void (*adr_shmem_what)(const void *words, char *text, size_t size);

/* Waits until words are as they are to be: spins, yields, then naps, longer each time, which adr_shmem_wake ends. It
 * ends with ADR_ERROR_RANK_FAILED when a PE has failed, since that may have been the one to store them, or when all
 * others have left. `words` is handed through. */
ADR_API int adr_shmem_await(adr_shmem *shmem, adr_shmem_met met, adr_shmem_what what, const void *words);

/* Moves on what else there is to do, for a program that looks at words again and again instead. ADR_ERROR_RANK_FAILED
 * as adr_shmem_await, so that such a program ends, too. */
ADR_API int adr_shmem_step(adr_shmem *shmem);

/* A word was stored that a PE may wait for: ends that PE's nap. Any thread may call it. */
ADR_API int adr_shmem_wake(adr_shmem *shmem, int pe);

/* Waits for a lock, which all PEs share: 8 bytes of an object, at a multiple of 8, that are used for nothing else and
 * zero at first. ADR_ERROR_RANK_FAILED: a PE has died with it, and what it guards may be half done; this is told once,
 * the lock goes on, and this PE does not have it. -EINVAL: it has it already. */
ADR_API int adr_shmem_set_lock(adr_shmem *shmem, int64_t offset);

/* Takes a lock if nobody has it or waits for it: 1; 0: it is taken; or as the former. */
ADR_API int adr_shmem_test_lock(adr_shmem *shmem, int64_t offset);

/* Hands a lock of this PE to the next one, or frees it; what was done under it is seen by the next. -EINVAL: this PE
 * does not have it. */
ADR_API int adr_shmem_clear_lock(adr_shmem *shmem, int64_t offset);

#ifdef __cplusplus
}
#endif
#endif

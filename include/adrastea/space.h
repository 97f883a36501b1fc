/* Memory of other processes: CMA (process_vm_readv, process_vm_writev) and XPMEM [OpenSHMEM over XPMEM 2011, 3]; huge
 * pages. Every function returns a value >= 0, or a negative errno value: -EPERM not allowed, -ESRCH no such process,
 * -EFAULT no memory there, -ENOSYS not on this system, -ENODEV no XPMEM here, -ESTALE this process has lost XPMEM:
 * another user of it in the process (UCX, an MPI) has closed a descriptor of /dev/xpmem, whereupon the kernel ends what
 * all of them had. Then XPMEM is not used again. */
#ifndef ADRASTEA_SPACE_H
#define ADRASTEA_SPACE_H

#include <stdint.h>

#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies `bytes` bytes at `address` of process `pid` to `destination` + `offset`; transfers that the system cuts short
 * are gone on with. Returns `bytes`, or a negative errno value when not all could be copied. */
ADR_API int64_t adr_cma_read(int32_t pid, int64_t address, void *destination, int64_t offset, int64_t bytes);

/* Copies `bytes` bytes at `source` + `offset` to `address` of process `pid`. Returns as adr_cma_read. */
ADR_API int64_t adr_cma_write(int32_t pid, int64_t address, const void *source, int64_t offset, int64_t bytes);

/* Reads as adr_cma_read does, from several stretches to several: arrays of struct iovec with the same number of bytes
 * in all. */
ADR_API int64_t adr_cma_read_vector(int32_t pid, const void *remote, int32_t remotes, const void *local,
                                    int32_t locals);

/* Writes as adr_cma_write does, from several stretches to several. */
ADR_API int64_t adr_cma_write_vector(int32_t pid, const void *local, int32_t locals, const void *remote,
                                     int32_t remotes);

/* Lets process `pid` and its descendants, and nobody else, reach this process's memory where the Yama module asks for
 * that (ptrace_scope 1, as on Ubuntu: else only ancestors may); takes the place of what was allowed before (prctl
 * PR_SET_PTRACER). Ranks allow their launcher, so that the ranks of their job may read and write each other. Returns 0,
 * also where nothing has to be allowed, or -EINVAL: `pid` is not above zero. */
ADR_API int32_t adr_cma_allow(int32_t pid);

/* Whether XPMEM can be used now: 0, or a negative errno value: -ENODEV there is none, -EPERM it may not be opened (both
 * as found at the first call of this process), -ESTALE. */
ADR_API int32_t adr_xpmem_status(void);

/* Opens all memory of this process to processes of the same user (XPMEM make, once). Returns its segment id, above
 * zero, as long as that holds: to be called again before each message that tells of it, since it asks the kernel. */
ADR_API int64_t adr_xpmem_export(void);

/* Where `bytes` bytes at `address` of the process that exported `segment` are mapped here. Attachments are kept,
 * within a bound, and used again; this one is until adr_xpmem_unreach, or until a fork, in the child. Returns the
 * address here; -ESRCH: the segment's process has ended, or has lost XPMEM; -ENOMEM; -ESTALE. Touching memory there
 * that the process does not have, or that it had until it ended, is SIGBUS. With 0 bytes nothing is mapped, and 0 says
 * that the segment is there now. */
ADR_API int64_t adr_xpmem_reach(int64_t segment, int64_t address, int64_t bytes);

/* Lets go of what adr_xpmem_reach gave for the same arguments. Returns 0: what was read there since is what the other
 * process had, and what was written has come to it; -ESTALE: this process has lost XPMEM meanwhile, and nobody knows;
 * -EINVAL. */
ADR_API int32_t adr_xpmem_unreach(int64_t segment, int64_t address, int64_t bytes);

/* Makes huge pages of a mapping of a file in a memory file system that was mounted with them, as far as address and
 * offset in the file are multiples of their size. `address` is that of a page. The bytes stay what they are, and others
 * may use them meanwhile; pages that are not there yet are made. Takes about as long as copying the bytes. Returns 0,
 * or a negative errno value when not all of it was made so: -EINVAL not with this memory, or not before Linux 6.1,
 * -ENOMEM no huge page is free. */
ADR_API int32_t adr_huge_advise(void *address, int64_t bytes);

/* Gives the pages of a shared mapping of a file back to the system, in every process that has them mapped: the file has
 * a hole there, of which zeros are read. Returns 0, or a negative errno value: -EINVAL where address and bytes are no
 * whole pages of the system, or the memory is locked or not mapped so, -EOPNOTSUPP where the file system has no holes.
 */
ADR_API int32_t adr_pages_release(void *address, int64_t bytes);

#ifdef __cplusplus
}
#endif
#endif

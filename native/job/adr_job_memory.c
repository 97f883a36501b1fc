/* Shared allocations, see adrastea/job.h. */
#include <errno.h>
#include <inttypes.h>

#include "job/adr_job_error.h"
#include "job/adr_job_state.h"

static int failed(struct adr_job *job, int status, const char *what, uint64_t bytes) {
  return status >= 0 ? 0
                     : adr_fail(&job->error, status, "%s of %" PRIu64 " bytes: %s", what, bytes, adr_strerror(status));
}

int adr_job_allocate(adr_job *job, uint64_t bytes, uint64_t alignment, void **memory, uint64_t *offset) {
  if (!adr_shared_allows(bytes, alignment)) {
    return adr_fail(&job->error, -EINVAL,
                    "a shared allocation of %" PRIu64 " bytes at multiples of %" PRIu64 "; allowed are 1 byte or "
                    "more, at a power of two up to %u",
                    bytes, alignment, ADR_PAGE);
  }
  int status = adr_shared_allocate(job->shared, bytes, alignment, memory, offset);
  return failed(job, status, "a shared allocation", bytes);
}

int adr_job_free(adr_job *job, void *memory) {
  int status = adr_shared_free(job->shared, memory);
  return status >= 0
             ? 0
             : adr_fail(&job->error, status, "%p is no shared allocation of this rank, or was freed already", memory);
}

int adr_job_reach(adr_job *job, int rank, uint64_t offset, uint64_t bytes, void **memory) {
  int status = adr_shared_reach(job->shared, rank, offset, bytes, memory);
  if (status == -EINVAL) {
    return adr_fail(&job->error, status,
                    "%" PRIu64 " bytes from offset %" PRIu64 " on are not inside the shared allocations of rank %d",
                    bytes, offset, rank);
  }
  return failed(job, status, "memory of another rank", bytes);
}

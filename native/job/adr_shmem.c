/* Symmetric memory, see adrastea/shmem.h: how it is made and ended, and what it is. Twin of
 * io.adrastea.engine.symmetric.SymmetricHeaps. */
#include "adrastea/shmem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "bootstrap/adr_job_error.h"
#include "job/adr_shmem_state.h"
#include "shared/adr_symmetric_region.h"

enum { ROOT = 0, NO_REGION = -1, WORDS = 512 };

static void discard(struct adr_shmem *shmem) {
  adr_symmetric_heap_close(&shmem->heap);
  free(shmem->lines);
  free(shmem);
}

static struct adr_shmem *make(struct adr_comm *comm) {
  struct adr_shmem *shmem = calloc(1, sizeof *shmem + comm->size * sizeof *shmem->data);
  if (shmem == NULL) { return NULL; }
  shmem->job = comm->job;
  shmem->comm = comm;
  shmem->rank = comm->rank;
  shmem->pes = comm->size;
  shmem->pace = adr_pace_from(adr_clock_now());
  shmem->lines = calloc(comm->size, sizeof *shmem->lines);
  if (shmem->lines == NULL) {
    discard(shmem);
    return NULL;
  }
  return shmem;
}

/* Refuses PEs that cannot take part, before anything is begun. */
static int check_able(const struct adr_comm *comm) {
  for (uint32_t pe = 0; pe < comm->size; pe++) {
    const struct adr_rank_entry *entry = adr_rank_table_entry(comm->job->segment.base, comm->ranks[pe]);
    if (adr_rank_table_has(entry, ADR_RANK_CAN_SHMEM)) { continue; }
    return adr_fail(&comm->job->error, ADR_ERROR_COLLECTIVE,
                    "symmetric memory with rank %" PRIu32 ", which takes no part in OpenSHMEM; run the same version in "
                    "all ranks",
                    pe);
  }
  return 0;
}

static bool is_known(const struct adr_symmetric_wish *line) {
  return line->data.bytes >= 0 && line->data.bytes % (int64_t)ADR_PAGE == 0;
}

/* Refuses the memory at all PEs alike where they do not ask for as many bytes of heap, or for too few or too many, with
 * the words of Java. Sets what a part takes. */
static int check_lines(struct adr_shmem *shmem, const struct adr_symmetric_wish *lines) {
  struct adr_error *error = &shmem->job->error;
  const int64_t bytes = lines[ROOT].heap_bytes;
  const int64_t most = (ADR_SYMMETRIC_MAX_BYTES - (int64_t)ADR_SYMMETRIC_STRIDE_UNIT) / (int64_t)shmem->pes;
  int64_t largest = 0;
  for (uint32_t pe = 0; pe < shmem->pes; pe++) {
    const struct adr_symmetric_wish *line = &lines[pe];
    if (line->heap_bytes != bytes) {
      return adr_fail(error, -EINVAL,
                      "PE %d asks for a symmetric heap of %" PRId64 " bytes, and PE %" PRIu32 " of %" PRId64
                      "; all PEs are to ask for as many, and no heap was made",
                      ROOT, bytes, pe, line->heap_bytes);
    }
    if (!is_known(line)) {
      return adr_fail(error, ADR_ERROR_COLLECTIVE,
                      "PE %" PRIu32 " tells of %" PRId64 " bytes of data beside a symmetric heap, and only whole pages "
                      "of %u are told; run the same version in all PEs",
                      pe, line->data.bytes, ADR_PAGE);
    }
    largest = line->data.bytes > largest ? line->data.bytes : largest;
    shmem->data[pe] = line->data;
  }
  if (bytes < ADR_SYMMETRIC_GRAIN) {
    return adr_fail(error, -EINVAL, "a symmetric heap of %" PRId64 " bytes for each PE; at least %d are allowed", bytes,
                    ADR_SYMMETRIC_GRAIN);
  }
  if (bytes > most || largest > most || (int64_t)adr_align_up((uint64_t)bytes, ADR_PAGE) > most - largest) {
    return adr_fail(error, -ENOSPC,
                    "a symmetric heap of %" PRId64 " bytes for each of %" PRIu32
                    " PEs is larger than any file; ask for less",
                    bytes, shmem->pes);
  }
  shmem->data_start = adr_align_up((uint64_t)bytes, ADR_PAGE);
  shmem->stride = adr_align_up(shmem->data_start + (uint64_t)largest, ADR_SYMMETRIC_STRIDE_UNIT);
  return 0;
}

/* The parts of all PEs, and behind them the page of the library's own, for locks. */
static uint64_t bytes_of_all(const struct adr_shmem *shmem) { return shmem->stride * shmem->pes + ADR_PAGE; }

/* PE 0 adds the region, and tells its index, or that there is no room. Sets `*index`. */
static int add(struct adr_shmem *shmem, int64_t bytes, int64_t *index) {
  struct adr_job *job = shmem->job;
  int64_t told = NO_REGION;
  int added = 0;
  if (shmem->rank == ROOT) {
    added = adr_symmetric_region_add(&job->segment, job->rank, bytes_of_all(shmem));
    told = added < 0 ? NO_REGION : added;
  }
  *index = told;
  const int status = adr_comm_bcast(shmem->comm, &told, sizeof told, ROOT);
  if (status < 0) { return status; }
  *index = told;
  if (told != NO_REGION) { return 0; }
  if (added < 0) {
    return adr_fail(&job->error, added == ADR_SEGMENT_REGIONS ? -ENOSPC : added,
                    "a symmetric heap of %" PRId64 " bytes for each of %" PRIu32 " PEs cannot be made: %s; no PE has "
                    "made any",
                    bytes, shmem->pes, adr_strerror(added));
  }
  return adr_fail(&job->error, -ENOSPC,
                  "rank %" PRIu32 " has no room for a symmetric heap of %" PRId64 " bytes for each of %" PRIu32
                  " PEs, and was told why",
                  adr_shmem_rank_of(shmem, ROOT), bytes, shmem->pes);
}

/* Maps all parts, and makes sure of this PE's data and record. */
static int map(struct adr_shmem *shmem, int64_t bytes, int64_t index) {
  struct adr_job *job = shmem->job;
  void *memory = NULL;
  int status = index > UINT32_MAX ? ADR_CORRUPT
                                  : adr_symmetric_region_memory(&job->segment, (uint32_t)index, bytes_of_all(shmem),
                                                                &memory, &shmem->offset);
  if (status < 0) {
    return adr_fail(&job->error, status, "a symmetric heap of %" PRId64 " bytes cannot be mapped: %s", bytes,
                    adr_strerror(status));
  }
  shmem->region = (uint32_t)index;
  shmem->memory = memory;
  shmem->lock = adr_mcs_lock_of(memory, shmem->stride, adr_shmem_part(shmem, shmem->pes), shmem->pes, shmem->rank);
  status = adr_symmetric_heap_open(&shmem->heap, (uint64_t)bytes, ADR_PAGE);
  if (status < 0) { return adr_fail(&job->error, status, "no memory for the record of a symmetric heap"); }
  const uint64_t data = (uint64_t)shmem->data[shmem->rank].bytes;
  if (data == 0) { return 0; }
  status = adr_region_reserve(&job->segment, shmem->region, shmem->stride * shmem->rank + shmem->data_start, data);
  if (status == 0) { return 0; }
  return adr_fail(&job->error, status, "%" PRIu64 " bytes of this program's data cannot be made symmetric: %s", data,
                  adr_strerror(status));
}

/* Moves this PE's data, where somebody has asked for it. */
static int move(struct adr_shmem *shmem, const struct adr_shmem_mover *mover) {
  char why[WORDS] = "";
  if (mover == NULL || shmem->data[shmem->rank].bytes == 0) { return 0; }
  const int64_t offset = (int64_t)(shmem->offset + shmem->stride * shmem->rank + shmem->data_start);
  const int status = mover->move(mover->data, shmem->job->segment.fd, offset, why, sizeof why);
  return status < 0 ? adr_fail(&shmem->job->error, status, "%s", why) : 0;
}

/* All PEs learn whether all have made their side. `status`: of this one, whose error stays. */
static int confirm(struct adr_shmem *shmem, int status) {
  struct adr_error *error = &shmem->job->error;
  const adr_error own = *error;
  uint32_t all = 0;
  const int confirmed = adr_comm_agree(shmem->comm,
                                       status == 0         ? ADR_SYMMETRIC_HAS_MAPPED | ADR_SYMMETRIC_HAS_ROOM
                                       : status == -ENOSPC ? ADR_SYMMETRIC_HAS_MAPPED
                                                           : ADR_SYMMETRIC_HAS_ROOM,
                                       &all);
  if (status < 0) {
    *error = own;
    return status;
  }
  if (confirmed < 0) { return confirmed; }
  if ((all & ADR_SYMMETRIC_HAS_MAPPED) == 0) {
    return adr_fail(error, ADR_ERROR_COLLECTIVE,
                    "a PE could not map the symmetric heap, and was told why; there is none");
  }
  if ((all & ADR_SYMMETRIC_HAS_ROOM) == 0) {
    return adr_fail(error, -ENOSPC,
                    "a PE has no room for its program's data beside the symmetric heap, and was told why; there is "
                    "none");
  }
  return 0;
}

static int make_region(struct adr_shmem *shmem, int64_t bytes, const struct adr_shmem_mover *mover) {
  struct adr_job *job = shmem->job;
  int64_t index;
  int status = add(shmem, bytes, &index);
  if (status == 0) {
    const int mapped = map(shmem, bytes, index);
    status = confirm(shmem, mapped == 0 ? move(shmem, mover) : mapped);
  }
  if (status < 0 && shmem->rank == ROOT && index != NO_REGION) {
    adr_region_give_back(&job->segment, job->rank, (uint32_t)index);
  }
  return status;
}

/* Makes it on a communicator of its own. */
static int make_on(struct adr_comm *comm, struct adr_symmetric_wish line, const struct adr_shmem_mover *mover,
                   struct adr_shmem **result) {
  int status = check_able(comm);
  if (status < 0) { return status; }
  struct adr_symmetric_wish *lines = calloc(comm->size, sizeof *lines);
  struct adr_shmem *shmem = lines == NULL ? NULL : make(comm);
  if (shmem == NULL) { /* the others find this PE's part of the communicator closed */
    free(lines);
    return adr_fail(&comm->job->error, -ENOMEM, "no memory for symmetric memory");
  }
  status = adr_comm_allgather(comm, &line, lines, sizeof line);
  if (status == 0) { status = check_lines(shmem, lines); }
  free(lines);
  if (status == 0) { status = make_region(shmem, line.heap_bytes, mover); }
  if (status < 0) {
    discard(shmem);
    return status;
  }
  *result = shmem;
  return 0;
}

int adr_shmem_open(adr_job *job, int64_t heap_bytes, const struct adr_shmem_data *data, adr_shmem **result) {
  return adr_shmem_open_moving(job, heap_bytes, data, NULL, result);
}

int adr_shmem_open_moving(adr_job *job, int64_t heap_bytes, const struct adr_shmem_data *data,
                          const struct adr_shmem_mover *mover, adr_shmem **result) {
  struct adr_symmetric_wish line = {.heap_bytes = heap_bytes};
  adr_comm *own;
  *result = NULL;
  if (data != NULL) { line.data = *data; }
  if (!is_known(&line)) {
    return adr_fail(&job->error, -EINVAL,
                    "%" PRId64 " bytes of data beside a symmetric heap; allowed are whole pages of %u", line.data.bytes,
                    ADR_PAGE);
  }
  int status = adr_comm_dup(job->world, &own);
  if (status < 0) { return status; }
  status = make_on(own, line, mover, result);
  if (status < 0) { adr_comm_close(own); }
  return status;
}

int adr_shmem_close(adr_shmem *shmem) {
  if (shmem == NULL) { return 0; }
  const uint32_t owner = adr_shmem_rank_of(shmem, ROOT);
  if (shmem->rank == ROOT || !adr_rank_table_is_present(&shmem->job->ranks, owner)) {
    shmem->comm->slot.kept_region = shmem->region + 1;
    shmem->comm->slot.kept_region_of = owner;
  }
  const int status = adr_comm_close(shmem->comm);
  discard(shmem);
  return status;
}

int adr_shmem_pe(const adr_shmem *shmem) { return (int)shmem->rank; }

int adr_shmem_pes(const adr_shmem *shmem) { return (int)shmem->pes; }

void *adr_shmem_base(const adr_shmem *shmem) { return shmem->memory; }

int64_t adr_shmem_stride(const adr_shmem *shmem) { return (int64_t)shmem->stride; }

int64_t adr_shmem_heap_bytes(const adr_shmem *shmem) { return (int64_t)shmem->heap.bytes; }

int64_t adr_shmem_data_start(const adr_shmem *shmem) { return (int64_t)shmem->data_start; }

static bool has_pe(const struct adr_shmem *shmem, int pe) { return pe >= 0 && (uint32_t)pe < shmem->pes; }

int64_t adr_shmem_data_bytes(const adr_shmem *shmem, int pe) {
  return has_pe(shmem, pe) ? shmem->data[pe].bytes : -EINVAL;
}

int adr_shmem_same_program(const adr_shmem *shmem, int pe) {
  return has_pe(shmem, pe) && adr_shmem_shares_program(shmem, (uint32_t)pe);
}

int adr_shmem_file(const adr_shmem *shmem, int *descriptor, int64_t *offset) {
  *descriptor = shmem->job->segment.fd;
  *offset = (int64_t)shmem->offset;
  return 0;
}

adr_comm *adr_shmem_comm(const adr_shmem *shmem) { return shmem->comm; }

adr_job *adr_shmem_job(const adr_shmem *shmem) { return shmem->job; }

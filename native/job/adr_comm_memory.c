#include "job/adr_comm_memory.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adrastea/copy.h"
#include "adrastea/space.h"
#include "coll/adr_coll_choice.h"
#include "job/adr_job_liveness.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_process.h"
#include "space/adr_cma_cost.h"

enum {
  NOWHERE = 1, /* no process has memory at that address */
  TRIALS = 8,  /* of each copy, of which the shortest counts: this thread may lose its CPU */
};

static int32_t pid_of(const struct adr_comm *comm, uint32_t member) {
  return (int32_t)adr_rank_table_pid(adr_rank_table_entry(comm->job->segment.base, comm->ranks[member]));
}

static bool is_allowed(int64_t status) { return status != -EPERM && status != -ENOSYS; }

/* Whether the system lets this process read and write the memory of another rank: at an address where nobody has memory
 * it tells too. */
static bool is_in_reach(const struct adr_comm *comm, uint32_t member) {
  const struct adr_rank_entry *entry = adr_rank_table_entry(comm->job->segment.base, comm->ranks[member]);
  const uint64_t namespace = adr_process_pid_namespace();
  uint8_t byte = 0;
  if (namespace == 0 || adr_load_once_u64(&entry->pid_namespace) != namespace) { return false; }
  return is_allowed(adr_cma_read(pid_of(comm, member), NOWHERE, &byte, 0, sizeof byte))
         && is_allowed(adr_cma_write(pid_of(comm, member), NOWHERE, &byte, 0, sizeof byte));
}

/* Found out once: the members do not change. */
static int32_t spaces_of(struct adr_comm *comm) {
  if (comm->spaces == 0) {
    comm->spaces = ADR_COLL_SHARED | ADR_COLL_CMA;
    for (uint32_t member = 0; member < comm->size; member++) {
      if (member != comm->rank && !is_in_reach(comm, member)) { comm->spaces = ADR_COLL_SHARED; }
    }
  }
  return comm->spaces;
}

/* Copies bytes within this process; a negative value: the system refuses that. */
static int64_t shortest(uint8_t *memory, int64_t bytes, bool by_cma) {
  int64_t least = INT64_MAX;
  for (int trial = 0; trial < TRIALS; trial++) {
    const int64_t begin = adr_clock_now();
    if (by_cma) {
      const int64_t status =
          adr_cma_read((int32_t)getpid(), (int64_t)(intptr_t)memory, memory, ADR_CMA_COST_LONG, bytes);
      if (status < 0) { return status; }
    } else {
      adr_copy(memory, 0, memory, ADR_CMA_COST_LONG, bytes);
    }
    const int64_t nanos = adr_clock_now() - begin;
    least = nanos < least ? nanos : least;
  }
  return least;
}

static int64_t measure_least_by_cma(void) {
  uint8_t *memory = malloc(2 * (size_t)ADR_CMA_COST_LONG);
  if (memory == NULL) { return 0; }
  memset(memory, 1, 2 * (size_t)ADR_CMA_COST_LONG);
  const struct adr_cma_cost cost = {.short_by_cma = shortest(memory, ADR_CMA_COST_SHORT, true),
                                    .long_by_cma = shortest(memory, ADR_CMA_COST_LONG, true),
                                    .short_here = shortest(memory, ADR_CMA_COST_SHORT, false),
                                    .long_here = shortest(memory, ADR_CMA_COST_LONG, false)};
  free(memory);
  return cost.long_by_cma < 0 ? 0 : adr_cma_cost_least_bytes(&cost);
}

/* Returns the size from which on the system copies faster in this process. It is measured once, in a fraction of a
 * millisecond, where large data first asks for it. */
static int64_t least_of_process(void) {
  static adr_atomic_u64 found = UINT64_MAX;
  /* Relaxed, here and there: the number is all that is told, and threads that measure at once may each have theirs. */
  uint64_t least = adr_load_relaxed_u64(&found);
  if (ADR_UNLIKELY(least == UINT64_MAX)) {
    least = (uint64_t)measure_least_by_cma();
    adr_store_relaxed_u64(&found, least);
  }
  return (int64_t)least;
}

/* Returns that size as the lowest member has measured it, so that all go one way where what they measure lies on both
 * sides of a size: in a mixture each side waits for the slower one. Until that member has told it, the size is that of
 * this process. */
static int64_t least_by_system(const struct adr_comm *comm) {
  adr_atomic_u32 *told = &comm->slot.memory->least_by_system;
  /* SYNC slot-least: relaxed; the number is all that is told. A member that has read it finds it in all later calls. */
  const uint32_t known = adr_load_relaxed_u32(told);
  if (ADR_LIKELY(known != 0)) { return known - 1; }
  const int64_t least = least_of_process();
  /* SYNC slot-least: relaxed; a member that sees it late decides by its own number before. */
  if (comm->rank == 0) { adr_store_relaxed_u32(told, (uint32_t)least + 1); }
  return least;
}

/* Bytes of a block from which on one copy by the system takes less than two through stages: of fewer the system has to
 * be asked, and looks at each page. Where it copies slowly a bcast, of which both of two members copy a half, gains by
 * it sooner than the rest. */
static int64_t least_of(const struct adr_comm *comm, int32_t kind) {
  const bool halves = kind == ADR_COLL_BCAST || kind == ADR_COLL_EXSCAN;
  const int64_t least = least_by_system(comm);
  return halves && least > ADR_CMA_COST_MOST_OF_HALVES ? ADR_CMA_COST_MOST_OF_HALVES : least;
}

/* Whether two copies through stages take less than one by the system. Where ranks outnumber CPUs, those of one CPU find
 * in its cache what one has put into its stage for all. What it gives each alone they find there no sooner. */
static bool prefers_stages(const struct adr_comm *comm) {
  const struct adr_comm_call *call = &comm->call;
  if ((adr_load_once_u32(&comm->slot.memory->choices) & ADR_SLOT_DIRECT_EARLY) != 0) { return false; }
  const bool exchanges = adr_coll_is_exchange(call->kind);
  const bool has_parts = exchanges && (call->op & ADR_COLL_BY_PARTS) != 0;
  const int64_t block = has_parts && adr_coll_has_several_blocks(call->kind) ? call->bytes / comm->size : call->bytes;
  return (comm->size > 2 && comm->job->wait.waiter.oversubscribed && !exchanges) || block < least_of(comm, call->kind);
}

int adr_comm_expose(struct adr_comm *comm) {
  const struct adr_comm_call *call = &comm->call;
  const bool by_stages = prefers_stages(comm);
  /* In an exchange members tell of spaces for all that come: there each tells of its memory alone that it has none. */
  const bool hides = by_stages && adr_coll_is_exchange(call->kind);
  const int32_t in_by = call->in == NULL || hides ? 0 : ADR_COLL_BY_ADDRESS;
  const int32_t out_by = call->out == NULL || hides ? 0 : ADR_COLL_BY_ADDRESS;
  const int32_t spaces = by_stages && !hides ? spaces_of(comm) & ~ADR_COLL_CMA : spaces_of(comm);
  return adr_coll_expose(comm->coll, comm->which, in_by, (int64_t)(intptr_t)call->in, out_by,
                         (int64_t)(intptr_t)call->out, spaces, 0);
}

int adr_comm_reach(struct adr_comm *comm) {
  const int64_t *words = adr_coll_words(comm->coll, comm->which);
  const int64_t offset = words[ADR_COLL_SOURCE];
  const int64_t bytes = words[ADR_COLL_BYTES];
  void *memory;
  const int status = adr_shared_reach(comm->job->shared, (int32_t)comm->ranks[adr_coll_other(comm->coll, comm->which)],
                                      (uint64_t)offset, (uint64_t)bytes, &memory);
  if (status < 0) { return status == -EINVAL ? ADR_CORRUPT : status; }
  return adr_coll_reach(comm->coll, comm->which, offset, memory, bytes);
}

/* Where the core wants the bytes. */
static uint8_t *target_of(const struct adr_comm *comm, const int64_t *words) {
  return words[ADR_COLL_PLACE] == ADR_COLL_IN_OUTPUT ? (uint8_t *)comm->call.out + words[ADR_COLL_POSITION]
                                                     : comm->stages + words[ADR_COLL_TARGET];
}

/* Where its bytes come from. */
static const uint8_t *source_of(const struct adr_comm *comm, const int64_t *words) {
  return (const uint8_t *)(words[ADR_COLL_PLACE] == ADR_COLL_IN_OUTPUT ? comm->call.out : comm->call.in)
         + words[ADR_COLL_POSITION];
}

int adr_comm_read(struct adr_comm *comm) {
  const int64_t *words = adr_coll_words(comm->coll, comm->which);
  if (words[ADR_COLL_BY] == ADR_COLL_BY_STAGES) {
    memcpy(target_of(comm, words), comm->stages + words[ADR_COLL_SOURCE], (size_t)words[ADR_COLL_BYTES]);
    return 0;
  }
  const uint32_t member = (uint32_t)adr_coll_other(comm->coll, comm->which);
  if ((words[ADR_COLL_BY] & ADR_COLL_BY_ADDRESS) == 0) { return ADR_CORRUPT; } /* shared memory the core reads itself */
  /* A process may have the number of one that is gone. */
  if (adr_job_missing(comm->job, (int)comm->ranks[member]) != ADR_NOBODY) { return -ESRCH; }
  const int64_t status =
      adr_cma_read(pid_of(comm, member), words[ADR_COLL_SOURCE], target_of(comm, words), 0, words[ADR_COLL_BYTES]);
  return status < 0 ? (int)status : 0;
}

int adr_comm_write(struct adr_comm *comm) {
  const int64_t *words = adr_coll_words(comm->coll, comm->which);
  if (words[ADR_COLL_BY] == ADR_COLL_BY_STAGES) {
    memcpy(comm->stages + words[ADR_COLL_TARGET], source_of(comm, words), (size_t)words[ADR_COLL_BYTES]);
    return 0;
  }
  const uint32_t member = (uint32_t)adr_coll_other(comm->coll, comm->which);
  if ((words[ADR_COLL_BY] & ADR_COLL_BY_ADDRESS) == 0) {
    return ADR_CORRUPT;
  } /* shared memory the core writes itself */
  if (adr_job_missing(comm->job, (int)comm->ranks[member]) != ADR_NOBODY) { return -ESRCH; }
  const int began = adr_coll_begin_write(comm->coll, comm->which);
  if (began < 0) { return began; }
  const int64_t status =
      adr_cma_write(pid_of(comm, member), words[ADR_COLL_TARGET], source_of(comm, words), 0, words[ADR_COLL_BYTES]);
  adr_coll_end_write(comm->coll);
  return status < 0 ? (int)status : 0;
}

void adr_comm_await_writers(struct adr_comm *comm) {
  for (uint32_t member = 0; member < comm->size; member++) {
    while (adr_coll_is_written_by(comm->coll, (int32_t)member) == 1
           && adr_job_missing(comm->job, (int)comm->ranks[member]) == ADR_NOBODY) {
      sched_yield();
    }
  }
}

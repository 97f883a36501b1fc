/* Objects of symmetric memory, see adrastea/shmem.h: what all PEs allocate and free together. Twin of
 * io.adrastea.engine.symmetric.SymmetricState.
 *
 * Each PE reserves the pages of its own part, and tells the others in the line of an allgather what it calls and
 * whether it can. So either all have the object, and no store ever meets a page that is not there, or all are refused
 * alike, and nothing is kept. The allgather is the barrier, too: behind it all have their part of a new object, and
 * before it all are done with one that is freed. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bootstrap/adr_job_error.h"
#include "job/adr_shmem_refuse.h"
#include "segment/adr_region.h"

enum { LINE_WORDS = 100 };

/* One call of all PEs, as this one makes it. */
struct request {
  const char *name;
  int64_t call;
  int64_t bytes;
  int64_t argument;
  int64_t offset; /* what is taken back where it cannot be done at all PEs; below zero: nothing, and why */
  int failure;    /* why it cannot be done here; 0: it can */
};

static int fail_disagreement(const struct adr_shmem *shmem, const char *name) {
  return adr_fail(&shmem->job->error, ADR_ERROR_COLLECTIVE,
                  "%s in symmetric memory of %" PRIu32
                  " PEs: %s; all PEs are to make the same calls in the same order, and these can allocate nothing "
                  "more there",
                  name, shmem->pes, shmem->broken);
}

static int check_usable(const struct adr_shmem *shmem, const char *name) {
  return shmem->broken[0] == '\0' ? 0 : fail_disagreement(shmem, name);
}

static int check_bytes(const struct adr_shmem *shmem, const char *name, int64_t bytes) {
  if (bytes >= 1) { return 0; }
  return adr_shmem_refuse(shmem, "%s of an object of %" PRId64 " bytes; at least 1 is allowed", name, bytes);
}

/* Why an object has no place. */
static int fail_full(const struct adr_shmem *shmem, const char *name, int64_t bytes, int status) {
  const struct adr_symmetric_heap *heap = &shmem->heap;
  if (status != ADR_SYMMETRIC_NO_ROOM) {
    return adr_fail(&shmem->job->error, -ENOMEM, "%s: no memory for the record of the symmetric heap", name);
  }
  return adr_fail(&shmem->job->error, -ENOSPC,
                  "the symmetric heap has no place for %" PRId64 " bytes: %" PRIu64 " of %" PRIu64
                  " bytes are allocated, and the largest free place has %" PRIu64
                  "; free objects, or make a larger heap",
                  bytes, heap->allocated, heap->bytes, adr_block_tree_largest(&heap->tree));
}

static uint64_t place_of(const struct adr_shmem *shmem, uint64_t offset) {
  return shmem->stride * shmem->rank + offset;
}

/* Gives pages of this PE's part to the system. */
static void give_back(struct adr_shmem *shmem, uint64_t start, uint64_t end) {
  if (start >= end) { return; }
  adr_region_release(&shmem->job->segment, shmem->region, place_of(shmem, start), end - start);
}

static uint64_t end_of(struct adr_symmetric_pages pages) { return pages.offset + pages.bytes; }

/* The spare pages are no more where some of them are used, or given back. */
static void spend(struct adr_shmem *shmem, struct adr_symmetric_pages pages) {
  const struct adr_symmetric_pages spare = shmem->spare;
  if (end_of(pages) <= spare.offset || end_of(spare) <= pages.offset) { return; }
  shmem->spare = (struct adr_symmetric_pages){0};
  give_back(shmem, spare.offset, pages.offset);
  give_back(shmem, end_of(pages), end_of(spare));
}

/* Reserves pages of this PE's part, unless they are spare. Returns 0, or why it could not. */
static int reserve(struct adr_shmem *shmem, const char *name) {
  const struct adr_symmetric_pages came = shmem->heap.came;
  if (came.bytes == 0) { return 0; }
  const bool is_spare = shmem->spare.offset <= came.offset && end_of(came) <= end_of(shmem->spare);
  spend(shmem, came);
  if (is_spare) { return 0; }
  const int status = adr_region_reserve(&shmem->job->segment, shmem->region, place_of(shmem, came.offset), came.bytes);
  if (status == 0) { return 0; }
  return adr_fail(&shmem->job->error, status,
                  "%s: %" PRIu64 " bytes of pages for PE %" PRIu32 "'s part of symmetric memory cannot be had: %s",
                  name, came.bytes, shmem->rank, adr_strerror(status));
}

/* Gives the pages of this PE's part back on which no object is any more since the last call of the heap; they may not
 * all be there. */
static void release(struct adr_shmem *shmem) {
  const struct adr_symmetric_pages went = shmem->heap.went;
  if (went.bytes == 0) { return; }
  spend(shmem, went);
  give_back(shmem, went.offset, end_of(went));
}

/* Keeps those pages for the next object, in place of the former ones, if they are few: a program that allocates and
 * frees small objects has calls of the system for none. */
static void spare(struct adr_shmem *shmem) {
  const struct adr_symmetric_pages went = shmem->heap.went, former = shmem->spare;
  if (went.bytes > ADR_SYMMETRIC_STATE_MOST_SPARE) {
    release(shmem);
  } else if (went.bytes > 0) {
    shmem->spare = went;
    give_back(shmem, former.offset, end_of(former));
  }
}

/* Whether all PEs make the same call. */
static int check_alike(struct adr_shmem *shmem, const char *name) {
  const struct adr_symmetric_line *first = &shmem->lines[0];
  for (uint32_t pe = 1; pe < shmem->pes; pe++) {
    if (adr_symmetric_line_is_like(&shmem->lines[pe], first)) { continue; }
    char of_first[LINE_WORDS], other[LINE_WORDS];
    adr_symmetric_line_say(first, of_first, sizeof of_first);
    adr_symmetric_line_say(&shmem->lines[pe], other, sizeof other);
    snprintf(shmem->broken, sizeof shmem->broken, "PE 0 %s, and PE %" PRIu32 " %s%s", of_first, pe, other,
             strcmp(of_first, other) == 0 ? " after other calls" : "");
    return fail_disagreement(shmem, name);
  }
  return 0;
}

/* Whether all other PEs can. */
static int check_able(const struct adr_shmem *shmem, const char *name) {
  for (uint32_t pe = 0; pe < shmem->pes; pe++) {
    if (shmem->lines[pe].status == ADR_SYMMETRIC_ABLE) { continue; }
    return adr_fail(&shmem->job->error, -ENOSPC,
                    "%s in symmetric memory of %" PRIu32 " PEs: PE %" PRIu32
                    " has no room for the pages of its part, and was told why; no PE has got "
                    "anything",
                    name, shmem->pes, pe);
  }
  return 0;
}

/* Tells all PEs what this one calls, and hears what they do. */
static int tell(struct adr_shmem *shmem, uint64_t hash, const struct request *request) {
  struct adr_error *error = &shmem->job->error;
  const adr_error own = *error;
  const struct adr_symmetric_line line = {.hash = hash,
                                          .call = request->call,
                                          .bytes = request->bytes,
                                          .argument = request->argument,
                                          .status = request->failure == 0 ? ADR_SYMMETRIC_ABLE
                                                    : request->offset == ADR_SYMMETRIC_NO_ROOM
                                                        ? ADR_SYMMETRIC_NO_PLACE
                                                        : ADR_SYMMETRIC_NO_PAGES};
  int status = adr_comm_allgather(shmem->comm, &line, shmem->lines, sizeof line);
  if (status == 0) { status = check_alike(shmem, request->name); }
  if (status == 0 && request->failure < 0) {
    *error = own;
    return request->failure;
  }
  return status == 0 ? check_able(shmem, request->name) : status;
}

/* Tells and hears, and takes back what was done here where it cannot be done at all PEs. */
static int agree(struct adr_shmem *shmem, uint64_t hash, const struct request *request) {
  const int status = tell(shmem, hash, request);
  if (status < 0 && request->offset >= 0) {
    adr_symmetric_heap_undo(&shmem->heap);
    release(shmem);
  }
  return status;
}

int adr_shmem_allocate(adr_shmem *shmem, int64_t alignment, int64_t bytes, int64_t *offset) {
  struct request request = {.name = "allocate", .call = ADR_SYMMETRIC_ALLOCATE, .bytes = bytes, .argument = alignment};
  *offset = ADR_SYMMETRIC_NONE;
  int status = check_bytes(shmem, request.name, bytes);
  if (status == 0 && (alignment < 1 || (alignment & (alignment - 1)) != 0)) {
    status = adr_shmem_refuse(shmem, "%s at an alignment of %" PRId64 "; allowed is a power of two", request.name,
                              alignment);
  }
  if (status == 0) { status = check_usable(shmem, request.name); }
  if (status < 0) { return status; }
  const uint64_t hash = shmem->heap.hash;
  request.offset = adr_symmetric_heap_align(&shmem->heap, (uint64_t)alignment, (uint64_t)bytes);
  request.failure =
      request.offset < 0 ? fail_full(shmem, request.name, bytes, (int)request.offset) : reserve(shmem, request.name);
  if (request.failure == 0) { memset(adr_shmem_part(shmem, shmem->rank) + request.offset, 0, (size_t)bytes); }
  status = agree(shmem, hash, &request);
  if (status == 0) { *offset = request.offset; }
  return status;
}

/* Brings what was in an object to where it is now, and fills what comes new. */
static void move(const struct adr_shmem *shmem, int64_t from, int64_t before, int64_t to, int64_t bytes) {
  uint8_t *part = adr_shmem_part(shmem, shmem->rank);
  if (to != from) { memcpy(part + to, part + from, (size_t)(before < bytes ? before : bytes)); }
  if (bytes > before) { memset(part + to + before, 0, (size_t)(bytes - before)); }
}

static int check_object(const struct adr_shmem *shmem, const char *name, int64_t offset) {
  if (adr_symmetric_heap_bytes_of(&shmem->heap, offset) > 0) { return 0; }
  return adr_shmem_refuse(shmem, "%s at offset %" PRId64 ", where no object begins", name, offset);
}

int adr_shmem_reallocate(adr_shmem *shmem, int64_t offset, int64_t bytes, int64_t *moved) {
  struct request request = {.name = "reallocate", .call = ADR_SYMMETRIC_REALLOCATE, .bytes = bytes, .argument = offset};
  *moved = offset;
  int status = check_bytes(shmem, request.name, bytes);
  if (status == 0) { status = check_usable(shmem, request.name); }
  if (status == 0) { status = check_object(shmem, request.name, offset); }
  if (status < 0) { return status; }
  const uint64_t hash = shmem->heap.hash;
  const int64_t before = (int64_t)adr_symmetric_heap_bytes_of(&shmem->heap, offset);
  request.offset = adr_symmetric_heap_realloc(&shmem->heap, offset, (uint64_t)bytes);
  request.failure =
      request.offset < 0 ? fail_full(shmem, request.name, bytes, (int)request.offset) : reserve(shmem, request.name);
  if (request.failure == 0) { move(shmem, offset, before, request.offset, bytes); }
  status = agree(shmem, hash, &request);
  if (status < 0) { return status; }
  spare(shmem);
  if (request.offset != offset) {
    adr_symmetric_heap_free(&shmem->heap, offset);
    spare(shmem);
  }
  *moved = request.offset;
  return 0;
}

int adr_shmem_free(adr_shmem *shmem, int64_t offset) {
  const struct request request = {
      .name = "free", .call = ADR_SYMMETRIC_FREE, .argument = offset, .offset = ADR_SYMMETRIC_NONE};
  int status = check_usable(shmem, request.name);
  if (status == 0) { status = check_object(shmem, request.name, offset); }
  if (status == 0) { status = agree(shmem, shmem->heap.hash, &request); }
  if (status < 0) { return status; }
  adr_symmetric_heap_free(&shmem->heap, offset);
  spare(shmem);
  return 0;
}

int64_t adr_shmem_allocated(const adr_shmem *shmem) { return (int64_t)shmem->heap.allocated; }

int64_t adr_shmem_bytes_of(const adr_shmem *shmem, int64_t offset) {
  return (int64_t)adr_symmetric_heap_bytes_of(&shmem->heap, offset);
}

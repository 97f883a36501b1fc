/* Windows, see adrastea/window.h: how they are made and freed. */
#include "adrastea/window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bootstrap/adr_job_error.h"
#include "job/adr_window_refuse.h"

enum { VERSION = 1, NO_FAILURE = 0, NO_ROOM = 1, OTHER_FAILURE = 3, SHARED_ALLOCATION = 0, DYNAMIC = 2 };

#define MOST_BYTES (INT64_C(1) << 56)
#define MOST_UNIT INT32_MAX

/* What each member tells all others: the same bytes as those of WindowLine in Java. */
struct line {
  uint32_t version;
  uint8_t failure;
  uint8_t kind; /* of memory; C has shared allocations alone */
  uint16_t spare;
  uint64_t unit;
  uint64_t bytes;
  uint64_t start; /* offset of the memory in the segment's file */
  uint64_t block; /* offset of the block */
  uint64_t xpmem;
};
_Static_assert(sizeof(struct line) == 48, "Java has the same bytes");

static void discard(struct adr_window *window) {
  free(window->blocks);
  free(window->attempts);
  free(window);
}

static struct adr_window *make(struct adr_comm *comm) {
  struct adr_window *window = calloc(1, sizeof *window + comm->size * sizeof *window->members);
  if (window == NULL) { return NULL; }
  window->job = comm->job;
  window->comm = comm;
  window->size = comm->size;
  window->rank = comm->rank;
  window->blocks = calloc(comm->size, sizeof *window->blocks);
  window->attempts = calloc(comm->size + 1, sizeof *window->attempts);
  if (window->blocks == NULL || window->attempts == NULL) {
    discard(window);
    return NULL;
  }
  window->lock = adr_window_lock_of(window->blocks, window->attempts, window->size, window->rank);
  window->stripes =
      (struct adr_window_stripes){.blocks = window->blocks, .members = window->size, .self = window->rank};
  window->sync = (struct adr_window_sync){.blocks = window->blocks, .members = window->size, .self = window->rank};
  return window;
}

static void free_memory(struct adr_window *window) {
  struct adr_window_member *own = &window->members[window->rank];
  if (own->memory != NULL) { adr_shared_free(window->job->shared, own->memory); }
  if (window->blocks[window->rank] != NULL) { adr_shared_free(window->job->shared, window->blocks[window->rank]); }
}

/* Takes block and memory of this rank, and fills the line that tells of them. */
static int take(struct adr_window *window, uint64_t bytes, uint64_t unit, struct line *line) {
  struct adr_job *job = window->job;
  struct adr_window_member *own = &window->members[window->rank];
  void *memory = NULL;
  uint64_t block, start = 0;
  const uint64_t block_bytes = adr_window_block_bytes(window->size);
  int status =
      adr_shared_allocate(job->shared, block_bytes, ADR_WINDOW_ALIGNMENT, &window->blocks[window->rank], &block);
  if (status < 0) {
    window->blocks[window->rank] = NULL;
    return status;
  }
  if (bytes > 0) {
    status = adr_shared_allocate(job->shared, adr_align_up(bytes, 8), ADR_WINDOW_ALIGNMENT, &memory, &start);
    if (status < 0) { return status; }
  }
  own->memory = memory;
  *line = (struct line){
      .version = VERSION, .kind = SHARED_ALLOCATION, .unit = unit, .bytes = bytes, .start = start, .block = block};
  return 0;
}

/* Whether all members have what they need; else all say the same. */
static int check_lines(const struct adr_window *window, const struct line *lines) {
  struct adr_error *error = &window->job->error;
  for (uint32_t member = 0; member < window->size; member++) {
    const struct line *line = &lines[member];
    if (line->failure == NO_ROOM) {
      return adr_fail(error, -ENOSPC,
                      "rank %" PRIu32 " has no room in shared memory for its part of a window; no rank has made any: "
                      "free memory, or ask for less of it",
                      member);
    }
    if (line->failure != NO_FAILURE) {
      return adr_fail(error, ADR_ERROR_COLLECTIVE,
                      "rank %" PRIu32 " could not take part in a window, and was told why; no rank has made any",
                      member);
    }
    if (line->version != VERSION || line->unit == 0 || line->unit > MOST_UNIT || line->bytes > MOST_BYTES) {
      return adr_fail(error, ADR_ERROR_COLLECTIVE,
                      "rank %" PRIu32 " tells of a part of a window that this version does not know; run the same "
                      "version in all ranks",
                      member);
    }
  }
  return 0;
}

static int reach(struct adr_window *window, uint32_t member, const struct line *line) {
  struct adr_window_member *each = &window->members[member];
  struct adr_shared *shared = window->job->shared;
  const int32_t rank = (int32_t)window->comm->ranks[member];
  void *memory = NULL;
  each->bytes = line->bytes;
  each->unit = line->unit;
  if (line->kind == DYNAMIC) {
    return adr_fail(&window->job->error, -EINVAL,
                    "rank %" PRIu32 " makes a dynamic window, in which C ranks take no part; its communicator is to "
                    "have Java ranks alone",
                    member);
  }
  if (line->kind != SHARED_ALLOCATION) {
    return adr_fail(&window->job->error, -EINVAL,
                    "rank %" PRIu32 " opens memory of its own in a window, which a C rank does not reach; C ranks take "
                    "part in windows over shared allocations alone",
                    member);
  }
  if (member == window->rank) { return 0; }
  int status =
      adr_shared_reach(shared, rank, line->block, adr_window_block_bytes(window->size), &window->blocks[member]);
  if (status == 0 && line->bytes > 0) { status = adr_shared_reach(shared, rank, line->start, line->bytes, &memory); }
  each->memory = memory;
  if (status == 0) { return 0; }
  return adr_fail(&window->job->error, status == -EINVAL ? ADR_CORRUPT : status,
                  "the part of rank %" PRIu32 " in a window, %" PRIu64 " bytes, cannot be reached: %s", member,
                  line->bytes, adr_strerror(status));
}

static int reach_all(struct adr_window *window, const struct line *lines) {
  for (uint32_t member = 0; member < window->size; member++) {
    const int status = reach(window, member, &lines[member]);
    if (status < 0) { return status; }
  }
  return 0;
}

/* All members learn whether all have reached all. `status`: of this one, whose error stays. */
static int confirm(struct adr_window *window, int status) {
  struct adr_error *error = &window->job->error;
  const adr_error own = *error;
  uint32_t agreed = 0;
  const int confirmed = adr_comm_agree(window->comm, status == 0 ? 1 : 0, &agreed);
  if (status < 0) {
    *error = own;
    return status;
  }
  if (confirmed < 0 || agreed != 0) { return confirmed; }
  return adr_fail(
      error, ADR_ERROR_COLLECTIVE,
      "a rank could not reach the memory of all others for a window, and was told why; no rank has made any");
}

/* Tells the others where the memory lies, or what has failed, and learns the same of them. */
static int exchange(struct adr_window *window, int taken, struct line line, struct line *lines) {
  if (taken < 0) {
    const bool no_room = taken == -ENOSPC || taken == ADR_SEGMENT_REGIONS;
    line = (struct line){.version = VERSION, .failure = no_room ? NO_ROOM : OTHER_FAILURE, .unit = line.unit};
  }
  int status = adr_comm_allgather(window->comm, &line, lines, sizeof line);
  if (status < 0) { return status; }
  if (taken < 0) {
    return adr_fail(&window->job->error, taken, "a window cannot be made: %s; no rank has made any",
                    adr_strerror(taken));
  }
  status = check_lines(window, lines);
  if (status < 0) { return status; }
  return confirm(window, reach_all(window, lines));
}

/* Makes a window on a communicator of its own. */
static int make_on(struct adr_comm *comm, uint64_t bytes, uint64_t unit, struct adr_window **result) {
  struct line line = {.unit = unit};
  struct line *lines = calloc(comm->size, sizeof *lines);
  struct adr_window *window = lines == NULL ? NULL : make(comm);
  if (window == NULL) { /* the others find this rank's part of the communicator closed */
    free(lines);
    return adr_fail(&comm->job->error, -ENOMEM, "no memory for a window");
  }
  const int taken = take(window, bytes, unit, &line);
  const int status = exchange(window, taken, line, lines);
  free(lines);
  if (status < 0) {
    free_memory(window);
    discard(window);
    return status;
  }
  *result = window;
  return 0;
}

int adr_window_allocate(adr_comm *comm, int64_t bytes, int64_t unit, adr_window **result) {
  *result = NULL;
  if (bytes < 0 || bytes > MOST_BYTES || unit < 1 || unit > MOST_UNIT) {
    return adr_fail(&comm->job->error, -EINVAL,
                    "a window of %" PRId64 " bytes in units of %" PRId64 "; allowed are 0 to %" PRId64
                    " bytes, and units of 1 to %" PRId32,
                    bytes, unit, MOST_BYTES, MOST_UNIT);
  }
  adr_comm *own;
  int status = adr_comm_dup(comm, &own);
  if (status < 0) { return status; }
  status = make_on(own, (uint64_t)bytes, (uint64_t)unit, result);
  if (status < 0) { adr_comm_close(own); }
  return status;
}

int adr_window_free(adr_window *window) {
  if (window == NULL) { return 0; }
  if (window->held > 0 || window->all || window->started || window->exposed) {
    return adr_window_refuse(window, "it is freed while this rank has %s; end that before",
                             window->held > 0 || window->all ? "a lock"
                             : window->started               ? "started and not completed"
                                                             : "posted and not waited");
  }
  struct adr_communicator_slot *slot = &window->comm->slot;
  slot->kept[0] = window->members[window->rank].memory;
  slot->kept[1] = window->blocks[window->rank];
  const int status = adr_comm_close(window->comm);
  discard(window);
  return status;
}

static const struct adr_window_member *member_of(const adr_window *window, int rank) {
  return rank >= 0 && (uint32_t)rank < window->size ? &window->members[rank] : NULL;
}

void *adr_window_memory(const adr_window *window, int rank) {
  const struct adr_window_member *member = member_of(window, rank);
  return member == NULL ? NULL : member->memory;
}

int64_t adr_window_bytes(const adr_window *window, int rank) {
  const struct adr_window_member *member = member_of(window, rank);
  return member == NULL ? -EINVAL : (int64_t)member->bytes;
}

int64_t adr_window_unit(const adr_window *window, int rank) {
  const struct adr_window_member *member = member_of(window, rank);
  return member == NULL ? -EINVAL : (int64_t)member->unit;
}

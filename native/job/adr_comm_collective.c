/* The collectives of a communicator, see adrastea/comm.h: each is one call into the core (adrastea/coll.h), and where
 * it does not end there a wait like any other. Twin of io.adrastea.engine.collective.Collectives. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "job/adr_comm_memory.h"
#include "job/adr_comm_state.h"
#include "bootstrap/adr_job_error.h"
#include "job/adr_job_liveness.h"
#include "ranktable/adr_rank_table.h"

enum {
  MOST_STEPS = 16,   /* at a stretch: messages are not to wait for long */
  NUMBER_SHIFT = 14, /* of the communicator in the slot's word `context` */
  WORDS = 160,
  ROOT_WORDS = 24,
};

#define MOST_UNREAD INT64_C(2000000000)  /* nanoseconds: a rank that gave memory back has broken off by then */
#define MOST_ENDING INT64_C(60000000000) /* nanoseconds: a process gives back all of its memory before it is gone */

static const char *const names[] = {
    [ADR_COLL_BARRIER] = "barrier",     [ADR_COLL_BCAST] = "bcast",
    [ADR_COLL_ALLREDUCE] = "allreduce", [ADR_COLL_ALLGATHER] = "allgather",
    [ADR_COLL_REDUCE] = "reduce",       [ADR_COLL_SCAN] = "scan",
    [ADR_COLL_EXSCAN] = "exscan",       [ADR_COLL_REDUCE_SCATTER] = "reduce_scatter",
    [ADR_COLL_GATHER] = "gather",       [ADR_COLL_SCATTER] = "scatter",
    [ADR_COLL_ALLTOALL] = "alltoall",   [ADR_COLL_ALLGATHERV] = "allgather by parts",
};

/* Whether the collective is a part of a call that makes a communicator. */
static bool is_part(int32_t kind, int32_t element) {
  return (kind == ADR_COLL_BCAST && (element == ADR_COLL_FOR_DUP || element == ADR_COLL_FOR_INTERCOMMUNICATOR))
         || (kind == ADR_COLL_ALLGATHER
             && (element == ADR_COLL_FOR_SPLIT || element == ADR_COLL_FOR_INTERCOMMUNICATOR));
}

static bool combines(int32_t kind) {
  return kind == ADR_COLL_ALLREDUCE || (kind >= ADR_COLL_REDUCE && kind <= ADR_COLL_REDUCE_SCATTER);
}

static const char *name_of(int32_t kind, int32_t element) {
  if (is_part(kind, element)) {
    return element == ADR_COLL_FOR_DUP ? "dup" : element == ADR_COLL_FOR_SPLIT ? "split" : "Intercommunicator.create";
  }
  const bool known = kind >= ADR_COLL_BARRIER && kind < (int32_t)(sizeof names / sizeof *names) && names[kind] != NULL;
  return known ? names[kind] : "collective that is unknown here";
}

/* "an allreduce of 8 bytes, SUM of double" */
static void describe(char words[WORDS], const struct adr_comm_call *call) {
  const char *name = name_of(call->kind, call->element);
  const char *article = *name == 'a' || *name == 'e' || *name == 'I' ? "an" : "a";
  const char *op = adr_operator_name(call->op);
  const char *element = adr_element_name(call->element);
  if (is_part(call->kind, call->element)) {
    snprintf(words, WORDS, "%s %s", article, name);
  } else if (call->kind == ADR_COLL_BCAST) {
    snprintf(words, WORDS, "%s %s of %" PRId64 " bytes from root %" PRId32, article, name, call->bytes, call->root);
  } else if (combines(call->kind)) {
    char root[ROOT_WORDS] = "";
    if (call->kind == ADR_COLL_REDUCE) { snprintf(root, sizeof root, " to root %" PRId32, call->root); }
    if (op == NULL) {
      snprintf(words, WORDS, "%s %s of %" PRId64 " bytes%s by a Java program's own operator, which no C rank can run",
               article, name, call->bytes, root);
    } else {
      snprintf(words, WORDS, "%s %s of %" PRId64 " bytes%s, %s of %s", article, name, call->bytes, root, op,
               element == NULL ? "an unknown type" : element);
    }
  } else if (call->kind == ADR_COLL_GATHER) {
    snprintf(words, WORDS, "a gather of %" PRId64 " bytes of this rank at root %" PRId32, call->bytes, call->root);
  } else if (call->kind == ADR_COLL_SCATTER) {
    snprintf(words, WORDS, "a scatter from root %" PRId32, call->root);
  } else if (call->kind == ADR_COLL_ALLGATHER) {
    snprintf(words, WORDS, "%s %s of %" PRId64 " bytes of each rank", article, name, call->bytes);
  } else {
    snprintf(words, WORDS, "%s %s", article, name);
  }
}

static struct adr_comm_call call_of_line(const int64_t *words) {
  const uint64_t head = (uint64_t)words[ADR_COLL_HEAD];
  const uint64_t what = (uint64_t)words[ADR_COLL_WHAT];
  return (struct adr_comm_call){.kind = (int32_t)(head >> 24 & 0xff),
                                .root = (int32_t)(head >> 8 & 0xffff),
                                .bytes = (int64_t)(what >> 16),
                                .element = (int32_t)(what >> 8 & 0xff),
                                .op = (int32_t)(what & 0xff)};
}

/* There are no more collectives here; the others are told that this rank cannot go on. */
static int give_up(struct adr_comm *comm, int code, int rank, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(comm->over, sizeof comm->over, format, arguments);
  va_end(arguments);
  comm->over_code = code;
  comm->over_rank = rank;
  adr_coll_break_off(comm->coll);
  adr_comm_await_writers(comm); /* the program has its buffers again */
  return code;
}

static int refuse_more(struct adr_comm *comm, const struct adr_comm_call *call) {
  char what[WORDS];
  describe(what, call);
  if (comm->over_code == ADR_ERROR_RANK_FAILED) { return adr_job_gone(comm->job, comm->over_rank, what); }
  return adr_fail(&comm->job->error, comm->over_code,
                  "%s: this communicator takes no more collectives, since %s; make another one of its ranks", what,
                  comm->over);
}

/* A member that has failed, which keeps all others from ending; ADR_NOBODY: there is none. */
static int failed(struct adr_comm *comm) {
  for (uint32_t member = 0; member < comm->size; member++) {
    const uint32_t rank = comm->ranks[member];
    if (adr_job_missing(comm->job, (int)rank) != ADR_NOBODY
        && adr_rank_table_state(adr_rank_table_entry(comm->job->segment.base, rank)) == ADR_RANK_FAILED) {
      return (int)rank;
    }
  }
  return ADR_NOBODY;
}

/* One that has left keeps only those from ending that wait for it. */
static int missing(void *subject) {
  struct adr_comm *comm = subject;
  adr_communicator_slot_settle(&comm->slot);
  const int other = adr_coll_other(comm->coll, comm->which);
  const int gone = failed(comm);
  return gone != ADR_NOBODY || other < 0 ? gone : adr_job_missing(comm->job, (int)comm->ranks[other]);
}

static int fail(void *subject, int gone) {
  struct adr_comm *comm = subject;
  char words[WORDS];
  describe(words, &comm->call);
  give_up(comm, ADR_ERROR_RANK_FAILED, gone, "%s", words);
  return adr_job_gone(comm->job, gone, words);
}

/* Why the core cannot go on. */
static int trouble(struct adr_comm *comm, int status) {
  const int other = adr_coll_other(comm->coll, comm->which);
  char own[WORDS], theirs[WORDS];
  describe(own, &comm->call);
  if (status == ADR_COLL_REVOKED) { /* by anybody */
    give_up(comm, ADR_ERROR_COLLECTIVE, -1, "the communicator was revoked");
    return adr_fail(&comm->job->error, ADR_ERROR_COLLECTIVE, "%s cannot be completed: %s", own, comm->over);
  }
  if (other < 0 || status == ADR_CORRUPT || status == ADR_INVALID || status == ADR_BUSY) {
    give_up(comm, ADR_CORRUPT, -1, "shared memory held what no correct rank writes");
    return adr_fail_broken(&comm->job->error, ADR_CORRUPT);
  }
  const int rank = (int)comm->ranks[other];
  const bool said =
      status == ADR_COLL_BROKEN || status == ADR_COLL_MISMATCH; /* by that rank, before it may have left */
  int gone = failed(comm);
  if (gone == ADR_NOBODY && !said) { gone = adr_job_missing(comm->job, rank); }
  if (gone != ADR_NOBODY) { return fail(comm, gone); } /* that is why */
  switch (status) {
  case ADR_COLL_MISMATCH: {
    const struct adr_comm_call call = call_of_line(adr_coll_words(comm->coll, comm->which));
    const int64_t given = adr_coll_words(comm->coll, comm->which)[ADR_COLL_GIVEN];
    const int64_t expected = adr_coll_words(comm->coll, comm->which)[ADR_COLL_EXPECTED];
    describe(theirs, &call);
    if (expected < 0) {
      give_up(comm, ADR_ERROR_COLLECTIVE, rank,
              "rank %" PRIu32 " gives %" PRId64 " bytes to rank %d, which expects none", comm->rank, given, other);
    } else if (given != expected) {
      give_up(comm, ADR_ERROR_COLLECTIVE, rank,
              "rank %d gives %" PRId64 " bytes to rank %" PRIu32 ", which expects %" PRId64, other, given, comm->rank,
              expected);
    } else if (strcmp(own, theirs) == 0 && call.kind == ADR_COLL_REDUCE_SCATTER) {
      give_up(comm, ADR_ERROR_COLLECTIVE, rank, "rank %d calls that too, but with parts of other lengths", other);
    } else if (strcmp(own, theirs) == 0) {
      give_up(comm, ADR_ERROR_COLLECTIVE, rank, "rank %d calls that too, but named another root before", other);
    } else {
      give_up(comm, ADR_ERROR_COLLECTIVE, rank, "rank %d calls %s", other, theirs);
    }
    break;
  }
  case ADR_COLL_CLOSED:
    give_up(comm, ADR_ERROR_COLLECTIVE, rank, "rank %d has closed the communicator, or gave up while it was made",
            other);
    break;
  default:
    give_up(comm, ADR_ERROR_COLLECTIVE, rank, "rank %d cannot go on with a collective: see what its call said", other);
    break;
  }
  return adr_fail(&comm->job->error, ADR_ERROR_COLLECTIVE,
                  "%s cannot be completed: %s; all ranks call the same collectives in the same order, with the same "
                  "root, size, type and operator",
                  own, comm->over);
}

/* Gives the memory for longer data: that of member 0, in whose slot its place is told. */
static int give_stages(struct adr_comm *comm) {
  struct adr_job *job = comm->job;
  const int64_t bytes = adr_coll_stages_bytes(comm->coll);
  uint64_t offset = (uint64_t)adr_coll_stages_offset(comm->coll);
  void *memory = comm->slot.stages;
  int status = 0;
  if (comm->rank != 0) {
    status = adr_shared_reach(job->shared, (int32_t)comm->ranks[0], offset, (uint64_t)bytes, &memory);
    if (status == -EINVAL) { status = ADR_CORRUPT; }
  } else if (memory == NULL) {
    status = adr_shared_allocate(job->shared, (uint64_t)bytes, ADR_BLOCK, &memory, &offset);
    if (status == 0) {
      comm->slot.stages = memory;
      adr_coll_publish_stages(comm->coll, (int64_t)offset);
    }
  }
  if (status == 0) {
    comm->stages = memory;
    return adr_coll_stages(comm->coll, memory, bytes);
  }
  if (status == ADR_CORRUPT) { return trouble(comm, status); }
  give_up(comm, status, -1, "there was no shared memory for it: %s", adr_strerror(status));
  return adr_fail(&job->error, status, "%" PRId64 " bytes of shared memory for a collective: %s", bytes,
                  adr_strerror(status));
}

/* How long it is waited for that a member is found dead whose memory cannot be reached. One that was killed has none
 * any more (ESRCH) until it is gone, which takes seconds where there was much of it, or CPUs are busy. */
static int64_t patience(int status) { return status == -ESRCH ? MOST_ENDING : MOST_UNREAD; }

/* Reads or writes memory of another member: 0, or an error. One that cannot be reached is mostly about to be found
 * dead: that is waited for, and tried again. */
static int copy_member(struct adr_comm *comm) {
  const int status = comm->writes ? adr_comm_write(comm) : adr_comm_read(comm);
  const int other = adr_coll_other(comm->coll, comm->which);
  adr_waiter_copied(&comm->job->wait.waiter);
  if (status == 0) {
    comm->unread_since = 0;
    return 0;
  }
  if (status == ADR_CORRUPT) { return trouble(comm, status); }
  if (status == -EPERM && adr_coll_relay(comm->coll, comm->which) == 0) { return 0; } /* that one copies */
  if (adr_coll_state(comm->coll, other) != ADR_MEMBER_OPEN) { return trouble(comm, ADR_COLL_BROKEN); }
  const int64_t now = adr_clock_now() | 1;
  if (comm->unread_since == 0) { comm->unread_since = now; }
  if (status != -EPERM && now - comm->unread_since <= patience(status)) { return 0; }
  char own[WORDS];
  describe(own, &comm->call);
  give_up(comm, ADR_ERROR_COLLECTIVE, (int)comm->ranks[other], "memory of rank %d could not be %s: %s", other,
          comm->writes ? "written" : "read", adr_strerror(status));
  return adr_fail(&comm->job->error, ADR_ERROR_COLLECTIVE, "%s cannot be completed: %s", own, comm->over);
}

static int reach_member(struct adr_comm *comm) {
  const int status = adr_comm_reach(comm);
  return status < 0 ? trouble(comm, ADR_CORRUPT) : 0;
}

/* 0: the collective goes on; or an error. */
static int perform(struct adr_comm *comm, int status) {
  switch (status) {
  case ADR_COLL_NEEDS_STAGES:
    return give_stages(comm);
  case ADR_COLL_EXPOSE:
    return adr_comm_expose(comm);
  case ADR_COLL_REACH:
    return reach_member(comm);
  case ADR_COLL_READ:
  case ADR_COLL_WRITE:
    comm->writes = status == ADR_COLL_WRITE;
    return copy_member(comm);
  default:
    return 0; /* as much was moved as a step may */
  }
}

/* The number by which members tell each other what moves. */
static uint32_t number_of(const struct adr_comm *comm) {
  return adr_load_once_u32(&comm->slot.memory->context_id) >> NUMBER_SHIFT;
}

static void note_step(struct adr_comm *comm) {
  comm->moves++;
  adr_movement_collective(&comm->job->movement, number_of(comm));
}

static int is_met(void *subject, int32_t polls) {
  struct adr_comm *comm = subject;
  const struct adr_comm_call *call = &comm->call;
  int result = ADR_UNMET;
  if (comm->unread_since != 0) {
    const int status = copy_member(comm);
    if (status < 0) { return status; }
  }
  for (int steps = 0; steps < MOST_STEPS && comm->unread_since == 0; steps++) {
    int status = adr_coll_step(comm->coll, comm->which, call->in, 0, call->out, 0, polls);
    if (status == 0) { return ADR_MET; }
    if (status == ADR_AGAIN) { return result; }
    if (status < 0) { return trouble(comm, status); }
    status = perform(comm, status);
    if (status < 0) { return status; }
    note_step(comm);
    result = ADR_MOVED;
  }
  return result;
}

static struct adr_waiting waiting(const void *subject) {
  const struct adr_comm *comm = subject;
  const int other = adr_coll_other(comm->coll, comm->which);
  if (comm->call.kind == ADR_COLL_BARRIER) {
    return (struct adr_waiting){.call = ADR_RANK_IN_BARRIER, .peer = ADR_ANY, .tag = 0};
  }
  return (struct adr_waiting){
      .call = ADR_RANK_IN_COLLECTIVE, .peer = other < 0 ? ADR_ANY : (int32_t)comm->ranks[other], .tag = 0};
}

/* Counts what has moved at this rank, and at the others as they tell. */
static int64_t moves(const void *subject) {
  const struct adr_comm *comm = subject;
  const uint32_t number = number_of(comm);
  uint64_t others = 0;
  for (uint32_t member = 0; member < comm->size; member++) {
    if (member == comm->rank) { continue; }
    const struct adr_rank_entry *entry = adr_rank_table_entry(comm->job->segment.base, comm->ranks[member]);
    others += adr_rank_moving_collectives(adr_rank_table_told(entry), number);
  }
  return comm->moves + (int64_t)(others << 32); /* what others tell changes the upper half */
}

static const struct adr_condition all_have_taken_part = {
    .is_met = is_met, .missing = missing, .fail = fail, .moves = moves, .waiting = waiting, .what = "a collective"};

static int await(struct adr_comm *comm) {
  struct adr_wait *wait = &comm->job->wait;
  int status = comm->size == 2 ? adr_wait_for(wait, (int32_t)comm->ranks[1 - comm->rank], &all_have_taken_part, comm)
                               : adr_wait_for_all(wait, &all_have_taken_part, comm);
  comm->left = status < 0 && comm->over_code == 0 && comm->call.kind == ADR_COLL_BARRIER; /* nothing was lost */
  if (status < 0 && comm->over_code == 0 && !comm->left) { give_up(comm, status, -1, "%.200s", comm->job->error.text); }
  return status < 0 ? status : 0;
}

int adr_comm_open_collectives(struct adr_comm *comm) {
  struct adr_job *job = comm->job;
  if (comm->coll != NULL) { return 0; }
  const int status = adr_coll_open(job->segment.base, (int32_t)job->size, comm->slot.memory,
                                   (int64_t)adr_slot_bytes(comm->size), (int32_t)comm->rank, &comm->coll);
  if (status == -ENOMEM) { return adr_fail(&job->error, status, "no memory for the collectives of a communicator"); }
  return status < 0 ? adr_fail_broken(&job->error, status) : 0;
}

int adr_comm_run(struct adr_comm *comm, struct adr_comm_call call) {
  struct adr_job *job = comm->job;
  int status = adr_job_pace_at_work(job);
  if (status < 0) { return status; }
  if (comm->over_code != 0) { return refuse_more(comm, &call); }
  status = adr_comm_open_collectives(comm);
  if (status < 0) { return status; }
  if (comm->left && call.kind != ADR_COLL_BARRIER) {
    return adr_fail(&job->error, -EINVAL,
                    "%s: this rank is at a barrier that ended with an error; call that to its end",
                    name_of(call.kind, call.element));
  }
  comm->call = call;
  comm->unread_since = 0;
  if (comm->left) { return await(comm); }
  const int32_t polls = job->wait.waiter.crowded ? 1 : (int32_t)ADR_WAITER_POLLS_PER_STEP;
  status = adr_coll_begin(comm->coll, call.kind, call.root, call.bytes, call.element, call.op, call.in, 0, call.out, 0,
                          polls);
  if (status == 0) { return 0; }
  comm->which = adr_coll_begun(comm->coll);
  if (status < 0 && status != ADR_AGAIN) { return trouble(comm, status); }
  status = status == ADR_AGAIN ? 0 : perform(comm, status);
  return status < 0 ? status : await(comm);
}

/* Called by programs */

int adr_comm_refuse(struct adr_comm *comm, const char *format, ...) {
  va_list arguments;
  adr_error *error = &comm->job->error;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  error->code = -EINVAL;
  return -EINVAL;
}

/* Most bytes that a rank gives to a collective. */
#define MOST_BYTES ADR_COLL_MOST_BYTES

int adr_comm_check_bytes(struct adr_comm *comm, const char *name, int64_t bytes) {
  if (bytes >= 0 && bytes <= MOST_BYTES) { return 0; }
  return adr_comm_refuse(comm, "%s of %" PRId64 " bytes; allowed are 0 to %" PRId64, name, bytes, MOST_BYTES);
}

int adr_comm_check_buffer(struct adr_comm *comm, const char *name, const void *buffer, int64_t bytes) {
  if (buffer != NULL || bytes == 0) { return 0; }
  return adr_comm_refuse(comm, "%s of %" PRId64 " bytes needs a buffer for the result; it got NULL", name, bytes);
}

int adr_comm_check_root(struct adr_comm *comm, const char *name, int root) {
  if (root >= 0 && (uint32_t)root < comm->size) { return 0; }
  return adr_comm_refuse(comm, "root %d of a %s; this communicator has ranks 0 to %" PRIu32, root, name,
                         comm->size - 1);
}

int adr_comm_check_input(struct adr_comm *comm, const char *name, const void *buffer, int64_t bytes) {
  if (buffer != NULL || bytes == 0) { return 0; }
  return adr_comm_refuse(comm, "%s of %" PRId64 " bytes needs a buffer of what this rank gives; it got NULL", name,
                         bytes);
}

int adr_comm_begin_parts(struct adr_comm *comm, int64_t **parts) {
  const int status = adr_comm_open_collectives(comm);
  if (status < 0) { return status; }
  *parts = adr_coll_parts(comm->coll);
  if (*parts == NULL) {
    return adr_fail(&comm->job->error, -ENOMEM, "no memory for the parts of a collective of %" PRIu32 " ranks",
                    comm->size);
  }
  memset(*parts, 0, sizeof **parts * ADR_COLL_PART_ROWS * comm->size);
  return 0;
}

int adr_comm_bcast(adr_comm *comm, void *buffer, int64_t bytes, int root) {
  int status = adr_comm_check_bytes(comm, "bcast", bytes);
  if (status == 0) { status = adr_comm_check_buffer(comm, "bcast", buffer, bytes); }
  if (status < 0) { return status; }
  status = adr_comm_check_root(comm, "bcast", root);
  if (status < 0) { return status; }
  return adr_comm_run(
      comm, (struct adr_comm_call){.kind = ADR_COLL_BCAST, .root = root, .bytes = bytes, .in = buffer, .out = buffer});
}

int adr_comm_allgather(adr_comm *comm, const void *in, void *out, int64_t bytes) {
  int status = adr_comm_check_bytes(comm, "allgather", bytes);
  if (status == 0) { status = adr_comm_check_buffer(comm, "allgather", out, bytes); }
  if (status < 0) { return status; }
  const void *own = bytes == 0 ? out : (const uint8_t *)out + (int64_t)comm->rank * bytes;
  return adr_comm_run(comm, (struct adr_comm_call){
                                .kind = ADR_COLL_ALLGATHER, .bytes = bytes, .in = in == NULL ? own : in, .out = out});
}

/* What the ranks of a communicator that live agree on, see adrastea/comm.h: the waits around adr_slot_agreement. Twin
 * of io.adrastea.engine.collective.Agreement, and of io.adrastea.comm.Shrinking. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "job/adr_comm_state.h"
#include "bootstrap/adr_job_error.h"
#include "job/adr_job_liveness.h"
#include "ranktable/adr_rank_table.h"
#include "wait/adr_doorbell.h"

/* Bits of what the ranks confirm: this one has not failed to come in; and it is in. */
enum { IS_ABLE = 1, IS_IN = 2 };

#define NO_PROPOSAL 0

static const char *name_of(enum adr_comm_step step) {
  return step == ADR_COMM_AGREES ? "adr_comm_agree" : "adr_comm_shrink";
}

static struct adr_rank_entry *entry_of(const struct adr_comm *comm, uint32_t member) {
  return adr_rank_table_entry(comm->job->segment.base, comm->ranks[member]);
}

static void wake_all(const struct adr_comm *comm) {
  adr_doorbell_order();
  for (uint32_t member = 0; member < comm->size; member++) {
    if (member != comm->rank) { adr_doorbell_ring_ordered(entry_of(comm, member)); }
  }
}

/* Whether a member is known to be gone: one that is found dead is marked as gone. */
static bool is_gone(void *subject, uint32_t member) {
  const uint32_t state = adr_rank_table_state(entry_of(subject, member));
  return state == ADR_RANK_LEFT || state == ADR_RANK_FAILED;
}

/* Makes the slot for those that live. */
static uint64_t make_proposal(struct adr_comm *comm, const uint32_t *living, uint32_t count) {
  struct adr_comm_shrinking *shrinking = &comm->shrinking;
  shrinking->failure = adr_slot_make(&comm->job->slots, living, count, &shrinking->own);
  if (shrinking->failure < 0) {
    shrinking->own = (struct adr_communicator_slot){.memory = NULL};
    return NO_PROPOSAL;
  }
  return adr_comm_word_of(&shrinking->own);
}

/* Another one was decided before. */
static void take_back(struct adr_comm *comm) {
  struct adr_comm_shrinking *shrinking = &comm->shrinking;
  if (shrinking->own.memory != NULL) { adr_comm_withdraw(comm->job, &shrinking->own); }
  *shrinking = (struct adr_comm_shrinking){.made = NULL};
}

/* The first member that lives proposes; the others wait for it. Which of those that had come are gone is asked anew. */
static int propose(struct adr_comm *comm) {
  struct adr_job *job = comm->job;
  uint32_t *living = malloc(comm->size * sizeof *living);
  if (living == NULL) { return adr_comm_refuse_making(job, -ENOMEM); }
  uint32_t count = 0, first = comm->rank;
  for (uint32_t member = 0; member < comm->size; member++) {
    const bool lives = member == comm->rank
                       || (adr_slot_agreement_has_come(&comm->agreement, member)
                           && adr_job_missing(job, (int)comm->ranks[member]) == ADR_NOBODY);
    if (!lives) { continue; }
    if (count == 0) { first = member; }
    living[count++] = comm->ranks[member];
  }
  int status = ADR_UNMET;
  if (first != comm->rank) {
    comm->awaited = first;
  } else if (adr_slot_agreement_propose(&comm->agreement, make_proposal(comm, living, count))) {
    wake_all(comm);
    status = ADR_MET;
  } else {
    take_back(comm);
  }
  free(living);
  return status;
}

static int mismatch(struct adr_comm *comm) {
  const char *name = name_of(comm->step);
  comm->step = ADR_COMM_NO_STEP; /* it cannot end */
  return adr_fail(&comm->job->error, ADR_ERROR_COLLECTIVE,
                  "%s of rank %" PRIu32 " cannot be completed: rank %" PRIu32
                  " calls another agreement; all call agree and shrink in the same order",
                  name, comm->rank, comm->agreement.other);
}

static int is_met(void *subject, int32_t polls) {
  struct adr_comm *comm = subject;
  for (int32_t poll = 0; poll < polls; poll++) {
    const enum adr_agreement_look found = adr_slot_agreement_look(&comm->agreement, is_gone, comm);
    int status = ADR_UNMET;
    comm->awaited = comm->agreement.other;
    if (found == ADR_AGREEMENT_MISMATCH) { return mismatch(comm); }
    if (found == ADR_AGREEMENT_UNDECIDED) { status = propose(comm); }
    if (found == ADR_AGREEMENT_DECIDED) {
      if (comm->agreement.own) { wake_all(comm); }
      status = ADR_MET;
    }
    if (status != ADR_UNMET) { return status; }
    adr_cpu_pause();
  }
  return ADR_UNMET;
}

/* Finds out about the member that is waited for. A member that is gone is not missed. */
static int missing(void *subject) {
  struct adr_comm *comm = subject;
  adr_communicator_slot_settle(&comm->slot);
  adr_job_missing(comm->job, (int)comm->ranks[comm->awaited]);
  return ADR_NOBODY;
}

static int fail(void *subject, int gone) {
  return adr_job_gone(((struct adr_comm *)subject)->job, gone, "an agreement");
}

static struct adr_waiting waiting(const void *subject) {
  const struct adr_comm *comm = subject;
  return (struct adr_waiting){.call = ADR_RANK_IN_COLLECTIVE, .peer = (int32_t)comm->ranks[comm->awaited], .tag = 0};
}

static const struct adr_condition all_have_come = {
    .is_met = is_met, .missing = missing, .fail = fail, .waiting = waiting, .what = "an agreement"};

static int run(struct adr_comm *comm, enum adr_comm_step step, uint32_t flags) {
  if (comm->step == ADR_COMM_NO_STEP) {
    comm->step = step;
    if (step == ADR_COMM_SHRINKS) {
      adr_slot_agreement_begin_proposal(&comm->agreement);
    } else {
      adr_slot_agreement_begin_flags(&comm->agreement, flags);
    }
    wake_all(comm);
  }
  const int status = adr_wait_for_all(&comm->job->wait, &all_have_come, comm);
  if (status < 0) { return status; }
  comm->step = ADR_COMM_NO_STEP;
  return 0;
}

static int require(struct adr_comm *comm, const char *name, bool goes_on) {
  const int status = adr_job_pace_at_work(comm->job);
  if (status < 0 || comm->step == ADR_COMM_NO_STEP || goes_on) { return status < 0 ? status : 0; }
  return adr_fail(&comm->job->error, -EINVAL,
                  "%s of rank %" PRIu32 ": this rank is in an agreement that ended with an error; call %s to its end",
                  name, comm->rank, name_of(comm->step));
}

int adr_comm_agree(adr_comm *comm, uint32_t flags, uint32_t *agreed) {
  int status = require(comm, "adr_comm_agree", comm->step == ADR_COMM_AGREES);
  if (status == 0) { status = run(comm, ADR_COMM_AGREES, flags); }
  if (status == 0) { *agreed = (uint32_t)adr_slot_agreement_decision(&comm->agreement); }
  return status;
}

/* Comes in where the first rank that lives has made a slot. Returns 0, also where this rank was kept out, or an error;
 * one that the others are to learn of is not told to the program yet. */
static int open_slot(struct adr_comm *comm, uint64_t proposal) {
  struct adr_job *job = comm->job;
  struct adr_comm_shrinking *shrinking = &comm->shrinking;
  struct adr_communicator_slot slot = shrinking->own;
  uint32_t member = 0;
  int status = 0;
  if (slot.memory == NULL) { status = adr_comm_enter_word(job, proposal, &member, &slot); }
  if (status == -ECANCELED) { return 0; }
  if (status == ADR_CORRUPT || status == -EINVAL) { return adr_fail_broken(&job->error, ADR_CORRUPT); }
  if (status < 0) { return status; }
  struct adr_comm *made = adr_comm_of_slot(job, &slot, member);
  if (made == NULL) {
    if (shrinking->own.memory == NULL) { adr_comm_go_out(job, &slot, member); }
    return -ENOMEM;
  }
  adr_comm_add(made, &shrinking->made);
  return 0;
}

static int open_proposal(struct adr_comm *comm, uint64_t proposal) {
  struct adr_comm_shrinking *shrinking = &comm->shrinking;
  int status = shrinking->failure;
  if (status < 0) {
    status = adr_comm_refuse_making(comm->job, status);
  } else if (proposal == NO_PROPOSAL) {
    status = adr_fail(&comm->job->error, ADR_ERROR_COLLECTIVE,
                      "the first rank that lives could not make the communicator, and was told why");
  } else {
    status = open_slot(comm, proposal);
    if (status < 0 && status != ADR_CORRUPT) { /* which the others learn when they confirm */
      shrinking->failure = status;
      status = 0;
    }
  }
  shrinking->opened = status == 0;
  if (status < 0) { *shrinking = (struct adr_comm_shrinking){.made = NULL}; }
  return status;
}

/* Not all are in: nobody uses it. */
static void give_up(struct adr_comm *comm) {
  struct adr_comm_shrinking *shrinking = &comm->shrinking;
  if (shrinking->own.memory != NULL) { adr_communicator_slot_bar(&shrinking->own); }
  if (shrinking->made != NULL) {
    adr_comm_close(shrinking->made);
  } else if (shrinking->own.memory != NULL) {
    adr_comm_withdraw(comm->job, &shrinking->own);
  }
  *shrinking = (struct adr_comm_shrinking){.made = NULL};
}

/* Makes one of the ranks that live. Returns 0, or 1: not all of them have got it, since its rank 0 died before. */
static int shrink(struct adr_comm *comm, adr_comm **made) {
  struct adr_comm_shrinking *shrinking = &comm->shrinking;
  int status = 0;
  if (!shrinking->opened) {
    status = run(comm, ADR_COMM_SHRINKS, 0);
    if (status == 0) { status = open_proposal(comm, adr_slot_agreement_decision(&comm->agreement)); }
    if (status < 0) { return status; }
  }
  const uint32_t outcome = (shrinking->failure == 0 ? IS_ABLE : 0) | (shrinking->made == NULL ? 0 : IS_IN);
  status = run(comm, ADR_COMM_CONFIRMS, outcome);
  if (status < 0) { return status; }
  const uint64_t all = adr_slot_agreement_decision(&comm->agreement);
  if (all == (IS_ABLE | IS_IN)) {
    *made = shrinking->made;
    *shrinking = (struct adr_comm_shrinking){.made = NULL};
    return 0;
  }
  const int failure = shrinking->failure;
  give_up(comm);
  if ((all & IS_ABLE) != 0) { return 1; }
  if (failure < 0) { return adr_comm_refuse_making(comm->job, failure); }
  return adr_fail(&comm->job->error, ADR_ERROR_COLLECTIVE,
                  "a rank that lives could not come in to the new communicator, and was told why");
}

int adr_comm_shrink(adr_comm *comm, adr_comm **made) {
  *made = NULL;
  int status = require(comm, "adr_comm_shrink", comm->step != ADR_COMM_AGREES);
  if (status < 0) { return status; }
  do { status = shrink(comm, made); } while (status == 1);
  return status;
}

int adr_comm_revoke(adr_comm *comm) {
  adr_slot_revoke(&comm->agreement.slot);
  wake_all(comm);
  return 0;
}

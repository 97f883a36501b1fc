/* Communicators: made out of others, and closed; see adrastea/comm.h. Twin of Communicators, CommunicatorMaking and
 * CommunicatorState in io.adrastea.comm. */
#include "adrastea/comm.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "job/adr_comm_state.h"
#include "bootstrap/adr_job_error.h"
#include "job/adr_job_world.h"
#include "segment/adr_geometry.h"

/* What rank 0 of a new communicator tells the others. */
struct told {
  int64_t id; /* below zero: it could not make it */
  int64_t offset;
};

struct adr_comm *adr_comm_make(struct adr_job *job, uint32_t size, uint32_t rank) {
  struct adr_comm *comm = calloc(1, sizeof *comm + size * sizeof *comm->ranks);
  if (comm == NULL) { return NULL; }
  comm->job = job;
  comm->size = size;
  comm->rank = rank;
  comm->over_rank = -1;
  return comm;
}

void adr_comm_open_slot(struct adr_comm *comm) {
  comm->agreement.slot = adr_slot_view_of(comm->slot.memory, comm->size, comm->rank);
}

void adr_comm_withdraw(struct adr_job *job, struct adr_communicator_slot *slot) {
  const struct adr_slot_view view = adr_slot_view_of(slot->memory, slot->ranks, 0);
  adr_slot_set_state(&view, ADR_MEMBER_CLOSED); /* for those that have come in already */
  adr_slot_withdraw(&job->slots, slot);
}

void adr_comm_discard(struct adr_comm *comm) {
  if (comm == NULL) { return; }
  adr_coll_close(comm->coll);
  adr_origin_release(comm->origin);
  free(comm);
}

/* One made out of another, without a slot yet. */
static struct adr_comm *make_of(const struct adr_comm *parent, uint32_t size, uint32_t rank) {
  struct adr_comm *made = adr_comm_make(parent->job, size, rank);
  if (made == NULL) { return NULL; }
  made->origin = adr_origin_of(&parent->slot, parent->ranks);
  if (made->origin == NULL) {
    adr_comm_discard(made);
    return NULL;
  }
  return made;
}

int adr_job_world_open(struct adr_job *job) {
  struct adr_comm *world = adr_comm_make(job, job->size, job->rank);
  if (world == NULL) { return adr_fail(&job->error, -ENOMEM, "no memory for the communicator of all ranks"); }
  for (uint32_t rank = 0; rank < job->size; rank++) { world->ranks[rank] = rank; }
  world->slot.memory = (void *)(job->segment.base + adr_world_slot_offset(job->size));
  world->slot.offset = adr_world_slot_offset(job->size);
  world->slot.ranks = job->size;
  adr_comm_open_slot(world);
  job->world = world;
  adr_slot_pool_open(&job->slots, &job->segment, job->shared, job->rank);
  return 0;
}

void adr_job_world_close(struct adr_job *job) {
  if (job->world == NULL) { return; }
  for (struct adr_comm *comm = job->comms, *next; comm != NULL; comm = next) {
    next = comm->next;
    adr_comm_discard(comm);
  }
  adr_slot_pool_close(&job->slots);
  adr_comm_discard(job->world);
}

adr_comm *adr_job_world(adr_job *job) { return job->world; }

int adr_comm_rank(const adr_comm *comm) { return (int)comm->rank; }

int adr_comm_size(const adr_comm *comm) { return (int)comm->size; }

int adr_comm_job_rank(const adr_comm *comm, int rank) {
  return rank >= 0 && (uint32_t)rank < comm->size ? (int)comm->ranks[rank] : -1;
}

uint32_t adr_comm_context(const adr_comm *comm) { return (uint32_t)comm->slot.id; }

static struct told told_of(const struct adr_communicator_slot *slot) {
  return (struct told){.id = slot->id, .offset = (int64_t)slot->offset};
}

/* Rank 0 of a new communicator takes a number and a slot. What it tells the others says so, or that it cannot. */
static int begin(struct adr_comm *made, struct told *told) {
  *told = (struct told){.id = -1};
  int status = adr_slot_make(&made->job->slots, made->ranks, made->size, &made->slot);
  if (status == 0) {
    *told = told_of(&made->slot);
    made->slot.origin = made->origin;
  }
  return status;
}

int adr_comm_refuse_making(struct adr_job *job, int status) {
  if (status == -ENFILE) {
    return adr_fail(&job->error, status,
                    "all %u numbers of communicators are taken; close communicators that are not needed any more, on "
                    "all of their ranks",
                    ADR_MAX_CONTEXTS);
  }
  return adr_fail(&job->error, status, "a communicator cannot be made: %s", adr_strerror(status));
}

/* This rank gives up the making of a communicator out of another one, and cannot tell the others in the new one. They
 * learn it from the old one, and so this rank makes no more of that, since they could not tell which it gave up. */
static int decline(const struct adr_comm *parent, int status) {
  adr_communicator_slot_decline(&parent->slot, parent->rank);
  return status;
}

static int require_makes(struct adr_comm *comm, const char *name) {
  if (!adr_communicator_slot_has_declined(&comm->slot, comm->rank)) { return 0; }
  return adr_fail(&comm->job->error, ADR_ERROR_COLLECTIVE,
                  "%s of rank %" PRIu32 ": this rank has given up the making of a communicator out of this one, so the "
                  "others wait for it in no other one; make it out of another one, such as adr_comm_shrink makes",
                  name, comm->rank);
}

/* Comes in where rank 0 of the new communicator has told of its slot. Where this rank cannot, the others are told. */
static int enter(const struct adr_comm *parent, struct adr_comm *made, struct told told) {
  struct adr_job *job = made->job;
  if (told.id < 0) {
    return adr_fail(&job->error, ADR_ERROR_COLLECTIVE,
                    "rank 0 of the new communicator (rank %" PRIu32 " of the job) could not make it, and was told why",
                    made->ranks[0]);
  }
  int status = adr_slot_enter(&job->slots, (int32_t)told.id, made->ranks[0], (uint64_t)told.offset, made->size,
                              made->rank, &made->slot);
  if (status == -ECANCELED) {
    return adr_fail(&job->error, ADR_ERROR_COLLECTIVE,
                    "the new communicator, which its rank 0 (rank %" PRIu32
                    " of the job) has made, was given up while it was made: that rank has failed or could not go on, "
                    "or the others saw that this rank did not come any more",
                    made->ranks[0]);
  }
  if (status < 0) { decline(parent, status); }
  made->slot.origin = made->origin;
  return status == 0                                  ? 0
         : status == ADR_CORRUPT || status == -EINVAL ? adr_fail_broken(&job->error, ADR_CORRUPT)
                                                      : adr_comm_refuse_making(job, status);
}

void adr_comm_add(struct adr_comm *made, adr_comm **result) {
  struct adr_job *job = made->job;
  made->link = &job->comms;
  made->next = job->comms;
  if (made->next != NULL) { made->next->link = &made->next; }
  job->comms = made;
  adr_comm_open_slot(made);
  *result = made;
}

/* The end of making one: `status` is that of telling each other. */
static int finish(const struct adr_comm *parent, struct adr_comm *made, int status, int begun, struct told told,
                  adr_comm **result) {
  const bool owns = made->rank == 0;
  if (status == 0) {
    status = owns ? (begun < 0 ? adr_comm_refuse_making(made->job, begun) : 0) : enter(parent, made, told);
  }
  if (status == 0) {
    adr_comm_add(made, result);
    return 0;
  }
  if (owns && begun == 0) { adr_comm_withdraw(made->job, &made->slot); }
  adr_comm_discard(made);
  return status;
}

/* Brings what rank 0 of a parent tells to all of its ranks. */
static int tell_all(struct adr_comm *comm, struct told *told) {
  return adr_comm_run(
      comm, (struct adr_comm_call){
                .kind = ADR_COLL_BCAST, .bytes = sizeof *told, .element = ADR_COLL_FOR_DUP, .in = told, .out = told});
}

int adr_comm_dup(adr_comm *comm, adr_comm **result) {
  struct told told = {.id = -1};
  int begun = 0;
  *result = NULL;
  int status = require_makes(comm, "adr_comm_dup");
  if (status < 0) { return status; }
  struct adr_comm *made = make_of(comm, comm->size, comm->rank);
  if (made == NULL) {
    if (comm->rank != 0) { return decline(comm, adr_comm_refuse_making(comm->job, -ENOMEM)); }
    status = tell_all(comm, &told);
    return status < 0 ? status : adr_comm_refuse_making(comm->job, -ENOMEM);
  }
  memcpy(made->ranks, comm->ranks, comm->size * sizeof *comm->ranks);
  if (made->rank == 0) { begun = begin(made, &told); }
  status = tell_all(comm, &told);
  return finish(comm, made, status, begun, told, result);
}

/* What a rank says in a split; and which rank it is. */
struct choice {
  int32_t color;
  int32_t key;
};

static int by_key(const struct choice *choices, uint32_t a, uint32_t b) {
  return choices[a].key != choices[b].key ? (choices[a].key < choices[b].key ? -1 : 1) : (a < b ? -1 : 1);
}

/* Lists the ranks of a color by their keys, and returns how many they are. */
static uint32_t list(const struct choice *choices, uint32_t size, int32_t color, uint32_t *ranks) {
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < size; rank++) {
    if (choices[rank].color != color) { continue; }
    uint32_t at = count++;
    for (; at > 0 && by_key(choices, rank, ranks[at - 1]) < 0; at--) { ranks[at] = ranks[at - 1]; }
    ranks[at] = rank;
  }
  return count;
}

/* The communicator of the listed ranks of a parent, to which this rank belongs. */
static struct adr_comm *of_ranks(const adr_comm *parent, const uint32_t *ranks, uint32_t count) {
  struct adr_comm *made = make_of(parent, count, 0);
  if (made == NULL) { return NULL; }
  for (uint32_t rank = 0; rank < count; rank++) {
    made->ranks[rank] = parent->ranks[ranks[rank]];
    if (ranks[rank] == parent->rank) { made->rank = rank; }
  }
  return made;
}

struct splitting {
  struct choice *choices;
  struct told *told;
  uint32_t *ranks;
};

/* Brings what each rank of a parent tells to all of them. */
static int tell_each_other(struct adr_comm *comm, const void *own, void *all, int64_t bytes) {
  return adr_comm_run(
      comm, (struct adr_comm_call){
                .kind = ADR_COLL_ALLGATHER, .bytes = bytes, .element = ADR_COLL_FOR_SPLIT, .in = own, .out = all});
}

static int split(adr_comm *comm, struct choice own, struct splitting *splitting, adr_comm **result) {
  int status = tell_each_other(comm, &own, splitting->choices, sizeof own);
  if (status < 0) { return status; }
  struct told told = {0};
  if (own.color == ADR_NO_COLOR) { return tell_each_other(comm, &told, splitting->told, sizeof told); }
  const uint32_t count = list(splitting->choices, comm->size, own.color, splitting->ranks);
  struct adr_comm *made = of_ranks(comm, splitting->ranks, count);
  int begun = made == NULL ? -ENOMEM : 0;
  if (made != NULL && made->rank == 0) { begun = begin(made, &told); }
  if (made == NULL) {
    told.id = -1;
    if (splitting->ranks[0] != comm->rank) { decline(comm, begun); }
  }
  status = tell_each_other(comm, &told, splitting->told, sizeof told);
  if (made == NULL) { return status < 0 ? status : adr_comm_refuse_making(comm->job, begun); }
  return finish(comm, made, status, begun, splitting->told[splitting->ranks[0]], result);
}

int adr_comm_split(adr_comm *comm, int32_t color, int32_t key, adr_comm **result) {
  *result = NULL;
  if (color < 0 && color != ADR_NO_COLOR) {
    return adr_fail(&comm->job->error, -EINVAL,
                    "color %" PRId32 "; allowed are 0 to %" PRId32 ", and ADR_NO_COLOR (-1)", color, INT32_MAX);
  }
  int status = require_makes(comm, "adr_comm_split");
  if (status < 0) { return status; }
  struct splitting splitting = {.choices = malloc(comm->size * sizeof *splitting.choices),
                                .told = malloc(comm->size * sizeof *splitting.told),
                                .ranks = malloc(comm->size * sizeof *splitting.ranks)};
  const bool room = splitting.choices != NULL && splitting.told != NULL && splitting.ranks != NULL;
  status =
      room ? split(comm, (struct choice){color, key}, &splitting, result) : adr_comm_refuse_making(comm->job, -ENOMEM);
  free(splitting.choices);
  free(splitting.told);
  free(splitting.ranks);
  return status;
}

/* Communicators that one rank makes and tells the others of */

/* Local rank + 1 of the slot's owner, and its offset; shared allocations begin at multiples of 128. */
enum { OWNER_SHIFT = 40, GRAIN_SHIFT = 7 };

uint64_t adr_comm_word_of(const struct adr_communicator_slot *slot) {
  return (uint64_t)(slot->owner + 1) << OWNER_SHIFT | slot->offset >> GRAIN_SHIFT;
}

int adr_comm_enter_word(struct adr_job *job, uint64_t word, uint32_t *member, struct adr_communicator_slot *slot) {
  const uint32_t owner = (uint32_t)(word >> OWNER_SHIFT) - 1;
  const uint64_t offset = (word & ((UINT64_C(1) << OWNER_SHIFT) - 1)) << GRAIN_SHIFT;
  return adr_slot_enter_found(&job->slots, owner, offset, member, slot);
}

struct adr_comm *adr_comm_of_slot(struct adr_job *job, const struct adr_communicator_slot *slot, uint32_t member) {
  struct adr_comm *made = adr_comm_make(job, slot->ranks, member);
  if (made == NULL) { return NULL; }
  for (uint32_t i = 0; i < slot->ranks; i++) {
    made->ranks[i] = adr_load_once_u32(&adr_communicator_slot_local_ranks(slot)[i]);
  }
  made->slot = *slot;
  return made;
}

void adr_comm_go_out(struct adr_job *job, struct adr_communicator_slot *slot, uint32_t member) {
  const struct adr_slot_view view = adr_slot_view_of(slot->memory, slot->ranks, member);
  adr_slot_set_state(&view, ADR_MEMBER_CLOSED);
  adr_slot_close(&job->slots, slot, member);
}

/* Refuses what is no list of ranks, or has this one in the wrong place: first, or not first. */
static int check_list(struct adr_job *job, const char *name, const int *ranks, int count, bool first) {
  bool fits = ranks != NULL && count >= 1 && (uint32_t)count <= job->size && (ranks[0] == (int)job->rank) == first;
  bool has_self = false;
  for (int i = 0; fits && i < count; i++) {
    fits = ranks[i] >= 0 && (uint32_t)ranks[i] < job->size;
    has_self = has_self || ranks[i] == (int)job->rank;
    for (int before = 0; fits && before < i; before++) { fits = ranks[before] != ranks[i]; }
  }
  if (fits && has_self) { return 0; }
  return adr_fail(&job->error, -EINVAL,
                  "%s of rank %" PRIu32 " needs a list of 1 to %" PRIu32 " ranks of the job, none twice and this one "
                  "among them; the first of them offers, and the others accept",
                  name, job->rank, job->size);
}

int adr_comm_offer(adr_job *job, const int *ranks, int count, adr_comm **made, uint64_t *word) {
  *made = NULL;
  int status = check_list(job, "adr_comm_offer", ranks, count, true);
  if (status < 0) { return status; }
  struct adr_comm *offered = adr_comm_make(job, (uint32_t)count, 0);
  if (offered == NULL) { return adr_comm_refuse_making(job, -ENOMEM); }
  for (int i = 0; i < count; i++) { offered->ranks[i] = (uint32_t)ranks[i]; }
  status = adr_slot_make(&job->slots, offered->ranks, offered->size, &offered->slot);
  if (status < 0) {
    adr_comm_discard(offered);
    return adr_comm_refuse_making(job, status);
  }
  *word = adr_comm_word_of(&offered->slot);
  adr_comm_add(offered, made);
  return 0;
}

static bool is_of(const struct adr_comm *comm, const int *ranks, int count) {
  bool same = comm->size == (uint32_t)count;
  for (int i = 0; same && i < count; i++) { same = comm->ranks[i] == (uint32_t)ranks[i]; }
  return same;
}

int adr_comm_accept(adr_job *job, const int *ranks, int count, uint64_t word, adr_comm **made) {
  *made = NULL;
  int status = check_list(job, "adr_comm_accept", ranks, count, false);
  if (status < 0) { return status; }
  struct adr_communicator_slot slot = {.memory = NULL};
  uint32_t member = 0;
  status = adr_comm_enter_word(job, word, &member, &slot);
  if (status == ADR_CORRUPT || status == -EINVAL) { status = -ECANCELED; } /* no slot is there, or any more */
  struct adr_comm *accepted = status < 0 ? NULL : adr_comm_of_slot(job, &slot, member);
  if (status == 0 && accepted == NULL) {
    adr_comm_go_out(job, &slot, member);
    status = -ENOMEM;
  }
  if (status == 0 && !is_of(accepted, ranks, count)) {
    adr_comm_go_out(job, &slot, member);
    adr_comm_discard(accepted);
    status = -ECANCELED;
  }
  if (status == -ECANCELED) {
    return adr_fail(&job->error, ADR_ERROR_COLLECTIVE,
                    "rank %d of the job offers no communicator of these %d ranks by the word %#" PRIx64
                    ": it is of other ranks, or was closed",
                    ranks[0], count, word);
  }
  if (status < 0) { return adr_comm_refuse_making(job, status); }
  adr_comm_add(accepted, made);
  return 0;
}

int adr_comm_close(adr_comm *comm) {
  if (comm == NULL) { return 0; }
  struct adr_job *job = comm->job;
  if (comm->link == NULL) {
    return adr_fail(&job->error, -EINVAL, "the communicator of all ranks cannot be closed; it ends with the job");
  }
  adr_slot_set_state(&comm->agreement.slot, ADR_MEMBER_CLOSED);
  adr_slot_close(&job->slots, &comm->slot, comm->rank);
  *comm->link = comm->next;
  if (comm->next != NULL) { comm->next->link = comm->link; }
  adr_comm_discard(comm);
  return 0;
}

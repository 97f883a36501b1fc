/* What a communicator consists of, private to its rank. */
#pragma once

#include "adrastea/coll.h"
#include "adrastea/comm.h"
#include "coll/adr_slot_agreement.h"
#include "contextid/adr_origin.h"
#include "contextid/adr_slot_pool.h"
#include "job/adr_job_state.h"

/* A collective under way. */
struct adr_comm_call {
  int32_t kind; /* ADR_COLL_... */
  int32_t root;
  int64_t bytes;
  int32_t element;
  int32_t op;
  const void *in;
  void *out;
};

/* An agreement under way. */
enum adr_comm_step { ADR_COMM_NO_STEP, ADR_COMM_AGREES, ADR_COMM_SHRINKS, ADR_COMM_CONFIRMS };

/* A shrink that has not ended. */
struct adr_comm_shrinking {
  struct adr_communicator_slot own; /* what this rank has proposed; memory NULL: nothing */
  int failure;                      /* why this rank, which was to, could not; 0: nothing */
  bool opened;                      /* only the confirmation is left */
  struct adr_comm *made;            /* NULL: this rank was kept out, since its maker died */
};

struct adr_comm {
  struct adr_job *job;
  struct adr_comm **link; /* the pointer to this one in the job's list; NULL: the world */
  struct adr_comm *next;
  struct adr_communicator_slot slot;
  struct adr_origin *origin; /* what it is made out of; NULL: the world, or those that shrank another one */
  adr_coll *coll;            /* NULL: no collective was called yet */
  int32_t which;             /* its collective under way, or the last one */
  bool left;                 /* a barrier was left in the middle, which the next one goes on with */
  int64_t moves;             /* steps of its collectives at this rank that moved bytes */
  uint32_t rank;
  uint8_t *stages;      /* of the members, as they are mapped here; NULL: none were needed yet */
  int32_t spaces;       /* through which this rank can read the memory of all others; 0: not found out yet */
  int64_t unread_since; /* in nanoseconds: memory of a member that is asked for cannot be reached; 0: it can */
  bool writes;          /* that memory is to be written; else it is read */
  struct adr_comm_call call;
  struct adr_slot_agreement agreement;
  enum adr_comm_step step; /* of the agreement that has not ended, which the same call goes on with */
  uint32_t awaited;        /* member */
  struct adr_comm_shrinking shrinking;
  int over_code; /* the error after which there are no more collectives; 0: none */
  int over_rank; /* the rank that was at fault, -1: none */
  char over[256];
  uint32_t size;
  uint32_t ranks[]; /* in the job; a job of C ranks is on one node, so local ranks too */
};

/* A communicator of so many members, without a slot. NULL: there is no memory. */
struct adr_comm *adr_comm_make(struct adr_job *job, uint32_t size, uint32_t rank);

/* Opens what agrees, once the slot is known. */
void adr_comm_open_slot(struct adr_comm *comm);

/* How one rank tells another of a slot that it has made, in a word that is never 0. */
uint64_t adr_comm_word_of(const struct adr_communicator_slot *slot);

/* This rank comes in where another one has told it of a slot so. Returns as adr_slot_enter_found. */
int adr_comm_enter_word(struct adr_job *job, uint64_t word, uint32_t *member, struct adr_communicator_slot *slot);

/* The communicator of a slot that this rank is in. NULL: there is no memory. */
struct adr_comm *adr_comm_of_slot(struct adr_job *job, const struct adr_communicator_slot *slot, uint32_t member);

/* This rank goes out of a slot that it has come in to, and has no communicator of. */
void adr_comm_go_out(struct adr_job *job, struct adr_communicator_slot *slot, uint32_t member);

/* Shows the communicator to the program. */
void adr_comm_add(struct adr_comm *made, adr_comm **result);

/* The error of a communicator that cannot be made. */
int adr_comm_refuse_making(struct adr_job *job, int status);

/* This rank, which has made a slot for others, gives up. */
void adr_comm_withdraw(struct adr_job *job, struct adr_communicator_slot *slot);

/* Frees what is private to this rank. */
void adr_comm_discard(struct adr_comm *comm);

/* Runs a collective to its end. Returns as the functions of adrastea/comm.h. */
int adr_comm_run(struct adr_comm *comm, struct adr_comm_call call);

/* Opens this rank's part of the slot, which is done at the first collective. Returns 0 or an error. */
int adr_comm_open_collectives(struct adr_comm *comm);

/* Refuses a call of the program in words of its own. Returns -EINVAL. */
int adr_comm_refuse(struct adr_comm *comm, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Refuses a number of bytes that no rank can give to the collective of this name. Returns 0 or -EINVAL. */
int adr_comm_check_bytes(struct adr_comm *comm, const char *name, int64_t bytes);

/* Refuses to do without a buffer for the result. Returns 0 or -EINVAL. */
int adr_comm_check_buffer(struct adr_comm *comm, const char *name, const void *buffer, int64_t bytes);

/* Refuses a root that is no rank. Returns 0 or -EINVAL. */
int adr_comm_check_root(struct adr_comm *comm, const char *name, int root);

/* Refuses to do without a buffer of what this rank gives. Returns 0 or -EINVAL. */
int adr_comm_check_input(struct adr_comm *comm, const char *name, const void *buffer, int64_t bytes);

/* The table of parts, empty. Returns 0 or an error. */
int adr_comm_begin_parts(struct adr_comm *comm, int64_t **parts);

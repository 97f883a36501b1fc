/* What a communicator consists of, private to its rank. */
#pragma once

#include "adrastea/coll.h"
#include "adrastea/comm.h"
#include "context/adr_slot_pool.h"
#include "job/adr_job_state.h"

/* A collective under way. */
struct adr_comm_call {
  int32_t kind; /* ADR_COLL_... */
  int32_t root;
  int64_t bytes;
  int32_t element;
  int32_t operation;
  const void *in;
  void *out;
};

struct adr_comm {
  struct adr_job *job;
  struct adr_comm **link; /* the pointer to this one in the job's list; NULL: the world */
  struct adr_comm *next;
  struct adr_context_slot slot;
  adr_coll *coll; /* NULL: no collective was called yet */
  uint32_t rank;
  struct adr_comm_call call;
  int over_code; /* the error after which there are no more collectives; 0: none */
  int over_rank; /* the rank that was at fault, -1: none */
  char over[256];
  uint32_t size;
  uint32_t ranks[]; /* in the job; a job of C ranks is on one node, so local ranks too */
};

/* A communicator of so many members, without a slot. NULL: there is no memory. */
struct adr_comm *adr_comm_make(struct adr_job *job, uint32_t size, uint32_t rank);

/* Frees what is private to this rank. */
void adr_comm_discard(struct adr_comm *comm);

/* Runs a collective to its end. Returns as the functions of adrastea/comm.h. */
int adr_comm_run(struct adr_comm *comm, struct adr_comm_call call);

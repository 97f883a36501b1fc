/* What symmetric memory consists of, private to its PE. Twin of io.adrastea.engine.symmetric.SymmetricState. */
#pragma once

#include "adrastea/shmem.h"
#include "job/adr_comm_state.h"
#include "job/adr_symmetric_line.h"
#include "lock/adr_mcs_lock.h"
#include "symmetric/adr_symmetric_heap.h"

/* So many bytes of pages that a free has left stay, for the next object. */
#define ADR_SYMMETRIC_STATE_MOST_SPARE (UINT64_C(16) << 10)

struct adr_shmem {
  struct adr_job *job;
  struct adr_comm *comm; /* its own */
  uint32_t rank;
  uint32_t pes;
  uint32_t region;
  uint8_t *memory; /* the part of PE 0 as it is mapped here */
  uint64_t offset; /* of that in the segment's file */
  uint64_t stride;
  uint64_t data_start;
  struct adr_symmetric_heap heap;
  struct adr_symmetric_pages spare; /* of this PE's part: reserved, and no object is on them */
  struct adr_mcs_lock lock;
  struct adr_symmetric_line *lines; /* of all PEs */
  struct adr_pace pace;             /* when a program that tests instead of waiting is to look for dead PEs */
  char broken[256];                 /* why the PEs' records of the heap differ; empty: they do not */
  struct adr_shmem_data data[];     /* of each PE */
};

static inline uint8_t *adr_shmem_part(const struct adr_shmem *shmem, uint32_t pe) {
  return shmem->memory + shmem->stride * pe;
}

static inline uint32_t adr_shmem_rank_of(const struct adr_shmem *shmem, uint32_t pe) { return shmem->comm->ranks[pe]; }

/* Whether a PE has data of the same program as this one. */
static inline bool adr_shmem_shares_program(const struct adr_shmem *shmem, uint32_t pe) {
  const struct adr_shmem_data *own = &shmem->data[shmem->rank];
  const struct adr_shmem_data *other = &shmem->data[pe];
  return own->bytes > 0 && other->bytes > 0 && own->program[0] == other->program[0]
         && own->program[1] == other->program[1];
}

/* Whether bytes lie in a stretch that starts at an offset. */
static inline bool adr_shmem_lies_in(uint64_t start, uint64_t size, int64_t offset, int64_t bytes) {
  const uint64_t within = (uint64_t)offset - start;          /* huge when below */
  return within <= size && (uint64_t)bytes <= size - within; /* huge, too, when below zero */
}

/* Whether bytes of a PE's part lie in its heap, or in its data where it runs the same program. */
static inline bool adr_shmem_holds(const struct adr_shmem *shmem, uint32_t pe, int64_t offset, int64_t bytes) {
  return adr_shmem_lies_in(0, shmem->heap.bytes, offset, bytes)
         || (adr_shmem_shares_program(shmem, pe)
             && adr_shmem_lies_in(shmem->data_start, (uint64_t)shmem->data[pe].bytes, offset, bytes));
}

/* What symmetric memory consists of, private to its PE. Twin of io.adrastea.engine.symmetric.SymmetricState. */
#pragma once

#include "adrastea/shmem.h"
#include "job/adr_comm_state.h"
#include "job/adr_symmetric_line.h"
#include "lock/adr_mcs_lock.h"
#include "symmetric/adr_symmetric_heap.h"

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
  struct adr_mcs_lock lock;
  struct adr_symmetric_line *lines; /* of all PEs */
  struct adr_pace pace;             /* when a program that tests instead of waiting is to look for dead PEs */
  char broken[256];                 /* why the PEs' records of the heap differ; empty: they do not */
  struct adr_shmem_data data[];     /* of each PE */
};

/* Refuses a call in words of its own, which follow the name of the memory. Returns -EINVAL. */
int adr_shmem_refuse(const struct adr_shmem *shmem, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says which symmetric memory: "symmetric memory of 4 PEs". */
void adr_shmem_label(const struct adr_shmem *shmem, char *text, size_t size);

/* Whether bytes of a PE's part lie in its heap, or in its data where it runs the same program. There is such a PE. */
bool adr_shmem_holds(const struct adr_shmem *shmem, uint32_t pe, int64_t offset, int64_t bytes);

/* A look was in vain: moves on what else there is to do. Returns 0, or -EPROTO. */
int adr_shmem_move_on(struct adr_shmem *shmem);

/* Wakes a PE that may wait for a word which was stored. Any thread may call. */
void adr_shmem_wake_pe(const struct adr_shmem *shmem, uint32_t pe);

static inline uint8_t *adr_shmem_part(const struct adr_shmem *shmem, uint32_t pe) {
  return shmem->memory + shmem->stride * pe;
}

static inline uint32_t adr_shmem_rank_of(const struct adr_shmem *shmem, uint32_t pe) { return shmem->comm->ranks[pe]; }

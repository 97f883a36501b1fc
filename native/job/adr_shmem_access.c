/* Accesses to symmetric memory, see adrastea/shmem.h: copies and instructions of this PE, of which the other one knows
 * nothing. Twin of io.adrastea.shmem.ShmemContext, in part. */
#include <errno.h>
#include <inttypes.h>

#include "base/adr_atomic.h"
#include "bootstrap/adr_job_error.h"
#include "job/adr_access_copy.h"
#include "job/adr_shmem_refuse.h"
#include "job/adr_shmem_wait.h"

void *adr_shmem_memory(const adr_shmem *shmem, int pe, int64_t offset) {
  if (pe < 0 || (uint32_t)pe >= shmem->pes || !adr_shmem_holds(shmem, (uint32_t)pe, offset, 1)) { return NULL; }
  return adr_shmem_part(shmem, (uint32_t)pe) + offset;
}

/* Says why there is no such place. */
static int refuse_place(const struct adr_shmem *shmem, const char *name, int64_t bytes, int pe, int64_t offset) {
  if (pe < 0 || (uint32_t)pe >= shmem->pes) {
    return adr_shmem_refuse(shmem, "%s at offset %" PRId64 " of PE %d; there are PEs 0 to %" PRIu32, name, offset, pe,
                            shmem->pes - 1);
  }
  const bool is_data = offset >= (int64_t)shmem->data_start && adr_shmem_holds(shmem, shmem->rank, offset, 1);
  if (is_data && !adr_shmem_shares_program(shmem, (uint32_t)pe)) {
    return adr_shmem_refuse(shmem,
                            "%s at offset %" PRId64
                            " of PE %d, which is the program's data; PE %d runs another program, "
                            "whose data lies elsewhere: use an object of the heap",
                            name, offset, pe, pe);
  }
  return adr_shmem_refuse(shmem,
                          "%s of %" PRId64 " bytes at offset %" PRId64
                          " of PE %d: they do not lie in its heap of %" PRIu64 " bytes, nor in its data of %" PRId64
                          " bytes from %" PRIu64 " on; nothing was accessed",
                          name, bytes, offset, pe, shmem->heap.bytes, shmem->data[pe].bytes, shmem->data_start);
}

/* Finds bytes of a PE's part. Returns 0 or -EINVAL. */
static int find(const struct adr_shmem *shmem, const char *name, int64_t bytes, int pe, int64_t offset,
                uint8_t **memory) {
  if (pe < 0 || (uint32_t)pe >= shmem->pes || !adr_shmem_holds(shmem, (uint32_t)pe, offset, bytes)) {
    return refuse_place(shmem, name, bytes, pe, offset);
  }
  *memory = adr_shmem_part(shmem, (uint32_t)pe) + offset;
  return 0;
}

/* Finds an element that is accessed at once. */
static int find_element(const struct adr_shmem *shmem, const char *name, int64_t bytes, int pe, int64_t offset,
                        uint8_t **memory) {
  if ((offset & (bytes - 1)) != 0) {
    return adr_shmem_refuse(shmem,
                            "%s at offset %" PRId64 " of PE %d: an element of %" PRId64
                            " bytes is to lie at a multiple "
                            "of them, since it is accessed at once",
                            name, offset, pe, bytes);
  }
  return find(shmem, name, bytes, pe, offset, memory);
}

int adr_shmem_put(adr_shmem *shmem, const void *origin, int64_t bytes, int pe, int64_t offset) {
  uint8_t *memory = NULL;
  const int status = find(shmem, "put", bytes, pe, offset, &memory);
  if (status == 0) { adr_access_copy(memory, origin, bytes); }
  return status;
}

int adr_shmem_get(adr_shmem *shmem, void *result, int64_t bytes, int pe, int64_t offset) {
  uint8_t *memory = NULL;
  const int status = find(shmem, "get", bytes, pe, offset, &memory);
  if (status == 0) { adr_access_copy(result, memory, bytes); }
  return status;
}

int adr_shmem_put_signal(adr_shmem *shmem, const void *origin, int64_t bytes, int pe, int64_t offset,
                         int64_t signal_offset, uint64_t signal, int op) {
  uint8_t *memory = NULL;
  uint8_t *word = NULL;
  if (op != ADR_SIGNAL_SET && op != ADR_SIGNAL_ADD) {
    return adr_shmem_refuse(shmem,
                            "put_signal by operation %d; allowed are ADR_SIGNAL_SET (%d) and ADR_SIGNAL_ADD (%d)", op,
                            ADR_SIGNAL_SET, ADR_SIGNAL_ADD);
  }
  int status = find_element(shmem, "put_signal", sizeof(uint64_t), pe, signal_offset, &word);
  if (status == 0) { status = find(shmem, "put_signal", bytes, pe, offset, &memory); }
  if (status < 0) { return status; }
  adr_access_copy(memory, origin, bytes);
  if (op == ADR_SIGNAL_SET) {
    /* SYNC symmetric-word: release, pairs with a wait or fetch; the data comes before the signal. */
    adr_store_release_u64((adr_atomic_u64 *)(void *)word, signal);
  } else {
    /* SYNC symmetric-word: acq_rel, likewise. */
    adr_add_acq_rel_u64((adr_atomic_u64 *)(void *)word, signal);
  }
  adr_shmem_wake_pe(shmem, (uint32_t)pe);
  return 0;
}

int adr_shmem_fetch_add32(adr_shmem *shmem, uint32_t value, uint32_t *before, int pe, int64_t offset) {
  uint8_t *word = NULL;
  const int status = find_element(shmem, "fetch_add32", sizeof value, pe, offset, &word);
  if (status < 0) { return status; }
  /* SYNC symmetric-word: acq_rel, pairs with fetch, set and the waits. */
  *before = adr_add_acq_rel_u32((adr_atomic_u32 *)(void *)word, value);
  return 0;
}

int adr_shmem_fetch_add64(adr_shmem *shmem, uint64_t value, uint64_t *before, int pe, int64_t offset) {
  uint8_t *word = NULL;
  const int status = find_element(shmem, "fetch_add64", sizeof value, pe, offset, &word);
  if (status < 0) { return status; }
  /* SYNC symmetric-word: acq_rel, pairs with fetch, set and the waits. */
  *before = adr_add_acq_rel_u64((adr_atomic_u64 *)(void *)word, value);
  return 0;
}

int adr_shmem_swap32(adr_shmem *shmem, uint32_t value, uint32_t *before, int pe, int64_t offset) {
  uint8_t *word = NULL;
  const int status = find_element(shmem, "swap32", sizeof value, pe, offset, &word);
  if (status < 0) { return status; }
  /* SYNC symmetric-word: acq_rel, pairs with fetch, set and the waits. */
  *before = adr_swap_acq_rel_u32((adr_atomic_u32 *)(void *)word, value);
  return 0;
}

int adr_shmem_swap64(adr_shmem *shmem, uint64_t value, uint64_t *before, int pe, int64_t offset) {
  uint8_t *word = NULL;
  const int status = find_element(shmem, "swap64", sizeof value, pe, offset, &word);
  if (status < 0) { return status; }
  /* SYNC symmetric-word: acq_rel, pairs with fetch, set and the waits. */
  *before = adr_swap_acq_rel_u64((adr_atomic_u64 *)(void *)word, value);
  return 0;
}

int adr_shmem_compare_swap32(adr_shmem *shmem, uint32_t expected, uint32_t desired, uint32_t *before, int pe,
                             int64_t offset) {
  uint8_t *word = NULL;
  const int status = find_element(shmem, "compare_swap32", sizeof desired, pe, offset, &word);
  if (status < 0) { return status; }
  /* SYNC symmetric-word: acq_rel, pairs with fetch, set and the waits. */
  *before = adr_compare_exchange_acq_rel_u32((adr_atomic_u32 *)(void *)word, expected, desired);
  return 0;
}

int adr_shmem_compare_swap64(adr_shmem *shmem, uint64_t expected, uint64_t desired, uint64_t *before, int pe,
                             int64_t offset) {
  uint8_t *word = NULL;
  const int status = find_element(shmem, "compare_swap64", sizeof desired, pe, offset, &word);
  if (status < 0) { return status; }
  /* SYNC symmetric-word: acq_rel, pairs with fetch, set and the waits. */
  *before = adr_compare_exchange_acq_rel_u64((adr_atomic_u64 *)(void *)word, expected, desired);
  return 0;
}

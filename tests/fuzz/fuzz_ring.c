/* Both ends of a copy ring between pages that nobody may touch, while somebody writes into its head. */
#include <string.h>
#include <sys/mman.h>

#include "fuzz_beside.h"
#include "ring/adr_copy_ring.h"

enum { GUARD = 1 << 16, MOST_BYTES = 1 << 14, LEAST_BYTES = 1 << 6, LONGEST = 1 << 15 };

struct state {
  struct adr_copy_ring *ring;
  uint64_t bytes;
  uint64_t chunk;
  uint64_t filled;
  uint64_t drained;
};

/* It begins behind a page that nobody may touch, or ends in front of one: head and bytes together are no whole pages.
 */
static struct adr_copy_ring *fresh_ring(uint64_t bytes, bool at_end) {
  static uint8_t *place;
  const uint64_t whole = ADR_PAGE + MOST_BYTES;
  if (place == NULL) {
    place = mmap(NULL, whole + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fuzz_require(place != MAP_FAILED && mprotect(place + GUARD, whole, PROT_READ | PROT_WRITE) == 0, "no memory");
  }
  uint64_t at = at_end ? whole - bytes - ADR_COPY_RING_BYTES : 0;
  struct adr_copy_ring *ring = (void *)(place + GUARD + at);
  memset((void *)ring, 0, ADR_COPY_RING_BYTES);
  return ring;
}

static void require_moved(int32_t moved, uint64_t length) {
  fuzz_require(moved == ADR_CORRUPT || (moved >= 0 && (uint64_t)moved <= length && moved <= ADR_RING_MOST),
               "more than asked for");
}

static void step(struct state *state, struct fuzz_job *job, struct fuzz_input *in) {
  uint64_t length = fuzz_u16(in) % LONGEST;
  uint32_t what = fuzz_below(in, 4);
  int32_t moved = 0;
  if (what == 0) {
    moved = adr_copy_ring_put(state->ring, state->bytes, state->chunk, state->filled, fuzz_buffer(length), length);
    state->filled += moved > 0 ? (uint64_t)moved : 0;
  } else if (what == 1) {
    moved = adr_copy_ring_take(state->ring, state->bytes, state->chunk, state->drained, fuzz_buffer(length), length);
    state->drained += moved > 0 ? (uint64_t)moved : 0;
  } else {
    adr_atomic_u64 *word = what == 2 ? &state->ring->filled : &state->ring->drained;
    adr_store_relaxed_u64(word, fuzz_value(job, in, adr_load_relaxed_u64(word)));
  }
  require_moved(moved, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz_input in = {bytes, size};
  struct fuzz_job *job = fuzz_job(0);
  struct state state = {.bytes = (uint64_t)LEAST_BYTES << fuzz_below(&in, 9)};
  state.chunk = (uint64_t)LEAST_BYTES << fuzz_below(&in, 9);
  state.ring = fresh_ring(state.bytes, fuzz_below(&in, 2) == 1);
  state.filled = state.drained = fuzz_value(job, &in, 0);
  adr_store_relaxed_u64(&state.ring->filled, state.filled);
  adr_store_relaxed_u64(&state.ring->drained, state.drained);
  fuzz_beside_expose((void *)&state.ring->filled, sizeof(uint64_t));
  fuzz_beside_expose((void *)&state.ring->drained, sizeof(uint64_t));
  for (int steps = 0; in.left > 0 && steps < FUZZ_STEPS; steps++) { step(&state, job, &in); }
  return 0;
}

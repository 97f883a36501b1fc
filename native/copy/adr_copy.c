#include "adrastea/copy.h"

#include <sched.h>
#include <string.h>

#include "base/adr_atomic.h"
#include "base/adr_base.h"
#include "copy/adr_copy.h"
#include "copy/adr_copy_choice.h"

enum { CHOICE_NONE, CHOICE_COMING, CHOICE_THERE };

static struct adr_copy_choice choice; /* writer: the thread that took `state` from NONE to COMING */
static adr_atomic_u64 state;

static void choose_here(struct adr_copy_choice *one) {
  int cpu = sched_getcpu();
  adr_copy_choose(ADR_COPY_SYS, cpu < 0 ? 0 : cpu, one);
}

/* The first call of all chooses for everyone. A call that comes while it is at it waits for nobody and chooses for
 * itself, into `own`. */
__attribute__((noinline)) static const struct adr_copy_choice *first_choice(struct adr_copy_choice *own) {
  /* Relaxed: it decides only which thread writes `choice`, of which nobody reads anything before it is there. */
  if (adr_cas_relaxed_u64(&state, CHOICE_NONE, CHOICE_COMING)) {
    choose_here(&choice);
    adr_store_release_u64(&state, CHOICE_THERE); /* SYNC copy-choice: release; orders `choice` before it */
    return &choice;
  }
  choose_here(own);
  return own;
}

static inline const struct adr_copy_choice *find_choice(struct adr_copy_choice *own) {
  /* SYNC copy-choice: acquire; `choice` is read after it */
  return ADR_LIKELY(adr_load_acquire_u64(&state) == CHOICE_THERE) ? &choice : first_choice(own);
}

static inline void run(const struct adr_copy_step *steps, const void *source, int64_t source_offset, void *destination,
                       int64_t destination_offset, int64_t bytes) {
  if (ADR_LIKELY(bytes > 0)) {
    const uint8_t *from = (const uint8_t *)source + source_offset;
    adr_copy_pick(steps, bytes)->run((uint8_t *)destination + destination_offset, from, bytes);
  }
}

void adr_copy(const void *source, int64_t source_offset, void *destination, int64_t destination_offset, int64_t bytes) {
  struct adr_copy_choice own;
  run(find_choice(&own)->copy, source, source_offset, destination, destination_offset, bytes);
}

void adr_copy_stream(const void *source, int64_t source_offset, void *destination, int64_t destination_offset,
                     int64_t bytes) {
  struct adr_copy_choice own;
  run(find_choice(&own)->stream, source, source_offset, destination, destination_offset, bytes);
}

void adr_copy_part(void *to, const void *from, int64_t bytes, int64_t whole) {
  struct adr_copy_choice own;
  adr_copy_pick(find_choice(&own)->copy, whole)->run(to, from, bytes);
}

int32_t adr_copy_describe(char *text, int32_t capacity) {
  struct adr_copy_choice own;
  return adr_copy_choice_print(find_choice(&own), text, capacity);
}

/* A routine that is chosen at its first call: its address, 0: not yet. */
typedef adr_atomic_u64 adr_copy_chosen;

static adr_copy_chosen piece, over_stage;

/* Asks the CPU alone, and no file: the first piece may come while all threads of a JVM wait for it. */
__attribute__((noinline, cold)) static const struct adr_copy_routine *find(
    adr_copy_chosen *chosen, const struct adr_copy_routine *(*choose)(void)) {
  const struct adr_copy_routine *routine = choose();
  /* Relaxed, here and where it is read: the routines are constants, and all that come at once find the same one. */
  adr_store_relaxed_u64(chosen, (uint64_t)(uintptr_t)routine);
  return routine;
}

static inline void run_chosen(adr_copy_chosen *chosen, const struct adr_copy_routine *(*choose)(void), void *to,
                              const void *from, uint64_t bytes) {
  const struct adr_copy_routine *routine = (const struct adr_copy_routine *)(uintptr_t)adr_load_relaxed_u64(chosen);
  if (ADR_UNLIKELY(routine == NULL)) { routine = find(chosen, choose); }
  routine->run(to, from, (int64_t)bytes);
}

void adr_copy_piece(void *to, const void *from, uint64_t bytes) {
  run_chosen(&piece, adr_copy_routine_piece, to, from, bytes);
}

void adr_copy_over_stage(void *to, const void *from, uint64_t bytes) {
  if (bytes < ADR_COPY_OVER_FROM) {
    memcpy(to, from, bytes);
  } else {
    run_chosen(&over_stage, adr_copy_routine_ahead, to, from, bytes);
  }
}

#include "fuzz_beside.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/adr_base.h"
#include "fuzz_driver.h"

enum { CHANGES = 48, INPUT_BYTES = 32, LEFT_SPOILED = 8, MOST_BESIDE = 2 };

/* What is exposed. Taken for a stretch of changes at a time. */
static pthread_mutex_t exposing = PTHREAD_MUTEX_INITIALIZER;
static struct fuzz_job *job;
static struct {
  uint64_t *memory;
  size_t words;
} beside[MOST_BESIDE];
static size_t besides;

static atomic_bool started;
static _Atomic uint32_t wishes; /* to change what is exposed: the thread lets them pass */

static void lock(void) {
  atomic_fetch_add(&wishes, 1);
  pthread_mutex_lock(&exposing);
  atomic_fetch_sub(&wishes, 1);
}

void fuzz_beside_expose_job(struct fuzz_job *exposed) {
  if (!atomic_load(&started)) { return; }
  lock();
  job = exposed;
  besides = 0;
  pthread_mutex_unlock(&exposing);
}

void fuzz_beside_expose(void *memory, size_t bytes) {
  if (!atomic_load(&started)) { return; }
  lock();
  fuzz_require(besides < MOST_BESIDE, "more memories than can be exposed");
  beside[besides].memory = memory;
  beside[besides++].words = bytes / sizeof(uint64_t);
  pthread_mutex_unlock(&exposing);
}

/* What the thread writes to a memory is read in each mapping of it. */
void fuzz_beside_expose_mapping(const void *mapping, void *memory, size_t bytes) {
  (void)mapping, (void)memory, (void)bytes;
}

void fuzz_beside_hide_mapping(const void *mapping) { (void)mapping; }

void fuzz_beside_hide(void) { fuzz_beside_expose_job(NULL); }

/* Which word, and what to write there, is as random as what the driver makes of no input. */
static void fill(struct fuzz_random *random, uint8_t bytes[INPUT_BYTES]) {
  for (size_t i = 0; i < INPUT_BYTES; i += sizeof(uint64_t)) {
    uint64_t eight = fuzz_random_next(random);
    __builtin_memcpy(bytes + i, &eight, sizeof eight);
  }
}

static adr_atomic_u64 *word_of(struct fuzz_random *random, struct fuzz_input *in) {
  if (besides == 0 || fuzz_random_below(random, 4) == 0) { return (adr_atomic_u64 *)(void *)fuzz_word(job, in); }
  size_t which = fuzz_random_below(random, besides);
  return (adr_atomic_u64 *)(void *)(beside[which].memory + fuzz_random_below(random, beside[which].words));
}

/* One word, to and fro between what it was and something else: one passes the checks, and the other is there at the
 * use. */
static void spoil(struct fuzz_random *random) {
  uint8_t bytes[INPUT_BYTES];
  fill(random, bytes);
  struct fuzz_input in = {bytes, INPUT_BYTES};
  adr_atomic_u64 *word = word_of(random, &in);
  uint64_t before = adr_load_relaxed_u64(word);
  uint64_t other = fuzz_value(job, &in, before);
  for (int changes = 0; changes < CHANGES && atomic_load_explicit(&wishes, memory_order_relaxed) == 0; changes++) {
    adr_store_relaxed_u64(word, other);
    adr_cpu_pause();
    adr_store_relaxed_u64(word, before);
    adr_cpu_pause();
  }
  if (fuzz_random_below(random, LEFT_SPOILED) == 0) { adr_store_relaxed_u64(word, other); }
}

void fuzz_beside_begin(uint64_t hash) { (void)hash; /* it is a matter of the moment */ }

bool fuzz_beside_is_on(void) { return atomic_load(&started); }

static void *run(void *seed) {
  struct fuzz_random random = {(uintptr_t)seed};
  for (;;) {
    while (atomic_load_explicit(&wishes, memory_order_relaxed) != 0) { adr_cpu_pause(); }
    pthread_mutex_lock(&exposing);
    if (job != NULL) { spoil(&random); }
    pthread_mutex_unlock(&exposing);
  }
  return NULL;
}

void fuzz_beside_start(uint64_t seed) {
  pthread_t thread;
  atomic_store(&started, true);
  fuzz_require(pthread_create(&thread, NULL, run, (void *)(uintptr_t)seed) == 0, "no thread");
  pthread_detach(thread);
}

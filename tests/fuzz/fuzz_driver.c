/* Runs a target without libFuzzer: first the inputs that are kept, then ones made from them. What it makes depends on
 * the seed alone, so that a finding can be had again. An input that reaches code that none before it has reached is
 * made more of.
 *
 *   fuzz_channel [--beside] [--seed S] [--inputs N] [FILE or DIRECTORY]...
 *
 * --beside: words are spoiled all the while (fuzz_beside.h). Where a thread does that, what happens depends on the
 * moment too, and a finding may need more than its input to come again.
 *
 * The code under test counts its own steps (-fsanitize-coverage=trace-pc): an input that takes too many of them is a
 * finding. Whatever ends the program writes the input to a file, to be kept below corpus/. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz_beside.h"
#include "fuzz_driver.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

enum { MOST_BYTES = 1024, MOST_KEPT = 1 << 14, SEEN_BITS = 16, CHANGES = 6 };
#define MOST_STEPS 20000000

struct kept {
  uint8_t *bytes;
  size_t size;
};

static struct kept corpus[MOST_KEPT];
static size_t corpus_size;

static uint8_t current[MOST_BYTES];
static size_t current_size;
static uint64_t number; /* of the current one */
static uint64_t seed = 1;
static const char *program;

/* Steps from one place to another, by a hash of both: how often this input made them, and how often others did, in
 * powers of two. */
static uint8_t made[1 << SEEN_BITS];
static uint8_t known[1 << SEEN_BITS];
static uintptr_t last_place;
static uint64_t steps;

/* What the sanitizers ask for: so that `save` is called also when a check of a target fails. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "handle_abort=1:detect_leaks=0:allocator_may_return_null=1"; }

/* The sanitizers end the program with this. */
static void save(void) {
  char name[256];
  const char *base = strrchr(program, '/');
  snprintf(name, sizeof name, "finding-%s-%" PRIu64 "-%" PRIu64, base == NULL ? program : base + 1, seed, number);
  fprintf(stderr, "seed %" PRIu64 ", input %" PRIu64 ", %zu bytes, kept in %s:\n", seed, number, current_size, name);
  for (size_t i = 0; i < current_size; i++) { fprintf(stderr, "%02x", current[i]); }
  fprintf(stderr, "\n");
  FILE *file = fopen(name, "wb");
  if (file != NULL) {
    fwrite(current, 1, current_size, file);
    fclose(file);
  }
}

/* Called by the code under test at each of its steps. */
void __sanitizer_cov_trace_pc(void) {
  uintptr_t here =
      (uintptr_t)__builtin_return_address(0) - (uintptr_t)LLVMFuzzerTestOneInput; /* the same wherever it is loaded */
  uint8_t *count = &made[(here ^ last_place << 1 ^ here >> SEEN_BITS) & ((1u << SEEN_BITS) - 1)];
  *count += *count < UINT8_MAX;
  last_place = here;
  if (++steps > MOST_STEPS) { fuzz_require(0, "a loop without an end"); }
}

/* Whether the input made steps that no other has made about as often; forgets what it made. */
static int is_new(void) {
  int any = 0;
  for (size_t i = 0; i < sizeof made; i += sizeof(uint64_t)) {
    uint64_t eight;
    memcpy(&eight, made + i, sizeof eight);
    for (size_t j = i; eight != 0 && j < i + sizeof eight; j++) {
      uint8_t bit = made[j] == 0 ? 0 : (uint8_t)(1u << (31 - __builtin_clz(made[j])));
      any |= (known[j] & bit) == 0 && bit != 0;
      known[j] |= bit;
      made[j] = 0;
    }
  }
  return any;
}

static void keep(const uint8_t *bytes, size_t size) {
  if (corpus_size == MOST_KEPT) { return; }
  uint8_t *copy = malloc(size + 1);
  memcpy(copy, bytes, size);
  corpus[corpus_size++] = (struct kept){copy, size};
}

static uint64_t hash(void) {
  uint64_t hash = seed;
  for (size_t i = 0; i < current_size; i++) { hash = (hash ^ current[i]) * UINT64_C(0x100000001b3); }
  return hash;
}

/* Whether the input reached something new. */
static int run(void) {
  fuzz_beside_begin(hash());
  steps = 0;
  number++;
  LLVMFuzzerTestOneInput(current, current_size);
  return is_new();
}

static void replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  fuzz_require(file != NULL, path);
  current_size = fread(current, 1, sizeof current, file);
  fclose(file);
  run();
  keep(current, current_size);
}

static int by_name(const struct dirent **one, const struct dirent **other) {
  return strcmp((*one)->d_name, (*other)->d_name);
}

static void replay(const char *path) {
  struct stat found;
  struct dirent **names;
  fuzz_require(stat(path, &found) == 0, path);
  if (!S_ISDIR(found.st_mode)) {
    replay_file(path);
    return;
  }
  int count = scandir(path, &names, NULL, by_name);
  for (int i = 0; i < count; i++) {
    char file[4096];
    snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
    if (names[i]->d_name[0] != '.') { replay_file(file); }
    free(names[i]);
  }
  free(names);
}

static void explore(uint64_t inputs) {
  struct fuzz_random random = {seed};
  for (uint64_t i = 0; i < inputs; i++) {
    const struct kept *base = &corpus[fuzz_random_below(&random, corpus_size)];
    const struct kept *other = &corpus[fuzz_random_below(&random, corpus_size)];
    current_size = base->size;
    memcpy(current, base->bytes, base->size);
    for (uint64_t changes = 1 + fuzz_random_below(&random, CHANGES); changes > 0; changes--) {
      current_size = fuzz_mutate(&random, current, current_size, MOST_BYTES, other->bytes, other->size);
    }
    if (run()) { keep(current, current_size); }
  }
}

int main(int count, char **words) {
  uint64_t inputs = 0;
  program = words[0];
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_set_death_callback(save);
#else
  (void)save; /* without sanitizers the code is as it is shipped; the pages around the segment are what finds errors */
#endif
  keep((const uint8_t *)"", 0);
  for (int i = 1; i < count; i++) {
    if (strcmp(words[i], "--seed") == 0 && i + 1 < count) {
      seed = strtoull(words[++i], NULL, 0);
    } else if (strcmp(words[i], "--inputs") == 0 && i + 1 < count) {
      inputs = strtoull(words[++i], NULL, 0);
    } else if (strcmp(words[i], "--beside") == 0) {
      fuzz_beside_start(seed);
    } else {
      replay(words[i]);
    }
  }
  size_t given = corpus_size - 1;
  explore(inputs);
  printf("%s: %zu inputs kept and %" PRIu64 " made from them with seed %" PRIu64
         ", %zu of which reached something new: no finding\n",
         program, given, inputs, seed, corpus_size - 1 - given);
  return 0;
}

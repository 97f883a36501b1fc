/* What libshmem refuses: each with a line that names routine, PE and address, and exit code 1, and never a signal. */
#include <errno.h>
#include <sys/stat.h>

#include "pes.h"

static int failures;

static void expect(const char *what, const char *text) {
  if (strstr(pes_said, text) == NULL) {
    fprintf(stderr, "%s: '%s' is not in what was said:\n%s\n", what, text, pes_said);
    failures++;
  }
}

/* A case whose PEs all end with 1, after a line that has both texts. */
#define REFUSED(size, body, first, second) \
  do { \
    failures += pes_run(size, 1, body); \
    expect(#body, first); \
    expect(#body, second); \
  } while (0)

static int64_t *words;

static void begin(void) {
  shmem_init();
  words = shmem_calloc(8, sizeof *words);
}

/* Waits for what does not come, so that another PE's end is what ends this one. */
static void wait_in_vain(void) { shmem_int64_wait_until(words, SHMEM_CMP_EQ, 77); }

static void early_put(void) { shmem_long_p((long *)words, 1, 0); }
static void early_query(void) { shmem_my_pe(); }
static void early_malloc(void) { shmem_malloc(8); }
static void early_finalize(void) { shmem_finalize(); }
static void early_wait(void) {
  int word = 0;
  shmem_int_wait_until(&word, SHMEM_CMP_EQ, 1);
}

static void late_put(void) {
  begin();
  shmem_finalize();
  shmem_int64_p(words, 1, 0);
}

static void stack_address(void) {
  begin();
  int64_t local = 0;
  if (pes_here == 0) { shmem_int64_atomic_add(&local, 1, 1); }
  wait_in_vain();
}

/* The PE's own memory, which the hardware of x86 would reach. */
static int64_t *unaligned(void) { return (int64_t *)(void *)((char *)words + 12); }

static void unaligned_atomic(void) {
  begin();
  shmem_int64_atomic_fetch_add(unaligned(), 1, 0);
}

static void unaligned_atomic_of_context(void) {
  shmem_ctx_t ctx;
  begin();
  shmem_ctx_create(0, &ctx);
  shmem_ctx_float_atomic_set(ctx, (float *)(void *)((char *)words + 2), 1, 0);
}

static void unaligned_and_private(void) {
  begin();
  int64_t local[2] = {0};
  shmem_int64_atomic_inc((int64_t *)(void *)((char *)local + 1), 0);
}

static void unaligned_signal(void) {
  begin();
  shmem_int64_put_signal(words, words + 1, 1, (uint64_t *)unaligned(), 1, SHMEM_SIGNAL_ADD, 0);
}

static void unaligned_wait(void) {
  begin();
  shmem_int64_wait_until(unaligned(), SHMEM_CMP_EQ, 0);
}

static void unaligned_waits(void) {
  begin();
  shmem_int64_wait_until_all(unaligned(), 2, NULL, SHMEM_CMP_EQ, 0);
}

static void null_address(void) {
  begin();
  shmem_putmem(NULL, &failures, 4, 0);
}

static void beyond_heap(void) {
  begin();
  static char source[1 << 21];
  shmem_putmem(words, source, sizeof source, 0); /* the heap has 1 MiB */
}

static void pe_too_large(void) {
  begin();
  shmem_int64_p(words, 1, 1);
}

static void pe_negative(void) {
  begin();
  shmem_int64_g(words, -1);
}

static void other_size(void) {
  begin();
  setenv("SHMEM_SYMMETRIC_SIZE", "2m", 1);
  shmem_init();
}

static void odd_size(void) {
  setenv("SHMEM_SYMMETRIC_SIZE", "20kk", 1);
  shmem_init();
}

static void odd_level(void) {
  int provided;
  shmem_init_thread(7, &provided);
}

static void different_sizes(void) {
  begin();
  shmem_malloc(pes_here == 0 ? 100 : 200);
}

static void freed_twice(void) {
  begin();
  shmem_free(words);
  shmem_free(words);
}

static void freed_inside(void) {
  begin();
  shmem_free(words + 1);
}

static void odd_comparison(void) {
  begin();
  shmem_int64_test(words, 9, 0);
}

static void odd_signal(void) {
  begin();
  shmem_int64_put_signal(words, words, 1, (uint64_t *)words + 1, 1, 5, 0);
}

static void odd_stride(void) {
  begin();
  int64_t local[4] = {0};
  shmem_int64_iput(words, local, 0, 1, 4, 0);
}

static void invalid_context(void) {
  begin();
  shmem_ctx_int64_p(SHMEM_CTX_INVALID, words, 1, 0);
}

static void context_pe(void) {
  shmem_ctx_t ctx;
  begin();
  shmem_ctx_create(0, &ctx);
  shmem_ctx_int64_p(ctx, words, 1, 3);
}

static void local_lock(void) {
  begin();
  long lock = 0;
  shmem_set_lock(&lock);
}

static void lock_of_another(void) {
  begin();
  shmem_clear_lock((long *)words);
}

/* Ends without an error: a heap that is full gives NULL to all, and goes on. */
static void full_heap(void) {
  begin();
  CHECK(shmem_malloc(1 << 21) == NULL);
  CHECK(shmem_realloc(words, 1 << 21) == NULL);
  void *large = shmem_malloc(1 << 19);
  CHECK(large != NULL && shmem_calloc(1, 1 << 19) == NULL);
  shmem_free(large);
  shmem_finalize();
}

/* 0 elements are nothing to be done, whatever the address is. */
static void nothing(void) {
  begin();
  shmem_putmem(NULL, NULL, 0, 0);
  shmem_getmem(NULL, NULL, 0, 0);
  shmem_int64_iput(NULL, NULL, 1, 1, 0, 0);
  shmem_int64_wait_until_all(NULL, 0, NULL, SHMEM_CMP_EQ, 0);
  shmem_finalize();
}

static void sizes(void) {
  setenv("SHMEM_SYMMETRIC_SIZE", ".5k", 1);
  shmem_init();
  CHECK(shmem_malloc(513) == NULL && shmem_malloc(512) != NULL);
  shmem_finalize();
  setenv("SHMEM_SYMMETRIC_SIZE", "0", 1);
  shmem_init();
  CHECK(shmem_malloc(65) == NULL);
  shmem_finalize();
  unsetenv("SHMEM_SYMMETRIC_SIZE");
  setenv("SMA_SYMMETRIC_SIZE", "3.1m", 1); /* 3250586 bytes, in whole lines */
  shmem_init();
  CHECK(shmem_malloc(3250624 + 1) == NULL && shmem_malloc(3250586) != NULL);
  shmem_finalize();
}

static void killed(void) {
  begin();
  if (pes_here == 0) { raise(SIGKILL); }
  wait_in_vain();
}

static void killed_with_lock(void) {
  begin();
  if (pes_here == 0) {
    shmem_set_lock((long *)words + 1);
    shmem_int64_p(words, 1, 1);
    raise(SIGKILL);
  }
  shmem_int64_wait_until(words, SHMEM_CMP_EQ, 1);
  shmem_set_lock((long *)words + 1);
}

static void exits(void) {
  begin();
  if (pes_here == 0) { exit(3); }
  wait_in_vain();
}

static void ends_without_finalize(void) { begin(); }

static void exits_all(void) {
  begin();
  if (pes_here == 0) { shmem_global_exit(5); }
  wait_in_vain();
}

/* The other PE waits for nobody. */
static void exits_all_that_compute(void) {
  static char buffer[4096];
  begin();
  if (pes_here == 1) {
    setvbuf(stderr, buffer, _IOFBF, sizeof buffer);
    fputs("was computing", stderr);
  }
  shmem_barrier_all();
  if (pes_here == 0) { shmem_global_exit(0); }
  for (volatile uint64_t turns = 0;; turns++) {}
}

static void end_of_own(int signal_number) { _exit(signal_number == SIGTERM ? 9 : 1); }

static void exits_all_with_handlers(void) {
  if (pes_here == 1) { signal(SIGTERM, end_of_own); }
  exits_all_that_compute();
}

static void exits_all_that_ignore_it(void) {
  if (pes_here == 1) { signal(SIGTERM, SIG_IGN); }
  exits_all_that_compute();
}

/* Another SIGTERM than that one. */
static void terminated(void) {
  begin();
  if (pes_here == 0) { raise(SIGTERM); }
  wait_in_vain();
}

/* A child is no PE: it ends without a word to the others. */
static void forks(void) {
  begin();
  pid_t child = fork();
  if (child == 0) { exit(4); }
  int ended;
  CHECK(waitpid(child, &ended, 0) == child && WEXITSTATUS(ended) == 4);
  shmem_int64_p(words, 1, 1 - pes_here);
  shmem_int64_wait_until(words, SHMEM_CMP_EQ, 1);
  shmem_finalize();
}

int main(void) {
  pes_begin();
  setenv("SHMEM_SYMMETRIC_SIZE", "1m", 1);
  REFUSED(1, early_put, "shmem_long_p: called before shmem_init", "shmem_init_thread first");
  REFUSED(1, early_query, "shmem_my_pe: called before shmem_init", "");
  REFUSED(1, early_malloc, "shmem_malloc: called before shmem_init", "");
  REFUSED(1, early_finalize, "shmem_finalize: called before shmem_init", "");
  REFUSED(1, early_wait, "shmem_int_wait_until: called before shmem_init", "");
  REFUSED(1, late_put, "PE 0: shmem_int64_p: called after shmem_finalize", "");
  REFUSED(2, stack_address, "PE 0: shmem_int64_atomic_add: address 0x", "(8 bytes, for PE 1) is not symmetric");
  REFUSED(1, unaligned_atomic, "shmem_int64_atomic_fetch_add: address 0x",
          "(for PE 0) is no multiple of 8: an element");
  REFUSED(1, unaligned_atomic_of_context, "shmem_ctx_float_atomic_set: address 0x", "is no multiple of 4: an element");
  REFUSED(1, unaligned_and_private, "shmem_int64_atomic_inc: address 0x", "(8 bytes, for PE 0) is not symmetric");
  REFUSED(1, unaligned_signal, "shmem_int64_put_signal: address 0x", "is no multiple of 8: an element");
  REFUSED(1, unaligned_wait, "shmem_int64_wait_until: address 0x", "is no multiple of 8: an element");
  REFUSED(1, unaligned_waits, "shmem_int64_wait_until_all: address 0x", "is no multiple of 8: an element");
  REFUSED(1, null_address, "shmem_putmem: address (nil) (4 bytes, for PE 0) is not symmetric", "");
  REFUSED(1, beyond_heap, "shmem_putmem: 2097152 bytes at address 0x", "reach beyond the symmetric heap");
  REFUSED(1, pe_too_large, "shmem_int64_p: there is no PE 1 (address 0x", "allowed are 0 to 0");
  REFUSED(1, pe_negative, "shmem_int64_g: there is no PE -1 (address 0x", "allowed are 0 to 0");
  REFUSED(1, other_size, "shmem_init: the symmetric heap has 1048576 bytes", "now wants 2097152");
  REFUSED(1, odd_size, "shmem_init: SHMEM_SYMMETRIC_SIZE is '20kk'", "such as 256M");
  REFUSED(1, odd_level, "shmem_init_thread: there is no thread level 7", "SHMEM_THREAD_MULTIPLE (3)");
  REFUSED(2, different_sizes, "shmem_malloc: ", "");
  REFUSED(1, freed_twice, "shmem_free: no object of shmem_malloc begins at address 0x", "freed");
  REFUSED(1, freed_inside, "shmem_free: no object of shmem_malloc begins at address 0x", "");
  REFUSED(1, odd_comparison, "shmem_int64_test: there is no comparison 9 (address 0x", "SHMEM_CMP_GE");
  REFUSED(1, odd_signal, "shmem_int64_put_signal: there is no signal operation 5", "SHMEM_SIGNAL_ADD");
  REFUSED(1, odd_stride, "shmem_int64_iput: a stride is 0", "allowed are 1 and more");
  REFUSED(1, invalid_context, "shmem_ctx_int64_p: the context is SHMEM_CTX_INVALID (PE 0)", "");
  REFUSED(1, context_pe, "shmem_ctx_int64_p: there is no PE 3 in the team of the context", "allowed are 0 to 0");
  REFUSED(1, local_lock, "shmem_set_lock: address 0x", "is not symmetric");
  REFUSED(1, lock_of_another, "shmem_clear_lock: ", "");
  failures += pes_run(2, 0, full_heap);
  failures += pes_run(1, 0, nothing);
  failures += pes_run(1, 0, sizes);
  failures += pes_run(2, 0, ends_without_finalize);
  failures += pes_run(2, 0, forks);
  failures += pes_run_each(2, (int[]){-SIGKILL, 1}, killed);
  expect("killed", "PE 1: shmem_int64_wait_until: ");
  expect("killed", "rank 0");
  expect("killed", "(offset 0 of the heap) to be equal to 77");
  failures += pes_run_each(2, (int[]){-SIGKILL, 1}, killed_with_lock);
  expect("killed_with_lock", "PE 1: shmem_set_lock: ");
  failures += pes_run_each(2, (int[]){3, 1}, exits);
  expect("exits", "it exited with 3 without shmem_finalize");
  failures += pes_run_each(2, (int[]){5, 5}, exits_all);
  failures += pes_run_each(3, (int[]){0, 0, 0}, exits_all_that_compute);
  expect("exits_all_that_compute", "was computing");
  failures += pes_run_each(2, (int[]){0, 9}, exits_all_with_handlers);
  failures += pes_run_each(2, (int[]){0, -SIGKILL}, exits_all_that_ignore_it);
  failures += pes_run_each(2, (int[]){-SIGTERM, 1}, terminated);
  return pes_end(failures);
}

/* Global and static variables of a program are symmetric among its PEs, and what is no variable of the program is
 * refused by name. tests/c/data_segment_test.c has the moves themselves, at addresses that differ. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>

#include "pes.h"

enum { LARGE = 1 << 22, PES = 3, ROUNDS = 1000, LONGS = 20000 };

long word, words[4] = {1, 2, 3, 4};
static int small = 5;
static _Alignas(4096) char aligned[4096 + 8];
static char large[LARGE];
static long given[PES * LONGS], got[PES * LONGS];
static long sync_words[SHMEM_REDUCE_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static const long constant = 9;
static _Thread_local long of_thread;
static const char *other_program;

#ifdef OTHER_PROGRAM
long one_more;
#endif

static long *in_function(void) {
  static long inside = 6;
  return &inside;
}

static void meet(void) { shmem_free(shmem_malloc(8)); } /* both wait for all PEs */

/* -- Bodies of PEs ------------------------------------------------------------------------------------------------ */

static void put_and_get(void) {
  small = 50 + pes_here;
  shmem_init();
  int me = shmem_my_pe(), next = (me + 1) % PES, last = (me + PES - 1) % PES;
  CHECK(small == 50 + me && words[3] == 4 && *in_function() == 6);
  CHECK(shmem_int_g(&small, next) == 50 + next);
  meet(); /* all have looked */
  shmem_long_p(&word, 100 + me, next);
  shmem_putmem(aligned, (char[]){(char)me, 7}, 2, next);
  shmem_long_put(words, (long[]){me, me, me, me + 1}, 4, next);
  shmem_char_p(&large[LARGE - 1], (char)('a' + me), next);
  shmem_long_p(in_function(), 200 + me, next);
  for (int i = 0; i < ROUNDS; i++) { shmem_int_atomic_inc(&small, 0); }
  meet();
  CHECK(word == 100 + last && words[0] == last && words[3] == last + 1);
  CHECK(aligned[0] == last && aligned[1] == 7 && large[LARGE - 1] == 'a' + last && *in_function() == 200 + last);
  CHECK(me != 0 || small == 50 + PES * ROUNDS);
  long *theirs = shmem_ptr(&word, next);
  CHECK(theirs != NULL && *theirs == 100 + me && shmem_addr_accessible(&word, next));
  CHECK(shmem_ptr(&constant, next) == NULL && shmem_ptr(&of_thread, next) == NULL);
  meet();
  if (me == 0) { shmem_long_p(&word, -1, 1); }
  if (me == 1) { shmem_long_wait_until(&word, SHMEM_CMP_EQ, -1); }
  shmem_finalize();
  CHECK(words[0] == last && large[LARGE - 1] == 'a' + last && (me != 1 || word == -1));
  words[0] = 77;
  shmem_init(); /* anew, with what they hold now */
  CHECK(shmem_long_g(words, next) == 77);
  shmem_finalize();
}

static long element(int pe, int i) { return pe * 1000000L + i; }

/* What is in `got` is, from the element `at` on, what a PE gives from its element `from` on. */
static void check_got(int at, int pe, int from, int count) {
  for (int i = 0; i < count; i++) { CHECK(got[at + i] == element(pe, from + i)); }
}

/* With so many elements of each PE: few go by a copy in between, many straight from one PE's variable to another's. */
static void collect_all(int count) {
  const int me = shmem_my_pe(), more = count + me;
  const size_t elements = (size_t)count;
  CHECK(shmem_long_broadcast(SHMEM_TEAM_WORLD, got, given, elements, 2) == 0);
  check_got(0, 2, 0, count);
  meet();
  CHECK(shmem_long_fcollect(SHMEM_TEAM_WORLD, got, given, elements) == 0);
  for (int pe = 0; pe < PES; pe++) { check_got(pe * count, pe, 0, count); }
  meet();
  CHECK(shmem_long_alltoall(SHMEM_TEAM_WORLD, got, given, elements) == 0);
  for (int pe = 0; pe < PES; pe++) { check_got(pe * count, pe, me * count, count); }
  meet();
  CHECK(shmem_long_alltoalls(SHMEM_TEAM_WORLD, got, given, 1, 1, elements) == 0);
  for (int pe = 0; pe < PES; pe++) { check_got(pe * count, pe, me * count, count); }
  meet();
  CHECK(shmem_long_collect(SHMEM_TEAM_WORLD, got, given, (size_t)more - 2) == 0);
  for (int pe = 0, at = 0; pe < PES; at += count + pe - 2, pe++) { check_got(at, pe, 0, count + pe - 2); }
  meet();
  CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, got, given, elements) == 0);
  for (int i = 0; i < count; i++) { CHECK(got[i] == element(0, i) + element(1, i) + element(2, i)); }
  meet();
  shmem_long_max_to_all(got, given, count, 0, 0, PES, work, sync_words);
  check_got(0, 2, 0, count);
  meet();
}

static void call_collectives(void) {
  shmem_init();
  for (int i = 0; i < PES * LONGS; i++) { given[i] = element(shmem_my_pe(), i); }
  collect_all(2);
  collect_all(LONGS);
  shmem_finalize();
}

static void fork_a_child(void) {
  shmem_init();
  word = 10;
  meet();
  if (pes_here == 0) {
    pid_t child = fork();
    if (child == 0) {
      word++;
      _exit(word == 11 ? 0 : 1);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  }
  meet();
  CHECK(word == 10 && shmem_long_g(&word, 0) == 10);
  shmem_finalize();
}

static void wait_for_the_end(void) { shmem_long_wait_until(shmem_malloc(sizeof(long)), SHMEM_CMP_EQ, 1); }

static void put_to(const void *address) {
  shmem_init();
  if (pes_here == 0) { shmem_putmem((void *)(uintptr_t)address, &word, 4, 1); }
  wait_for_the_end();
}

static void put_to_constant(void) { put_to(&constant); }
static void put_to_thread_local(void) { put_to(&of_thread); }
static void put_to_stack(void) {
  int local = 0;
  put_to(&local);
}
static void put_to_library(void) { put_to(dlsym(RTLD_NEXT, "opterr")); }

static void *rest(void *unused) {
  pause();
  return unused;
}

/* The heap is there, variables are refused. */
static void start_with_a_thread(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, rest, NULL) == 0);
  shmem_init();
  long *object = shmem_malloc(sizeof *object);
  shmem_long_p(object, 3, 1 - pes_here);
  meet();
  CHECK(*object == 3 && shmem_ptr(&word, 1 - pes_here) == NULL);
  meet();
  if (pes_here == 0) { shmem_long_p(&word, 1, 1); }
  wait_for_the_end();
}

/* PE 1 is another program, with the heap in common. */
static void be_the_other(void) {
  shmem_init();
  long *object = shmem_malloc(sizeof *object);
  shmem_long_p(object, 4, 0);
  meet();
  meet();
  wait_for_the_end();
}

static void put_to_another_program(void) {
  if (pes_here == 1) {
    execl(other_program, "other", "pe", (char *)NULL);
    exit(2);
  }
  shmem_init();
  long *object = shmem_malloc(sizeof *object);
  meet();
  CHECK(*object == 4 && shmem_ptr(&word, 1) == NULL && shmem_ptr(&word, 0) != NULL);
  shmem_long_p(&word, 8, 0); /* its own */
  CHECK(word == 8);
  meet();
  shmem_long_p(&word, 1, 1);
}

/* -- The test ----------------------------------------------------------------------------------------------------- */

static int failures;

static void expect_refused(void (*body)(void), const char *words_of_it) {
  failures += pes_run(2, 1, body);
  if (strstr(pes_said, words_of_it) != NULL) { return; }
  fprintf(stderr, "'%s' is not in what was said:\n%s\n", words_of_it, pes_said);
  failures++;
}

int main(int count, char **arguments) {
  if (count != 2) { return 2; }
  if (strcmp(arguments[1], "pe") == 0) {
    pes_here = 1;
    be_the_other();
    return 0;
  }
  other_program = arguments[1];
  setenv("SHMEM_SYMMETRIC_SIZE", "1m", 1);
  pes_begin();
  failures += pes_run(PES, 0, put_and_get);
  failures += pes_run(PES, 0, call_collectives);
  failures += pes_run(2, 0, fork_a_child);
  expect_refused(put_to_constant, "a constant of the program");
  expect_refused(put_to_thread_local, "a thread-local variable of the program");
  expect_refused(put_to_stack, "memory of a stack");
  expect_refused(put_to_library, "the variable 'opterr' of the library libc.so.6");
  expect_refused(start_with_a_thread, "the process has 2 threads");
  expect_refused(put_to_another_program, "PE 1 runs another program");
  return pes_end(failures);
}

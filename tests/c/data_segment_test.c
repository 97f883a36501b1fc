/* The variables of this program as symmetric memory of two processes, which are started anew, so that they lie at
 * addresses of their own. A file in memory stands in for the segment's. Built in several ways, see CMakeLists.txt: the
 * loader and the linker lay a program out differently for each. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "data_segment_parts.h"
#include "libshmem/adr_data_segment.h"

enum { PART = 256 << 20, LARGE = 64 << 20, PAGE = 4096, WHY = 300, ROUNDS = 20000, SECONDS = 100 };

#if defined LAYOUT_static || defined LAYOUT_static_pie
#define WITHOUT_LIBRARIES
#endif
#ifdef LAYOUT_unnamed_other
int one_more = 1;
#endif

/* Variables of every kind. */
int set = 11, zero;
static char one = 'a';
static _Alignas(PAGE) int aligned[4] = {1, 2, 3, 4};
static char large[LARGE];
static long *pointer = &far_variable;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static atomic_long counted;
const int constant = 5;
static const char *const table[] = {"a constant", "that the loader relocates"};
static _Thread_local int of_thread = 7;

static int *in_function(void) {
  static int inside = 21;
  return &inside;
}

/* Shared by the two processes, behind their parts. */
struct meeting {
  atomic_int arrived;
  uint64_t program[2][2];
  int64_t bytes[2];
};

static char why[WHY];

static void check_says(const char *text, const char *part) {
  if (strstr(text, part) == NULL) { fprintf(stderr, "'%s' does not say '%s'\n", text, part); }
  CHECK(strstr(text, part) != NULL);
}

/* -- Two processes ------------------------------------------------------------------------------------------------ */

struct pe {
  int number, file;
  char *parts; /* the file, mapped */
  struct meeting *meeting;
  struct adr_data_segment *data;
  int rounds;
};

static void meet(struct pe *pe) {
  atomic_fetch_add(&pe->meeting->arrived, 1);
  pe->rounds++;
  while (atomic_load(&pe->meeting->arrived) < 2 * pe->rounds) { sched_yield(); }
}

/* Where the other process has this variable. */
static void *at_other(const struct pe *pe, void *variable) {
  CHECK((char *)variable >= pe->data->start && (char *)variable < pe->data->start + pe->data->bytes);
  return pe->parts + (1 - pe->number) * (int64_t)PART + ((char *)variable - pe->data->start);
}

static long faults(void) {
  struct rusage usage;
  CHECK_EQUAL(0, getrusage(RUSAGE_SELF, &usage));
  return usage.ru_minflt;
}

static void reserve(const struct pe *pe) {
  CHECK_EQUAL(0, posix_fallocate(pe->file, pe->number * (off_t)PART, pe->data->bytes));
}

static void move(struct pe *pe) {
  int status = adr_data_segment_move(pe->data, pe->file, pe->number * (int64_t)PART, why, sizeof why);
  if (status < 0) { fprintf(stderr, "%s\n", why); }
  CHECK_EQUAL(0, status);
}

static void start(struct pe *pe) {
  int status = adr_data_segment_find(pe->data, why, sizeof why);
  if (status < 0) { fprintf(stderr, "%s\n", why); }
  CHECK_EQUAL(0, status);
  memcpy(pe->meeting->program[pe->number], pe->data->program, sizeof pe->data->program);
  pe->meeting->bytes[pe->number] = pe->data->bytes;
  reserve(pe);
  set += pe->number;
  large[LARGE / 2] = (char)('p' + pe->number);
  setenv("IN_ENVIRONMENT", "yes", 1); /* its variable lies in the program where it names it */
  long before = faults();
  move(pe);
  CHECK(faults() - before < LARGE / PAGE / 2); /* what nobody has touched was not touched */
  meet(pe);
  CHECK(memcmp(pe->meeting->program[0], pe->meeting->program[1], sizeof pe->data->program) == 0);
  CHECK_EQUAL(pe->meeting->bytes[0], pe->meeting->bytes[1]);
}

static void keep_values(struct pe *pe) {
  CHECK_EQUAL(11 + pe->number, set);
  CHECK_EQUAL(0, zero);
  CHECK_EQUAL('a', one);
  CHECK_EQUAL(3, aligned[2]);
  CHECK_EQUAL('p' + pe->number, large[LARGE / 2]);
  CHECK(pointer == &far_variable);
  CHECK_EQUAL(1000, far_variable);
  CHECK_EQUAL(21, *in_function());
  CHECK_EQUAL(42, *hidden_variable());
  CHECK(strcmp(getenv("IN_ENVIRONMENT"), "yes") == 0);
  meet(pe);
}

/* Each writes to the other's variables and finds what the other has written to its own. */
static void put_to_each_other(struct pe *pe) {
  int mine = 100 * (1 + pe->number), other = 100 * (2 - pe->number);
  *(int *)at_other(pe, &set) = mine;
  *(int *)at_other(pe, &zero) = mine + 1;
  *(char *)at_other(pe, &one) = (char)('A' + pe->number);
  memcpy(at_other(pe, aligned), (int[]){mine, mine, mine, mine + 2}, sizeof aligned);
  *(char *)at_other(pe, large) = (char)('A' + pe->number);
  *(char *)at_other(pe, &large[LARGE - 1]) = (char)('a' + pe->number);
  *(long *)at_other(pe, &far_variable) = mine + 3;
  *(int *)at_other(pe, hidden_variable()) = mine + 4;
  *(int *)at_other(pe, in_function()) = mine + 5;
  for (int i = 0; i < ROUNDS; i++) {
    atomic_fetch_add(&counted, 1);
    atomic_fetch_add((atomic_long *)at_other(pe, &counted), 1);
  }
  meet(pe);
  CHECK_EQUAL(other, set);
  CHECK_EQUAL(other + 1, zero);
  CHECK_EQUAL('B' - pe->number, one);
  CHECK_EQUAL(other, aligned[0]);
  CHECK_EQUAL(other + 2, aligned[3]);
  CHECK_EQUAL('B' - pe->number, large[0]);
  CHECK_EQUAL('b' - pe->number, large[LARGE - 1]);
  CHECK_EQUAL(other + 3, *pointer);
  CHECK_EQUAL(other + 4, *hidden_variable());
  CHECK_EQUAL(other + 5, *in_function());
  CHECK_EQUAL(2 * ROUNDS, atomic_load(&counted));
  meet(pe);
}

static char side_of_fork;

/* As a program has them that keeps its locks right. */
static void lock_guard(void) {
  CHECK_EQUAL(0, pthread_mutex_lock(&guard));
  side_of_fork = 'b';
}

static void unlock_in_parent(void) {
  side_of_fork = 'p';
  CHECK_EQUAL(0, pthread_mutex_unlock(&guard));
}

static void unlock_in_child(void) {
  side_of_fork = 'c';
  CHECK_EQUAL(0, pthread_mutex_unlock(&guard));
}

/* A child has a copy: it sees nothing of what is written later, and nobody sees what it writes. */
static void fork_a_child(struct pe *pe) {
  int told[2];
  char byte;
  zero = 70;
  meet(pe);
  if (pe->number == 0) {
    CHECK_EQUAL(0, pipe(told));
    pid_t child = fork();
    if (child == 0) {
      CHECK_EQUAL(1, read(told[0], &byte, 1)); /* both have written */
      CHECK(!pe->data->moved);
      CHECK_EQUAL('c', side_of_fork);
      CHECK_EQUAL(0, pthread_mutex_trylock(&guard));
      CHECK_EQUAL(70, zero);
      CHECK_EQUAL('p', large[LARGE / 2]);
      CHECK_EQUAL('b', large[LARGE - 1]);
      zero = 71;
      memset(large, 'x', LARGE / 4);
      _exit(0);
    }
    CHECK_EQUAL('p', side_of_fork);
    CHECK_EQUAL(0, pthread_mutex_trylock(&guard)); /* the child's handler was about another one */
    CHECK_EQUAL(0, pthread_mutex_unlock(&guard));
    zero = 72;
    meet(pe);
    meet(pe);
    CHECK_EQUAL(1, write(told[1], "t", 1));
    int status;
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
    CHECK_EQUAL(73, zero);
    CHECK_EQUAL('B', large[0]);
  } else {
    meet(pe);
    *(int *)at_other(pe, &zero) = 73;
    meet(pe);
  }
  meet(pe);
}

static atomic_int stop;
static long written;

/* The only one that writes to it. */
static void *write_on(void *shared) {
  volatile long *counter = &written;
  long *own = shared;
  while (atomic_load(&stop) == 0) {
    *counter = *counter + 1;
    ++*own;
  }
  return NULL;
}

/* Memory of the process itself has what the file had, and nothing that a thread wrote meanwhile is lost. */
static void take_back(struct pe *pe, bool beside_a_thread) {
  pthread_t thread;
  long own = 0;
  written = 0;
  atomic_store(&stop, 0);
  if (beside_a_thread) { CHECK_EQUAL(0, pthread_create(&thread, NULL, write_on, &own)); }
  while (beside_a_thread && *(volatile long *)&written < ROUNDS) { sched_yield(); }
  meet(pe);
  CHECK_EQUAL(0, adr_data_segment_return(pe->data, why, sizeof why));
  CHECK_EQUAL(0, adr_data_segment_return(pe->data, why, sizeof why)); /* nothing more to do */
  meet(pe);
  memset(at_other(pe, &zero), 0xff, sizeof zero);
  memset(at_other(pe, &large[LARGE / 3]), 0xff, PAGE);
  meet(pe);
  CHECK_EQUAL(0, fallocate(pe->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, pe->number * (off_t)PART, PART));
  atomic_store(&stop, 1);
  if (beside_a_thread) { CHECK_EQUAL(0, pthread_join(thread, NULL)); }
  CHECK_EQUAL(own, written);
  CHECK_EQUAL(pe->number == 0 ? 73 : 70, zero);
  CHECK_EQUAL(0, large[LARGE / 3]);
  CHECK_EQUAL('p' + pe->number, large[LARGE / 2]);
  CHECK_EQUAL(100 * (2 - pe->number) + 5, *in_function());
  CHECK_EQUAL(2 * ROUNDS, atomic_load(&counted));
  large[LARGE - 2] = 'y';
  CHECK_EQUAL('y', large[LARGE - 2]);
  meet(pe);
}

/* What a program does that initializes anew. */
static void move_again(struct pe *pe) {
  CHECK_EQUAL(0, adr_data_segment_find(pe->data, why, sizeof why));
  reserve(pe);
  move(pe);
  meet(pe);
  *(int *)at_other(pe, &set) = -7;
  meet(pe);
  CHECK_EQUAL(-7, set);
  meet(pe);
}

/* The break begins right behind the last page where the system does not move it away. */
static void grow_the_heap(struct pe *pe) {
  char *end = pe->data->start + pe->data->bytes;
  char *heap = sbrk(0);
  CHECK(heap >= end || heap < pe->data->start);
  if (heap >= end && (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0) { CHECK(heap - end < 16 << 20); }
  CHECK(sbrk(8 * PAGE) != (void *)-1);
  memset(heap, 'h', 8 * PAGE);
  large[LARGE - 1] = 'l';
  meet(pe);
  CHECK_EQUAL('l', large[LARGE - 1]);
  CHECK_EQUAL('h', heap[0]);
  CHECK_EQUAL('h', heap[8 * PAGE - 1]);
}

static int be_pe(int number, int file) {
  struct adr_data_segment data;
  struct pe pe = {.number = number, .file = file, .data = &data};
  alarm(SECONDS);
  pe.parts = mmap(NULL, 2 * (size_t)PART + PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(pe.parts != MAP_FAILED);
  pe.meeting = (void *)(pe.parts + 2 * (size_t)PART);
  pthread_atfork(lock_guard, unlock_in_parent, unlock_in_child); /* before anything of the module is called */
  start(&pe);
  keep_values(&pe);
  put_to_each_other(&pe);
  fork_a_child(&pe);
  take_back(&pe, true);
  move_again(&pe);
  zero = number == 0 ? 73 : 70;
  take_back(&pe, false);
  move_again(&pe);
  grow_the_heap(&pe);
  return 0;
}

static void run_two(bool randomized) {
  pid_t pids[2];
  int file = memfd_create("segment", 0);
  CHECK(file >= 0);
  CHECK_EQUAL(0, ftruncate(file, 2 * (off_t)PART + PAGE));
  fflush(NULL);
  for (int number = 0; number < 2; number++) {
    pids[number] = fork();
    if (pids[number] > 0) { continue; }
    char numbers[2][12];
    snprintf(numbers[0], sizeof numbers[0], "%d", number);
    snprintf(numbers[1], sizeof numbers[1], "%d", file);
    if (!randomized) { personality(ADDR_NO_RANDOMIZE); }
    execl("/proc/self/exe", "data_segment_test", numbers[0], numbers[1], (char *)NULL);
    _exit(127);
  }
  for (int number = 0; number < 2; number++) {
    int status;
    CHECK(wait(&status) > 0);
    for (int i = 0; i < 2 && status != 0; i++) { kill(pids[i], SIGKILL); } /* the other one waits for it */
    CHECK_EQUAL(0, status);
  }
  close(file);
}

static void shares_variables_at_random_addresses(void) { run_two(true); }
static void shares_variables_beside_the_break(void) { run_two(false); }

/* -- What is not symmetric ---------------------------------------------------------------------------------------- */

static void *find_nothing(void *unused) {
  struct adr_data_segment data;
  (void)unused;
  CHECK_EQUAL(-EBUSY, adr_data_segment_find(&data, why, sizeof why));
  CHECK(data.start == NULL);
  check_says(why, "2 threads");
  return NULL;
}

static void refuses_a_process_with_threads(void) {
  pthread_t thread;
  CHECK_EQUAL(0, pthread_create(&thread, NULL, find_nothing, NULL));
  CHECK_EQUAL(0, pthread_join(thread, NULL));
}

static void refuses_pages_that_the_program_has_changed(void) {
  struct adr_data_segment data;
  CHECK_EQUAL(0, mprotect(large + PAGE - (uintptr_t)large % PAGE, PAGE, PROT_READ));
  CHECK_EQUAL(-ENOTSUP, adr_data_segment_find(&data, why, sizeof why));
  check_says(why, "'r--p'");
  CHECK_EQUAL(0, mprotect(large + PAGE - (uintptr_t)large % PAGE, PAGE, PROT_READ | PROT_WRITE));
  CHECK_EQUAL(0, adr_data_segment_find(&data, why, sizeof why));
}

static void refuses_a_part_that_cannot_be_mapped(void) {
  struct adr_data_segment data;
  CHECK_EQUAL(0, adr_data_segment_find(&data, why, sizeof why));
  CHECK_EQUAL(-EBADF, adr_data_segment_move(&data, -1, 0, why, sizeof why));
  check_says(why, "cannot be mapped");
  CHECK_EQUAL(-ENOTSUP, adr_data_segment_move(&data, -1, 100, why, sizeof why));
  check_says(why, "pages have");
  CHECK(!data.moved);
  CHECK_EQUAL(11, set);
}

static void check_outside(const void *address, const char *what) {
  struct adr_data_segment data;
  CHECK_EQUAL(0, adr_data_segment_find(&data, why, sizeof why));
  CHECK((const char *)address < data.start || (const char *)address >= data.start + data.bytes);
  check_says(adr_data_segment_what(address), what);
}

static void names_what_is_not_symmetric(void) {
  int on_stack;
  void *of_malloc = malloc(100), *of_mmap = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  check_outside(NULL, "the null pointer");
  check_outside(&constant, "constant");
  check_outside("text", "constant");
#ifndef LAYOUT_norelro
  check_outside(&table[1], "constant");
#endif
  check_outside((void *)(uintptr_t)check_says, "function");
  check_outside(&of_thread, "thread-local variable");
  check_outside(&on_stack, "a stack");
  check_outside(of_malloc, "malloc");
  check_outside(of_mmap, "private memory");
  check_outside((void *)(uintptr_t)8, "no memory of this process");
  check_says(adr_data_segment_what(&set), "variable");
  check_says(adr_data_segment_what(&set), " of the program");
  CHECK(strcmp(table[0], "a constant") == 0);
  CHECK_EQUAL(7, of_thread);
  free(of_malloc);
}

#ifndef WITHOUT_LIBRARIES
static void names_variables_of_libraries(void) {
  check_outside(library_variable_address(), "the variable 'library_variable' of the library libdata-segment-parts.so");
  check_outside(library_static_address(), "a variable of the library libdata-segment-parts.so");
}
#endif

static void (*const tests[])(void) = {
    names_what_is_not_symmetric,
#ifndef WITHOUT_LIBRARIES
    names_variables_of_libraries,
#endif
    refuses_a_process_with_threads,       refuses_pages_that_the_program_has_changed,
    refuses_a_part_that_cannot_be_mapped, shares_variables_at_random_addresses,
    shares_variables_beside_the_break,
};

static int tell_identity(void) {
  struct adr_data_segment data;
  CHECK_EQUAL(0, adr_data_segment_find(&data, why, sizeof why));
  printf("%016llx%016llx\n", (unsigned long long)data.program[0], (unsigned long long)data.program[1]);
  return 0;
}

int main(int count, char **words) {
  if (count == 2) { return tell_identity(); }
  if (count == 3) { return be_pe(atoi(words[1]), atoi(words[2])); }
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) { RUN(tests[i]); }
  return 0;
}

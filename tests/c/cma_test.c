/* CMA between two processes: whole ranges, lists, what the system cuts short, and what cannot be reached. */
#include "adrastea/space.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "peer.h"
#include "segment/adr_process.h"

enum { PAGE = 4096, BYTES = 1 << 20, MANY = 3000 };

static uint8_t theirs[BYTES]; /* each process has its own copy since the fork */
static uint8_t mine[BYTES];
static uint8_t *pages; /* three of them */

static uint8_t byte_of(size_t at) { return (uint8_t)(at * 7 + at / 251); }

static int64_t address_of(const void *memory) { return (int64_t)(uintptr_t)memory; }

static void fill(int step) {
  (void)step;
  for (size_t i = 0; i < BYTES; i++) { theirs[i] = byte_of(i); }
}

/* Fills at its first step, and finds what was written at the next. */
static void fill_then_find(int step) {
  if (step == 0) { fill(0); }
  for (size_t i = 0; step == 1 && i < BYTES; i++) {
    CHECK_EQUAL(i < 10 || i >= BYTES - 3 ? byte_of(i) : 200, theirs[i]);
  }
}

static void a_range_is_read_whole_from_any_byte_on(void) {
  struct peer peer = peer_start(fill);
  peer_step(&peer);
  CHECK_EQUAL(BYTES - 5, adr_cma_read(peer.pid, address_of(theirs + 3), mine, 2, BYTES - 5));
  CHECK_EQUAL(0, mine[0] | mine[1] | mine[BYTES - 3]);
  for (size_t i = 0; i < BYTES - 5; i++) { CHECK_EQUAL(byte_of(i + 3), mine[i + 2]); }
  CHECK_EQUAL(0, adr_cma_read(peer.pid, address_of(theirs), mine, 0, 0));
  peer_end(&peer);
}

static void a_range_is_written_whole_and_nothing_beside_it(void) {
  struct peer peer = peer_start(fill_then_find);
  peer_step(&peer);
  memset(mine, 200, BYTES);
  CHECK_EQUAL(BYTES - 13, adr_cma_write(peer.pid, address_of(theirs + 10), mine, 13, BYTES - 13));
  peer_step(&peer);
  peer_end(&peer);
}

static int64_t read_lists(pid_t pid, const struct iovec *far, int fars, const struct iovec *near, int nears) {
  return adr_cma_read_vector(pid, far, fars, near, nears);
}

static void lists_of_unequal_shapes_are_copied_in_their_order(void) {
  struct iovec far[] = {
      {theirs, 1000}, {theirs + 5000, 0}, {theirs + 9, 7}, {theirs + 2 * PAGE, PAGE}, {theirs + 1, 1}};
  struct iovec near[] = {{mine, 3}, {mine + 100, 5000}, {NULL, 0}, {mine + 6000, 101}};
  struct peer peer = peer_start(fill);
  peer_step(&peer);
  CHECK_EQUAL(5104, read_lists(peer.pid, far, 5, near, 4));
  CHECK(memcmp(mine, (uint8_t[]){byte_of(0), byte_of(1), byte_of(2)}, 3) == 0);
  for (size_t i = 3; i < 1000; i++) { CHECK_EQUAL(byte_of(i), mine[100 + i - 3]); }
  for (size_t i = 0; i < 7; i++) { CHECK_EQUAL(byte_of(i + 9), mine[1097 + i]); }
  for (size_t i = 0; i < PAGE - 100; i++) { CHECK_EQUAL(byte_of(i + 2 * PAGE), mine[1104 + i]); }
  for (size_t i = 0; i < 100; i++) { CHECK_EQUAL(byte_of(i + 3 * PAGE - 100), mine[6000 + i]); }
  CHECK_EQUAL(byte_of(1), mine[6100]);
  peer_end(&peer);
}

static int stretch(struct iovec *list, uint8_t *memory, size_t length, size_t bytes) {
  int count = 0;
  for (size_t at = 0; at < bytes; at += length) { list[count++] = (struct iovec){memory + at, length}; }
  return count;
}

/* More than the kernel takes in one call (IOV_MAX). */
static void lists_of_any_length_are_copied(void) {
  static struct iovec far[MANY], near[MANY];
  struct peer peer = peer_start(fill_then_find);
  peer_step(&peer);
  int fars = stretch(far, theirs, 30, 30 * MANY);
  int nears = stretch(near, mine, 40, 30 * MANY);
  CHECK(fars == MANY && nears == MANY * 3 / 4);
  CHECK_EQUAL(30 * MANY, read_lists(peer.pid, far, fars, near, nears));
  for (size_t i = 0; i < 30 * MANY; i++) { CHECK_EQUAL(byte_of(i), mine[i]); }
  memset(mine, 200, BYTES);
  fars = stretch(far, theirs + 10, 1009, BYTES - 13);
  far[fars - 1].iov_len = (BYTES - 13) % 1009;
  struct iovec whole = {mine, BYTES - 13};
  CHECK_EQUAL(BYTES - 13, adr_cma_write_vector(peer.pid, &whole, 1, far, fars));
  peer_step(&peer);
  peer_end(&peer);
}

/* The most that goes in one call as it is, and one more. */
static void lists_about_as_long_as_a_call_takes_are_copied(void) {
  static struct iovec far[MANY], near[MANY];
  struct peer peer = peer_start(fill);
  peer_step(&peer);
  for (int fars = 1023; fars <= 1025; fars++) {
    size_t bytes = 24 * (size_t)fars;
    memset(mine, 200, BYTES);
    CHECK_EQUAL(fars, stretch(far, theirs + 5, 24, bytes));
    int nears = stretch(near, mine, 12, bytes);
    CHECK_EQUAL((int64_t)bytes, read_lists(peer.pid, far, fars, near, nears)); /* many here */
    for (size_t i = 0; i < bytes; i++) { CHECK_EQUAL(byte_of(i + 5), mine[i]); }
    memset(mine, 200, BYTES);
    struct iovec whole = {mine, bytes};
    CHECK_EQUAL((int64_t)bytes, read_lists(peer.pid, far, fars, &whole, 1)); /* one here */
    for (size_t i = 0; i < bytes; i++) { CHECK_EQUAL(byte_of(i + 5), mine[i]); }
    CHECK_EQUAL(200, mine[bytes]);
  }
  peer_end(&peer);
}

static void lists_that_do_not_match_are_refused(void) {
  struct iovec far[] = {{theirs, 10}, {theirs, SIZE_MAX}};
  struct iovec near[] = {{mine, 9}};
  mine[0] = 77;
  CHECK_EQUAL(-EINVAL, read_lists(getpid(), far, 1, near, 1));
  CHECK_EQUAL(-EINVAL, read_lists(getpid(), far, 2, near, 1));
  CHECK_EQUAL(-EINVAL, read_lists(getpid(), NULL, 1, near, 1));
  CHECK_EQUAL(-EINVAL, read_lists(getpid(), far, -1, near, 0));
  CHECK_EQUAL(-EINVAL, adr_cma_read(getpid(), address_of(theirs), mine, 0, -1));
  CHECK_EQUAL(-EINVAL, adr_cma_read(0, address_of(theirs), mine, 0, 1));
  CHECK_EQUAL(0, read_lists(getpid(), NULL, 0, NULL, 0));
  CHECK_EQUAL(77, mine[0]);
}

static void lose_the_middle_page(int step) {
  (void)step;
  memset(pages, 5, 3 * PAGE);
  CHECK_EQUAL(0, munmap(pages + PAGE, PAGE));
}

static void a_bad_page_in_the_middle_is_told_here_and_there(void) {
  pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED);
  struct peer peer = peer_start(lose_the_middle_page);
  peer_step(&peer);
  CHECK_EQUAL(-EFAULT, adr_cma_read(peer.pid, address_of(pages), mine, 0, 3 * PAGE));
  CHECK_EQUAL(5, mine[PAGE - 1]); /* what came before has moved */
  CHECK_EQUAL(-EFAULT, adr_cma_write(peer.pid, address_of(pages), mine, 0, 3 * PAGE));
  CHECK_EQUAL(PAGE, adr_cma_read(peer.pid, address_of(pages + 2 * PAGE), mine, 0, PAGE));
  CHECK_EQUAL(0, munmap(pages + PAGE, PAGE)); /* the same hole on this side */
  CHECK_EQUAL(-EFAULT, adr_cma_read(peer.pid, address_of(theirs), pages, 0, 3 * PAGE));
  CHECK_EQUAL(-EFAULT, adr_cma_write(peer.pid, address_of(theirs), pages, 0, 3 * PAGE));
  struct iovec far[] = {{theirs, 10}, {NULL, 10}, {theirs, 10}};
  struct iovec near = {mine, 30};
  CHECK_EQUAL(-EFAULT, read_lists(peer.pid, far, 3, &near, 1));
  peer_end(&peer);
}

static void a_process_that_has_ended_is_told(void) {
  struct peer peer = peer_start(fill);
  peer_end(&peer);
  CHECK_EQUAL(-ESRCH, adr_cma_read(peer.pid, address_of(theirs), mine, 0, 1));
  CHECK_EQUAL(-ESRCH, adr_cma_write(peer.pid, address_of(theirs), mine, 0, 1));
}

static void another_users_process_may_not_be_reached(void) {
  CHECK_EQUAL(0, setgid(65534) | setuid(65534));
  CHECK_EQUAL(-EPERM, adr_cma_read(getppid(), address_of(theirs), mine, 0, 1));
  CHECK_EQUAL(-EPERM, adr_cma_write(getppid(), address_of(theirs), mine, 0, 1));
}

static void allow_the_parent(int step) {
  fill(step);
  CHECK_EQUAL(0, adr_cma_allow(getppid()));
}

static void read_from_a_sibling(pid_t sibling) {
  CHECK_EQUAL(BYTES, adr_cma_read(sibling, address_of(theirs), mine, 0, BYTES));
  CHECK_EQUAL(0, memcmp(theirs, mine, BYTES));
}

/* They are siblings as ranks of one job are: with ptrace_scope 1 it takes what the first one calls. */
static void siblings_reach_each_other_once_their_parent_is_allowed(void) {
  struct peer peer = peer_start(allow_the_parent);
  peer_step(&peer);
  pid_t reader = fork();
  if (reader == 0) {
    fill(0);
    read_from_a_sibling(peer.pid);
    _exit(0);
  }
  int status;
  CHECK_EQUAL(reader, waitpid(reader, &status, 0));
  CHECK_EQUAL(0, status);
  peer_end(&peer);
}

/* Nor can all be let in at once: that is what -1 would mean to the system. */
static void nobody_is_allowed_by_a_number_that_is_none(void) {
  CHECK_EQUAL(-EINVAL, adr_cma_allow(0));
  CHECK_EQUAL(-EINVAL, adr_cma_allow(-1));
}

/* One call of the kernel moves two GiB less a page. To spare memory, most of the destination is one file over and
 * over; its ends and where the first call stops are not. */
#define LARGE (INT64_C(3) << 30)
#define CUT ((INT64_C(2) << 30) - PAGE)
#define PART (INT64_C(64) << 20)
static const int64_t marks[] = {0, PART - 1, CUT - 1, CUT, CUT + PAGE, CUT + 3 * PAGE + 1, LARGE - PART, LARGE - 1};
enum { MARKS = sizeof marks / sizeof *marks };
static uint8_t *large;

static void fold(void) {
  int part = memfd_create("part", MFD_CLOEXEC);
  CHECK_EQUAL(0, ftruncate(part, PART));
  for (int64_t at = PART; at < LARGE - PART; at += PART) {
    if (at / PART == CUT / PART || at / PART == CUT / PART + 1) { continue; }
    CHECK(mmap(large + at, PART, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, part, 0) != MAP_FAILED);
  }
  close(part);
}

static void mark(int step) {
  (void)step;
  for (int i = 0; i < MARKS; i++) { large[marks[i]] = (uint8_t)(i + 1); }
}

static void three_gibibytes_are_read_by_one_call(void) {
  large = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(large != MAP_FAILED);
  struct peer peer = peer_start(mark);
  peer_step(&peer);
  fold();
  CHECK_EQUAL(LARGE, adr_cma_read(peer.pid, address_of(large), large, 0, LARGE));
  for (int i = 0; i < MARKS; i++) { CHECK_EQUAL(i + 1, large[marks[i]]); }
  CHECK_EQUAL(0, munmap(large, LARGE));
  peer_end(&peer);
}

static int64_t available(void) {
  long long kibibytes = 0;
  char line[128];
  FILE *info = fopen("/proc/meminfo", "re");
  while (info != NULL && fgets(line, sizeof line, info) != NULL
         && sscanf(line, "MemAvailable: %lld", &kibibytes) != 1) {}
  if (info != NULL) { fclose(info); }
  return kibibytes << 10;
}

static int told[2]; /* a pipe */

static void *go_on_alone(void *none) {
  fill(0);
  while (adr_process_has_main_thread()) { sched_yield(); }
  CHECK_EQUAL(1, write(told[1], theirs, 1));
  while (true) { pause(); }
  return none;
}

static void a_process_is_reached_after_its_first_thread_has_ended(void) {
  char byte;
  const struct iovec far[] = {{theirs, 3}, {theirs + PAGE, 5}};
  const struct iovec near[] = {{mine, 8}};
  CHECK_EQUAL(0, pipe(told));
  const pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    pthread_t thread;
    alarm(60); /* not inherited */
    CHECK_EQUAL(0, pthread_create(&thread, NULL, go_on_alone, NULL));
    pthread_exit(NULL);
  }
  CHECK_EQUAL(1, read(told[0], &byte, 1));
  CHECK_EQUAL(BYTES, adr_cma_read(pid, address_of(theirs), mine, 0, BYTES));
  for (size_t i = 0; i < BYTES; i++) { CHECK_EQUAL(byte_of(i), mine[i]); }
  CHECK_EQUAL(2, adr_cma_write(pid, address_of(theirs), mine + 7, 0, 2));
  CHECK_EQUAL(8, read_lists(pid, far, 2, near, 1));
  CHECK_EQUAL(byte_of(7), mine[0]);
  CHECK_EQUAL(byte_of(PAGE + 4), mine[7]);
  CHECK_EQUAL(-EFAULT, adr_cma_read(pid, 1, mine, 0, 1));
  CHECK_EQUAL(0, kill(pid, SIGKILL));
  CHECK_EQUAL(pid, waitpid(pid, NULL, 0));
  CHECK_EQUAL(-ESRCH, adr_cma_read(pid, address_of(theirs), mine, 0, 1));
  close(told[0]);
  close(told[1]);
}

static int may_reach_others(void) {
  struct peer peer = peer_start(fill);
  int64_t status = adr_cma_read(peer.pid, address_of(theirs), mine, 0, 1);
  peer_end(&peer);
  return status == 1;
}

int main(void) {
  RUN(nobody_is_allowed_by_a_number_that_is_none);
  if (!may_reach_others()) {
    printf("skipped: no process may reach another one's memory here\n");
    return CHECK_SKIPPED;
  }
  RUN(a_range_is_read_whole_from_any_byte_on);
  RUN(a_range_is_written_whole_and_nothing_beside_it);
  RUN(lists_of_unequal_shapes_are_copied_in_their_order);
  RUN(lists_of_any_length_are_copied);
  RUN(lists_about_as_long_as_a_call_takes_are_copied);
  RUN(lists_that_do_not_match_are_refused);
  RUN(a_bad_page_in_the_middle_is_told_here_and_there);
  RUN(a_process_that_has_ended_is_told);
  RUN(a_process_is_reached_after_its_first_thread_has_ended);
  RUN(siblings_reach_each_other_once_their_parent_is_allowed);
  if (geteuid() == 0) {
    RUN_APART(another_users_process_may_not_be_reached, 0);
  } else {
    printf("skipped another_users_process_may_not_be_reached: it takes root to be another user\n");
  }
  if (available() > INT64_C(1) << 30) {
    RUN(three_gibibytes_are_read_by_one_call);
  } else {
    printf("skipped three_gibibytes_are_read_by_one_call: less than 1 GiB of memory is free\n");
  }
  return 0;
}

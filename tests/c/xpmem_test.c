/* XPMEM between processes, on the stand-in for its kernel module. Each test is a process of its own: what the library
 * knows of XPMEM it knows once for a process. */
#include "adrastea/space.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "peer.h"
#include "segment/adr_process.h"
#include "xpmem_standin.h"

enum { PAGE = 4096, PAGES = 256, BYTES = PAGES * PAGE, THREADS = 4, ROUNDS = 2000 };

/* What the exporter tells, in memory that was shared before the fork. */
struct told {
  int64_t segment;
  int64_t address;
};
static struct told *told;
static uint8_t *exported;
static int file;

static uint8_t byte_of(size_t at) { return (uint8_t)(at * 13 + at / PAGE); }

static void export_all(void) {
  file = memfd_create("exported", MFD_CLOEXEC);
  CHECK_EQUAL(0, ftruncate(file, BYTES));
  exported = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(exported != MAP_FAILED);
  for (size_t i = 0; i < BYTES; i++) { exported[i] = byte_of(i); }
  *told = (struct told){adr_xpmem_export(), (int64_t)(uintptr_t)exported};
  CHECK(told->segment > 0);
}

/* Exports at its first step, and finds what was written at the next. */
static void export_then_find(int step) {
  if (step == 0) { export_all(); }
  if (step == 1) { CHECK_EQUAL(99, exported[5001]); }
}

static void export_then_remove(int step) {
  if (step == 0) { export_all(); }
  if (step == 1) { CHECK_EQUAL(0, adr_xpmem_device.ioctl(0, ADR_XPMEM_REMOVE, &told->segment)); }
}

static void export_then_cut_short(int step) {
  if (step == 0) { export_all(); }
  if (step == 1) { CHECK_EQUAL(0, ftruncate(file, 0)); }
}

static struct peer exporter(void (*step)(int)) {
  told = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(told != MAP_FAILED);
  struct peer peer = peer_start(step);
  peer_step(&peer);
  return peer;
}

static uint8_t *reach(int64_t at, int64_t bytes) {
  int64_t here = adr_xpmem_reach(told->segment, told->address + at, bytes);
  CHECK(here > 0);
  return (uint8_t *)(intptr_t)here;
}

static void unreach(int64_t at, int64_t bytes) {
  CHECK_EQUAL(0, adr_xpmem_unreach(told->segment, told->address + at, bytes));
}

static void bytes_are_those_of_the_exporter(void) {
  struct peer peer = exporter(export_then_find);
  uint8_t *here = reach(5000, 20000);
  for (size_t i = 0; i < 20000; i++) { CHECK_EQUAL(byte_of(5000 + i), here[i]); }
  here[1] = 99;
  peer_step(&peer);
  unreach(5000, 20000);
  CHECK_EQUAL(-EINVAL, adr_xpmem_unreach(told->segment, told->address + 5000, 20000));
  CHECK_EQUAL(1, standin_counts.opens);
  peer_end(&peer);
}

static void the_library_is_used_where_there_is_one(void) {
  standin_has_library = true;
  bytes_are_those_of_the_exporter();
  CHECK(adr_xpmem_export() > 0);
  CHECK_EQUAL(1, standin_counts.opens); /* the library's descriptor, and none of our own */
}

static void a_segment_is_exported_once_for_this_user_alone(void) {
  CHECK_EQUAL(0, adr_xpmem_status());
  int64_t segment = adr_xpmem_export();
  CHECK(segment > 0);
  CHECK_EQUAL(segment, adr_xpmem_export());
  CHECK_EQUAL(0600, standin_mode(segment));
  CHECK_EQUAL(1, standin_counts.opens);
}

static void no_xpmem_is_told(int error, int32_t expected) {
  standin_open_error = error;
  CHECK_EQUAL(expected, adr_xpmem_status());
  CHECK_EQUAL(expected, adr_xpmem_export());
  CHECK_EQUAL(expected, adr_xpmem_reach(1, PAGE, 1));
  CHECK_EQUAL(-EINVAL, adr_xpmem_unreach(1, PAGE, 1));
  CHECK_EQUAL(0, standin_counts.opens);
}

static void a_machine_without_xpmem_is_told(void) { no_xpmem_is_told(ENOENT, -ENODEV); }

static void a_device_that_may_not_be_opened_is_told(void) { no_xpmem_is_told(EACCES, -EPERM); }

static void a_library_without_a_device_is_told(void) {
  standin_has_library = true;
  no_xpmem_is_told(ENOENT, -ENODEV);
}

static void what_cannot_be_reached_is_refused(void) {
  struct peer peer = exporter(export_then_find);
  CHECK_EQUAL(-EINVAL, adr_xpmem_reach(0, told->address, 1));
  CHECK_EQUAL(-EINVAL, adr_xpmem_reach(told->segment, told->address, 0));
  CHECK_EQUAL(-EINVAL, adr_xpmem_reach(told->segment, INT64_C(1) << 55, 1));
  CHECK_EQUAL(-ESRCH, adr_xpmem_reach(told->segment + (INT64_C(5) << 32), told->address, 1));
  CHECK_EQUAL(0, standin_attachments());
  peer_end(&peer);
}

static void another_users_memory_is_not_reached(void) {
  struct peer peer = exporter(export_then_find);
  CHECK_EQUAL(0, setgid(65534) | setuid(65534));
  CHECK_EQUAL(-EPERM, adr_xpmem_reach(told->segment, told->address, 1));
  peer_end(&peer);
}

static void an_exporter_that_has_ended_is_told(void) {
  struct peer peer = exporter(export_then_find);
  reach(0, 10);
  reach(PAGE, 10);
  unreach(PAGE, 10);
  CHECK_EQUAL(0, kill(peer.pid, SIGKILL));
  CHECK_EQUAL(SIGKILL, peer_wait(&peer));
  CHECK_EQUAL(-ESRCH, adr_xpmem_reach(told->segment, told->address + 9 * PAGE, 1));
  CHECK_EQUAL(1, standin_attachments()); /* what is in use is not taken away under a copy */
  unreach(0, 10);
  CHECK_EQUAL(0, standin_attachments());
}

static void a_segment_that_is_removed_is_told(void) {
  struct peer peer = exporter(export_then_remove);
  reach(0, 10);
  unreach(0, 10);
  peer_step(&peer);
  CHECK_EQUAL(-ESRCH, adr_xpmem_reach(told->segment, told->address + 9 * PAGE, 1));
  CHECK_EQUAL(0, standin_attachments());
  peer_end(&peer);
}

static void memory_that_the_exporter_has_lost_is_a_bus_error(void) {
  signal(SIGBUS, SIG_DFL); /* a sanitizer has its own */
  struct peer peer = exporter(export_then_cut_short);
  const volatile uint8_t *here = reach(0, BYTES);
  CHECK_EQUAL(byte_of(7), here[7]);
  peer_step(&peer);
  printf("%d\n", here[7]);
}

static void unmapping_instead_of_detaching_kills(void) {
  struct peer peer = exporter(export_then_find);
  uint8_t *here = reach(0, PAGE);
  peer_end(&peer);
  munmap(here, PAGE);
}

/* In the child: nothing is attached, and everything can be had anew. */
static int after_fork(int64_t parents_segment) {
  CHECK_EQUAL(-EINVAL, adr_xpmem_unreach(told->segment, told->address, 10));
  CHECK_EQUAL(byte_of(3), reach(0, 10)[3]);
  CHECK_EQUAL(byte_of(2), reach(0, PAGE)[2]);
  CHECK_EQUAL(1, standin_attachments());
  CHECK_EQUAL(2, standin_counts.opens); /* the first one was the parent's */
  int64_t segment = adr_xpmem_export();
  CHECK(segment > 0 && segment != parents_segment);
  return 0;
}

static void a_fork_begins_anew(void) {
  int status;
  struct peer peer = exporter(export_then_find);
  const uint8_t *here = reach(0, 10);
  int64_t segment = adr_xpmem_export();
  pid_t child = fork();
  if (child == 0) { _exit(after_fork(segment)); }
  CHECK_EQUAL(child, waitpid(child, &status, 0));
  CHECK_EQUAL(0, status);
  CHECK_EQUAL(byte_of(3), here[3]); /* and the parent goes on */
  unreach(0, 10);
  reach(0, BYTES);
  CHECK_EQUAL(segment, adr_xpmem_export());
  CHECK_EQUAL(1, standin_counts.opens);
  peer_end(&peer);
}

/* What a library does that had opened the device on its own, and is unloaded. */
static void open_and_close_the_device(void) {
  int other = adr_xpmem_device.open(ADR_XPMEM_PATH, O_RDWR);
  CHECK(other >= 0);
  CHECK_EQUAL(0, adr_xpmem_device.close(other));
}

static void a_registration_that_another_descriptor_has_ended_is_made_anew(void) {
  struct peer peer = exporter(export_then_find);
  int64_t segment = adr_xpmem_export();
  reach(0, 10);
  unreach(0, 10);
  open_and_close_the_device();
  CHECK_EQUAL(0, standin_attachments());
  CHECK_EQUAL(byte_of(9 * PAGE), reach(9 * PAGE, 10)[0]);
  CHECK_EQUAL(byte_of(1), reach(0, 10)[1]);
  CHECK_EQUAL(2, standin_attachments());
  open_and_close_the_device();
  segment = adr_xpmem_export();
  CHECK_EQUAL(0600, standin_mode(segment));
  CHECK_EQUAL(0, adr_xpmem_status());
  peer_end(&peer);
}

static void the_same_with_the_library(void) {
  standin_has_library = true;
  a_registration_that_another_descriptor_has_ended_is_made_anew();
}

static void *reach_at_random(void *seed) {
  uint64_t random = (uintptr_t)seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  for (int i = 0; i < ROUNDS; i++) {
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    int64_t at = (int64_t)((random >> 33) % BYTES);
    int64_t bytes = 1 + (int64_t)((random >> 20) % (uint64_t)(BYTES - at));
    const uint8_t *here = reach(at, bytes);
    CHECK_EQUAL(byte_of((size_t)at), here[0]);
    CHECK_EQUAL(byte_of((size_t)(at + bytes - 1)), here[bytes - 1]);
    unreach(at, bytes);
  }
  return NULL;
}

static void threads_reach_and_let_go_at_once(void) {
  pthread_t threads[THREADS];
  struct peer peer = exporter(export_then_find);
  for (uintptr_t i = 0; i < THREADS; i++) {
    CHECK_EQUAL(0, pthread_create(&threads[i], NULL, reach_at_random, (void *)i));
  }
  for (int i = 0; i < THREADS; i++) { CHECK_EQUAL(0, pthread_join(threads[i], NULL)); }
  CHECK_EQUAL(1, standin_counts.gets);
  peer_end(&peer);
}

/* The kernel keeps a process by its main thread. */
static void *ask_without_a_main_thread(void *unused) {
  while (adr_process_has_main_thread()) { usleep(1000); }
  CHECK_EQUAL(-ENODEV, adr_xpmem_status());
  CHECK_EQUAL(0, standin_counts.opens);
  _exit(unused != NULL);
}

static void the_device_is_not_opened_once_the_main_thread_has_ended(void) {
  pthread_t thread;
  CHECK_EQUAL(0, pthread_create(&thread, NULL, ask_without_a_main_thread, NULL));
  pthread_exit(NULL);
}

int main(void) {
  RUN_APART(bytes_are_those_of_the_exporter, 0);
  RUN_APART(the_library_is_used_where_there_is_one, 0);
  RUN_APART(a_segment_is_exported_once_for_this_user_alone, 0);
  RUN_APART(a_machine_without_xpmem_is_told, 0);
  RUN_APART(a_device_that_may_not_be_opened_is_told, 0);
  RUN_APART(a_library_without_a_device_is_told, 0);
  RUN_APART(what_cannot_be_reached_is_refused, 0);
  RUN_APART(an_exporter_that_has_ended_is_told, 0);
  RUN_APART(a_segment_that_is_removed_is_told, 0);
  RUN_APART(memory_that_the_exporter_has_lost_is_a_bus_error, SIGBUS);
  RUN_APART(unmapping_instead_of_detaching_kills, SIGKILL);
  RUN_APART(a_fork_begins_anew, 0);
  RUN_APART(a_registration_that_another_descriptor_has_ended_is_made_anew, 0);
  RUN_APART(the_same_with_the_library, 0);
  RUN_APART(threads_reach_and_let_go_at_once, 0);
  RUN_APART(the_device_is_not_opened_once_the_main_thread_has_ended, 0);
  if (geteuid() == 0) {
    RUN_APART(another_users_memory_is_not_reached, 0);
  } else {
    printf("skipped another_users_memory_is_not_reached: it takes root to be another user\n");
  }
  return 0;
}

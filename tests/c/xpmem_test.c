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

enum { PAGE = 4096, PAGES = 256, BYTES = PAGES * PAGE, THREADS = 4, ROUNDS = 2000, CLOSES = 5 };

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
  CHECK_EQUAL(0, adr_xpmem_reach(told->segment, 0, 0));
  CHECK_EQUAL(0, standin_attachments());
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
  CHECK_EQUAL(-EINVAL, adr_xpmem_reach(told->segment, told->address, -1));
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
  CHECK_EQUAL(-ESRCH, adr_xpmem_reach(told->segment, 0, 0));
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

/* Checks in the child that nothing is attached, and that everything can be had anew. */
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

static void all_is_refused_as_lost(void) {
  CHECK_EQUAL(-ESTALE, adr_xpmem_reach(told->segment, told->address, 10));
  CHECK_EQUAL(-ESTALE, adr_xpmem_reach(told->segment, told->address + 9 * PAGE, 10));
  CHECK_EQUAL(-ESTALE, adr_xpmem_export());
  CHECK_EQUAL(-ESTALE, adr_xpmem_status());
  CHECK_EQUAL(-EINVAL, adr_xpmem_unreach(told->segment, told->address, 10));
}

/* What a library does that had opened the device on its own, and is unloaded: after that nothing that was attached may
 * be used, and what is attached is asked for first. */
static void a_registration_that_was_ended_is_given_up_with_all_that_was_attached(void) {
  struct peer peer = exporter(export_then_find);
  CHECK(adr_xpmem_export() > 0);
  reach(0, 10);
  unreach(0, 10);
  reach(3 * PAGE, 10);
  unreach(3 * PAGE, 10);
  CHECK_EQUAL(2, standin_attachments());
  standin_open_and_close();
  all_is_refused_as_lost();
  CHECK_EQUAL(standin_has_library && standin_leaves_mapped ? 2 : 0, standin_attachments());
  all_is_refused_as_lost();
  peer_end(&peer);
}

/* The module leaves it mapped: the copy that runs goes on, and its end says that nobody knows what it has read. */
static void what_is_in_use_when_the_registration_ends_stays_until_it_is_given(void) {
  struct peer peer = exporter(export_then_find);
  const uint8_t *here = reach(0, 10);
  reach(PAGE, 10);
  standin_open_and_close();
  CHECK_EQUAL(-ESTALE, adr_xpmem_unreach(told->segment, told->address + PAGE, 10));
  CHECK_EQUAL(standin_leaves_mapped ? 1 : 0, standin_attachments());
  if (standin_leaves_mapped) { CHECK_EQUAL(byte_of(7), here[7]); }
  CHECK_EQUAL(-ESTALE, adr_xpmem_unreach(told->segment, told->address, 10));
  CHECK_EQUAL(0, standin_attachments());
  peer_end(&peer);
}

/* The other user's permits and attachments have the numbers, and perhaps the addresses, that ours had: here it attaches
 * its own memory. */
static void a_later_registration_of_another_user_is_neither_used_nor_touched(void) {
  struct peer peer = exporter(export_then_find);
  reach(0, 10);
  unreach(0, 10);
  int file_of_others = memfd_create("others", MFD_CLOEXEC);
  CHECK_EQUAL(0, ftruncate(file_of_others, PAGE));
  uint8_t *others = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file_of_others, 0);
  CHECK(others != MAP_FAILED);
  *others = 44;
  standin_open_and_close();
  int other = adr_xpmem_device.open(ADR_XPMEM_PATH, O_RDWR);
  struct adr_xpmem_make make = {.bytes = ADR_XPMEM_ALL, .permit_type = 1, .permit_value = 0600};
  CHECK_EQUAL(0, adr_xpmem_device.ioctl(other, ADR_XPMEM_MAKE, &make));
  struct adr_xpmem_attach attach = {.offset = (int64_t)(uintptr_t)others, .bytes = PAGE, .fd = other};
  for (int i = 0; i < 5; i++) { /* one of these is the number of ours, and one that of the mark */
    struct adr_xpmem_get get = {.segment = make.segment, .flags = ADR_XPMEM_RDWR, .permit_type = 1};
    CHECK_EQUAL(0, adr_xpmem_device.ioctl(other, ADR_XPMEM_GET, &get));
    attach.permit = get.permit;
  }
  CHECK_EQUAL(0, adr_xpmem_device.ioctl(other, ADR_XPMEM_ATTACH, &attach));
  int attachments = standin_attachments();
  int releases = standin_counts.releases;
  int detaches = standin_counts.detaches;
  all_is_refused_as_lost();
  CHECK_EQUAL(releases, standin_counts.releases);
  CHECK_EQUAL(44, *(uint8_t *)(uintptr_t)attach.address);
  /* The mark's number may attach the other user's page: that is detached again, and nothing else. */
  CHECK_EQUAL(attachments, standin_attachments());
  CHECK(standin_counts.detaches - detaches <= 1);
  peer_end(&peer);
}

static void export_then_lose(int step) {
  if (step == 0) { export_all(); }
  if (step == 1) { standin_open_and_close(); }
  if (step == 2) { CHECK_EQUAL(-ESTALE, adr_xpmem_export()); }
}

/* It registers anew first, with memory from another address on. */
static void export_then_lose_to_another(int step) {
  if (step == 0) { export_all(); }
  if (step > 0) { standin_open_and_close(); }
  int other = step == 0 ? -1 : adr_xpmem_device.open(ADR_XPMEM_PATH, O_RDWR);
  for (int i = 0; step > 0 && i < 20; i++) {
    struct adr_xpmem_make make = {
        .address = (uintptr_t)exported, .bytes = BYTES, .permit_type = 1, .permit_value = 0600};
    CHECK_EQUAL(0, adr_xpmem_device.ioctl(other, ADR_XPMEM_MAKE, &make));
  }
}

static void an_exporter_says_that_it_has_lost_its_registration_and_nothing_more_is_attached(void) {
  struct peer peer = exporter(export_then_lose);
  reach(0, 10);
  unreach(0, 10);
  peer_step(&peer);
  peer_step(&peer);
  CHECK_EQUAL(-ESRCH, adr_xpmem_reach(told->segment, 0, 0));
  CHECK_EQUAL(-ESRCH, adr_xpmem_reach(told->segment, told->address + 9 * PAGE, 10));
  CHECK_EQUAL(0, adr_xpmem_status()); /* this process's own stands */
  peer_end(&peer);
}

static void what_a_peer_has_attached_of_a_lost_registration_is_a_bus_error(void) {
  signal(SIGBUS, SIG_DFL); /* a sanitizer has its own */
  struct peer peer = exporter(export_then_lose);
  reach(0, 10);
  unreach(0, 10);
  peer_step(&peer);
  printf("%d\n", *(volatile uint8_t *)reach(0, 10));
}

static void segments_of_an_exporters_later_registration_are_not_taken_for_ours(void) {
  struct peer peer = exporter(export_then_lose_to_another);
  peer_step(&peer);
  CHECK_EQUAL(-ESRCH, adr_xpmem_reach(told->segment, told->address, 10));
  CHECK_EQUAL(0, standin_attachments());
  peer_end(&peer);
}

static void a_child_of_a_process_that_has_lost_xpmem_begins_anew(void) {
  int status;
  struct peer peer = exporter(export_then_find);
  reach(0, 10);
  standin_open_and_close();
  CHECK_EQUAL(-ESTALE, adr_xpmem_status());
  pid_t child = fork();
  if (child == 0) {
    CHECK_EQUAL(byte_of(3), reach(0, 10)[3]);
    CHECK(adr_xpmem_export() > 0);
    _exit(0);
  }
  CHECK_EQUAL(child, waitpid(child, &status, 0));
  CHECK_EQUAL(0, status);
  peer_end(&peer);
}

static void a_module_that_would_not_show_the_loss_is_not_used(void) {
  standin_grants_all = true;
  CHECK_EQUAL(-ENODEV, adr_xpmem_status());
  CHECK_EQUAL(-ENODEV, adr_xpmem_export());
  CHECK_EQUAL(0, standin_attachments());
}

/* One ioctl before a use and one after it, whatever its length, when it is attached already. */
static void asking_takes_one_call_of_the_kernel_at_each_end_of_a_use(void) {
  struct peer peer = exporter(export_then_find);
  reach(0, BYTES);
  unreach(0, BYTES);
  int calls = standin_counts.calls;
  for (int i = 0; i < ROUNDS; i++) {
    reach(i, 10);
    unreach(i, 10);
  }
  CHECK_EQUAL(2 * ROUNDS, standin_counts.calls - calls);
  peer_end(&peer);
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
  CHECK_EQUAL(2, standin_counts.gets); /* the exporter's, and one for the mark */
  peer_end(&peer);
}

/* Another thread that closes the device at any moment, as often as it likes: bytes are right, or refused. */
static void *lose_at_any_moment(void *unused) {
  usleep(2000);
  standin_open_and_close();
  return unused;
}

static void a_close_at_any_moment_gives_no_wrong_bytes(void) {
  standin_leaves_mapped = true; /* else a close in the middle of a use is SIGSEGV */
  pthread_t thread;
  struct peer peer = exporter(export_then_find);
  CHECK_EQUAL(byte_of(0), reach(0, 10)[0]);
  unreach(0, 10);
  CHECK_EQUAL(0, pthread_create(&thread, NULL, lose_at_any_moment, NULL));
  int64_t here = 0;
  for (int64_t at = 0; here >= 0; at = (at + 7919) % (BYTES - 100)) {
    here = adr_xpmem_reach(told->segment, told->address + at, 100);
    if (here < 0) { break; }
    uint8_t first = *(const uint8_t *)(intptr_t)here;
    uint8_t last = ((const uint8_t *)(intptr_t)here)[99];
    if (adr_xpmem_unreach(told->segment, told->address + at, 100) == 0) {
      CHECK_EQUAL(byte_of((size_t)at), first);
      CHECK_EQUAL(byte_of((size_t)at + 99), last);
    }
  }
  CHECK_EQUAL(-ESTALE, here);
  CHECK_EQUAL(0, pthread_join(thread, NULL));
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
  for (int way = 0; way < 4; way++) {
    standin_has_library = way % 2 == 1;
    standin_leaves_mapped = way / 2 == 1;
    printf("%s, attachments %s:\n", standin_has_library ? "libxpmem" : "ioctls",
           standin_leaves_mapped ? "stay when the registration ends" : "go with the registration");
    RUN_APART(a_registration_that_was_ended_is_given_up_with_all_that_was_attached, 0);
    RUN_APART(a_later_registration_of_another_user_is_neither_used_nor_touched, 0);
    RUN_APART(an_exporter_says_that_it_has_lost_its_registration_and_nothing_more_is_attached, 0);
    RUN_APART(segments_of_an_exporters_later_registration_are_not_taken_for_ours, 0);
    RUN_APART(a_child_of_a_process_that_has_lost_xpmem_begins_anew, 0);
    RUN_APART(a_module_that_would_not_show_the_loss_is_not_used, 0);
    if (!standin_has_library) { RUN_APART(what_is_in_use_when_the_registration_ends_stays_until_it_is_given, 0); }
    if (!standin_leaves_mapped) { RUN_APART(what_a_peer_has_attached_of_a_lost_registration_is_a_bus_error, SIGBUS); }
  }
  standin_has_library = standin_leaves_mapped = false;
  for (int i = 0; i < CLOSES; i++) { RUN_APART(a_close_at_any_moment_gives_no_wrong_bytes, 0); }
  RUN_APART(asking_takes_one_call_of_the_kernel_at_each_end_of_a_use, 0);
  RUN_APART(threads_reach_and_let_go_at_once, 0);
  RUN_APART(the_device_is_not_opened_once_the_main_thread_has_ended, 0);
  if (geteuid() == 0) {
    RUN_APART(another_users_memory_is_not_reached, 0);
  } else {
    printf("skipped another_users_memory_is_not_reached: it takes root to be another user\n");
  }
  return 0;
}

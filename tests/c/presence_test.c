/* Whether a rank's process lives: by the lock of its byte, by its pid where that means something, never by accident. */
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "ranktable/adr_rank_table.h"
#include "ranks.h"
#include "segment/adr_process.h"
#include "segment/adr_segment.h"

enum { RANK = 1, OTHER_NAMESPACE = 1 };

static struct adr_segment segment; /* the test's own */
static struct adr_segment held;    /* of a process that is a rank: opened anew, since locks are a process's */

static struct adr_rank_entry *entry(void) { return adr_rank_table_entry(segment.base, RANK); }

static bool is_present(void) {
  struct adr_rank_watch watch = adr_rank_watch_of(&segment);
  return adr_rank_table_is_present(&watch, RANK);
}

static void enter(void) {
  struct adr_rank_cpus cpus = {.only = -1, .count = 1};
  CHECK_EQUAL(0, adr_segment_attach(&held, ranks_directory, RANKS_JOB_ID, 0));
  CHECK_EQUAL(0, adr_segment_lock_place(&held, RANK));
  CHECK_EQUAL(0, adr_rank_table_enter(held.base, RANK, ADR_CORE_C, 0, 0, &cpus));
}

/* A process that is rank 1, and does `then`. */
static pid_t start(void (*then)(void)) {
  memset(entry(), 0, sizeof *entry());
  fflush(NULL);
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    enter();
    adr_rank_table_set_state(entry(), ADR_RANK_ATTACHED);
    then();
    _exit(0);
  }
  while (adr_rank_table_state(entry()) != ADR_RANK_ATTACHED) { usleep(500); }
  return pid;
}

static void stay(void) {
  for (;;) { pause(); }
}

/* Waits for its end and leaves its remains. */
static void await_end(pid_t pid) {
  siginfo_t end;
  CHECK_EQUAL(0, waitid(P_PID, (id_t)pid, &end, WEXITED | WNOWAIT));
}

static void end(pid_t pid) {
  kill(pid, SIGKILL);
  CHECK_EQUAL(128 + SIGKILL, end_of(pid));
}

static void a_rank_that_was_killed_is_gone_though_its_parent_takes_no_notice(void) {
  pid_t pid = start(stay);
  CHECK(is_present());
  kill(pid, SIGKILL);
  await_end(pid);
  CHECK(!is_present());
  CHECK_EQUAL(ADR_RANK_FAILED, adr_rank_table_state(entry()));
  CHECK_EQUAL(128 + SIGKILL, end_of(pid));
}

static void a_rank_that_is_stopped_is_there(void) {
  siginfo_t stop;
  pid_t pid = start(stay);
  kill(pid, SIGSTOP);
  CHECK_EQUAL(0, waitid(P_PID, (id_t)pid, &stop, WSTOPPED));
  CHECK(is_present());
  end(pid);
}

static void *go_on(void *unused) {
  while (adr_process_has_main_thread()) { usleep(500); }
  adr_store_release_u32((adr_atomic_u32 *)&entry()->reserved0, 1);
  stay();
  return unused;
}

static void end_the_main_thread(void) {
  pthread_t thread;
  CHECK_EQUAL(0, pthread_create(&thread, NULL, go_on, NULL));
  pthread_exit(NULL);
}

static void drop_lock_and_end_the_main_thread(void) {
  close(held.fd);
  end_the_main_thread();
}

/* Its first thread has ended, so /proc shows state Z; another goes on. */
static void a_rank_whose_main_thread_has_ended_is_there(void) {
  void (*const ways[])(void) = {end_the_main_thread, drop_lock_and_end_the_main_thread};
  for (int way = 0; way < 2; way++) {
    pid_t pid = start(ways[way]);
    while (adr_load_acquire_u32((adr_atomic_u32 *)&entry()->reserved0) != 1) { usleep(500); }
    CHECK(is_present());
    kill(pid, SIGKILL);
    await_end(pid);
    CHECK(!is_present());
    end_of(pid);
  }
}

static void drop_lock(void) {
  close(held.fd);
  adr_store_release_u32((adr_atomic_u32 *)&entry()->reserved0, 1);
  stay();
}

static pid_t start_without_lock(void) {
  pid_t pid = start(drop_lock);
  while (adr_load_acquire_u32((adr_atomic_u32 *)&entry()->reserved0) != 1) { usleep(500); }
  return pid;
}

static void a_rank_that_has_closed_all_its_files_is_there(void) {
  pid_t pid = start_without_lock();
  CHECK(is_present());
  end(pid);
  CHECK(!is_present());
}

/* The number was given to another process. */
static void a_pid_that_was_given_out_again_is_not_the_rank(void) {
  pid_t pid = start_without_lock();
  entry()->start_time++;
  CHECK(!is_present());
  end(pid);
}

/* The entry is as seen from there: the numbers mean nothing here. */
static void a_rank_of_another_pid_namespace_is_told_by_its_lock(void) {
  pid_t pid = start(stay);
  entry()->pid_namespace ^= OTHER_NAMESPACE;
  entry()->pid = 1; /* which is alive here */
  CHECK(is_present());
  end(pid);
  CHECK(!is_present());
}

static void a_rank_of_another_pid_namespace_is_not_confused_with_one_of_this_number(void) {
  pid_t pid = start(stay);
  entry()->pid_namespace ^= OTHER_NAMESPACE;
  entry()->pid = 0x3fffffff; /* which nobody has here */
  CHECK(is_present());
  end(pid);
}

/* Nothing can be learned of a process whose file in /proc cannot be opened. */
static void without_a_file_descriptor_nobody_is_taken_for_dead(void) {
  struct rlimit before;
  pid_t pid = start_without_lock();
  struct adr_process process = {entry()->pid, entry()->start_time};
  CHECK_EQUAL(0, getrlimit(RLIMIT_NOFILE, &before));
  struct rlimit none = {0, before.rlim_max};
  CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &none));
  bool alive = adr_process_is_alive(process);
  bool present = is_present();
  CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &before));
  CHECK(alive);
  CHECK(present);
  end(pid);
  CHECK(!adr_process_is_alive(process));
}

static bool enter_root(const char *root) {
  return chroot(root) == 0 || (unshare(CLONE_NEWUSER) == 0 && chroot(root) == 0);
}

/* A process that is not found says nothing where no process can be found. */
static void without_proc_nobody_is_taken_for_dead(void) {
  struct adr_process process = adr_process_self();
  char root[96];
  CHECK(process.start != 0);
  snprintf(root, sizeof root, "%s/root", ranks_directory);
  CHECK_EQUAL(0, mkdir(root, 0700));
  fflush(NULL);
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    if (!enter_root(root)) { _exit(CHECK_SKIPPED); }
    _exit(adr_process_is_alive(process) ? 0 : 1);
  }
  int end = end_of(pid);
  CHECK_EQUAL(0, rmdir(root));
  if (end == CHECK_SKIPPED) { printf("skipped: the root directory cannot be changed here\n"); }
  CHECK(end == 0 || end == CHECK_SKIPPED);
}

static void ranks_of_the_calling_process_are_there(void) {
  struct adr_rank_cpus cpus = {.only = -1, .count = 1};
  memset(entry(), 0, sizeof *entry());
  CHECK_EQUAL(0, adr_rank_table_enter(segment.base, RANK, ADR_CORE_C, 0, 0, &cpus));
  CHECK(is_present());
}

/* The first rank's lock is for the file's creation; it is not in the way of the ranks' own. */
static void the_creator_holds_its_own_place_alone(void) {
  CHECK_EQUAL(0, adr_segment_lock_place(&segment, 0));
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    CHECK_EQUAL(0, adr_segment_attach(&held, ranks_directory, RANKS_JOB_ID, 0));
    CHECK_EQUAL(ADR_SEGMENT_PLACE_HELD, adr_segment_check_place(held.fd, 0));
    CHECK_EQUAL(ADR_SEGMENT_PLACE_FREE, adr_segment_check_place(held.fd, 1));
    CHECK_EQUAL(-EAGAIN, adr_segment_lock_place(&held, 0));
    CHECK_EQUAL(0, adr_segment_lock_place(&held, 1));
    _exit(0);
  }
  CHECK_EQUAL(0, end_of(pid));
}

int main(void) {
  ranks_begin();
  CHECK_EQUAL(0, adr_segment_create(&segment, ranks_directory, RANKS_JOB_ID, 0, 2, 4, 64, ADR_BOX_DEFAULTS));
  RUN(a_rank_that_was_killed_is_gone_though_its_parent_takes_no_notice);
  RUN(a_rank_that_is_stopped_is_there);
  RUN(a_rank_whose_main_thread_has_ended_is_there);
  RUN(a_rank_that_has_closed_all_its_files_is_there);
  RUN(a_pid_that_was_given_out_again_is_not_the_rank);
  RUN(a_rank_of_another_pid_namespace_is_told_by_its_lock);
  RUN(a_rank_of_another_pid_namespace_is_not_confused_with_one_of_this_number);
  RUN(without_a_file_descriptor_nobody_is_taken_for_dead);
  RUN(without_proc_nobody_is_taken_for_dead);
  RUN(ranks_of_the_calling_process_are_there);
  RUN(the_creator_holds_its_own_place_alone);
  CHECK_EQUAL(0, adr_segment_unlink(&segment));
  adr_segment_close(&segment);
  ranks_end();
  return 0;
}

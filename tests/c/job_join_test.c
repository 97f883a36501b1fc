/* Joining a job as a C rank: settings, which ranks are missing, what is refused, the end of the launcher. */
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

#include "job/adr_job_state.h"
#include "ranks.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_process.h"
#include "segment/adr_segment.h"

static void clear_settings(void) {
  static const char *const names[] = {"JOB",
                                      "RANK",
                                      "SIZE",
                                      "LAUNCHER",
                                      "BOOTSTRAP",
                                      "RENDEZVOUS",
                                      "BIND",
                                      "SHM_DIR",
                                      "JOIN_TIMEOUT",
                                      "SPINS",
                                      "CELLS",
                                      "CELL_BYTES",
                                      "BOX_LINES",
                                      "BOX_MESSAGE_BYTES",
                                      "BOX_THRESHOLD",
                                      "BOX_PREALLOCATE_RANKS",
                                      "OVERSUBSCRIBED",
                                      "CHECK"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char name[64];
    snprintf(name, sizeof name, "ADRASTEA_%s", names[i]);
    unsetenv(name);
  }
}

static void sleep_millis(int millis) { nanosleep(&(struct timespec){millis / 1000, millis % 1000 * 1000000L}, NULL); }

static void a_program_without_settings_is_a_job_of_one(void) {
  clear_settings();
  setenv("ADRASTEA_SHM_DIR", ranks_directory, 1);
  join_job();
  CHECK_EQUAL(0, adr_job_rank(job));
  CHECK_EQUAL(1, adr_job_size(job));
  uint64_t first = adr_job_id(job);
  CHECK_EQUAL(0, adr_job_leave(job));
  join_job();
  CHECK(adr_job_id(job) != first);
  CHECK_EQUAL(0, adr_job_fail(job, "it has done enough"));
  join_job(); /* a rank that has failed frees its process too */
  CHECK_EQUAL(0, adr_job_leave(job));
  CHECK_EQUAL(0, adr_job_leave(NULL));
  CHECK_EQUAL(0, adr_job_fail(NULL, NULL));
}

/* Settings as NAME=value, separated by blanks, and what the error is to say. */
static const char *const bad_settings[][2] = {
    {"RANK=2 SIZE=2 JOB=0123456789abcdef", "ADRASTEA_RANK=2, but ADRASTEA_SIZE=2: ranks are 0 to 1"},
    {"RANK=-1 SIZE=2 JOB=0123456789abcdef", "ADRASTEA_RANK is '-1'"},
    {"RANK=0 SIZE=0 JOB=0123456789abcdef", "ADRASTEA_SIZE is '0'"},
    {"RANK=0 SIZE=1025 JOB=0123456789abcdef", "allowed is a whole number from 1 to 1024"},
    {"RANK=one SIZE=2 JOB=0123456789abcdef", "ADRASTEA_RANK is 'one'"},
    {"RANK=1x SIZE=2 JOB=0123456789abcdef", "ADRASTEA_RANK is '1x'"},
    {"RANK=99999999999999999999 SIZE=2 JOB=0123456789abcdef", "ADRASTEA_RANK is '99999999999999999999'"},
    {"RANK=0 SIZE=1 JOB=42", "ADRASTEA_JOB is '42'; allowed are 16 hex digits"},
    {"RANK=0 SIZE=1 JOB=0123456789ABCDEF", "ADRASTEA_JOB is '0123456789ABCDEF'"},
    {"RANK=0 SIZE=2", "missing: ADRASTEA_JOB"},
    {"RANK=0 JOB=0123456789abcdef", "missing: ADRASTEA_SIZE"},
    {"SIZE=2 JOB=0123456789abcdef", "missing: ADRASTEA_RANK"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef LAUNCHER=me", "ADRASTEA_LAUNCHER is 'me'; allowed is <pid>:<start>"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef LAUNCHER=1:", "ADRASTEA_LAUNCHER is '1:'"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef LAUNCHER=1:1:", "ADRASTEA_LAUNCHER is '1:1:'"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef LAUNCHER=1:1:2x", "ADRASTEA_LAUNCHER is '1:1:2x'"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef LAUNCHER=1:1", "the launcher, process 1, is gone"},
    {"RANK=0 SIZE=2 RENDEZVOUS=host", "ADRASTEA_RENDEZVOUS is 'host'; allowed is <host>:<port>, with IPv6 as "},
    {"RANK=0 SIZE=2 RENDEZVOUS=192.0.2.1:29950", "192.0.2.1 is no address of this machine, on which rank 0 runs"},
    {"RANK=0 SIZE=2 RENDEZVOUS=127.0.0.1:1 SHM_DIR=/nowhere", "there is no directory /nowhere; make it, or choose"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef BIND=99999", "ADRASTEA_BIND=99999: this thread cannot be pinned"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef CELLS=1",
     "ADRASTEA_CELLS is '1'; allowed is a whole number from 2 to 65536 (cells)"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef CELL_BYTES=63", "ADRASTEA_CELL_BYTES is '63'"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef BOX_LINES=100",
     "ADRASTEA_BOX_LINES is '100'; allowed are 0 and powers of two from 64 to 1024"},
    {"RANK= SIZE=2 JOB=0123456789abcdef", "missing: ADRASTEA_RANK"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef BOX_LINES=64 BOX_MESSAGE_BYTES=16384",
     "ADRASTEA_BOX_MESSAGE_BYTES is '16384'; allowed is auto or a whole number from 0 to 2016 (bytes)"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef BOX_THRESHOLD=0", "ADRASTEA_BOX_THRESHOLD is '0'"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef OVERSUBSCRIBED=very",
     "ADRASTEA_OVERSUBSCRIBED is 'very'; allowed are on, off and auto"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef CHECK=any",
     "ADRASTEA_CHECK is 'any'; allowed are off, types, collectives and all"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef JOIN_TIMEOUT=soon", "ADRASTEA_JOIN_TIMEOUT is 'soon'"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef SHM_DIR=/nowhere",
     ": there is no directory /nowhere; make it, or choose another (ADRASTEA_SHM_DIR)"},
    {"RANK=0 SIZE=1 JOB=0123456789abcdef SHM_DIR=/dev/null",
     ": Not a directory; the directory must be there and writable"},
};

static void settings_that_are_missing_or_contradictory_are_named(void) {
  for (size_t i = 0; i < sizeof bad_settings / sizeof bad_settings[0]; i++) {
    char text[200];
    clear_settings();
    setenv("ADRASTEA_SHM_DIR", ranks_directory, 1);
    strcpy(text, bad_settings[i][0]);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
      char name[64];
      char *value = strchr(word, '=');
      snprintf(name, sizeof name, "ADRASTEA_%.*s", (int)(value - word), word);
      setenv(name, value + 1, 1);
    }
    int status = adr_job_join(&job, 0, &error);
    CHECK(status < 0);
    CHECK_EQUAL(status, error.code);
    CHECK(job == NULL);
    check_says(error.text, bad_settings[i][1]);
  }
  clear_settings();
}

/* One rule for all of them, as for Java ranks. */
static void blanks_and_case_do_not_matter_and_empty_is_not_set(void) {
  clear_settings();
  setenv("ADRASTEA_SHM_DIR", ranks_directory, 1);
  setenv("ADRASTEA_JOB", " ", 1);
  setenv("ADRASTEA_RANK", "", 1);
  setenv("ADRASTEA_SPINS", "", 1);
  setenv("ADRASTEA_CELLS", " 8\t", 1);
  setenv("ADRASTEA_OVERSUBSCRIBED", " ON ", 1);
  setenv("ADRASTEA_CHECK", " Types ", 1);
  join_job();
  CHECK_EQUAL(1, adr_job_size(job));
  CHECK_EQUAL(ADR_CHECK_TYPES, adr_load_relaxed_u32(&adr_segment_header_of(&job->segment)->checks));
  CHECK_EQUAL(0, adr_job_leave(job));
  setenv("ADRASTEA_OVERSUBSCRIBED", "", 1);
  setenv("ADRASTEA_CHECK", "", 1);
  join_job();
  CHECK_EQUAL(0, adr_load_relaxed_u32(&adr_segment_header_of(&job->segment)->checks));
  CHECK_EQUAL(0, adr_job_leave(job));
  setenv("ADRASTEA_OVERSUBSCRIBED", "o n", 1);
  CHECK_EQUAL(-EINVAL, adr_job_join(&job, 0, &error));
  clear_settings();
}

static void make_directory(const char *path) { CHECK_EQUAL(0, mkdir(path, 0700)); }
static void make_fifo(const char *path) { CHECK_EQUAL(0, mkfifo(path, 0600)); }
static void make_link(const char *path) { CHECK_EQUAL(0, symlink("elsewhere", path)); }

/* Words as of a Java rank: SegmentFileTest. */
static void what_is_in_the_way_of_the_segment_is_named(void) {
  static const struct {
    void (*make)(const char *);
    const char *kind;
  } things[] = {{make_directory, "a directory"}, {make_fifo, "a FIFO"}, {make_link, "a symbolic link"}};
  char path[PATH_MAX];
  char said[200];
  clear_settings();
  set_rank(0, 1);
  CHECK_EQUAL(0, adr_segment_path(path, ranks_directory, RANKS_JOB_ID, 0));
  for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
    things[i].make(path);
    CHECK_EQUAL(-EEXIST, adr_job_join(&job, 0, &error));
    snprintf(said, sizeof said, ": it is there already, and is %s; remove it, or choose another directory",
             things[i].kind);
    check_says(error.text, said);
    CHECK_EQUAL(0, remove(path));
  }
  clear_settings();
}

/* Its number is that of another process here, or of none. */
static void a_launcher_of_another_pid_namespace_is_not_watched(void) {
  clear_settings();
  setenv("ADRASTEA_SHM_DIR", ranks_directory, 1);
  set_rank(0, 1);
  setenv("ADRASTEA_LAUNCHER", "999999:1:1", 1);
  join_job();
  adr_message message;
  CHECK_EQUAL(0, adr_poll(job, &message));
  CHECK_EQUAL(0, adr_barrier(job));
  CHECK_EQUAL(0, adr_job_leave(job));
  clear_settings();
}

static void flags_that_do_not_exist_are_refused(void) {
  CHECK_EQUAL(-EINVAL, adr_job_join(&job, 2, &error));
  check_says(error.text, "flags of adr_job_join: 0x2");
  CHECK_EQUAL(-EINVAL, adr_job_join(NULL, 0, &error));
  CHECK_EQUAL(-EINVAL, adr_job_join(&job, 2, NULL));
}

static void know_each_other(void) {
  char path[128];
  CHECK_EQUAL(3, adr_job_size(job));
  CHECK_EQUAL(RANKS_JOB_ID, adr_job_id(job));
  CHECK_EQUAL(atoi(getenv("ADRASTEA_RANK")), adr_job_rank(job));
  snprintf(path, sizeof path, "%s/adrastea-%u-%s-0", ranks_directory, (unsigned)geteuid(), RANKS_JOB);
  CHECK(access(path, F_OK) != 0); /* the last one took the name away */
}

static void ranks_join_in_any_order(void) {
  pid_t pids[3];
  static const int order[] = {2, 0, 1};
  for (int i = 0; i < 3; i++) {
    pids[i] = start_rank(order[i], 3, know_each_other);
    sleep_millis(20);
  }
  for (int i = 0; i < 3; i++) { CHECK_EQUAL(0, end_of(pids[i])); }
}

static void join_and_time_out(void) {
  set_number("ADRASTEA_JOIN_TIMEOUT", 300);
  CHECK_EQUAL(-ETIMEDOUT, adr_job_join(&job, 0, &error));
  check_says(error.text, atoi(getenv("ADRASTEA_RANK")) == 0 ? "ms for rank(s) [1, 2, 3] of 4, which did not join"
                                                            : "for rank 0 to create");
}

static void ranks_that_never_come_are_named_at_the_deadline(void) {
  CHECK_EQUAL(0, end_of(start_unjoined(0, 4, join_and_time_out)));
  CHECK_EQUAL(0, end_of(start_unjoined(1, 4, join_and_time_out)));
}

/* Waits until a rank of the running job is in this state. */
static void await_state(uint32_t rank, uint32_t state) {
  struct adr_segment segment;
  int status;
  while ((status = adr_segment_attach(&segment, ranks_directory, RANKS_JOB_ID, 0)) == ADR_AGAIN || status == -ENOENT) {
    sleep_millis(1);
  }
  CHECK_EQUAL(0, status);
  while (adr_rank_table_state(adr_rank_table_entry(segment.base, rank)) != state) { sleep_millis(1); }
  adr_segment_close(&segment);
}

static void join_and_see_rank_one_die(void) {
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, adr_job_join(&job, 0, &error));
  check_says(error.text, "rank(s) [1] died or gave up while joining; rank(s) [2] had not come");
}

static void a_rank_that_dies_while_joining_is_named_long_before_the_deadline(void) {
  pid_t first = start_unjoined(0, 3, join_and_see_rank_one_die);
  pid_t second = start_unjoined(1, 3, join_job);
  await_state(1, ADR_RANK_ATTACHED);
  kill(second, SIGKILL);
  CHECK_EQUAL(128 + SIGKILL, end_of(second));
  CHECK_EQUAL(0, end_of(first));
}

static void join_a_rank_that_is_taken(void) {
  CHECK_EQUAL(-EEXIST, adr_job_join(&job, 0, &error));
  check_says(error.text, "rank 1 of 3 is already taken, by process");
}

static void join_as_a_second_rank_zero(void) {
  CHECK_EQUAL(-EEXIST, adr_job_join(&job, 0, &error));
  check_says(error.text, ": another process is rank 0 of this job already; each job needs an id of its own");
}

static void join_as_one_of_two(void) {
  CHECK(adr_job_join(&job, 0, &error) < 0);
  check_says(error.text, "is of a job of 3 ranks, but ADRASTEA_SIZE=2");
}

static void nothing(void) {}

static void who_does_not_belong_is_refused_and_the_others_go_on(void) {
  pid_t first = start_rank(0, 3, nothing);
  pid_t second = start_rank(1, 3, nothing);
  await_state(1, ADR_RANK_ATTACHED);
  CHECK_EQUAL(0, end_of(start_unjoined(1, 3, join_a_rank_that_is_taken)));
  CHECK_EQUAL(0, end_of(start_unjoined(0, 3, join_as_a_second_rank_zero)));
  CHECK_EQUAL(0, end_of(start_unjoined(1, 2, join_as_one_of_two)));
  CHECK_EQUAL(0, end_of(start_rank(2, 3, nothing)));
  CHECK_EQUAL(0, end_of(first));
  CHECK_EQUAL(0, end_of(second));
}

static void join_once_more(void) {
  adr_job *second;
  CHECK_EQUAL(-EALREADY, adr_job_join(&second, 0, &error));
  CHECK(second == NULL);
  check_says(error.text,
             "this process has joined already; a process is one rank of one job at a time: leave the first");
}

/* It does not wait for the others. */
static void join_once_more_where_ranks_meet(void) {
  clear_settings();
  setenv("ADRASTEA_RENDEZVOUS", "127.0.0.1:1", 1);
  setenv("ADRASTEA_RANK", "1", 1);
  setenv("ADRASTEA_SIZE", "2", 1);
  join_once_more();
  clear_settings();
}

static void a_process_is_one_rank_at_a_time(void) {
  clear_settings();
  set_rank(0, 1);
  join_job();
  join_once_more_where_ranks_meet();
  set_rank(0, 1);
  join_once_more();
  setenv("ADRASTEA_JOB", "0000000000000001", 1);
  join_once_more();
  CHECK_EQUAL(0, adr_barrier(job));
  CHECK_EQUAL(0, adr_job_leave(job));
  join_job();
  CHECK_EQUAL(0, adr_job_leave(job));
  CHECK_EQUAL(0, end_of(start_unjoined(0, 4, join_and_time_out))); /* a rank that could not join has not */
  clear_settings();
}

static void *join_in_a_thread(void *unused) {
  adr_error own;
  CHECK_EQUAL(0, adr_job_join(&job, 0, &own));
  return unused;
}

/* While the first still waits, and its file has a name that a second rank 0 could take for a dead one's. */
static void join_twice_as_rank_zero(void) {
  pthread_t thread;
  char path[PATH_MAX];
  CHECK_EQUAL(0, adr_segment_path(path, ranks_directory, RANKS_JOB_ID, 0));
  CHECK_EQUAL(0, pthread_create(&thread, NULL, join_in_a_thread, NULL));
  while (access(path, F_OK) != 0) { sleep_millis(1); }
  join_once_more();
  CHECK_EQUAL(0, access(path, F_OK));
  CHECK_EQUAL(0, mkdir(getenv("TRIED"), 0700));
  CHECK_EQUAL(0, pthread_join(thread, NULL));
  CHECK_EQUAL(0, adr_job_leave(job));
}

static void who_joins_twice_does_not_lose_its_segment(void) {
  char tried[PATH_MAX];
  snprintf(tried, sizeof tried, "%s/tried", ranks_directory);
  setenv("TRIED", tried, 1);
  pid_t first = start_unjoined(0, 2, join_twice_as_rank_zero);
  while (rmdir(tried) != 0 && waitpid(first, NULL, WNOHANG) == 0) { sleep_millis(1); }
  CHECK_EQUAL(0, end_of(start_rank(1, 2, nothing)));
  CHECK_EQUAL(0, end_of(first));
}

static void join_another_layout(void) {
  CHECK(adr_job_join(&job, 0, &error) == ADR_SEGMENT_CRC);
  check_says(error.text, "the segment has another layout; all ranks need the same Adrastea");
  check_says(error.text, adr_version());
}

static void join_another_layout_version(void) {
  CHECK(adr_job_join(&job, 0, &error) == ADR_SEGMENT_VERSION);
  check_says(error.text, "another layout version");
}

static void a_segment_of_another_layout_is_refused(void) {
  struct adr_segment segment;
  CHECK_EQUAL(0, adr_segment_create(&segment, ranks_directory, RANKS_JOB_ID, 0, 2, 4, 64, ADR_BOX_DEFAULTS));
  adr_segment_header_of(&segment)->layout_crc ^= 1;
  CHECK_EQUAL(0, end_of(start_unjoined(1, 2, join_another_layout)));
  adr_segment_header_of(&segment)->layout_version++;
  CHECK_EQUAL(0, end_of(start_unjoined(1, 2, join_another_layout_version)));
  CHECK_EQUAL(0, adr_segment_unlink(&segment));
  adr_segment_close(&segment);
}

static void the_rank_table_tells_a_c_rank(void) {
  struct adr_segment segment;
  pid_t second = start_rank(1, 2, nothing);
  CHECK_EQUAL(0, adr_segment_create(&segment, ranks_directory, RANKS_JOB_ID, 0, 2, 4, 64, ADR_BOX_DEFAULTS));
  await_state(1, ADR_RANK_ATTACHED);
  const struct adr_rank_entry *entry = adr_rank_table_entry(segment.base, 1);
  CHECK_EQUAL(ADR_CORE_C, entry->core);
  CHECK_EQUAL(0, entry->flags & ~(uint32_t)(ADR_RANK_WAKEABLE | ADR_RANK_WAKER));
  /* A Java rank refuses to ask more of it. */
  CHECK_EQUAL(ADR_RANK_CAN_COLLECTIVES | ADR_RANK_CAN_WINDOWS | ADR_RANK_CAN_SHMEM, entry->capabilities);
  CHECK_EQUAL(second, entry->pid);
  CHECK(entry->cpu_count >= 1);
  struct adr_rank_watch watch = adr_rank_watch_of(&segment);
  CHECK(adr_rank_table_is_present(&watch, 1));
  kill(second, SIGKILL);
  CHECK_EQUAL(128 + SIGKILL, end_of(second));
  CHECK(!adr_rank_table_is_present(&watch, 1));
  CHECK_EQUAL(ADR_RANK_FAILED, adr_rank_table_state(entry));
  CHECK_EQUAL(0, adr_segment_unlink(&segment));
  adr_segment_close(&segment);
}

static void name_launcher(pid_t launcher) {
  char text[64];
  snprintf(text, sizeof text, "%d:0", (int)launcher);
  setenv("ADRASTEA_LAUNCHER", text, 1);
}

static int told[2]; /* a pipe: a rank has come so far that its launcher may end */

static void tell(void) { CHECK_EQUAL(1, write(told[1], "", 1)); }

static void wait_and_hear_that_the_launcher_is_gone(void) {
  adr_message message;
  join_job();
  tell();
  CHECK_EQUAL(ADR_ERROR_LAUNCHER, adr_wait(job, ADR_ANY, &message));
  check_says(adr_job_error(job), "the launcher, process");
  CHECK_EQUAL(0, adr_job_leave(job));
}

static void work_on_without_looking(void) {
  CHECK_EQUAL(0, adr_job_join(&job, ADR_JOIN_END_WITH_LAUNCHER, &error));
  tell();
  for (;;) { pause(); }
}

static void leave_the_watch(void) {
  CHECK_EQUAL(0, adr_job_join(&job, ADR_JOIN_END_WITH_LAUNCHER, &error));
  CHECK_EQUAL(0, adr_job_leave(job));
  tell();
}

static pid_t start_launcher(void) {
  pid_t launcher = fork();
  if (launcher == 0) {
    pause();
    exit(0);
  }
  name_launcher(launcher);
  return launcher;
}

static void end_launcher(pid_t launcher) {
  kill(launcher, SIGKILL);
  end_of(launcher);
  unsetenv("ADRASTEA_LAUNCHER");
}

static int end_with_launcher(rank_body *body) {
  char byte;
  pid_t launcher = start_launcher();
  CHECK_EQUAL(0, pipe(told));
  pid_t rank = start_unjoined(0, 1, body);
  close(told[1]);
  CHECK_EQUAL(1, read(told[0], &byte, 1));
  close(told[0]);
  end_launcher(launcher);
  return end_of(rank);
}

static void a_rank_hears_that_its_launcher_is_gone(void) {
  CHECK_EQUAL(0, end_with_launcher(wait_and_hear_that_the_launcher_is_gone));
}

static void a_rank_that_asked_for_it_ends_with_its_launcher(void) {
  CHECK_EQUAL(143, end_with_launcher(work_on_without_looking));
  CHECK_EQUAL(0, end_with_launcher(leave_the_watch));
}

static void give_up(void) {
  set_number("ADRASTEA_JOIN_TIMEOUT", 300);
  CHECK_EQUAL(-ETIMEDOUT, adr_job_join(&job, 0, &error));
}

static void join_after_rank_zero(void) {
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, adr_job_join(&job, 0, &error));
  check_says(error.text, "rank(s) [0] died or gave up while joining");
}

/* The file stays for those that come, and is the launcher's to remove. A rank that gave up does not count as one that
 * is in: of two, the second would take itself for the last. */
static void who_comes_after_rank_zero_gave_up_hears_so_at_once(void) {
  char path[PATH_MAX];
  pid_t launcher = start_launcher();
  CHECK_EQUAL(0, end_of(start_unjoined(0, 2, give_up)));
  CHECK_EQUAL(0, end_of(start_unjoined(1, 2, join_after_rank_zero)));
  end_launcher(launcher);
  CHECK_EQUAL(0, adr_segment_path(path, ranks_directory, RANKS_JOB_ID, 0));
  CHECK_EQUAL(0, unlink(path));
}

static void join_and_hear_that_the_launcher_is_gone(void) {
  CHECK_EQUAL(ADR_ERROR_LAUNCHER, adr_job_join(&job, 0, &error));
  check_says(error.text, "the launcher, process");
}

static void join_and_end(void) { CHECK(adr_job_join(&job, ADR_JOIN_END_WITH_LAUNCHER, &error) < 0); }

/* The end of the test sees that no file is left. */
static void the_end_of_the_launcher_ends_joining(void) {
  pid_t launcher = start_launcher();
  pid_t first = start_unjoined(0, 3, join_and_hear_that_the_launcher_is_gone);
  pid_t second = start_unjoined(1, 3, join_and_hear_that_the_launcher_is_gone);
  await_state(0, ADR_RANK_ATTACHED);
  await_state(1, ADR_RANK_ATTACHED);
  end_launcher(launcher);
  CHECK_EQUAL(0, end_of(first));
  CHECK_EQUAL(0, end_of(second));
}

static void the_end_of_the_launcher_ends_waiting_for_rank_zero(void) {
  pid_t launcher = start_launcher();
  pid_t rank = start_unjoined(1, 2, join_and_hear_that_the_launcher_is_gone);
  sleep_millis(200); /* in which it has come, or it finds the launcher gone from the start */
  end_launcher(launcher);
  CHECK_EQUAL(0, end_of(rank));
}

static void a_rank_that_ends_with_its_launcher_while_joining_leaves_no_file(void) {
  pid_t launcher = start_launcher();
  pid_t rank = start_unjoined(0, 2, join_and_end);
  await_state(0, ADR_RANK_ATTACHED);
  end_launcher(launcher);
  CHECK_EQUAL(143, end_of(rank));
}

int main(void) {
  ranks_begin();
  RUN(a_program_without_settings_is_a_job_of_one);
  RUN(settings_that_are_missing_or_contradictory_are_named);
  RUN(blanks_and_case_do_not_matter_and_empty_is_not_set);
  RUN(what_is_in_the_way_of_the_segment_is_named);
  RUN(a_launcher_of_another_pid_namespace_is_not_watched);
  RUN(flags_that_do_not_exist_are_refused);
  RUN(ranks_join_in_any_order);
  RUN(ranks_that_never_come_are_named_at_the_deadline);
  RUN(a_rank_that_dies_while_joining_is_named_long_before_the_deadline);
  RUN(who_does_not_belong_is_refused_and_the_others_go_on);
  RUN(a_process_is_one_rank_at_a_time);
  RUN(who_joins_twice_does_not_lose_its_segment);
  RUN(a_segment_of_another_layout_is_refused);
  RUN(the_rank_table_tells_a_c_rank);
  RUN(a_rank_hears_that_its_launcher_is_gone);
  RUN(a_rank_that_asked_for_it_ends_with_its_launcher);
  RUN(who_comes_after_rank_zero_gave_up_hears_so_at_once);
  RUN(the_end_of_the_launcher_ends_joining);
  RUN(the_end_of_the_launcher_ends_waiting_for_rank_zero);
  RUN(a_rank_that_ends_with_its_launcher_while_joining_leaves_no_file);
  ranks_end();
  return 0;
}

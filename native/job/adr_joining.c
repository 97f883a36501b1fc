#include "job/adr_joining.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "adrastea/affinity.h"
#include "affinity/adr_affinity.h"
#include "affinity/adr_cpu_quota.h"
#include "bootstrap/adr_job_error.h"
#include "job/adr_job_world.h"
#include "queue/adr_free_queue.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_mount.h"

struct joining {
  struct adr_job *job;
  const struct adr_settings *settings;
  int64_t deadline;
};

static bool is_late(const struct joining *joining) { return adr_clock_now() > joining->deadline; }

static bool has_launcher(const struct adr_job *job) {
  return job->launcher.pid != 0 && adr_process_is_alive(job->launcher);
}

static void sleep_a_little(void) { nanosleep(&(struct timespec){.tv_nsec = ADR_JOINING_POLL_MILLIS * 1000000L}, NULL); }

/* Bytes that the job needs from the start. */
static uint64_t reserved_bytes(const struct adr_segment_shape *shape) {
  bool all_boxes = shape->boxes.slots > 0 && shape->rank_count <= shape->boxes.preallocate_ranks;
  uint64_t head = adr_region_directory_offset(shape->rank_count) + ADR_PAGE;
  return head + shape->rank_count * (all_boxes ? shape->rank_area_bytes : shape->boxes_offset);
}

/* Says what the file system has, where that is what is wrong. */
static int fail_segment(const struct joining *joining, int status, const char *what) {
  struct adr_job *job = joining->job;
  struct statvfs room;
  if (status == -ENOSPC && statvfs(joining->settings->directory, &room) == 0) {
    return adr_fail(&job->error, status,
                    "cannot %s %s: the job needs %" PRIu64 " bytes, %s has %" PRIu64
                    " free; make it larger (that of a container: docker run --shm-size), choose another one with "
                    "ADRASTEA_SHM_DIR, or lower ADRASTEA_CELLS or ADRASTEA_CELL_BYTES",
                    what, job->segment.path, reserved_bytes(&job->segment.shape), joining->settings->directory,
                    (uint64_t)room.f_bavail * room.f_frsize);
  }
  return adr_fail(&job->error, status, "cannot %s %s: %s (this is Adrastea %s, layout %u, checksum %08x)", what,
                  job->segment.path, adr_strerror(status), adr_version(), adr_layout_version(), adr_layout_checksum());
}

/* What has the name that the segment was to get: one of ours that is not locked is stale, and was removed before. */
static const char *kind_in_the_way(const char *path) {
  struct stat found;
  if (lstat(path, &found) != 0 || S_ISREG(found.st_mode)) { return NULL; }
  if (S_ISLNK(found.st_mode)) { return "a symbolic link"; }
  if (S_ISDIR(found.st_mode)) { return "a directory"; }
  if (S_ISFIFO(found.st_mode)) { return "a FIFO"; }
  return S_ISSOCK(found.st_mode) ? "a socket" : "a device";
}

/* Fails with the words of a Java rank: whyNotCreated in io.adrastea.segment.SegmentFile. */
static int fail_create(const struct joining *joining, int status) {
  struct adr_job *job = joining->job;
  const char *path = job->segment.path;
  const char *kind = status == -EEXIST ? kind_in_the_way(path) : NULL;
  if (kind != NULL) {
    return adr_fail(&job->error, status,
                    "cannot create %s: it is there already, and is %s; remove it, or choose another directory "
                    "(ADRASTEA_SHM_DIR)",
                    path, kind);
  }
  switch (status) {
  case -EEXIST:
    return adr_fail(&job->error, status,
                    "cannot create %s: another process is rank 0 of this job already; each job needs an id of its own, "
                    "each of its processes a rank of its own (ADRASTEA_JOB, ADRASTEA_RANK)",
                    path);
  case -ENOENT:
    return adr_fail(&job->error, status,
                    "cannot create %s: there is no directory %s; make it, or choose another (ADRASTEA_SHM_DIR)", path,
                    joining->settings->directory);
  case -ENOTDIR:
  case -EACCES:
  case -EROFS:
    return adr_fail(&job->error, status,
                    "cannot create %s: %s; the directory must be there and writable (ADRASTEA_SHM_DIR names another)",
                    path, strerrordesc_np(-status));
  default:
    return fail_segment(joining, status, "create");
  }
}

/* Fails with the words of a Java rank: requireOneHost in io.adrastea.segment.Mount. */
static int check_directory(const struct joining *joining) {
  const char *directory = joining->settings->directory;
  struct stat found;
  if (stat(directory, &found) != 0) { return 0; } /* what makes a file there will tell */
  char *mount = adr_mount_of("", found.st_dev);
  char *rest = mount;
  const char *type = mount == NULL ? "" : strsep(&rest, " ");
  const char *source = rest == NULL ? "" : strsep(&rest, " ");
  int status = 0;
  if (adr_mount_is_of_several_hosts(type)) {
    status = adr_fail(&joining->job->error, -EREMOTE,
                      "%s is on %s (%s), which several hosts can mount, and ranks share the memory of one; choose a "
                      "directory of this host, best on a memory file system, as /dev/shm (ADRASTEA_SHM_DIR)",
                      directory, type, source);
  }
  free(mount);
  return status;
}

static int create(const struct joining *joining) {
  const struct adr_settings *settings = joining->settings;
  struct adr_job *job = joining->job;
  adr_segment_remove_stale(settings->directory);
  int status =
      adr_segment_create(&job->segment, settings->directory, settings->membership.job, settings->membership.node,
                         settings->membership.size, settings->cells, settings->cell_bytes, settings->boxes);
  if (status < 0) { return fail_create(joining, status); }
  /* No order: a rank that reads it does so when all have counted themselves in, which this rank does after this. */
  adr_store_relaxed_u32(&adr_segment_header_of(&job->segment)->checks, settings->checks);
  struct adr_slot *world = (void *)(job->segment.base + adr_world_slot_offset(settings->membership.size));
  world->choices = settings->choices;
  return 0;
}

/* Ranks that disagree about their number are of two jobs, or of one that was started wrongly. */
static int check_size(const struct joining *joining) {
  struct adr_job *job = joining->job;
  uint32_t there = job->segment.shape.rank_count;
  if (there == joining->settings->membership.size) { return 0; }
  adr_fail(&job->error, ADR_SEGMENT_SIZES,
           "%s is of a job of %" PRIu32 " ranks, but ADRASTEA_SIZE=%" PRIu32 "; all ranks of a job need the same",
           job->segment.path, there, joining->settings->membership.size);
  adr_segment_close(&job->segment);
  return ADR_SEGMENT_SIZES;
}

/* A watch ends the process; in Java there always is one. */
static int check_launcher(struct adr_job *job) {
  if (job->launcher.pid == 0 || job->watch != NULL || has_launcher(job)) { return 0; }
  return adr_fail(&job->error, ADR_ERROR_LAUNCHER,
                  "the launcher, process %" PRIu32 ", is gone; rank %" PRIu32 " cannot join", job->launcher.pid,
                  job->rank);
}

static int attach(const struct joining *joining) {
  const struct adr_settings *settings = joining->settings;
  struct adr_job *job = joining->job;
  for (int polls = 1;; polls++) {
    int status =
        adr_segment_attach(&job->segment, settings->directory, settings->membership.job, settings->membership.node);
    if (status == 0) { return check_size(joining); }
    if (status != ADR_AGAIN && status != -ENOENT) { return fail_segment(joining, status, "attach to"); }
    if (is_late(joining)) {
      return adr_fail(&job->error, -ETIMEDOUT,
                      "rank %" PRIu32 " waited %" PRIu32 " ms for rank 0 to create %s; is rank 0 of job "
                      "%016" PRIx64 " running here, as the same user? (ADRASTEA_JOIN_TIMEOUT, ADRASTEA_SHM_DIR)%s%s",
                      settings->membership.rank, settings->join_timeout, job->segment.path, settings->membership.job,
                      *settings->membership.node_words == '\0' ? "" : "; ", settings->membership.node_words);
    }
    status = polls % ADR_JOINING_POLLS_PER_CHECK == 0 ? check_launcher(job) : 0;
    if (status < 0) { return status; }
    sleep_a_little();
  }
}

/* In a small job all fastboxes are made at once. */
static int open_boxes(struct adr_job *job) {
  const struct adr_segment_shape *shape = &job->segment.shape;
  if (shape->boxes.slots == 0 || shape->rank_count > shape->boxes.preallocate_ranks) { return 0; }
  for (uint32_t source = 0; source < shape->rank_count; source++) {
    int status = adr_segment_reserve_box(&job->segment, job->rank, source);
    if (status == 0) { status = adr_channel_open_box(job->channel, (int32_t)source); }
    if (status < 0) { return status; }
  }
  return 0;
}

/* Everything that this rank brings along: its area, its channel, its boxes. */
static int prepare(const struct joining *joining) {
  struct adr_job *job = joining->job;
  struct adr_view view = adr_view_within(job->segment.base, &job->segment.shape);
  int status = adr_segment_reserve(&job->segment, job->rank);
  if (status < 0) { return fail_segment(joining, status, "reserve this rank's part of"); }
  adr_free_queue_format(&view, &job->segment.shape, job->rank);
  int64_t bytes = (int64_t)job->segment.shape.segment_bytes;
  job->channel = adr_channel_open_within(job->segment.base, bytes, (int32_t)job->rank);
  if (job->channel == NULL) {
    return adr_fail(&job->error, -ENOMEM,
                    "rank %" PRIu32 ": no memory for its channel, or the segment's header was overwritten by a rank "
                    "that is broken",
                    job->rank);
  }
  job->wait.entry = adr_rank_table_entry(job->segment.base, job->rank);
  status = open_boxes(job);
  if (status < 0) { return fail_segment(joining, status, "reserve fastboxes in"); }
  status = adr_shared_open(&job->shared, &job->segment, job->rank);
  return status < 0 ? adr_fail(&job->error, status, "no memory for shared allocations") : adr_job_world_open(job);
}

/* Lists ranks as "1, 2, 5", cut off where the text is full. */
static void list(char *text, size_t size, const struct joining *joining, bool gone) {
  struct adr_job *job = joining->job;
  size_t at = 0;
  text[0] = '\0';
  for (uint32_t rank = 0; rank < job->size && at < size; rank++) {
    bool present = adr_rank_table_is_present(&job->ranks, rank);
    bool ready = adr_rank_table_state(adr_rank_table_entry(job->segment.base, rank)) == ADR_RANK_ATTACHED;
    if (gone ? present : !present || ready) { continue; }
    int length = snprintf(text + at, size - at, "%s%" PRIu32, at == 0 ? "" : ", ", rank);
    at += length > 0 ? (size_t)length : 0;
    if (gone && job->failed_rank < 0) { job->failed_rank = (int)rank; }
  }
}

static bool all_attached(const struct adr_job *job) {
  /* SYNC attached: acquire, pairs with the counts; so all areas are formatted. */
  return adr_load_acquire_u32(&adr_segment_header_of(&job->segment)->attached) == job->size;
}

static int check_missing(const struct joining *joining) {
  struct adr_job *job = joining->job;
  char ranks[200];
  char absent[200];
  int status = check_launcher(job); /* first: others may give up because of it */
  if (status < 0) { return status; }
  list(ranks, sizeof ranks, joining, true);
  if (ranks[0] != '\0') { /* ranks that have not come either may be why the others gave up */
    list(absent, sizeof absent, joining, false);
    bool also = absent[0] != '\0';
    return adr_fail(&job->error, ADR_ERROR_RANK_FAILED,
                    "rank %" PRIu32 " cannot join: rank(s) [%s] died or gave up while joining%s%s%s", job->rank, ranks,
                    also ? "; rank(s) [" : "", absent, also ? "] had not come" : "");
  }
  if (!is_late(joining)) { return 0; }
  list(ranks, sizeof ranks, joining, false);
  return adr_fail(&job->error, -ETIMEDOUT,
                  "rank %" PRIu32 " waited %" PRIu32 " ms for rank(s) [%s] of %" PRIu32
                  ", which did not join; were all started? (ADRASTEA_JOIN_TIMEOUT)",
                  job->rank, joining->settings->join_timeout, ranks, job->size);
}

static int await_all(const struct joining *joining) {
  struct adr_job *job = joining->job;
  int status = 0;
  for (int polls = 1; status == 0 && !all_attached(job); polls++) {
    sleep_a_little();
    if (polls % ADR_JOINING_POLLS_PER_CHECK == 0) { status = check_missing(joining); }
  }
  if (status == 0 || adr_segment_count_out(&job->segment)) { return status; }
  job->failed_rank = -1; /* all have come in this moment, this rank too; one may even have left already */
  return adr_fail(&job->error, 0, "%s", adr_strerror(0));
}

static struct adr_rank_cpus own_cpus(void) {
  struct adr_rank_cpus cpus = {.only = adr_affinity_only(), .quota = adr_cpu_quota_read("")};
  int32_t count = adr_affinity_count();
  cpus.count = count < 1 ? 1 : (uint32_t)count;
  adr_affinity_mask(cpus.mask, sizeof cpus.mask / sizeof *cpus.mask);
  return cpus;
}

/* job.h takes messages in the order in which they come and answers none. Beyond plain messages, the barrier and shared
 * memory, which every rank has, there is what needs no messages. */
enum { CAPABILITIES = ADR_RANK_CAN_COLLECTIVES | ADR_RANK_CAN_WINDOWS | ADR_RANK_CAN_SHMEM };

static uint32_t abilities(void) { return adr_channel_prepare_to_wake() == 0 ? ADR_RANK_WAKEABLE | ADR_RANK_WAKER : 0; }

static int enter(const struct joining *joining) {
  struct adr_job *job = joining->job;
  struct adr_rank_entry *entry = adr_rank_table_entry(job->segment.base, job->rank);
  job->ranks = adr_rank_watch_of(&job->segment);
  job->next_check = (job->rank + 1) % job->size;                 /* not all begin with the same */
  int locked = adr_segment_lock_place(&job->segment, job->rank); /* before anybody can ask for it */
  struct adr_rank_cpus cpus = own_cpus();
  int status = adr_rank_table_enter(job->segment.base, job->rank, ADR_CORE_C, abilities(), CAPABILITIES, &cpus);
  if (status < 0) {
    return adr_fail(&job->error, status,
                    "rank %" PRIu32 " of %" PRIu32 " is already taken, by process %" PRIu32
                    "; each process of a job needs a rank of its own",
                    job->rank, job->size, adr_rank_table_pid(entry));
  }
  status = locked < 0 ? fail_segment(joining, locked, "lock this rank's byte of") : prepare(joining);
  if (status == 0) {
    adr_rank_table_set_state(entry, ADR_RANK_ATTACHED);
    adr_segment_count_in(&job->segment); /* a name that cannot be removed is removed by the next job */
    status = await_all(joining);
  }
  if (status < 0) {
    adr_channel_close(job->channel);
    job->channel = NULL;
    adr_rank_table_depart(job->segment.base, job->rank, ADR_RANK_FAILED);
  }
  return status;
}

/* Whether others may still come, which are to see in the file that rank 0 gave up; our launcher removes it when the
 * job has ended. Another launcher knows nothing of it. */
static bool keeps_file(const struct joining *joining) {
  return joining->job->size > 1 && joining->settings->membership.ours && has_launcher(joining->job);
}

int adr_joining_join(struct adr_job *job, const struct adr_settings *settings) {
  struct joining joining = {job, settings, adr_clock_now() + (int64_t)settings->join_timeout * 1000000};
  int status = check_directory(&joining);
  if (status == 0) { status = settings->membership.rank == 0 ? create(&joining) : attach(&joining); }
  if (status < 0) { return status; }
  status = enter(&joining);
  if (status < 0 && settings->membership.rank == 0 && !keeps_file(&joining)) { adr_segment_unlink(&job->segment); }
  if (status == 0) {
    job->wait.waiter.oversubscribed = settings->oversubscribed == ADR_OVERSUBSCRIBED_AUTO
                                          ? adr_rank_table_is_oversubscribed(job->segment.base, job->size)
                                          : settings->oversubscribed == ADR_OVERSUBSCRIBED_ON;
    job->wait.waiter.follows = settings->oversubscribed == ADR_OVERSUBSCRIBED_AUTO && !job->wait.waiter.oversubscribed;
    job->wait.waiter.crowded = job->wait.waiter.oversubscribed;
    job->wait.all_wake = adr_rank_table_all_wake(job->segment.base, job->size);
    if (job->wait.waiter.oversubscribed) { adr_channel_enable_sender_fence(job->channel); }
  }
  return status;
}

/* A system whose pages are larger than the 4 KiB by which a segment is laid out, as on AArch64: mmap, munmap, madvise
 * and sysconf are put in front of the system's own, and round, or refuse, as such a one does. */
#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "channel/adr_channel_state.h"
#include "job.h"
#include "job/adr_job_state.h"
#include "ranktable/adr_rank_table.h"
#include "shared/adr_shared.h"

enum { LARGE = 65536, CELLS = 8, PAYLOAD = 256, RING = 4096, HERE = 0, RANKS = 6, MOST_RANKS = 16 };
static const struct adr_box_settings BOXES = {.slots = RING / 64, .limit = 64, .threshold = 100};

static uint64_t page; /* 0: as it is */
static bool refuses_to_map;
static int64_t mapped; /* bytes */

static uint64_t system_page(void) { return page == 0 ? getauxval(AT_PAGESZ) : page; }

static uint64_t round_up(uint64_t bytes) { return adr_align_up(bytes, system_page()); }

static bool is_behind(uint64_t at) { return at % system_page() != 0; }

static void *map(void *address, size_t bytes, int protection, int flags, int fd, off_t offset) {
  return (void *)syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
}

long sysconf(int name) { return name == _SC_PAGESIZE ? (long)system_page() : -1; }

void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset) {
  if (page == 0 || address != NULL || fd < 0) { return map(address, bytes, protection, flags, fd, offset); }
  if (refuses_to_map || is_behind((uint64_t)offset)) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  mapped += (int64_t)round_up(bytes);
  void *room = map(NULL, round_up(bytes) + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(room != MAP_FAILED);
  return map((void *)round_up((uintptr_t)room), bytes, protection, flags | MAP_FIXED, fd, offset);
}

int munmap(void *address, size_t bytes) {
  if (page != 0) {
    CHECK(!is_behind((uintptr_t)address));
    mapped -= (int64_t)round_up(bytes);
  }
  return (int)syscall(SYS_munmap, address, round_up(bytes));
}

int madvise(void *address, size_t bytes, int advice) {
  if (is_behind((uintptr_t)address)) {
    errno = EINVAL;
    return -1;
  }
  return (int)syscall(SYS_madvise, address, round_up(bytes), advice);
}

static void send(adr_channel *from, int32_t to) {
  CHECK_EQUAL(5, adr_channel_try_send(from, to, ADR_PIECE_FIRST, 1, 5, "hello", 0, 5));
}

static int receive_all(adr_channel *channel) {
  adr_inbound in;
  int count = 0;
  while (adr_channel_poll(channel, -1, &in) == ADR_POLL_PIECE) {
    CHECK_EQUAL(5, in.length);
    CHECK_EQUAL(0, adr_channel_release(channel));
    count++;
  }
  return count;
}

/* One leaves while a message of each other lies in its fastbox. */
static void check_others_keep_theirs(int32_t leaving) {
  struct job job = job_open_boxes(RANKS, CELLS, PAYLOAD, BOXES);
  adr_channel *channels[RANKS];
  for (int32_t rank = 0; rank < RANKS; rank++) { channels[rank] = adr_channel_open(job.segment.base, rank); }
  for (int32_t source = 1; source < RANKS; source++) {
    job_open_box(&job, channels[HERE], HERE, (uint32_t)source);
    send(channels[source], HERE); /* by cell: finds the box */
  }
  CHECK_EQUAL(RANKS - 1, receive_all(channels[HERE]));
  for (int32_t source = 1; source < RANKS; source++) {
    if (source != leaving) { send(channels[source], HERE); }
  }
  adr_rank_table_depart(job.segment.base, (uint32_t)leaving, ADR_RANK_LEFT);
  CHECK_EQUAL(0, adr_channel_reclaim(channels[HERE])); /* nothing that is no whole page is given back */
  CHECK_EQUAL(RANKS - 2, receive_all(channels[HERE]));
  for (int32_t rank = 0; rank < RANKS; rank++) { adr_channel_close(channels[rank]); }
  job_close(&job);
}

static void a_rank_that_leaves_takes_no_messages_of_others_along(void) {
  for (page = RING * 2; page <= LARGE; page *= 2) {
    for (int32_t leaving = 1; leaving < RANKS; leaving++) { check_others_keep_theirs(leaving); }
  }
}

/* Checks what is reached by a rank of its own mappings, which may be of Java: that one makes regions in pages of 4 KiB,
 * too. */
static void check_reached(struct job *job) {
  struct adr_shared *mine, *theirs;
  CHECK_EQUAL(0, adr_shared_open(&mine, &job->segment, 0));
  struct adr_segment other_process = job->segment; /* with no region mapped */
  CHECK_EQUAL(0, adr_shared_open(&theirs, &other_process, 0));
  for (uint64_t i = 0; i < 3; i++) { /* each a region */
    uint64_t offset, bytes = (256 << 10) + 4096 * i;
    void *memory, *other;
    CHECK_EQUAL(0, adr_shared_allocate(mine, bytes, 4096, &memory, &offset));
    CHECK_EQUAL(0, (uintptr_t)memory % 4096);
    CHECK_EQUAL(0, adr_shared_reach(theirs, 0, offset, bytes, &other));
    CHECK(other != memory);
    memset(memory, (int)i + 1, bytes);
    CHECK_EQUAL(0, memcmp(memory, other, bytes));
  }
  adr_shared_close(mine);
  adr_shared_close(theirs);
  adr_region_close(&other_process);
}

static void regions_are_mapped_wherever_they_begin(void) {
  for (page = 4096; page <= LARGE; page *= 4) {
    for (uint32_t ranks = 1; ranks <= MOST_RANKS; ranks++) {
      mapped = 0;
      struct job job = job_open(ranks, CELLS, PAYLOAD);
      check_reached(&job);
      job_close(&job);
      CHECK_EQUAL(0, mapped);
    }
  }
}

static void what_the_system_refuses_is_not_called_a_wrong_argument(void) {
  page = 4096;
  struct job of = job_open(1, CELLS, PAYLOAD);
  struct adr_job job = {.size = 1, .segment = of.segment};
  void *memory;
  int64_t offset;
  CHECK_EQUAL(0, adr_shared_open(&job.shared, &job.segment, 0));
  refuses_to_map = true;
  CHECK_EQUAL(-EINVAL, adr_job_allocate(&job, 100, 64, &memory, &offset));
  refuses_to_map = false;
  CHECK(strstr(adr_job_error(&job), "allowed are") == NULL);
  CHECK(strstr(adr_job_error(&job), strerror(EINVAL)) != NULL);
  CHECK_EQUAL(-EINVAL, adr_job_allocate(&job, 100, 3, &memory, &offset));
  CHECK(strstr(adr_job_error(&job), "allowed are") != NULL);
  adr_shared_close(job.shared);
  of.segment = job.segment; /* with what was noted of its regions */
  job_close(&of);
}

int main(void) {
  if (system_page() != 4096) {
    printf("skipped: pages of 4 KiB are made larger here\n");
    return CHECK_SKIPPED;
  }
  RUN(a_rank_that_leaves_takes_no_messages_of_others_along);
  RUN(regions_are_mapped_wherever_they_begin);
  RUN(what_the_system_refuses_is_not_called_a_wrong_argument);
  return 0;
}

/* Regions on huge pages: where a made-up system offers them, and that they are used on file systems that offer them, in
 * a mount namespace of its own. The latter is skipped where none may be mounted. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "job.h"
#include "mounting.h"
#include "segment/adr_huge.h"
#include "shared/adr_shared.h"

enum { CELLS = 4, PAYLOAD = 64, PATH = 256, HUGE = 2 << 20 };

static char directory[64];

static void write_file(const char *name, const char *text) {
  char path[PATH];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  for (char *slash = strchr(path + strlen(directory) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    CHECK(mkdir(path, 0700) == 0 || errno == EEXIST);
    *slash = '/';
  }
  FILE *file = fopen(path, "we");
  CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A system that says so has its huge pages for the file system 0:27? */
static uint64_t offered(const char *size, const char *all, const char *options) {
  char mounts[2 * PATH];
  snprintf(mounts, sizeof mounts,
           "25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=64k,huge=always\n"
           "30 25 0:27 / /dev/my\\040shm rw,relatime shared:5 - tmpfs tmpfs rw,size=64k%s\n",
           options);
  write_file("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", size);
  write_file("sys/kernel/mm/transparent_hugepage/shmem_enabled", all);
  write_file("proc/self/mountinfo", mounts);
  return adr_huge_page(directory, makedev(0, 27));
}

static void the_mount_of_the_file_decides(void) {
  const char *never = "always within_size advise [never] deny force\n";
  CHECK_EQUAL(0, offered("2097152\n", never, ""));
  CHECK_EQUAL(0, offered("2097152\n", "[always] within_size advise never deny force\n", ""));
  CHECK_EQUAL(0, offered("2097152\n", never, ",huge=never"));
  CHECK_EQUAL(0, offered("2097152\n", never, ",huge=advised"));
  CHECK_EQUAL(HUGE, offered("2097152\n", never, ",huge=advise"));
  CHECK_EQUAL(HUGE, offered("2097152\n", never, ",huge=within_size,inode64"));
  CHECK_EQUAL(HUGE, offered("2097152\n", never, ",huge=always"));
  CHECK_EQUAL(32 << 20, offered("33554432\n", never, ",huge=always"));
}

static void the_system_forbids_or_forces_them_on_every_mount(void) {
  CHECK_EQUAL(0, offered("2097152\n", "always within_size advise never [deny] force\n", ",huge=always"));
  CHECK_EQUAL(HUGE, offered("2097152\n", "always within_size advise never deny [force]\n", ""));
}

static void a_size_that_cannot_be_is_none(void) {
  const char *bad[] = {"", "0\n", "4096\n", "3000000\n", "no\n", "99999999999999999999\n"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) { CHECK_EQUAL(0, offered(bad[i], "[force]\n", "")); }
}

static void a_system_without_them_offers_none(void) { CHECK_EQUAL(0, adr_huge_page("/nowhere", makedev(0, 27))); }

static void mount_with(const char *options) { CHECK_EQUAL(0, mount("none", directory, "tmpfs", 0, options)); }

/* Bytes that are mapped here by huge pages, of the mapping that starts at `memory`. */
static long huge_bytes(const void *memory) {
  char line[PATH];
  unsigned long start = 0;
  unsigned long from;
  unsigned long kib;
  long found = -1;
  FILE *maps = fopen("/proc/self/smaps", "re");
  CHECK(maps != NULL);
  while (found < 0 && fgets(line, sizeof line, maps) != NULL) {
    if (sscanf(line, "%lx-%*x %*c", &from) == 1 && strchr(line, '-') != NULL) { start = from; }
    if (start == (uintptr_t)memory && sscanf(line, "ShmemPmdMapped: %lu kB", &kib) == 1) { found = (long)kib << 10; }
  }
  fclose(maps);
  return found;
}

static void open_segment(struct adr_segment *segment) {
  CHECK_EQUAL(0, adr_segment_create(segment, directory, JOB_ID, 0, 2, CELLS, PAYLOAD, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(0, adr_segment_reserve(segment, 0));
}

static void close_segment(struct adr_segment *segment) {
  adr_segment_unlink(segment);
  adr_segment_close(segment);
  CHECK_EQUAL(0, umount(directory));
}

/* Whoever allocates and whoever reaches has `bytes`, `huge` of them by huge pages. */
static void allocate_and_reach(struct adr_segment *segment, int64_t bytes, long huge) {
  struct adr_shared *mine;
  struct adr_shared *theirs;
  void *memory;
  void *reached;
  uint64_t offset;
  CHECK_EQUAL(0, adr_shared_open(&mine, segment, 0));
  CHECK_EQUAL(0, adr_shared_open(&theirs, segment, 1));
  CHECK_EQUAL(0, adr_shared_allocate(mine, (uint64_t)bytes, 8, &memory, &offset));
  for (int64_t i = 0; i < bytes; i++) { CHECK_EQUAL(0, ((uint8_t *)memory)[i]); }
  memset(memory, 7, (size_t)bytes);
  CHECK_EQUAL(huge, huge_bytes(memory));
  CHECK_EQUAL(0, adr_shared_reach(theirs, 0, offset, (uint64_t)bytes, &reached));
  for (int64_t i = 0; i < bytes; i++) { CHECK_EQUAL(7, ((uint8_t *)reached)[i]); }
  CHECK_EQUAL(huge, huge_bytes(reached));
  adr_shared_close(mine);
  adr_shared_close(theirs);
}

static void allocations_lie_on_huge_pages_where_the_mount_offers_them(void) {
  const char *options[] = {"size=64m,huge=advise", "size=64m,huge=within_size", "size=64m,huge=always"};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    struct adr_segment segment;
    mount_with(options[i]);
    open_segment(&segment);
    allocate_and_reach(&segment, 6 * HUGE, 6 * HUGE);
    close_segment(&segment);
  }
}

static void only_whole_huge_pages_are_made(void) {
  struct adr_segment segment;
  mount_with("size=64m,huge=advise");
  open_segment(&segment);
  allocate_and_reach(&segment, 2 * HUGE + 5000, 2 * HUGE);
  close_segment(&segment);
}

static int add_region(struct adr_segment *segment, uint64_t bytes) {
  const struct adr_region_request request = {ADR_REGION_HEAP, 0, bytes, false};
  return adr_region_add(segment, 0, &request);
}

static uint8_t *map_region(struct adr_segment *segment, int index) {
  struct adr_region region;
  void *memory;
  CHECK_EQUAL(0, adr_region_map(segment, (uint32_t)index, &region, &memory));
  return memory;
}

static int64_t taken(const struct adr_segment *segment) {
  struct stat found;
  CHECK_EQUAL(0, fstat(segment->fd, &found));
  return (int64_t)found.st_blocks * 512;
}

/* A region in the place of one that was given back has small pages from the system at first. */
static void a_region_that_is_used_again_lies_on_huge_pages_again(void) {
  struct adr_segment segment;
  mount_with("size=64m,huge=advise");
  open_segment(&segment);
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL(0, add_region(&segment, 2 * HUGE));
    uint8_t *memory = map_region(&segment, 0);
    CHECK_EQUAL(2 * HUGE, huge_bytes(memory));
    for (int64_t at = 0; at < 2 * HUGE; at++) { CHECK_EQUAL(0, memory[at]); }
    memset(memory, 7, 2 * HUGE);
    CHECK_EQUAL(0, adr_region_give_back(&segment, 0, 0));
  }
  close_segment(&segment);
}

static void a_part_of_a_sparse_region_lies_on_the_huge_pages_that_it_covers(void) {
  struct adr_segment segment;
  const struct adr_region_request request = {ADR_REGION_SYMMETRIC, 0, UINT64_C(1) << 36, true};
  mount_with("size=64m,huge=advise");
  open_segment(&segment);
  CHECK_EQUAL(0, adr_region_add(&segment, 0, &request));
  uint8_t *memory = map_region(&segment, 0);
  CHECK_EQUAL(0, (uintptr_t)memory % HUGE);
  int64_t before = taken(&segment);
  CHECK_EQUAL(0, adr_region_reserve(&segment, 0, 4 * HUGE, 2 * HUGE));
  CHECK_EQUAL(2 * HUGE, huge_bytes(memory + 4 * HUGE));
  CHECK_EQUAL(before + 2 * HUGE, taken(&segment));
  memset(memory + 4 * HUGE, 7, 2 * HUGE);
  CHECK_EQUAL(0, adr_region_reserve(&segment, 0, 8 * HUGE - 8192, HUGE + 8192 + 4096)); /* one, and small ones */
  CHECK_EQUAL(HUGE, huge_bytes(memory + 8 * HUGE));
  CHECK_EQUAL(before + 3 * HUGE + 8192 + 4096, taken(&segment));
  CHECK_EQUAL(0, adr_region_reserve(&segment, 0, 12 * HUGE, HUGE - 4096));
  CHECK_EQUAL(before + 4 * HUGE + 8192, taken(&segment));
  CHECK_EQUAL(0, adr_region_reserve(&segment, 0, 3 * HUGE, 4 * HUGE)); /* over what is in use */
  for (int64_t at = 0; at < 2 * HUGE; at++) { CHECK_EQUAL(7, memory[4 * HUGE + at]); }
  for (int64_t at = 0; at < HUGE; at++) { CHECK_EQUAL(0, memory[3 * HUGE + at]); }
  CHECK_EQUAL(0, adr_region_release(&segment, 0, 4 * HUGE + 4096, HUGE)); /* parts of two */
  for (int64_t at = 0; at < 4096; at++) { CHECK_EQUAL(7, memory[4 * HUGE + at]); }
  for (int64_t at = 5 * HUGE + 4096; at < 6 * HUGE; at++) { CHECK_EQUAL(7, memory[at]); }
  CHECK_EQUAL(0, adr_region_reserve(&segment, 0, 4 * HUGE, 2 * HUGE));
  for (int64_t at = 4 * HUGE + 4096; at < 5 * HUGE + 4096; at++) { CHECK_EQUAL(0, memory[at]); }
  CHECK_EQUAL(0, adr_region_give_back(&segment, 0, 0));
  CHECK_EQUAL(before - ADR_PAGE, taken(&segment)); /* also its last page */
  close_segment(&segment);
}

static void where_none_are_offered_a_sparse_region_takes_what_is_reserved(void) {
  struct adr_segment segment;
  const struct adr_region_request request = {ADR_REGION_SYMMETRIC, 0, UINT64_C(1) << 36, true};
  mount_with("size=64m,huge=never");
  open_segment(&segment);
  CHECK_EQUAL(0, adr_region_add(&segment, 0, &request));
  int64_t before = taken(&segment);
  CHECK_EQUAL(0, adr_region_reserve(&segment, 0, 4 * HUGE, 2 * HUGE));
  uint8_t *memory = map_region(&segment, 0);
  memset(memory + 4 * HUGE, 7, 2 * HUGE);
  CHECK_EQUAL(before + 2 * HUGE, taken(&segment));
  CHECK_EQUAL(0, huge_bytes(memory));
  close_segment(&segment);
}

static void where_none_are_offered_regions_follow_each_other(void) {
  struct adr_segment segment;
  struct adr_region region;
  mount_with("size=64m,huge=never");
  open_segment(&segment);
  CHECK_EQUAL(0, add_region(&segment, 2 * HUGE));
  CHECK_EQUAL(0, adr_region_at(&segment, 0, &region));
  CHECK_EQUAL(segment.shape.segment_bytes, region.offset);
  close_segment(&segment);
}

static void small_regions_are_not_moved(void) {
  struct adr_segment segment;
  struct adr_region region;
  mount_with("size=64m,huge=advise");
  open_segment(&segment);
  CHECK_EQUAL(0, add_region(&segment, HUGE - 4096));
  CHECK_EQUAL(0, adr_region_at(&segment, 0, &region));
  CHECK_EQUAL(segment.shape.segment_bytes, region.offset);
  CHECK_EQUAL(1, add_region(&segment, HUGE));
  CHECK_EQUAL(0, adr_region_at(&segment, 1, &region));
  CHECK_EQUAL(0, region.offset % HUGE);
  close_segment(&segment);
}

/* What reserving has taken does not grow when it becomes huge: a full file system is an error, never a SIGBUS. */
static void a_full_file_system_is_an_error(void) {
  struct adr_segment segment;
  struct adr_shared *shared;
  void *memory;
  uint64_t offset;
  int status;
  int taken = 0;
  mount_with("size=16m,huge=advise");
  open_segment(&segment);
  uint64_t end = adr_segment_header_of(&segment)->file_end;
  CHECK_EQUAL(-ENOSPC, add_region(&segment, 32 << 20));
  CHECK_EQUAL(end, adr_segment_header_of(&segment)->file_end);
  CHECK_EQUAL(0, adr_shared_open(&shared, &segment, 0));
  while ((status = adr_shared_allocate(shared, HUGE, 8, &memory, &offset)) == 0) {
    memset(memory, 1, HUGE);
    taken++;
  }
  CHECK_EQUAL(-ENOSPC, status);
  CHECK_EQUAL(7, taken); /* all but header, table and area */
  adr_shared_close(shared);
  close_segment(&segment);
}

static int system_has_them(void) {
  struct stat file;
  if (mount("none", directory, "tmpfs", 0, "size=16k,huge=advise") != 0) { return 0; } /* a kernel without them */
  CHECK_EQUAL(0, stat(directory, &file));
  int there = adr_huge_page("", file.st_dev) == HUGE;
  CHECK_EQUAL(0, umount(directory));
  return there;
}

static void run_on_mounts(void) {
  RUN(allocations_lie_on_huge_pages_where_the_mount_offers_them);
  RUN(only_whole_huge_pages_are_made);
  RUN(where_none_are_offered_regions_follow_each_other);
  RUN(small_regions_are_not_moved);
  RUN(a_region_that_is_used_again_lies_on_huge_pages_again);
  RUN(a_part_of_a_sparse_region_lies_on_the_huge_pages_that_it_covers);
  RUN(where_none_are_offered_a_sparse_region_takes_what_is_reserved);
  RUN(a_full_file_system_is_an_error);
}

int main(void) {
  job_directory(directory);
  if (!may_mount(directory)) {
    rmdir(directory);
    printf("skipped: no file system may be mounted here\n");
    return CHECK_SKIPPED;
  }
  mount_with("size=1m"); /* for the made-up systems */
  RUN(the_mount_of_the_file_decides);
  RUN(the_system_forbids_or_forces_them_on_every_mount);
  RUN(a_size_that_cannot_be_is_none);
  RUN(a_system_without_them_offers_none);
  CHECK_EQUAL(0, umount(directory));
  if (system_has_them()) {
    run_on_mounts();
  } else {
    printf("not run: this system has no huge pages of 2 MiB\n");
  }
  return rmdir(directory);
}

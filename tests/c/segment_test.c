/* The segment's file: what create makes, what attach refuses, space, regions, what is left behind. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "job.h"
#include "peer.h"
#include "segment/adr_region.h"

enum { RANKS = 2, CELLS = 4, PAYLOAD = 64, NOBODY = 65534 };

static char directory[64];
static struct adr_segment made;

static int attach(void) {
  struct adr_segment other;
  int status = adr_segment_attach(&other, directory, JOB_ID, 0);
  if (status == 0) { adr_segment_close(&other); }
  return status;
}

static void with_segment(void (*test)(void)) {
  job_directory(directory);
  CHECK_EQUAL(0, adr_segment_create(&made, directory, JOB_ID, 0, RANKS, CELLS, PAYLOAD, ADR_BOX_DEFAULTS));
  test();
  adr_segment_unlink(&made);
  adr_segment_close(&made);
  CHECK_EQUAL(0, rmdir(directory));
}

static void computes_the_sizes_of_the_default_job(void) {
  struct adr_segment_shape shape;
  CHECK_EQUAL(0, adr_segment_shape_make(&shape, 2, 64, 8192, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(8320, shape.cell_stride); /* 65 blocks: odd */
  CHECK_EQUAL(4096, shape.rank_table_offset);
  /* behind the slot of all ranks, the directory of regions and the table of communicators' numbers */
  CHECK_EQUAL(8192 + 4096 + 524288 + 1048576, shape.rank_area_offset);
  CHECK_EQUAL(4096, shape.cells_offset);
  CHECK_EQUAL(536576, shape.boxes_offset);
  CHECK_EQUAL(536576 + 2 * 65536, shape.rank_area_bytes); /* and a ring for each source */
  CHECK_EQUAL(1585152 + 2 * 667648, shape.segment_bytes);
}

static void spaces_cells_by_an_odd_number_of_blocks(void) {
  struct adr_segment_shape shape;
  for (uint32_t payload = ADR_MIN_CELL_PAYLOAD; payload <= ADR_MAX_CELL_PAYLOAD; payload += 61) {
    CHECK_EQUAL(0, adr_segment_shape_make(&shape, 1, 2, payload, ADR_BOX_DEFAULTS));
    CHECK(shape.cell_stride >= 64 + payload && shape.cell_stride < 64 + payload + 256);
    CHECK_EQUAL(128, shape.cell_stride % 256);
  }
}

static void refuses_sizes_out_of_range(void) {
  struct adr_segment_shape shape;
  CHECK_EQUAL(-EINVAL, adr_segment_shape_make(&shape, 0, 64, 64, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(-EINVAL, adr_segment_shape_make(&shape, 1025, 64, 64, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(-EINVAL, adr_segment_shape_make(&shape, 1, 1, 64, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(-EINVAL, adr_segment_shape_make(&shape, 1, 65537, 64, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(-EINVAL, adr_segment_shape_make(&shape, 1, 2, 63, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(-EINVAL, adr_segment_shape_make(&shape, 1, 2, 65473, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(0, adr_segment_shape_make(&shape, 1024, 65536, 65472, ADR_BOX_DEFAULTS));
  CHECK_EQUAL(0, adr_segment_shape_make(&shape, 1, 2, 64, ADR_BOX_DEFAULTS));
}

static void creates_a_private_file_named_by_user_job_and_node(void) {
  struct stat found;
  char expected[PATH_MAX];
  snprintf(expected, sizeof expected, "%s/adrastea-%u-0000000000001234-0", directory, (unsigned)geteuid());
  CHECK(strcmp(expected, made.path) == 0);
  CHECK_EQUAL(0, lstat(made.path, &found));
  CHECK_EQUAL(S_IFREG | 0600, found.st_mode);
  CHECK_EQUAL(made.shape.segment_bytes, found.st_size);
  CHECK(fcntl(made.fd, F_GETFD) & FD_CLOEXEC);
}

/* Two nodes of a job may have one directory. */
static void nodes_have_files_of_their_own(void) {
  struct adr_segment second;
  CHECK_EQUAL(0, adr_segment_create(&second, directory, JOB_ID, 17, RANKS, CELLS, PAYLOAD, ADR_BOX_DEFAULTS));
  CHECK(strcmp(made.path, second.path) != 0);
  CHECK_EQUAL(0, strcmp(strrchr(second.path, '-'), "-17"));
  CHECK_EQUAL(0, adr_segment_unlink(&second));
  adr_segment_close(&second);
}

static void creates_no_second_one_for_a_job(void) {
  struct adr_segment second;
  CHECK_EQUAL(-EEXIST, adr_segment_create(&second, directory, JOB_ID, 0, RANKS, CELLS, PAYLOAD, ADR_BOX_DEFAULTS));
}

/* Field by field: what lies between two of them is any bytes. */
static void check_same_shape(const struct adr_segment_shape *one, const struct adr_segment_shape *other) {
  CHECK_EQUAL(one->rank_count, other->rank_count);
  CHECK_EQUAL(one->cell_count, other->cell_count);
  CHECK_EQUAL(one->cell_payload, other->cell_payload);
  CHECK_EQUAL(one->cell_stride, other->cell_stride);
  CHECK_EQUAL(one->rank_table_offset, other->rank_table_offset);
  CHECK_EQUAL(one->rank_area_offset, other->rank_area_offset);
  CHECK_EQUAL(one->rank_area_bytes, other->rank_area_bytes);
  CHECK_EQUAL(one->cells_offset, other->cells_offset);
  CHECK_EQUAL(one->boxes.slots, other->boxes.slots);
  CHECK_EQUAL(one->boxes.limit, other->boxes.limit);
  CHECK_EQUAL(one->boxes.learns, other->boxes.learns);
  CHECK_EQUAL(one->boxes.threshold, other->boxes.threshold);
  CHECK_EQUAL(one->boxes.preallocate_ranks, other->boxes.preallocate_ranks);
  CHECK_EQUAL(one->box_table_offset, other->box_table_offset);
  CHECK_EQUAL(one->boxes_offset, other->boxes_offset);
  CHECK_EQUAL(one->segment_bytes, other->segment_bytes);
}

static void attaches_to_the_same_memory(void) {
  struct adr_segment other;
  CHECK_EQUAL(0, adr_segment_attach(&other, directory, JOB_ID, 0));
  CHECK(other.base != made.base);
  check_same_shape(&made.shape, &other.shape);
  made.base[ADR_SEGMENT_HEADER_BYTES] = 42;
  CHECK_EQUAL(42, other.base[ADR_SEGMENT_HEADER_BYTES]);
  adr_segment_close(&other);
}

static void attaches_not_before_the_magic_is_there(void) {
  adr_store_relaxed_u64(&adr_segment_header_of(&made)->magic, 0);
  CHECK_EQUAL(ADR_AGAIN, attach());
  CHECK_EQUAL(0, ftruncate(made.fd, 100));
  CHECK_EQUAL(ADR_AGAIN, attach());
  adr_segment_unlink(&made);
  CHECK_EQUAL(-ENOENT, attach());
}

static void refuses_another_magic(void) {
  adr_store_relaxed_u64(&adr_segment_header_of(&made)->magic, __builtin_bswap64(ADR_MAGIC));
  CHECK_EQUAL(ADR_SEGMENT_MAGIC, attach());
}

static void refuses_another_layout(void) {
  adr_segment_header_of(&made)->layout_crc ^= 1;
  CHECK_EQUAL(ADR_SEGMENT_CRC, attach());
  adr_segment_header_of(&made)->layout_version++;
  CHECK_EQUAL(ADR_SEGMENT_VERSION, attach());
}

static void refuses_another_job(void) {
  adr_segment_header_of(&made)->job_id++;
  CHECK_EQUAL(ADR_SEGMENT_JOB, attach());
}

/* Each size in turn is one more than it should be, then nonsense. One cell or one byte of payload more
 * may lie within the same rounded sizes. */
static void refuses_sizes_that_contradict_each_other(void) {
  static const struct {
    size_t offset;
    size_t bytes;
  } fields[] = {{24, 8}, {32, 4}, {36, 4}, {40, 4}, {44, 4}, {48, 8}, {56, 8}, {64, 8}, {72, 8}};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    uint8_t *field = made.base + fields[i].offset;
    uint8_t before[8];
    memcpy(before, field, 8);
    field[0]++;
    if (fields[i].offset != 36 && fields[i].offset != 44) { CHECK_EQUAL(ADR_SEGMENT_SIZES, attach()); }
    memset(field, 0xff, fields[i].bytes);
    CHECK_EQUAL(ADR_SEGMENT_SIZES, attach());
    memcpy(field, before, 8);
  }
  CHECK_EQUAL(0, attach());
}

static void refuses_a_file_shorter_than_its_sizes(void) {
  CHECK_EQUAL(0, ftruncate(made.fd, (off_t)made.shape.segment_bytes - 1));
  CHECK_EQUAL(ADR_SEGMENT_SIZES, attach());
}

static void refuses_a_file_that_others_may_open(void) {
  CHECK_EQUAL(0, fchmod(made.fd, 0640));
  CHECK_EQUAL(ADR_SEGMENT_MODE, attach());
  CHECK_EQUAL(0, fchmod(made.fd, 0602));
  CHECK_EQUAL(ADR_SEGMENT_MODE, attach());
}

static void refuses_a_file_of_another_user(void) {
  if (geteuid() != 0) {
    printf("skipped (needs root): ");
    return;
  }
  CHECK_EQUAL(0, fchown(made.fd, 65534, (gid_t)-1));
  CHECK_EQUAL(ADR_SEGMENT_OWNER, attach());
}

/* This user's name for the job, but a file that another user keeps to himself: it could not even be opened. */
static void attach_as_nobody(void) {
  char name[PATH_MAX];
  CHECK_EQUAL(0, seteuid(NOBODY));
  CHECK_EQUAL(ADR_SEGMENT_OWNER, attach());
  CHECK_EQUAL(0, adr_segment_path(name, directory, JOB_ID, 0));
  CHECK_EQUAL(-1, open(name, O_RDONLY));
}

static void refuses_a_file_that_another_user_keeps_to_himself(void) {
  char theirs[PATH_MAX];
  if (geteuid() != 0) {
    printf("skipped (needs root): ");
    return;
  }
  CHECK(snprintf(theirs, sizeof theirs, "%s/adrastea-%d-%016x-0", directory, NOBODY, JOB_ID) > 0);
  CHECK_EQUAL(0, rename(made.path, theirs));
  CHECK_EQUAL(0, chmod(directory, 0755));
  RUN_APART(attach_as_nobody, 0);
  CHECK_EQUAL(0, rename(theirs, made.path));
}

static void refuses_a_socket_and_a_device(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  CHECK_EQUAL(0, unlink(made.path));
  CHECK(snprintf(address.sun_path, sizeof address.sun_path, "%s", made.path) < (int)sizeof address.sun_path);
  CHECK_EQUAL(0, bind(listener, (struct sockaddr *)&address, sizeof address));
  CHECK_EQUAL(ADR_SEGMENT_NOT_REGULAR, attach());
  CHECK_EQUAL(0, unlink(made.path));
  close(listener);
  if (mknod(made.path, S_IFCHR | 0600, makedev(1, 3)) != 0) { /* /dev/null */
    printf("device skipped (may not make one): ");
    return;
  }
  CHECK_EQUAL(ADR_SEGMENT_NOT_REGULAR, attach());
}

/* The size of its file is right, but nothing was ever written there: it counts as one that its creator has not
 * finished. */
static void takes_a_file_of_holes_for_one_that_is_not_finished(void) {
  CHECK_EQUAL(0, ftruncate(made.fd, 0));
  CHECK_EQUAL(0, ftruncate(made.fd, (off_t)made.shape.segment_bytes));
  CHECK_EQUAL(ADR_AGAIN, attach());
}

static void refuses_what_is_no_plain_file(void) {
  char elsewhere[PATH_MAX + 8];
  snprintf(elsewhere, sizeof elsewhere, "%s.moved", made.path);
  CHECK_EQUAL(0, rename(made.path, elsewhere));
  CHECK_EQUAL(0, symlink(elsewhere, made.path));
  CHECK_EQUAL(ADR_SEGMENT_NOT_REGULAR, attach());
  CHECK_EQUAL(0, unlink(made.path));
  CHECK_EQUAL(0, mkdir(made.path, 0700));
  CHECK_EQUAL(ADR_SEGMENT_NOT_REGULAR, attach());
  CHECK_EQUAL(0, rmdir(made.path));
  CHECK_EQUAL(0, mkfifo(made.path, 0600));
  CHECK_EQUAL(ADR_SEGMENT_NOT_REGULAR, attach());
  CHECK_EQUAL(0, unlink(elsewhere));
}

static void reserves_areas_one_by_one(void) {
  struct stat before, after;
  CHECK_EQUAL(0, fstat(made.fd, &before));
  CHECK_EQUAL(0, adr_segment_reserve(&made, 1));
  CHECK_EQUAL(0, fstat(made.fd, &after));
  CHECK(after.st_blocks * 512 >= before.st_blocks * 512 + (int64_t)made.shape.boxes_offset);
  CHECK_EQUAL(before.st_size, after.st_size);
  CHECK_EQUAL(-EINVAL, adr_segment_reserve(&made, RANKS));
}

static void is_unlinked_by_the_last_rank(void) {
  CHECK_EQUAL(0, adr_segment_count_in(&made));
  CHECK_EQUAL(0, access(made.path, F_OK));
  CHECK_EQUAL(1, adr_segment_count_in(&made));
  CHECK(access(made.path, F_OK) != 0);
}

static int add_region(uint32_t rank, uint64_t bytes) {
  const struct adr_region_request request = {ADR_REGION_HEAP, (int32_t)rank, bytes, false};
  return adr_region_add(&made, rank, &request);
}

/* Maps a region that is there and gives its bytes. */
static uint64_t map_region(uint32_t index, void **address) {
  struct adr_region region;
  CHECK_EQUAL(0, adr_region_map(&made, index, &region, address));
  return region.bytes;
}

static void grows_by_regions(void) {
  void *address, *again;
  struct adr_region none;
  CHECK_EQUAL(0, adr_segment_reserve(&made, 1));
  CHECK_EQUAL(-EINVAL, adr_region_at(&made, 0, &none));
  CHECK_EQUAL(0, add_region(1, 5000));
  CHECK_EQUAL(1, add_region(1, 1));
  CHECK_EQUAL(8192, map_region(0, &address));
  memset(address, 7, 8192);
  CHECK_EQUAL(8192, map_region(0, &again));
  CHECK(address == again); /* mapped once */
  CHECK_EQUAL(4096, map_region(1, &address));
  CHECK_EQUAL(0, *(char *)address);
  CHECK_EQUAL(-EINVAL, add_region(1, 0));
  CHECK_EQUAL(-EINVAL, add_region(RANKS, 1));
  CHECK_EQUAL(-EINVAL, adr_region_at(&made, 2, &none));
  CHECK_EQUAL(-EINVAL, adr_region_at(&made, ADR_MAX_REGIONS, &none));
  const struct adr_region_request bad[] = {{(enum adr_region_kind)0, 0, 1, false},
                                           {(enum adr_region_kind)5, 0, 1, false},
                                           {ADR_REGION_HEAP, -2, 1, false},
                                           {ADR_REGION_HEAP, RANKS, 1, false},
                                           {ADR_REGION_HEAP, 0, UINT64_MAX, false}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) { CHECK_EQUAL(-EINVAL, adr_region_add(&made, 0, &bad[i])); }
}

static void has_room_for_thousands_of_regions(void) {
  struct adr_region region;
  const struct adr_region_request request = {ADR_REGION_SLOTS, ADR_REGION_NO_OWNER, 1, false};
  for (uint32_t i = 0; i < ADR_MAX_REGIONS; i++) { CHECK_EQUAL(i, adr_region_add(&made, i % RANKS, &request)); }
  CHECK_EQUAL(ADR_SEGMENT_REGIONS, adr_region_add(&made, 0, &request));
  CHECK_EQUAL(0, adr_region_at(&made, ADR_MAX_REGIONS - 1, &region));
  CHECK_EQUAL(ADR_REGION_SLOTS, region.kind);
  CHECK_EQUAL(ADR_REGION_NO_OWNER, region.owner);
  CHECK_EQUAL(-EPERM, adr_region_give_back(&made, 0, 5)); /* it stays */
}

static void refuses_a_region_outside_the_file(void) {
  static const uint64_t bad[][2] = {{0, 4096}, {4096, UINT64_MAX - 4095}, {1 << 30, 4096}, {UINT64_MAX - 4095, 8192}};
  struct adr_region region;
  void *address;
  CHECK_EQUAL(0, add_region(0, 4096));
  struct adr_region_entry *entry = (void *)(made.base + adr_region_directory_offset(RANKS));
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    adr_store_relaxed_u64(&entry->offset, bad[i][0]);
    adr_store_relaxed_u64(&entry->bytes, bad[i][1]);
    CHECK_EQUAL(ADR_CORRUPT, adr_region_at(&made, 0, &region));
    CHECK_EQUAL(ADR_CORRUPT, adr_region_map(&made, 0, &region, &address));
  }
}

static void tells_of_an_owner_that_no_rank_is(void) {
  static const uint32_t numbers[] = {RANKS + 1, UINT32_C(1) << 31, UINT32_MAX};
  struct adr_region region;
  CHECK_EQUAL(0, add_region(0, 4096));
  struct adr_region_entry *entry = (void *)(made.base + adr_region_directory_offset(RANKS));
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    adr_store_relaxed_u64(&entry->state, ADR_REGION_READY | ADR_REGION_HEAP << 8 | (uint64_t)numbers[i] << 32);
    CHECK_EQUAL(0, adr_region_at(&made, 0, &region));
    CHECK_EQUAL((int32_t)(numbers[i] - 1), region.owner);
    CHECK_EQUAL(-EPERM, adr_region_give_back(&made, 0, 0));
  }
}

static void refuses_an_entry_that_moved(void) {
  struct adr_region region;
  void *address;
  CHECK_EQUAL(0, add_region(0, 8192));
  CHECK_EQUAL(8192, map_region(0, &address));
  struct adr_region_entry *entry = (void *)(made.base + adr_region_directory_offset(RANKS));
  adr_store_relaxed_u64(&entry->bytes, 4096);
  CHECK_EQUAL(ADR_CORRUPT, adr_region_map(&made, 0, &region, &address));
}

static struct adr_rank_entry *rank_entry(uint32_t rank) { return (void *)(made.base + adr_rank_entry_offset(rank)); }

static void a_region_is_given_back_by_its_owner_or_when_that_is_gone(void) {
  struct adr_region region;
  void *address;
  CHECK_EQUAL(0, add_region(0, 40960));
  CHECK_EQUAL(1, add_region(1, 40960));
  CHECK_EQUAL(40960, map_region(0, &address));
  memset(address, 7, 40960);
  CHECK_EQUAL(-EPERM, adr_region_give_back(&made, 1, 0)); /* its owner is there */
  CHECK_EQUAL(-EINVAL, adr_region_give_back(&made, 0, 2));
  CHECK_EQUAL(-EINVAL, adr_region_give_back(&made, RANKS, 0));
  CHECK_EQUAL(0, adr_region_give_back(&made, 0, 0));
  CHECK_EQUAL(-EINVAL, adr_region_give_back(&made, 0, 0));
  CHECK_EQUAL(-EINVAL, adr_region_at(&made, 0, &region));
  CHECK_EQUAL(2, add_region(1, 20480)); /* half of it would lie idle */
  CHECK_EQUAL(0, add_region(1, 20481)); /* used again, from where it lies */
  CHECK_EQUAL(40960, map_region(0, &address));
  for (int i = 0; i < 40960; i++) { CHECK_EQUAL(0, ((uint8_t *)address)[i]); }
  adr_store_release_u32(&rank_entry(1)->state, ADR_RANK_FAILED);
  CHECK_EQUAL(0, adr_region_give_back(&made, 0, 0));
  CHECK_EQUAL(0, adr_region_give_back(&made, 0, 1));
}

static void of_several_that_give_back_what_a_dead_rank_had_one_does(void) {
  CHECK_EQUAL(0, add_region(1, 4096));
  CHECK(!adr_region_give_back_of(&made, 0, 1, 0)); /* its owner is there */
  adr_store_release_u32(&rank_entry(1)->state, ADR_RANK_FAILED);
  CHECK(!adr_region_give_back_of(&made, 0, 0, 0)); /* it is another's */
  CHECK(!adr_region_give_back_of(&made, 0, 1, 1)); /* there is none */
  CHECK(adr_region_give_back_of(&made, 0, 1, 0));
  CHECK(!adr_region_give_back_of(&made, 0, 1, 0));
  CHECK_EQUAL(0, add_region(0, 4096)); /* in the same place, and its maker's own */
  CHECK(!adr_region_give_back_of(&made, 0, 1, 0));
}

static uint64_t blocks(void) {
  struct stat found;
  CHECK_EQUAL(0, fstat(made.fd, &found));
  return (uint64_t)found.st_blocks * 512;
}

static void a_sparse_region_takes_what_is_reserved_of_it(void) {
  const uint64_t large = UINT64_C(1) << 40;
  const struct adr_region_request request = {ADR_REGION_SYMMETRIC, 0, large, true};
  uint64_t before = blocks();
  void *address;
  CHECK_EQUAL(0, adr_region_add(&made, 0, &request));
  CHECK_EQUAL(large, map_region(0, &address));
  CHECK(blocks() - before < (1 << 20));
  CHECK_EQUAL(0, adr_region_reserve(&made, 0, large / 2, 1 << 16));
  memset((uint8_t *)address + large / 2, 1, 1 << 16);
  CHECK(blocks() - before >= (1 << 16) && blocks() - before < (1 << 20));
  CHECK_EQUAL(-EINVAL, adr_region_reserve(&made, 0, 1, 4096));
  CHECK_EQUAL(-EINVAL, adr_region_reserve(&made, 0, large, 4096));
  CHECK_EQUAL(-EINVAL, adr_region_reserve(&made, 0, 0, 0));
  CHECK_EQUAL(1, add_region(0, 4096));
  CHECK_EQUAL(-EINVAL, adr_region_reserve(&made, 1, 0, 4096)); /* it has all */
  CHECK_EQUAL(0, adr_region_give_back(&made, 0, 0));
  CHECK(blocks() - before < (1 << 16) + 3 * 4096);
}

/* A child that creates the job's segment and lives until it is killed. Returns its pid once the file is
 * there. */
static pid_t creator_child(void) {
  struct adr_segment theirs;
  int ready[2];
  char byte;
  CHECK_EQUAL(0, pipe(ready));
  pid_t child = fork();
  if (child == 0) {
    byte = adr_segment_create(&theirs, directory, 1, 0, RANKS, CELLS, PAYLOAD, ADR_BOX_DEFAULTS) == 0;
    while (write(ready[1], &byte, 1) != 1) {}
    for (;;) { pause(); }
  }
  CHECK_EQUAL(1, read(ready[0], &byte, 1));
  CHECK_EQUAL(1, byte);
  close(ready[0]);
  close(ready[1]);
  return child;
}

static void removes_the_files_of_dead_creators_alone(void) {
  job_directory(directory);
  char other[128];
  snprintf(other, sizeof other, "%s/adrastea-%u-notajob", directory, (unsigned)geteuid());
  close(open(other, O_CREAT | O_RDWR, 0600));
  pid_t child = creator_child();
  CHECK_EQUAL(0, adr_segment_remove_stale(directory));
  kill(child, SIGKILL);
  CHECK_EQUAL(child, waitpid(child, NULL, 0));
  CHECK_EQUAL(1, adr_segment_remove_stale(directory));
  CHECK_EQUAL(0, adr_segment_remove_stale(directory));
  CHECK_EQUAL(0, unlink(other));
  CHECK_EQUAL(0, rmdir(directory));
  CHECK_EQUAL(-ENOENT, adr_segment_remove_stale(directory));
}

static void look_for_stale_files(void) {
  CHECK_EQUAL(0, adr_segment_remove_stale(directory));
  CHECK_EQUAL(0, access(made.path, F_OK));
}

/* Looks as another process does, which has not even inherited the file. */
static void look_for_stale_files_from_outside(void) {
  close(made.fd);
  look_for_stale_files();
}

/* Neither is its file removed, nor does it lose the lock that keeps others from doing so. */
static void never_takes_a_file_of_its_own_for_stale(void) {
  look_for_stale_files();
  RUN_APART(look_for_stale_files_from_outside, 0);
}

static void explains_each_refusal(void) {
  for (int error = ADR_SEGMENT_REGIONS; error <= ADR_SEGMENT_OWNER; error++) {
    CHECK(strcmp(adr_segment_strerror(error), "unknown error") != 0);
  }
  CHECK(strstr(adr_segment_strerror(-ENOSPC), "ADRASTEA_CELLS") != NULL);
  CHECK(strcmp(adr_segment_strerror(-EPERM), "Operation not permitted") == 0);
  CHECK(strcmp(adr_segment_strerror(-99999), "unknown error") == 0);
}

#define RUN_WITH_SEGMENT(test) \
  do { \
    with_segment(test); \
    printf("ok %s\n", #test); \
  } while (0)

int main(void) {
  RUN(computes_the_sizes_of_the_default_job);
  RUN(spaces_cells_by_an_odd_number_of_blocks);
  RUN(refuses_sizes_out_of_range);
  RUN_WITH_SEGMENT(creates_a_private_file_named_by_user_job_and_node);
  RUN_WITH_SEGMENT(nodes_have_files_of_their_own);
  RUN_WITH_SEGMENT(creates_no_second_one_for_a_job);
  RUN_WITH_SEGMENT(attaches_to_the_same_memory);
  RUN_WITH_SEGMENT(attaches_not_before_the_magic_is_there);
  RUN_WITH_SEGMENT(refuses_another_magic);
  RUN_WITH_SEGMENT(refuses_another_layout);
  RUN_WITH_SEGMENT(refuses_another_job);
  RUN_WITH_SEGMENT(refuses_sizes_that_contradict_each_other);
  RUN_WITH_SEGMENT(refuses_a_file_shorter_than_its_sizes);
  RUN_WITH_SEGMENT(refuses_a_file_that_others_may_open);
  RUN_WITH_SEGMENT(refuses_a_file_of_another_user);
  RUN_WITH_SEGMENT(refuses_a_file_that_another_user_keeps_to_himself);
  RUN_WITH_SEGMENT(refuses_what_is_no_plain_file);
  RUN_WITH_SEGMENT(refuses_a_socket_and_a_device);
  RUN_WITH_SEGMENT(takes_a_file_of_holes_for_one_that_is_not_finished);
  RUN_WITH_SEGMENT(reserves_areas_one_by_one);
  RUN_WITH_SEGMENT(is_unlinked_by_the_last_rank);
  RUN_WITH_SEGMENT(grows_by_regions);
  RUN_WITH_SEGMENT(has_room_for_thousands_of_regions);
  RUN_WITH_SEGMENT(refuses_a_region_outside_the_file);
  RUN_WITH_SEGMENT(tells_of_an_owner_that_no_rank_is);
  RUN_WITH_SEGMENT(refuses_an_entry_that_moved);
  RUN_WITH_SEGMENT(a_region_is_given_back_by_its_owner_or_when_that_is_gone);
  RUN_WITH_SEGMENT(of_several_that_give_back_what_a_dead_rank_had_one_does);
  RUN_WITH_SEGMENT(a_sparse_region_takes_what_is_reserved_of_it);
  RUN_WITH_SEGMENT(never_takes_a_file_of_its_own_for_stale);
  RUN(removes_the_files_of_dead_creators_alone);
  RUN(explains_each_refusal);
  return 0;
}

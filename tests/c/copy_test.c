/* Every copy that this CPU can run, byte by byte; what is chosen from the caches that the system tells of. */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adrastea/copy.h"
#include "check.h"
#include "copy/adr_copy.h"
#include "copy/adr_copy_choice.h"

enum { ALIGNMENTS = 64, GUARD = 128, LONGEST = 70000, THREADS = 4 };
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { ALIGNMENT_STEP = 13 }; /* a sanitizer is slow */
#else
enum { ALIGNMENT_STEP = 1 };
#endif

static uint8_t source[LONGEST + 2 * GUARD];
static uint8_t destination[LONGEST + ALIGNMENTS + 2 * GUARD];

static void fill_source(void) {
  uint32_t state = 1;
  for (size_t i = 0; i < sizeof source; i++) {
    state = state * 1664525 + 1013904223;
    source[i] = (uint8_t)(state >> 24);
  }
}

static bool is_all(const uint8_t *bytes, int64_t count, uint8_t value) {
  for (int64_t i = 0; i < count; i++) {
    if (bytes[i] != value) { return false; }
  }
  return true;
}

static void copies_just_these(adr_copy_run *run, int64_t bytes, int64_t from, int64_t to) {
  const uint8_t background = 0xa5;
  uint8_t *start = destination + GUARD + to;
  memset(start - GUARD, background, (size_t)bytes + 2 * GUARD);
  run(start, source + from, bytes);
  CHECK(memcmp(start, source + from, (size_t)bytes) == 0);
  CHECK(is_all(start - GUARD, GUARD, background));
  CHECK(is_all(start + bytes, GUARD, background));
}

static void with_every_alignment(adr_copy_run *run, int64_t bytes) {
  for (int64_t from = 0; from < ALIGNMENTS; from += ALIGNMENT_STEP) {
    for (int64_t to = 0; to < ALIGNMENTS; to += ALIGNMENT_STEP) { copies_just_these(run, bytes, from, to); }
  }
}

static void with_every_length(adr_copy_run *run) {
  static const int64_t longer[] = {
      511, 512, 513, 575, 767, 4095, 4161, 16383, 16385, 16449, 32768 + 16384 + 257, LONGEST - 64};
  for (int64_t bytes = 0; bytes <= 300; bytes++) { with_every_alignment(run, bytes); }
  for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) { with_every_alignment(run, longer[i]); }
}

static void every_routine_copies_just_the_bytes_it_is_told_to(void) {
  fill_source();
  for (int32_t i = 0; adr_copy_routine_at(i) != NULL; i++) {
    const struct adr_copy_routine *routine = adr_copy_routine_at(i);
    if (routine->usable()) {
      with_every_length(routine->run);
      printf("   %s\n", routine->name);
    }
  }
}

static void piece(uint8_t *to, const uint8_t *from, int64_t bytes) { adr_copy_piece(to, from, (uint64_t)bytes); }

static void a_piece_is_copied_whatever_the_alignment_of_either_end(void) {
  fill_source();
  with_every_length(piece);
  CHECK(adr_copy_routine_piece()->usable());
}

static void over_stage(uint8_t *to, const uint8_t *from, int64_t bytes) {
  adr_copy_over_stage(to, from, (uint64_t)bytes);
}

static void a_copy_over_a_cell_copies_just_the_bytes_it_is_told_to(void) {
  fill_source();
  with_every_length(over_stage);
  CHECK(adr_copy_routine_ahead()->usable());
}

static void copy(uint8_t *to, const uint8_t *from, int64_t bytes) { adr_copy(from - 7, 7, to + 5, -5, bytes); }

static void stream(uint8_t *to, const uint8_t *from, int64_t bytes) {
  adr_copy_stream(from - 3, 3, to - 11, 11, bytes);
}

/* Around both bounds, and where the last line is not whole. */
static void a_copy_by_lines_copies_just_the_bytes_it_is_told_to(void) {
  static const uint32_t lengths[] = {0, 1, 511, 512, 513, 575, 576, 1000, 1024, 2047, 2048, 2049, 4000};
  static uint8_t from[4200];
  static uint8_t to[4200] __attribute__((aligned(64)));
  for (size_t i = 0; i < sizeof from; i++) { from[i] = (uint8_t)(i * 7 + i / 256); }
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    memset(to, 0xEE, sizeof to);
    adr_copy_lines(to, from + 3, lengths[i]);
    CHECK(memcmp(to, from + 3, lengths[i]) == 0);
    CHECK_EQUAL(0xEE, to[lengths[i]]);
  }
}

/* What the library calls in the place of adr_copy_piece (option --wrap of the linker). */
static int pieces;
void __real_adr_copy_piece(void *to, const void *from, uint64_t length);
void __wrap_adr_copy_piece(void *to, const void *from, uint64_t length);
void __wrap_adr_copy_piece(void *to, const void *from, uint64_t length) {
  pieces++;
  __real_adr_copy_piece(to, from, length);
}

/* A message of some KiB in a fastbox is copied as one in a cell is: its payload begins anywhere. */
static void long_messages_of_a_fastbox_are_copied_as_pieces(void) {
  static uint8_t from[4200], to[4200] __attribute__((aligned(64)));
  pieces = 0;
  adr_copy_lines(to, from + 3, ADR_COPY_LIBRARY_UP_TO);
  adr_copy_short(to + 16, from + 3, ADR_COPY_LIBRARY_UP_TO);
  CHECK_EQUAL(0, pieces);
  adr_copy_lines(to, from + 3, ADR_COPY_LIBRARY_UP_TO + 1);
  CHECK_EQUAL(1, pieces);
  adr_copy_short(to + 16, from + 3, ADR_COPY_LIBRARY_UP_TO + 1);
  CHECK_EQUAL(2, pieces);
}

static void the_exported_functions_add_offsets_to_both_ends(void) {
  for (int64_t bytes = 0; bytes <= LONGEST; bytes += bytes < 300 ? 1 : 9973) {
    copies_just_these(copy, bytes, 9, 21);
    copies_just_these(stream, bytes, 33, 2);
  }
}

static void a_length_below_one_copies_nothing(void) {
  adr_copy(NULL, 0, NULL, 0, 0);
  adr_copy_stream(NULL, 0, NULL, 0, -1);
}

/* The first call of all chooses: here it is several at once, and must not be run after another test. */
static void *first_copies(void *argument) {
  uint8_t *block = argument;
  adr_copy(source, 0, block, 0, 3000);
  adr_copy_stream(source, 3000, block, 3000, 3000);
  return NULL;
}

static void threads_may_make_the_first_call_at_the_same_time(void) {
  static uint8_t blocks[THREADS][6000];
  pthread_t threads[THREADS];
  fill_source();
  for (int i = 0; i < THREADS; i++) { CHECK_EQUAL(0, pthread_create(&threads[i], NULL, first_copies, blocks[i])); }
  for (int i = 0; i < THREADS; i++) {
    CHECK_EQUAL(0, pthread_join(threads[i], NULL));
    CHECK(memcmp(source, blocks[i], sizeof blocks[i]) == 0);
  }
}

/* Beyond 4 GiB: the source is zeros but for marks; of the destination only the surroundings of the marks are memory
 * of their own, all between them is one window mapped again and again, so that the test needs some MiB. */
#define WINDOW (INT64_C(64) << 20)
#define HUGE_BYTES ((INT64_C(4) << 30) + WINDOW + 4099)
#define MAPPED ((INT64_C(4) << 30) + 2 * WINDOW)
static const int64_t marks[] = {0, (INT64_C(2) << 30) - 4, (INT64_C(4) << 30) - 4, HUGE_BYTES - 8};
enum { MARKS = sizeof marks / sizeof marks[0] };

/* Windows that hold a mark have a place in the file of their own, before that of all others. */
static int64_t place_of(int64_t at) {
  for (int i = 0; i < MARKS; i++) {
    bool crosses = marks[i] / WINDOW != (marks[i] + 7) / WINDOW;
    if (at == marks[i] / WINDOW * WINDOW) { return 2 * i * WINDOW; }
    if (crosses && at == (marks[i] + 7) / WINDOW * WINDOW) { return (2 * i + 1) * WINDOW; }
  }
  return 2 * MARKS * WINDOW;
}

static uint8_t *map_destination(void) {
  int file = memfd_create("copy_test", MFD_CLOEXEC);
  CHECK(file >= 0 && ftruncate(file, (2 * MARKS + 1) * WINDOW) == 0);
  uint8_t *base = mmap(NULL, MAPPED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (int64_t at = 0; base != MAP_FAILED && at < MAPPED; at += WINDOW) {
    const int flags = MAP_SHARED | MAP_FIXED | MAP_POPULATE; /* a million page faults take ten times as long */
    void *window = mmap(base + at, WINDOW, PROT_READ | PROT_WRITE, flags, file, place_of(at));
    if (window == MAP_FAILED) { return MAP_FAILED; }
  }
  close(file);
  return base;
}

static void copies_beyond_4_gib(adr_copy_run *run, const char *name, uint8_t *from, uint8_t *to) {
  for (int i = 0; i < MARKS; i++) { memset(to + marks[i], 0xa5, 8); }
  memset(to + HUGE_BYTES, 0xa5, GUARD);
  run(to, from, HUGE_BYTES);
  for (int i = 0; i < MARKS; i++) { CHECK(is_all(to + marks[i], 8, (uint8_t)(i + 1))); }
  CHECK(is_all(to + HUGE_BYTES, GUARD, 0xa5));
  printf("   %s\n", name);
}

static void more_than_4_gib_are_copied_to_the_last_byte(void) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  printf("skipped more_than_4_gib: it takes a sanitizer too long, or more room than there is\n");
  return;
#endif
  if (sysconf(_SC_PHYS_PAGES) < (INT64_C(10) << 30) / sysconf(_SC_PAGESIZE)) {
    printf("skipped more_than_4_gib: this machine has less than 10 GiB of memory\n");
    return;
  }
  uint8_t *from = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  uint8_t *to = map_destination();
  CHECK(from != MAP_FAILED && to != MAP_FAILED);
  (void)madvise(from, MAPPED, MADV_HUGEPAGE); /* to read its zeros takes few page faults then */
  for (int i = 0; i < MARKS; i++) { memset(from + marks[i], i + 1, 8); }
  for (int32_t i = 0; adr_copy_routine_at(i) != NULL; i++) {
    const struct adr_copy_routine *routine = adr_copy_routine_at(i);
    if (routine->usable()) { copies_beyond_4_gib(routine->run, routine->name, from, to); }
  }
  copies_beyond_4_gib(copy, "adr_copy", from, to);
  copies_beyond_4_gib(stream, "adr_copy_stream", from, to);
  munmap(from, MAPPED);
  munmap(to, MAPPED);
}

static char root[64];

/* Makes the directories that `path` lies in, below the fake /sys. */
static void make_parents(char *path) {
  for (char *at = strchr(path + strlen(root) + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
    *at = '\0';
    mkdir(path, 0700);
    *at = '/';
  }
}

static void put(int index, const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/devices/system/cpu/cpu3/cache/index%d/%s", root, index, name);
  make_parents(path);
  FILE *file = fopen(path, "w");
  CHECK(file != NULL && fprintf(file, "%s\n", text) > 0 && fclose(file) == 0);
}

static void put_cache(int index, const char *level, const char *type, const char *size, const char *cpus) {
  put(index, "level", level);
  put(index, "type", type);
  put(index, "size", size);
  put(index, "shared_cpu_list", cpus);
}

static void new_tree(void) {
  strcpy(root, "/tmp/copy_test.XXXXXX");
  CHECK(mkdtemp(root) != NULL);
}

static void remove_tree(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  CHECK_EQUAL(0, system(command));
}

static struct adr_copy_caches read_caches(void) {
  struct adr_copy_caches caches;
  adr_copy_caches_read(root, 3, &caches);
  return caches;
}

static void put_server(void) {
  put_cache(0, "1", "Data", "48K", "3,67");
  put_cache(1, "1", "Instruction", "32K", "3,67");
  put_cache(2, "2", "Unified", "2048K", "3,67");
  put_cache(3, "3", "Unified", "60M", "0-15,64-79");
}

static void a_cache_is_shared_out_among_the_cpus_that_share_it(void) {
  new_tree();
  put_server();
  struct adr_copy_caches caches = read_caches();
  CHECK_EQUAL(24 << 10, caches.first);
  CHECK_EQUAL(1 << 20, caches.own);
  CHECK_EQUAL((60 << 20) / 32, caches.last);
  CHECK(caches.first_found && caches.own_found && caches.last_found);
  remove_tree();
}

static void of_two_levels_the_second_is_both_ones_own_and_the_last(void) {
  new_tree();
  put_cache(0, "1", "Data", "32K", "3");
  put_cache(1, "2", "Unified", "1M", "0-3");
  struct adr_copy_caches caches = read_caches();
  CHECK_EQUAL(256 << 10, caches.own);
  CHECK_EQUAL(256 << 10, caches.last);
  remove_tree();
}

static void a_share_of_the_last_level_is_no_less_than_ones_own_cache(void) {
  new_tree();
  put_cache(0, "2", "Unified", "1024K", "3");
  put_cache(1, "3", "Unified", "4096K", "0-63");
  struct adr_copy_caches caches = read_caches();
  CHECK_EQUAL(1 << 20, caches.last);
  CHECK(!caches.first_found);
  CHECK_EQUAL(ADR_COPY_FIRST_DEFAULT, caches.first);
  remove_tree();
}

static void check_defaults(void) {
  struct adr_copy_caches caches = read_caches();
  CHECK_EQUAL(ADR_COPY_FIRST_DEFAULT, caches.first);
  CHECK_EQUAL(ADR_COPY_OWN_DEFAULT, caches.own);
  CHECK_EQUAL(ADR_COPY_LAST_DEFAULT, caches.last);
  CHECK(!caches.first_found && !caches.own_found && !caches.last_found);
}

static void where_nothing_is_told_there_are_defaults(void) {
  new_tree();
  check_defaults();
  remove_tree();
}

static void nonsense_is_as_good_as_nothing(void) {
  static const char *const sizes[] = {"", "-2048K", "big", "0K", "99999999999999G", "K"};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    new_tree();
    put_cache(0, "2", "Unified", sizes[i], "3");
    put_cache(1, "nine", "Unified", "1M", "3");
    put_cache(2, "9", "Unified", "1M", "3");
    put(3, "level", "3"); /* and no more */
    check_defaults();
    remove_tree();
  }
}

static void a_list_of_cpus_that_is_none_counts_as_one(void) {
  static const char *const lists[] = {"", "3-1", "x", "0-99999999", "0,,3"};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    new_tree();
    put_cache(0, "2", "Unified", "2M", lists[i]);
    CHECK_EQUAL(2 << 20, read_caches().own);
    remove_tree();
  }
}

static void a_copy_for_oneself_stays_in_the_caches_as_long_as_they_hold_it(void) {
  struct adr_copy_choice choice;
  new_tree();
  put_server();
  adr_copy_choose(root, 3, &choice);
  for (int64_t bytes = 0; bytes < choice.caches.last; bytes += 1000) {
    CHECK(!adr_copy_pick(choice.copy, bytes)->nontemporal);
  }
  CHECK(adr_copy_pick(choice.copy, choice.caches.last) == adr_copy_routine_wide(true));
  CHECK(adr_copy_pick(choice.copy, INT64_MAX) == adr_copy_routine_wide(true));
  remove_tree();
}

static void a_stream_leaves_the_caches_from_half_of_ones_own_on(void) {
  struct adr_copy_choice choice;
  new_tree();
  put_server();
  adr_copy_choose(root, 3, &choice);
  CHECK(!adr_copy_pick(choice.stream, (1 << 19) - 1)->nontemporal);
  CHECK(adr_copy_pick(choice.stream, 1 << 19) == adr_copy_routine_wide(true));
  remove_tree();
}

static void short_copies_are_the_librarys(void) {
  struct adr_copy_choice choice;
  adr_copy_choose("/nowhere", 0, &choice);
  CHECK(adr_copy_pick(choice.copy, 0) == adr_copy_routine_find("memcpy"));
  CHECK(adr_copy_pick(choice.stream, 100) == adr_copy_routine_find("memcpy"));
  CHECK(adr_copy_pick(choice.copy, 4096) == adr_copy_routine_wide(false));
}

static void what_is_chosen_can_be_told(void) {
  char text[512];
  char few[20];
  struct adr_copy_choice choice;
  new_tree();
  put_server();
  adr_copy_choose(root, 3, &choice);
  int32_t length = adr_copy_choice_print(&choice, text, sizeof text);
  CHECK_EQUAL(strlen(text), length);
  CHECK(strstr(text, "copy: memcpy, ") == text && strstr(text, "own 1 MiB, share of the last 1920 KiB") != NULL);
  remove_tree();
  CHECK(adr_copy_describe(few, sizeof few) > (int32_t)sizeof few);
  CHECK_EQUAL(sizeof few - 1, strlen(few));
  new_tree();
  adr_copy_choose(root, 3, &choice);
  adr_copy_choice_print(&choice, text, sizeof text);
  CHECK(strstr(text, "own 1 MiB (not told: default)") != NULL);
  remove_tree();
}

int main(void) {
  RUN(threads_may_make_the_first_call_at_the_same_time);
  RUN(every_routine_copies_just_the_bytes_it_is_told_to);
  RUN(a_piece_is_copied_whatever_the_alignment_of_either_end);
  RUN(a_copy_over_a_cell_copies_just_the_bytes_it_is_told_to);
  RUN(a_copy_by_lines_copies_just_the_bytes_it_is_told_to);
  RUN(long_messages_of_a_fastbox_are_copied_as_pieces);
  RUN(the_exported_functions_add_offsets_to_both_ends);
  RUN(a_length_below_one_copies_nothing);
  RUN(more_than_4_gib_are_copied_to_the_last_byte);
  RUN(a_cache_is_shared_out_among_the_cpus_that_share_it);
  RUN(of_two_levels_the_second_is_both_ones_own_and_the_last);
  RUN(a_share_of_the_last_level_is_no_less_than_ones_own_cache);
  RUN(where_nothing_is_told_there_are_defaults);
  RUN(nonsense_is_as_good_as_nothing);
  RUN(a_list_of_cpus_that_is_none_counts_as_one);
  RUN(a_copy_for_oneself_stays_in_the_caches_as_long_as_they_hold_it);
  RUN(a_stream_leaves_the_caches_from_half_of_ones_own_on);
  RUN(short_copies_are_the_librarys);
  RUN(what_is_chosen_can_be_told);
  return 0;
}

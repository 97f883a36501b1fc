/* Symmetric memory of C ranks: how it is made and ended, objects, accesses, waits, locks, and what is refused. */
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

#include "base/adr_atomic.h"
#include "ranks.h"
#include "segment/adr_geometry.h"
#include "symmetric/adr_symmetric_heap.h"

enum { HEAP = 1 << 20, ROUNDS = 200, TURNS = 1000, CALLS = 400, OBJECTS = 24 };

static adr_shmem *shmem;

static int size(void) { return adr_job_size(job); }

static int self(void) { return adr_job_rank(job); }

static int next(void) { return (self() + 1) % size(); }

static int before(void) { return (self() + size() - 1) % size(); }

static void succeed(int status) {
  if (status < 0) { fprintf(stderr, "rank %d: %s\n", self(), adr_job_error(job)); }
  CHECK(status >= 0);
}

/* Fails as it is to, and says so. */
static void refused(int expected, int status, const char *part) {
  if (status != expected) { fprintf(stderr, "rank %d: %d, %s\n", self(), status, adr_job_error(job)); }
  CHECK_EQUAL(expected, status);
  check_says(adr_job_error(job), part);
}

static void open_heap(int64_t bytes) { succeed(adr_shmem_open(job, bytes, NULL, &shmem)); }

static int64_t allocated(int64_t bytes) {
  int64_t offset;
  succeed(adr_shmem_allocate(shmem, 1, bytes, &offset));
  return offset;
}

static uint8_t *own(int64_t offset) { return adr_shmem_memory(shmem, self(), offset); }

static void nap(int64_t nanos) { nanosleep(&(struct timespec){.tv_nsec = nanos}, NULL); }

/* Making and ending */

static void look_at_parts(void) {
  open_heap(HEAP + 100);
  CHECK_EQUAL(self(), adr_shmem_pe(shmem));
  CHECK_EQUAL(size(), adr_shmem_pes(shmem));
  CHECK_EQUAL(HEAP + 64, adr_shmem_heap_bytes(shmem)); /* whole lines */
  CHECK_EQUAL(2 << 20, adr_shmem_stride(shmem));
  CHECK_EQUAL(HEAP + ADR_PAGE, adr_shmem_data_start(shmem));
  CHECK(adr_shmem_job(shmem) == job);
  CHECK_EQUAL(size(), adr_comm_size(adr_shmem_comm(shmem)));
  for (int pe = 0; pe < size(); pe++) {
    CHECK(adr_shmem_memory(shmem, pe, 64) == (uint8_t *)adr_shmem_base(shmem) + pe * adr_shmem_stride(shmem) + 64);
    CHECK_EQUAL(0, adr_shmem_data_bytes(shmem, pe));
    CHECK_EQUAL(0, adr_shmem_same_program(shmem, pe));
  }
  CHECK(adr_shmem_memory(shmem, size(), 0) == NULL && adr_shmem_memory(shmem, -1, 0) == NULL);
  CHECK(adr_shmem_memory(shmem, 0, -1) == NULL && adr_shmem_memory(shmem, 0, HEAP + 64) == NULL);
  CHECK(adr_shmem_memory(shmem, 0, adr_shmem_data_start(shmem)) == NULL);
  CHECK_EQUAL(-EINVAL, adr_shmem_data_bytes(shmem, size()));
  succeed(adr_shmem_close(shmem));
  CHECK_EQUAL(0, adr_shmem_close(NULL));
}

static void parts_lie_at_equal_distances(void) {
  run_ranks(1, look_at_parts);
  run_ranks(3, look_at_parts);
}

static void ask_for_what_cannot_be(void) {
  refused(-EINVAL, adr_shmem_open(job, 63, NULL, &shmem), "at least 64 are allowed");
  CHECK(shmem == NULL);
  refused(-ENOSPC, adr_shmem_open(job, INT64_MAX / 4, NULL, &shmem), "larger than any file");
  refused(-EINVAL, adr_shmem_open(job, HEAP + 64 * (self() == 1), NULL, &shmem), "PE 0 asks for a symmetric heap of");
  const struct adr_shmem_data odd = {.bytes = 4097};
  refused(-EINVAL, adr_shmem_open(job, HEAP, &odd, &shmem), "4097 bytes of data");
  const struct adr_shmem_data large = {.bytes = ADR_SYMMETRIC_MAX_BYTES & -(int64_t)ADR_PAGE};
  refused(-ENOSPC, adr_shmem_open(job, HEAP, &large, &shmem), "larger than any file");
  open_heap(HEAP); /* as if nothing had been */
  succeed(adr_shmem_close(shmem));
}

static void heaps_that_cannot_be_are_refused_at_all(void) { run_ranks(2, ask_for_what_cannot_be); }

/* The last PE is of another program, and PE 0 has no data. */
static void look_at_data(void) {
  const int64_t bytes = self() == 0 ? 0 : self() == 3 ? 3 * (int64_t)ADR_PAGE : 2 << 20;
  const struct adr_shmem_data data = {.bytes = bytes, .program = {7, (uint64_t)(self() == 3)}};
  succeed(adr_shmem_open(job, HEAP, &data, &shmem));
  CHECK_EQUAL(4 << 20, adr_shmem_stride(shmem));
  const int64_t start = adr_shmem_data_start(shmem);
  CHECK_EQUAL(HEAP, start);
  for (int pe = 0; pe < size(); pe++) {
    CHECK_EQUAL(pe == 0 ? 0 : pe == 3 ? 3 * ADR_PAGE : 2 << 20, adr_shmem_data_bytes(shmem, pe));
    const bool same = self() != 0 && (pe == self() || (self() < 3 && pe != 0 && pe < 3));
    CHECK_EQUAL(same, adr_shmem_same_program(shmem, pe));
    CHECK_EQUAL(same, adr_shmem_memory(shmem, pe, start) != NULL);
  }
  uint64_t word = 42, found;
  if (self() == 1) {
    succeed(adr_shmem_put(shmem, &word, 8, 2, start + (2 << 20) - 8));
    refused(-EINVAL, adr_shmem_put(shmem, &word, 8, 2, start + (2 << 20) - 4), "nor in its data");
    refused(-EINVAL, adr_shmem_put(shmem, &word, 8, 0, start), "PE 0 runs another program");
    refused(-EINVAL, adr_shmem_put(shmem, &word, 8, 3, start), "PE 3 runs another program");
    refused(-EINVAL, adr_shmem_set_lock(shmem, start), "which PE 0 has neither");
  }
  succeed(adr_shmem_barrier(shmem));
  if (self() == 2) {
    succeed(adr_shmem_get(shmem, &found, 8, 2, start + (2 << 20) - 8));
    CHECK_EQUAL(42, found);
  }
  int descriptor;
  int64_t offset;
  succeed(adr_shmem_file(shmem, &descriptor, &offset));
  word = self() == 0 ? 0 : 100 + (uint64_t)self();
  if (self() != 0) { /* the file has at the same places what is mapped */
    succeed(adr_shmem_put(shmem, &word, 8, self(), start));
    CHECK_EQUAL(8, pread(descriptor, &found, 8, offset + self() * adr_shmem_stride(shmem) + start));
    CHECK_EQUAL(word, found);
  }
  succeed(adr_shmem_barrier(shmem));
  succeed(adr_shmem_close(shmem));
}

static void data_of_a_program_is_that_of_the_same_program(void) { run_ranks(4, look_at_data); }

/* The system takes and gives back pages by more than one at a time, so what it has differs by some. */
enum { SLACK = 256 << 10 };

static int descriptor_of_file(void) {
  int descriptor;
  int64_t offset;
  succeed(adr_shmem_file(shmem, &descriptor, &offset));
  return descriptor;
}

static int64_t bytes_behind(int descriptor) {
  struct stat file;
  CHECK_EQUAL(0, fstat(descriptor, &file));
  return file.st_blocks * 512;
}

static int64_t bytes_of_file(void) { return bytes_behind(descriptor_of_file()); }

static void open_and_close(void) {
  int64_t first = 0, last = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    open_heap(HEAP);
    memset(own(allocated(20000)), 1, 20000);
    succeed(adr_shmem_barrier(shmem));
    last = bytes_of_file();
    succeed(adr_comm_barrier(adr_job_world(job))); /* all have looked */
    if (turn == 20) { first = last; }
    succeed(adr_shmem_close(shmem));
  }
  if (last > first + 2 * SLACK) { fprintf(stderr, "%lld, then %lld bytes\n", (long long)first, (long long)last); }
  CHECK(last <= first + 2 * SLACK); /* some heaps that are closed may not be given back yet */
}

static void a_thousand_heaps_leave_nothing(void) { run_ranks(2, open_and_close); }

/* Objects */

static void allocate_and_free(void) {
  open_heap(HEAP);
  int64_t small = allocated(100), large = allocated(200000), aligned, moved;
  CHECK_EQUAL(0, small);
  CHECK_EQUAL(128, large);
  CHECK_EQUAL(100, adr_shmem_bytes_of(shmem, small));
  CHECK_EQUAL(0, adr_shmem_bytes_of(shmem, 64));
  succeed(adr_shmem_allocate(shmem, 65536, 1, &aligned));
  CHECK_EQUAL(0, aligned % 65536);
  CHECK_EQUAL(0, (uintptr_t)adr_shmem_memory(shmem, 0, aligned) % 65536);
  CHECK_EQUAL(128 + 200000 + 64, adr_shmem_allocated(shmem));
  for (int byte = 0; byte < 200000; byte++) { CHECK_EQUAL(0, own(large)[byte]); }
  memset(own(large), self() + 1, 200000);
  succeed(adr_shmem_reallocate(shmem, large, 300000, &moved)); /* the aligned one is in the way */
  CHECK(moved != large);
  for (int byte = 0; byte < 300000; byte++) { CHECK_EQUAL(byte < 200000 ? self() + 1 : 0, own(moved)[byte]); }
  large = moved;
  succeed(adr_shmem_reallocate(shmem, large, 1000, &moved));
  CHECK_EQUAL(large, moved);
  CHECK_EQUAL(self() + 1, own(moved)[999]);
  succeed(adr_shmem_free(shmem, small));
  succeed(adr_shmem_free(shmem, aligned));
  succeed(adr_shmem_free(shmem, large));
  CHECK_EQUAL(0, adr_shmem_allocated(shmem));
  refused(-EINVAL, adr_shmem_free(shmem, large), "where no object begins");
  refused(-EINVAL, adr_shmem_reallocate(shmem, large, 8, &moved), "where no object begins");
  refused(-EINVAL, adr_shmem_allocate(shmem, 1, 0, &moved), "at least 1 is allowed");
  refused(-EINVAL, adr_shmem_allocate(shmem, 48, 8, &moved), "a power of two");
  succeed(adr_shmem_close(shmem));
}

static void objects_are_zero_and_keep_what_is_in_them(void) {
  run_ranks(1, allocate_and_free);
  run_ranks(3, allocate_and_free);
}

static void fill_the_heap(void) {
  int64_t offset, moved;
  open_heap(HEAP);
  const int64_t half = allocated(HEAP / 2), rest = allocated(1000);
  memset(own(half), 5, HEAP / 2);
  refused(-ENOSPC, adr_shmem_allocate(shmem, 1, HEAP / 2, &offset), "the symmetric heap has no place for");
  CHECK_EQUAL(ADR_SYMMETRIC_NONE, offset);
  refused(-ENOSPC, adr_shmem_reallocate(shmem, half, HEAP, &moved), "the symmetric heap has no place for");
  CHECK_EQUAL(half, moved);
  for (int byte = 0; byte < HEAP / 2; byte++) { CHECK_EQUAL(5, own(half)[byte]); }
  succeed(adr_shmem_free(shmem, rest)); /* all are still alike */
  CHECK_EQUAL(rest, allocated(HEAP / 2));
  succeed(adr_shmem_close(shmem));
}

static void a_full_heap_is_refused_at_all(void) {
  run_ranks(1, fill_the_heap);
  run_ranks(3, fill_the_heap);
}

static void call_differently(void) {
  int64_t offset;
  open_heap(HEAP);
  const int64_t object = allocated(100);
  refused(ADR_ERROR_COLLECTIVE, adr_shmem_allocate(shmem, 1, 100 + 100 * self(), &offset),
          "PE 0 allocates 100 bytes at a multiple of 1, and PE 1 allocates 200 bytes at a multiple of 1");
  refused(ADR_ERROR_COLLECTIVE, adr_shmem_allocate(shmem, 1, 100, &offset), "PE 0 allocates 100 bytes");
  refused(ADR_ERROR_COLLECTIVE, adr_shmem_free(shmem, object), "these can allocate nothing more");
  succeed(adr_shmem_barrier(shmem)); /* memory is used on */
  succeed(adr_shmem_close(shmem));
  open_heap(HEAP);
  const int64_t other = allocated(100);
  const int status = self() == 0 ? adr_shmem_free(shmem, other) : adr_shmem_reallocate(shmem, other, 300, &offset);
  refused(ADR_ERROR_COLLECTIVE, status,
          "PE 0 frees the object at offset 0, and PE 1 gives the object at offset 0 300 bytes");
  CHECK_EQUAL(100, adr_shmem_bytes_of(shmem, other));
  succeed(adr_shmem_barrier(shmem));
  succeed(adr_shmem_close(shmem));
}

static void different_calls_are_named(void) { run_ranks(2, call_differently); }

static uint32_t draw(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33);
}

/* A random script, beside a record of its own that nobody is told of. */
static void run_script(void) {
  int64_t objects[OBJECTS], sizes[OBJECTS] = {0};
  struct adr_symmetric_heap record;
  open_heap(HEAP);
  CHECK_EQUAL(0, adr_symmetric_heap_open(&record, HEAP, ADR_PAGE));
  uint64_t state = 7;
  for (int call = 0; call < CALLS; call++) {
    const uint32_t at = draw(&state) % OBJECTS;
    const int64_t bytes = 1 + draw(&state) % (1u << draw(&state) % 18);
    int64_t expected, offset;
    int status;
    if (sizes[at] == 0) {
      expected = adr_symmetric_heap_align(&record, 1, (uint64_t)bytes);
      status = adr_shmem_allocate(shmem, 1, bytes, &offset);
    } else if (draw(&state) % 2 == 0) {
      expected = adr_symmetric_heap_realloc(&record, objects[at], (uint64_t)bytes);
      if (expected >= 0 && expected != objects[at]) { CHECK_EQUAL(0, adr_symmetric_heap_free(&record, objects[at])); }
      status = adr_shmem_reallocate(shmem, objects[at], bytes, &offset);
    } else {
      CHECK_EQUAL(0, adr_symmetric_heap_free(&record, objects[at]));
      succeed(adr_shmem_free(shmem, objects[at]));
      sizes[at] = 0;
      continue;
    }
    CHECK_EQUAL(expected < 0 ? -ENOSPC : 0, status);
    if (expected < 0) { continue; }
    CHECK_EQUAL(expected, offset);
    const int64_t kept = sizes[at] < bytes ? sizes[at] : bytes;
    for (int64_t byte = 0; byte < bytes; byte++) { CHECK_EQUAL(byte < kept ? (int64_t)at + 1 : 0, own(offset)[byte]); }
    memset(own(offset), (int)at + 1, (size_t)bytes);
    objects[at] = offset;
    sizes[at] = bytes;
  }
  CHECK_EQUAL(record.allocated, adr_shmem_allocated(shmem));
  adr_symmetric_heap_close(&record);
  succeed(adr_shmem_close(shmem));
}

static void random_calls_answer_as_the_record_does(void) {
  run_ranks(1, run_script);
  run_ranks(3, run_script);
}

static void allocate_again_and_again(void) {
  open_heap(HEAP);
  allocated(1);
  const int64_t first = bytes_of_file();
  succeed(adr_comm_barrier(adr_job_world(job))); /* all have looked */
  for (int turn = 0; turn < TURNS; turn++) {
    const int64_t kept = allocated(5000), object = allocated(300000);
    CHECK_EQUAL(0, own(object)[299999]);
    own(object)[299999] = 1;
    succeed(adr_shmem_free(shmem, object));
    succeed(adr_shmem_free(shmem, kept));
  }
  succeed(adr_shmem_barrier(shmem));
  CHECK(bytes_of_file() <= first + SLACK);
  succeed(adr_shmem_close(shmem));
}

static void a_thousand_objects_leave_no_page(void) { run_ranks(2, allocate_again_and_again); }

/* Whether the file has the page of this PE's part that begins at an offset. */
static bool has_page(int64_t offset) {
  int descriptor;
  int64_t start;
  succeed(adr_shmem_file(shmem, &descriptor, &start));
  const off_t at = start + self() * adr_shmem_stride(shmem) + offset;
  return lseek(descriptor, at, SEEK_DATA) == at;
}

/* An object of so many pages, whose bytes have been zeros and are no more. */
static int64_t used(int pages) {
  const int64_t object = allocated(pages * (int64_t)ADR_PAGE);
  for (int page = 0; page < pages; page++) {
    CHECK_EQUAL(0, own(object)[page * ADR_PAGE]);
    CHECK_EQUAL(0, own(object)[(page + 1) * ADR_PAGE - 1]);
    memset(own(object) + page * ADR_PAGE, 1, ADR_PAGE);
  }
  return object;
}

static void free_small_objects(void) {
  const int64_t page = ADR_PAGE;
  open_heap(HEAP);
  int64_t first = used(1), second = used(2);
  CHECK_EQUAL(page, second - first);
  succeed(adr_shmem_free(shmem, second));
  CHECK(has_page(second) && has_page(second + page));
  CHECK_EQUAL(second, used(1));
  CHECK(has_page(second) && !has_page(second + page));
  succeed(adr_shmem_free(shmem, second));
  succeed(adr_shmem_free(shmem, first));
  CHECK(has_page(first) && !has_page(second)); /* those of the last one stay */
  CHECK_EQUAL(first, used(40));
  succeed(adr_shmem_free(shmem, first));
  for (int at = 0; at < 40; at++) { CHECK(!has_page(first + at * page)); } /* they are many */
  succeed(adr_shmem_close(shmem));
}

static void the_few_pages_of_the_last_object_stay(void) {
  run_ranks(1, free_small_objects);
  run_ranks(2, free_small_objects);
}

/* Accesses */

static void put_and_get(void) {
  static uint8_t out[70000], in[70000];
  open_heap(HEAP);
  const int64_t place = allocated(sizeof out);
  for (int round = 0; round < ROUNDS; round++) {
    const int64_t bytes = round % 4 == 0 ? (int64_t)sizeof out : 1 + round % 40;
    memset(out, round + self(), (size_t)bytes);
    succeed(adr_shmem_put(shmem, out, bytes, next(), place));
    succeed(adr_shmem_barrier(shmem));
    memset(out, round + before(), (size_t)bytes);
    CHECK_EQUAL(0, memcmp(out, own(place), (size_t)bytes));
    succeed(adr_shmem_get(shmem, in, bytes, next(), place));
    memset(out, round + self(), (size_t)bytes);
    CHECK_EQUAL(0, memcmp(out, in, (size_t)bytes));
    succeed(adr_shmem_barrier(shmem));
  }
  refused(-EINVAL, adr_shmem_put(shmem, out, 8, size(), place), "there are PEs 0 to");
  refused(-EINVAL, adr_shmem_put(shmem, out, 8, -1, place), "PE -1");
  refused(-EINVAL, adr_shmem_get(shmem, in, 8, 0, HEAP - 4), "8 bytes at offset 1048572 of PE 0");
  refused(-EINVAL, adr_shmem_get(shmem, in, 8, 0, -8), "do not lie in its heap");
  refused(-EINVAL, adr_shmem_get(shmem, in, -8, 0, 8), "-8 bytes");
  refused(-EINVAL, adr_shmem_get(shmem, in, INT64_MAX, 0, 64), "do not lie in its heap");
  succeed(adr_shmem_close(shmem));
}

static void what_is_put_is_there_behind_the_barrier(void) {
  run_ranks(1, put_and_get);
  run_ranks(3, put_and_get);
}

static void change_one_word(void) {
  open_heap(HEAP);
  const int64_t words = allocated(64);
  uint64_t had64;
  uint32_t had32;
  for (int turn = 0; turn < TURNS; turn++) {
    succeed(adr_shmem_fetch_add64(shmem, UINT64_C(1) << 32, &had64, 0, words));
    succeed(adr_shmem_fetch_add32(shmem, 3, &had32, 0, words + 8));
    uint32_t seen = had32;
    do { /* adds one more by compare and swap */
      had32 = seen;
      succeed(adr_shmem_compare_swap32(shmem, had32, had32 + 1, &seen, 0, words + 8));
    } while (seen != had32);
    uint64_t wide = 0, found;
    do {
      found = wide;
      succeed(adr_shmem_compare_swap64(shmem, found, found + (UINT64_C(1) << 40), &wide, 0, words + 16));
    } while (wide != found);
    succeed(adr_shmem_swap64(shmem, (uint64_t)turn, &had64, self(), words + 24));
    CHECK_EQUAL(turn == 0 ? 0 : turn - 1, had64);
    succeed(adr_shmem_swap32(shmem, (uint32_t)turn, &had32, self(), words + 32));
    CHECK_EQUAL(turn == 0 ? 0 : turn - 1, had32);
  }
  succeed(adr_shmem_barrier(shmem));
  uint64_t sums[3];
  succeed(adr_shmem_get(shmem, sums, sizeof sums, 0, words));
  CHECK_EQUAL((uint64_t)(TURNS * size()) << 32, sums[0]);
  CHECK_EQUAL(4 * TURNS * size(), sums[1]);
  CHECK_EQUAL((uint64_t)(TURNS * size()) << 40, sums[2]);
  refused(-EINVAL, adr_shmem_fetch_add64(shmem, 1, &had64, 0, words + 4),
          "an element of 8 bytes is to lie at a multiple");
  refused(-EINVAL, adr_shmem_fetch_add32(shmem, 1, &had32, 0, words + 2), "fetch_add32 at offset 2");
  refused(-EINVAL, adr_shmem_swap64(shmem, 1, &had64, size(), words), "there are PEs");
  refused(-EINVAL, adr_shmem_compare_swap64(shmem, 1, 1, &had64, 0, HEAP), "do not lie in its heap");
  succeed(adr_shmem_close(shmem));
}

static void all_pes_change_one_word_at_once(void) { run_ranks(4, change_one_word); }

/* Waits */

/* A word of 8 bytes to be at least so much. */
struct least {
  const adr_atomic_u64 *word;
  uint64_t value;
};

static int is_least(const void *words) {
  const struct least *least = words;
  return adr_load_acquire_u64(least->word) >= least->value;
}

static void say_least(const void *words, char *text, size_t room) {
  snprintf(text, room, "a word to be at least %llu", (unsigned long long)((const struct least *)words)->value);
}

static int await_least(int64_t offset, uint64_t value) {
  const struct least least = {(void *)own(offset), value};
  return adr_shmem_await(shmem, is_least, say_least, &least);
}

/* Data goes round with signals; each PE lets the next one nap now and then. */
static void pass_signals(void) {
  static uint8_t out[20000];
  open_heap(HEAP);
  const int64_t signal = allocated(8), data = allocated(2 * sizeof out), odd = allocated(1);
  (void)odd;
  for (int round = 1; round <= ROUNDS; round++) {
    const int64_t bytes = round % 2 == 0 ? (int64_t)sizeof out : 8;
    const int64_t place = data + round % 2 * (int64_t)sizeof out;
    if (self() == 0 || round % 50 == 1) {
      if (round % 50 == 1) { nap(30000000); }
    }
    memset(out, round + self(), (size_t)bytes);
    const bool adds = round % 3 == 0;
    succeed(adr_shmem_put_signal(shmem, out, bytes, next(), place, signal, adds ? 1 : (uint64_t)round,
                                 adds ? ADR_SIGNAL_ADD : ADR_SIGNAL_SET));
    succeed(await_least(signal, (uint64_t)round));
    CHECK_EQUAL((uint8_t)(round + before()), own(place)[0]);
    CHECK_EQUAL((uint8_t)(round + before()), own(place)[bytes - 1]);
    succeed(adr_shmem_sync(shmem));
  }
  refused(-EINVAL, adr_shmem_put_signal(shmem, out, 8, 0, data, signal + 4, 1, ADR_SIGNAL_SET), "a multiple");
  refused(-EINVAL, adr_shmem_put_signal(shmem, out, 8, 0, data, signal, 1, 7), "operation 7");
  refused(-EINVAL, adr_shmem_put_signal(shmem, out, HEAP, 0, data, signal, 1, ADR_SIGNAL_SET), "do not lie");
  refused(-EINVAL, adr_shmem_wake(shmem, size()), "there are PEs");
  succeed(adr_shmem_close(shmem));
}

static void a_signal_ends_a_wait_behind_its_data(void) {
  run_ranks(1, pass_signals);
  run_ranks(4, pass_signals);
}

/* A store alone wakes nobody: the wait ends when its nap does. */
static void wait_for_stores(void) {
  open_heap(HEAP);
  const int64_t word = allocated(8);
  for (uint64_t round = 1; round <= 4; round++) {
    if (self() == 0) { nap(60000000); }
    if (self() != 0) { succeed(await_least(word, round)); }
    if (self() < size() - 1) {
      adr_store_release_u64((adr_atomic_u64 *)adr_shmem_memory(shmem, self() + 1, word), round);
    }
    succeed(adr_shmem_barrier(shmem));
  }
  if (self() == 0) { nap(50000000); }
  if (self() == 1) {
    const struct least least = {(void *)own(word), 9};
    while (is_least(&least) == 0) { succeed(adr_shmem_step(shmem)); }
  } else if (self() == 0) {
    adr_store_release_u64((adr_atomic_u64 *)adr_shmem_memory(shmem, 1, word), 9);
    succeed(adr_shmem_wake(shmem, 1));
  }
  succeed(adr_shmem_barrier(shmem));
  succeed(adr_shmem_close(shmem));
}

static void a_store_ends_a_wait(void) { run_ranks(3, wait_for_stores); }

/* Locks */

static void take_turns(void) {
  open_heap(HEAP);
  const int64_t object = allocated(64), lock = object + 8;
  uint64_t count;
  for (int turn = 0; turn < TURNS; turn++) {
    if (turn % 3 == 0) {
      int has;
      while ((has = adr_shmem_test_lock(shmem, lock)) == 0) {}
      succeed(has);
    } else {
      succeed(adr_shmem_set_lock(shmem, lock));
    }
    succeed(adr_shmem_get(shmem, &count, 8, 0, object + 16));
    count++;
    succeed(adr_shmem_put(shmem, &count, 8, 0, object + 16));
    succeed(adr_shmem_clear_lock(shmem, lock));
  }
  succeed(adr_shmem_barrier(shmem));
  succeed(adr_shmem_get(shmem, &count, 8, 0, object + 16));
  CHECK_EQUAL(TURNS * size(), count);
  for (int pe = 0; pe < size(); pe++) { /* all is as it was */
    succeed(adr_shmem_get(shmem, &count, 8, pe, lock));
    CHECK_EQUAL(0, count);
  }
  succeed(adr_shmem_barrier(shmem));
  if (self() == 0) {
    refused(-EINVAL, adr_shmem_clear_lock(shmem, lock), "which this PE has not set");
    succeed(adr_shmem_set_lock(shmem, lock));
    refused(-EINVAL, adr_shmem_set_lock(shmem, lock), "which this PE has set");
    refused(-EINVAL, adr_shmem_test_lock(shmem, lock), "which this PE has set");
    refused(-EINVAL, adr_shmem_set_lock(shmem, lock + 4), "multiples of 8");
    refused(-EINVAL, adr_shmem_test_lock(shmem, HEAP), "which PE 0 has neither");
    nap(100000000); /* the others nap before it is cleared */
    succeed(adr_shmem_clear_lock(shmem, lock));
  } else {
    succeed(adr_shmem_set_lock(shmem, lock));
    succeed(adr_shmem_clear_lock(shmem, lock));
  }
  succeed(adr_shmem_barrier(shmem));
  succeed(adr_shmem_close(shmem));
}

static void a_lock_is_of_one_pe_at_a_time(void) {
  run_ranks(1, take_turns);
  run_ranks(4, take_turns);
}

static void spoil_a_lock(void) {
  open_heap(HEAP);
  const int64_t lock = allocated(8);
  const uint64_t nonsense = UINT64_C(0x00770077) << 32 | 0x77777777;
  for (int pe = 0; pe < size(); pe++) { succeed(adr_shmem_put(shmem, &nonsense, 8, pe, lock)); }
  refused(ADR_CORRUPT, adr_shmem_test_lock(shmem, lock), "what no lock has; something else was stored there");
  succeed(adr_shmem_close(shmem));
}

static void a_word_that_is_no_lock_is_said(void) { run_ranks(1, spoil_a_lock); }

/* Collectives of the memory's own communicator, on memory of the heap. */
static void call_collectives(void) {
  open_heap(HEAP);
  adr_comm *comm = adr_shmem_comm(shmem);
  const int64_t in = allocated(8 * 1000), out = allocated(8 * 1000 * MAX_TEST_RANKS);
  for (int64_t word = 0; word < 1000; word++) { ((int64_t *)(void *)own(in))[word] = word + self(); }
  succeed(adr_comm_allgather(comm, own(in), own(out), 8 * 1000));
  for (int pe = 0; pe < size(); pe++) { CHECK_EQUAL(999 + pe, ((int64_t *)(void *)own(out))[pe * 1000 + 999]); }
  succeed(adr_comm_allreduce(comm, own(in), own(out), 1000, ADR_INT64, ADR_SUM));
  CHECK_EQUAL(999 * size() + size() * (size() - 1) / 2, ((int64_t *)(void *)own(out))[999]);
  succeed(adr_comm_bcast(comm, own(in), 8 * 1000, size() - 1));
  CHECK_EQUAL(999 + size() - 1, ((int64_t *)(void *)own(in))[999]);
  succeed(adr_shmem_close(shmem));
}

static void collectives_take_objects(void) { run_ranks(4, call_collectives); }

/* Death */

enum { VICTIM = 1 };

static void die(void) { kill(getpid(), SIGKILL); }

/* All but the victim are to end well, and that one by its own hand. */
static void run_without(int victim, int ranks, rank_body *body) {
  pid_t pids[MAX_TEST_RANKS];
  for (int rank = 0; rank < ranks; rank++) { pids[rank] = start_rank(rank, ranks, body); }
  for (int rank = 0; rank < ranks; rank++) { CHECK_EQUAL(rank == victim ? 128 + SIGKILL : 0, end_of(pids[rank])); }
}

static void check_names_the_victim(int status, const char *part) {
  refused(ADR_ERROR_RANK_FAILED, status, part);
  CHECK_EQUAL(VICTIM, adr_job_failed_rank(job));
}

static void die_before_an_allocation(void) {
  int64_t offset;
  open_heap(HEAP);
  const int64_t object = allocated(100);
  if (self() == VICTIM) { die(); }
  const int64_t took = adr_shmem_allocated(shmem);
  check_names_the_victim(adr_shmem_allocate(shmem, 1, 100000, &offset), "rank 1");
  CHECK_EQUAL(took, adr_shmem_allocated(shmem));
  CHECK(adr_shmem_free(shmem, object) < 0);
  const uint64_t word = 3;
  succeed(adr_shmem_put(shmem, &word, 8, VICTIM, object)); /* its memory stays */
  succeed(adr_shmem_close(shmem));
}

/* The victim dies in its next allgather of that communicator, where PEs tell each other what they call. */
static adr_comm *dies_on;
int __real_adr_comm_allgather(adr_comm *comm, const void *in, void *out, int64_t bytes);

int __wrap_adr_comm_allgather(adr_comm *comm, const void *in, void *out, int64_t bytes) {
  if (comm == dies_on) { die(); }
  return __real_adr_comm_allgather(comm, in, out, bytes);
}

/* It has its pages, and nobody has heard of it. */
static void die_behind_a_reservation(void) {
  const int64_t bytes = 100 * (int64_t)ADR_PAGE;
  int64_t offset;
  open_heap(HEAP);
  allocated(1);
  const int64_t before_it = bytes_of_file();
  succeed(adr_comm_barrier(adr_job_world(job))); /* all have looked */
  if (self() == VICTIM) {
    dies_on = adr_shmem_comm(shmem);
    adr_shmem_allocate(shmem, 4096, bytes, &offset);
    CHECK(false);
  }
  check_names_the_victim(adr_shmem_allocate(shmem, 4096, bytes, &offset), "rank 1");
  CHECK_EQUAL(64, adr_shmem_allocated(shmem));
  uint32_t all = 1; /* the living have both come here */
  succeed(adr_comm_agree(adr_job_world(job), 1, &all));
  CHECK(bytes_of_file() <= before_it + bytes + SLACK); /* of the victim alone */
  succeed(adr_comm_agree(adr_job_world(job), 1, &all));
  succeed(adr_shmem_close(shmem));
}

static void die_before_a_barrier(void) {
  open_heap(HEAP);
  if (self() == VICTIM) { die(); }
  check_names_the_victim(adr_shmem_barrier(shmem), "rank 1");
  succeed(adr_shmem_close(shmem));
}

/* Behind the death of PE 0, which has made the memory, its memory goes with what the others close. */
static void die_as_pe_zero(void) {
  adr_comm *left, *own_one;
  open_heap(HEAP);
  memset(own(allocated(HEAP)), 1, HEAP);
  succeed(adr_shmem_barrier(shmem));
  if (self() == 0) { die(); }
  refused(ADR_ERROR_RANK_FAILED, adr_shmem_barrier(shmem), "rank 0");
  succeed(adr_comm_shrink(adr_job_world(job), &left));
  const int descriptor = descriptor_of_file();
  const int64_t before_it = bytes_behind(descriptor);
  succeed(adr_comm_barrier(left)); /* all have looked */
  succeed(adr_shmem_close(shmem));
  for (int turn = 0; turn < 10; turn++) { /* in which ranks look at what all have closed */
    succeed(adr_comm_dup(left, &own_one));
    succeed(adr_comm_close(own_one));
  }
  succeed(adr_comm_barrier(left));
  CHECK(bytes_behind(descriptor) <= before_it - size() * (int64_t)HEAP + SLACK);
  succeed(adr_comm_close(left));
}

static void die_before_a_heap_is_made(void) {
  if (self() == VICTIM) { die(); }
  check_names_the_victim(adr_shmem_open(job, HEAP, NULL, &shmem), "rank 1");
  CHECK(shmem == NULL);
}

static void die_instead_of_a_store(void) {
  open_heap(HEAP);
  const int64_t word = allocated(8);
  if (self() == VICTIM) { die(); }
  check_names_the_victim(await_least(word, 1), "a wait for a word to be at least 1 in symmetric memory");
  int status;
  while ((status = adr_shmem_step(shmem)) == 0) {}
  check_names_the_victim(status, "a test of words");
  succeed(adr_shmem_close(shmem));
}

/* Passes a word among the living, and so meets them. */
static void die_with_a_lock(void) {
  open_heap(HEAP);
  const int64_t object = allocated(64), lock = object + 16;
  uint64_t told;
  if (self() == VICTIM) {
    succeed(adr_shmem_set_lock(shmem, lock));
    succeed(adr_shmem_barrier(shmem));
    nap(50000000);
    die();
  }
  succeed(adr_shmem_barrier(shmem));
  int status = adr_shmem_set_lock(shmem, lock);
  if (status < 0) {
    check_names_the_victim(status, "the lock at offset");
    succeed(adr_shmem_fetch_add64(shmem, 1, &told, 0, object));
    succeed(adr_shmem_set_lock(shmem, lock)); /* it goes on */
  }
  succeed(adr_shmem_clear_lock(shmem, lock));
  succeed(adr_shmem_fetch_add64(shmem, 1, &told, 0, object + 8));
  do { succeed(adr_shmem_get(shmem, &told, 8, 0, object + 8)); } while (told < (uint64_t)size() - 1);
  succeed(adr_shmem_get(shmem, &told, 8, 0, object));
  CHECK_EQUAL(1, told); /* one of them alone */
  succeed(adr_shmem_close(shmem));
}

/* The victim is killed in the queue, or as the one that the lock is handed to. */
static void die_in_a_queue(void) {
  open_heap(HEAP);
  const int64_t object = allocated(64), lock = object + 16;
  uint64_t count;
  if (self() == 0) { succeed(adr_shmem_set_lock(shmem, lock)); }
  succeed(adr_shmem_barrier(shmem));
  if (self() == VICTIM) {
    if (fork() == 0) { /* kills it while it waits */
      nap(100000000);
      kill(getppid(), SIGKILL);
      _exit(0);
    }
    adr_shmem_set_lock(shmem, lock);
    CHECK(false);
  }
  if (self() == 0) {
    nap(250000000);
    succeed(adr_shmem_clear_lock(shmem, lock));
  } else {
    nap(50000000);
    const int status = adr_shmem_set_lock(shmem, lock);
    succeed(status); /* one that only waited guards nothing */
    succeed(adr_shmem_clear_lock(shmem, lock));
  }
  succeed(adr_shmem_fetch_add64(shmem, 1, &count, 0, object));
  do { succeed(adr_shmem_get(shmem, &count, 8, 0, object)); } while (count < (uint64_t)size() - 1);
  succeed(adr_shmem_close(shmem));
}

static void a_dead_pe_is_named_in_what_all_call(void) {
  run_without(VICTIM, 3, die_before_an_allocation);
  run_without(VICTIM, 3, die_behind_a_reservation);
  run_without(VICTIM, 3, die_before_a_barrier);
  run_without(VICTIM, 2, die_before_a_heap_is_made);
}

static void memory_is_given_back_when_pe_zero_is_dead(void) { run_without(0, 3, die_as_pe_zero); }

static void a_dead_pe_ends_waits_for_words(void) { run_without(VICTIM, 3, die_instead_of_a_store); }

static void a_dead_pe_leaves_its_locks(void) {
  run_without(VICTIM, 4, die_with_a_lock);
  run_without(VICTIM, 4, die_in_a_queue);
}

/* job_shmem_test [ROUNDS]: all once; or so often what a PE leaves that dies. */
int main(int count, char **words) {
  ranks_begin();
  if (count > 1) {
    alarm(0); /* each rank has its own */
    for (int left = atoi(words[1]); left > 0; left--) {
      a_dead_pe_is_named_in_what_all_call();
      memory_is_given_back_when_pe_zero_is_dead();
      a_dead_pe_ends_waits_for_words();
      a_dead_pe_leaves_its_locks();
    }
    ranks_end();
    return 0;
  }
  RUN(parts_lie_at_equal_distances);
  RUN(heaps_that_cannot_be_are_refused_at_all);
  RUN(data_of_a_program_is_that_of_the_same_program);
  RUN(a_thousand_heaps_leave_nothing);
  RUN(objects_are_zero_and_keep_what_is_in_them);
  RUN(a_full_heap_is_refused_at_all);
  RUN(different_calls_are_named);
  RUN(random_calls_answer_as_the_record_does);
  RUN(a_thousand_objects_leave_no_page);
  RUN(the_few_pages_of_the_last_object_stay);
  RUN(what_is_put_is_there_behind_the_barrier);
  RUN(all_pes_change_one_word_at_once);
  RUN(a_signal_ends_a_wait_behind_its_data);
  RUN(a_store_ends_a_wait);
  RUN(a_lock_is_of_one_pe_at_a_time);
  RUN(a_word_that_is_no_lock_is_said);
  RUN(collectives_take_objects);
  RUN(a_dead_pe_is_named_in_what_all_call);
  RUN(memory_is_given_back_when_pe_zero_is_dead);
  RUN(a_dead_pe_ends_waits_for_words);
  RUN(a_dead_pe_leaves_its_locks);
  ranks_end();
  return 0;
}

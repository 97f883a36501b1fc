/* The record of a symmetric heap against a plain map of which grains have which object. The linker has calloc and
 * realloc replaced, so that memory can be short. */
#include "symmetric_script.h"

#include <errno.h>

enum { GRAIN = ADR_SYMMETRIC_GRAIN, GRAINS = 2000, PAGE = 1024, SEEDS = 4, STEPS = 100000 };
enum { PAGES = (GRAINS * GRAIN + PAGE - 1) / PAGE, GRAINS_OF_PAGE = PAGE / GRAIN };

static struct adr_symmetric_heap heap;

/* Memory that runs short. */

void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

static bool short_of_memory;
static int refusals;

void *__wrap_calloc(size_t count, size_t bytes) {
  refusals += short_of_memory;
  return short_of_memory ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes) {
  refusals += short_of_memory;
  return short_of_memory ? NULL : __real_realloc(memory, bytes);
}

/* The model: bytes asked for where an object begins, and which grains have one. */

struct model {
  bool taken[GRAINS];
  uint64_t asked[GRAINS];
  uint64_t hash;
};

static struct model model;
static struct model before; /* the last call */

static int grains_of(uint64_t bytes) { return (int)((bytes + GRAIN - 1) / GRAIN); }

static void put(int at, uint64_t bytes, bool there) {
  memset(&model.taken[at], there, (size_t)grains_of(bytes));
  model.asked[at] = there ? bytes : 0;
}

static int free_from(int at) {
  int count = 0;
  while (at + count < GRAINS && !model.taken[at + count]) { count++; }
  return count;
}

static int aligned(int at, int step) { return (at + step - 1) / step * step; }

/* The first run of free grains at or behind `at` that has `needed`; below zero: none has. */
static int next_run(int at, int needed) {
  while (at < GRAINS) {
    int count = free_from(at);
    if (count >= needed) { return at; }
    at += count + 1;
  }
  return -1;
}

static int64_t expected_place(uint64_t bytes, uint64_t alignment) {
  int needed = grains_of(bytes);
  int step = alignment > GRAIN ? (int)(alignment / GRAIN) : 1;
  int looks = 0;
  for (int run = next_run(0, needed); run >= 0; run = next_run(run + free_from(run) + 1, needed)) {
    if (aligned(run, step) + needed <= run + free_from(run)) { return (int64_t)aligned(run, step) * GRAIN; }
    int large = ++looks == ADR_SYMMETRIC_LOOKS ? next_run(run + free_from(run) + 1, needed + step - 1) : -1;
    if (large >= 0) { return (int64_t)aligned(large, step) * GRAIN; }
  }
  return ADR_SYMMETRIC_NO_ROOM;
}

static bool is_object(int64_t offset) { return offset % GRAIN == 0 && model.asked[offset / GRAIN] != 0; }

static int64_t model_align(uint64_t alignment, uint64_t bytes) {
  int64_t place = expected_place(bytes, alignment);
  if (place >= 0) { put((int)(place / GRAIN), bytes, true); }
  return place;
}

static int64_t model_free(int64_t offset) {
  if (!is_object(offset)) { return ADR_INVALID; }
  put((int)(offset / GRAIN), model.asked[offset / GRAIN], false);
  return 0;
}

static int64_t model_realloc(int64_t offset, uint64_t bytes) {
  if (!is_object(offset)) { return ADR_INVALID; }
  if (bytes == 0) {
    model_free(offset);
    return ADR_SYMMETRIC_NONE;
  }
  int at = (int)(offset / GRAIN);
  int own = grains_of(model.asked[at]);
  if (grains_of(bytes) > own + free_from(at + own)) { return model_align(GRAIN, bytes); }
  put(at, model.asked[at], false);
  put(at, bytes, true);
  return offset;
}

static bool is_used(const struct model *of, int page) {
  int first = page * GRAINS_OF_PAGE;
  int count = GRAINS - first < GRAINS_OF_PAGE ? GRAINS - first : GRAINS_OF_PAGE;
  return memchr(&of->taken[first], true, (size_t)count) != NULL;
}

static bool has(const struct adr_symmetric_pages *pages, int page) {
  uint64_t offset = (uint64_t)page * PAGE;
  return offset >= pages->offset && offset - pages->offset < pages->bytes;
}

static void compare_pages(void) {
  CHECK_EQUAL(0, heap.came.bytes % PAGE + heap.came.offset % PAGE + heap.went.bytes % PAGE + heap.went.offset % PAGE);
  for (int page = 0; page < PAGES; page++) {
    CHECK_EQUAL(!is_used(&before, page) && is_used(&model, page), has(&heap.came, page));
    CHECK_EQUAL(is_used(&before, page) && !is_used(&model, page), has(&heap.went, page));
  }
}

static void compare(const struct symmetric_call *call) {
  static struct model undone;
  int64_t expected = ADR_INVALID;
  undone = before;
  before = model;
  switch (call->kind) {
  case SYMMETRIC_ALIGN:
    expected = model_align(call->alignment, call->bytes);
    break;
  case SYMMETRIC_REALLOC:
    expected = model_realloc(call->given, call->bytes);
    break;
  case SYMMETRIC_FREE:
    expected = model_free(call->given);
    break;
  case SYMMETRIC_UNDO:
    expected = call->result; /* which the script checks */
    if (expected == 0) { model = undone; }
    break;
  }
  CHECK_EQUAL(expected, call->result);
  if (call->kind == SYMMETRIC_UNDO || call->result == ADR_SYMMETRIC_NO_ROOM || call->result == ADR_INVALID) {
    CHECK_EQUAL(model.hash, heap.hash);
  } else {
    CHECK(model.hash != heap.hash);
  }
  model.hash = heap.hash;
  compare_pages();
  if (call->result > 0) {
    CHECK_EQUAL(model.asked[call->result / GRAIN], adr_symmetric_heap_bytes_of(&heap, call->result));
  }
}

static void each_call_answers_what_a_map_of_grains_says(void) {
  static struct symmetric_script script;
  script.told = compare;
  script.heap = &heap;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    CHECK_EQUAL(0, adr_symmetric_heap_open(&heap, GRAINS * GRAIN + 10, PAGE));
    model = (struct model){.hash = heap.hash};
    before = model;
    symmetric_run(&script, seed, STEPS);
    adr_symmetric_heap_close(&heap);
  }
}

static void refuses_a_heap_that_cannot_be(void) {
  CHECK_EQUAL(ADR_INVALID, adr_symmetric_heap_open(&heap, GRAIN - 1, PAGE));
  CHECK_EQUAL(ADR_INVALID, adr_symmetric_heap_open(&heap, (uint64_t)ADR_SYMMETRIC_MAX_BYTES + 1, PAGE));
  CHECK_EQUAL(ADR_INVALID, adr_symmetric_heap_open(&heap, PAGE, 0));
  CHECK_EQUAL(ADR_INVALID, adr_symmetric_heap_open(&heap, PAGE, PAGE + GRAIN));
  CHECK_EQUAL(ADR_INVALID, adr_symmetric_heap_open(&heap, PAGE, GRAIN / 2));
}

static void want_of_memory_is_told_and_changes_nothing(void) {
  enum { OBJECTS = 1000, SIZE = 3 * GRAIN };
  refusals = 0;
  short_of_memory = true;
  CHECK_EQUAL(-ENOMEM, adr_symmetric_heap_open(&heap, 2 * OBJECTS * SIZE, PAGE));
  short_of_memory = false;
  CHECK_EQUAL(0, adr_symmetric_heap_open(&heap, 2 * OBJECTS * SIZE, PAGE));
  for (int i = 0; i < OBJECTS; i++) {
    const int64_t end = (int64_t)i * SIZE;
    const struct adr_symmetric_heap was = heap;
    short_of_memory = true;
    int64_t object = adr_symmetric_heap_malloc(&heap, SIZE);
    if (object == -ENOMEM) {
      CHECK(was.hash == heap.hash && was.allocated == heap.allocated && heap.came.bytes == 0);
      CHECK_EQUAL(adr_block_tree_largest(&was.tree), adr_block_tree_largest(&heap.tree));
      CHECK_EQUAL(ADR_INVALID, adr_symmetric_heap_undo(&heap));
      const int64_t second = end - 2 * SIZE;
      const int64_t third = end - 3 * SIZE;
      CHECK_EQUAL(second, adr_symmetric_heap_realloc(&heap, second, 1)); /* which takes the last index */
      CHECK_EQUAL(-ENOMEM, adr_symmetric_heap_realloc(&heap, third, 1));
      CHECK_EQUAL(SIZE, adr_symmetric_heap_bytes_of(&heap, third));
      short_of_memory = false;
      CHECK_EQUAL(second, adr_symmetric_heap_realloc(&heap, second, SIZE));
      object = adr_symmetric_heap_malloc(&heap, SIZE);
    }
    short_of_memory = false;
    CHECK_EQUAL(end, object);
  }
  CHECK(refusals > 5);
  short_of_memory = true; /* which what is taken back does not need */
  for (int i = 0; i < OBJECTS; i++) { CHECK_EQUAL(0, adr_symmetric_heap_free(&heap, (int64_t)i * SIZE)); }
  short_of_memory = false;
  CHECK_EQUAL(heap.bytes, adr_block_tree_largest(&heap.tree));
  adr_symmetric_heap_close(&heap);
}

int main(void) {
  RUN(each_call_answers_what_a_map_of_grains_says);
  RUN(refuses_a_heap_that_cannot_be);
  RUN(want_of_memory_is_told_and_changes_nothing);
  return 0;
}

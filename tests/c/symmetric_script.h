/* Random calls for a symmetric heap, the same ones for the same seed as those of the Java class
 * io.adrastea.symmetric.SymmetricScript. */
#pragma once

#include <string.h>

#include "check.h"
#include "symmetric/adr_symmetric_heap.h"

enum { SYMMETRIC_MOST_OBJECTS = 4096 };

enum symmetric_kind { SYMMETRIC_ALIGN, SYMMETRIC_REALLOC, SYMMETRIC_FREE, SYMMETRIC_UNDO };

struct symmetric_call {
  enum symmetric_kind kind;
  int64_t given;
  uint64_t alignment;
  uint64_t bytes;
  int64_t result;
};

struct symmetric_script {
  struct adr_symmetric_heap *heap;
  void (*told)(const struct symmetric_call *call); /* may be NULL */
  int64_t objects[SYMMETRIC_MOST_OBJECTS];
  uint32_t count;
  uint64_t state;
  uint64_t sum; /* of all that the calls answered, and the pages */
};

static uint32_t symmetric_below(struct symmetric_script *script, uint32_t limit) { /* Knuth's MMIX generator */
  script->state = script->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(script->state >> 33) % limit;
}

static uint64_t symmetric_size(struct symmetric_script *script) {
  return 1 + symmetric_below(script, 2u << symmetric_below(script, 14));
}

static int64_t symmetric_call(struct symmetric_script *script, enum symmetric_kind kind, int64_t given,
                              uint64_t alignment, uint64_t bytes) {
  struct adr_symmetric_heap *heap = script->heap;
  struct symmetric_call call = {.kind = kind, .given = given, .alignment = alignment, .bytes = bytes};
  switch (kind) {
  case SYMMETRIC_ALIGN:
    call.result = adr_symmetric_heap_align(heap, alignment, bytes);
    break;
  case SYMMETRIC_REALLOC:
    call.result = adr_symmetric_heap_realloc(heap, given, bytes);
    break;
  case SYMMETRIC_FREE:
    call.result = adr_symmetric_heap_free(heap, given);
    break;
  case SYMMETRIC_UNDO:
    call.result = adr_symmetric_heap_undo(heap);
    break;
  }
  const uint64_t words[] = {(uint64_t)call.result, heap->came.offset, heap->came.bytes, heap->went.offset,
                            heap->went.bytes};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) { script->sum = 31 * script->sum + words[i]; }
  if (script->told != NULL) { script->told(&call); }
  return call.result;
}

static void symmetric_keep(struct symmetric_script *script, int64_t offset) {
  if (offset >= 0 && script->count < SYMMETRIC_MOST_OBJECTS) {
    script->objects[script->count++] = offset;
  } else if (offset >= 0) {
    CHECK_EQUAL(0, symmetric_call(script, SYMMETRIC_FREE, offset, 0, 0));
  }
}

static void symmetric_free_any(struct symmetric_script *script) {
  uint32_t index = symmetric_below(script, script->count);
  CHECK_EQUAL(0, symmetric_call(script, SYMMETRIC_FREE, script->objects[index], 0, 0));
  script->objects[index] = script->objects[--script->count];
}

/* Makes one object larger or smaller, or takes that back at once. */
static void symmetric_realloc_any(struct symmetric_script *script, uint64_t bytes, bool undo) {
  uint32_t index = symmetric_below(script, script->count);
  int64_t before = script->objects[index];
  int64_t offset = symmetric_call(script, SYMMETRIC_REALLOC, before, 0, bytes);
  if (bytes == 0) {
    CHECK_EQUAL(ADR_SYMMETRIC_NONE, offset);
    script->objects[index] = script->objects[--script->count];
  } else if (offset >= 0 && undo) {
    CHECK_EQUAL(0, symmetric_call(script, SYMMETRIC_UNDO, 0, 0, 0));
  } else if (offset >= 0 && offset != before) {
    CHECK_EQUAL(0, symmetric_call(script, SYMMETRIC_FREE, before, 0, 0));
    script->objects[index] = offset;
  }
}

static void symmetric_step(struct symmetric_script *script) {
  uint32_t what = symmetric_below(script, 100);
  if (what < 38 || script->count == 0) {
    symmetric_keep(script, symmetric_call(script, SYMMETRIC_ALIGN, 0, ADR_SYMMETRIC_GRAIN, symmetric_size(script)));
  } else if (what < 48) {
    uint64_t alignment = UINT64_C(1) << symmetric_below(script, 15);
    symmetric_keep(script, symmetric_call(script, SYMMETRIC_ALIGN, 0, alignment, symmetric_size(script)));
  } else if (what < 60) {
    symmetric_realloc_any(script, symmetric_size(script), what < 52);
  } else if (what < 61) {
    symmetric_realloc_any(script, 0, false);
  } else if (what < 64) {
    if (symmetric_call(script, SYMMETRIC_ALIGN, 0, ADR_SYMMETRIC_GRAIN, symmetric_size(script)) >= 0) {
      CHECK_EQUAL(0, symmetric_call(script, SYMMETRIC_UNDO, 0, 0, 0));
    }
  } else if (what < 66) {
    int64_t offset = script->objects[symmetric_below(script, script->count)];
    CHECK_EQUAL(ADR_INVALID, symmetric_call(script, SYMMETRIC_FREE, offset + 8, 0, 0));
    CHECK_EQUAL(ADR_INVALID, symmetric_call(script, SYMMETRIC_REALLOC, offset + 8, 0, 1));
    CHECK_EQUAL(ADR_INVALID, symmetric_call(script, SYMMETRIC_UNDO, 0, 0, 0));
  } else {
    symmetric_free_any(script);
  }
}

/* Makes so many random steps, a call or two each, then frees all: the heap is one free block again. */
static void symmetric_run(struct symmetric_script *script, uint64_t seed, uint64_t steps) {
  script->state = seed;
  script->count = 0;
  script->sum = 0;
  for (uint64_t step = 0; step < steps; step++) { symmetric_step(script); }
  while (script->count > 0) { symmetric_free_any(script); }
  CHECK_EQUAL(0, script->heap->allocated);
  CHECK_EQUAL(script->heap->bytes, adr_block_tree_largest(&script->heap->tree));
}

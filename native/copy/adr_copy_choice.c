#include "copy/adr_copy_choice.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

enum {
  WIDE_FROM = 2048, /* up to here the library's own copy is at least as good as any */
  SIZE_TEXT = 32,
  CACHE_TEXT = 64,
  STEPS_TEXT = 192,
};

/* The steps up to where the caches are left. */
static void choose(const struct adr_copy_caches *caches, int64_t past, struct adr_copy_step *steps) {
  steps[0] = (struct adr_copy_step){0, adr_copy_routine_at(0)};
  steps[1] = (struct adr_copy_step){WIDE_FROM, adr_copy_routine_wide(false)};
  steps[2] = (struct adr_copy_step){caches->first / 2, adr_copy_routine_long()};
  steps[3] = (struct adr_copy_step){past, adr_copy_routine_wide(true)};
}

void adr_copy_choose(const char *root, int cpu, struct adr_copy_choice *choice) {
  adr_copy_caches_read(root, cpu, &choice->caches);
  choose(&choice->caches, choice->caches.last, choice->copy);
  choose(&choice->caches, choice->caches.own / 2, choice->stream);
}

/* `48 KiB`, `2 MiB`, or bytes. */
static void print_size(char *text, size_t capacity, int64_t bytes) {
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
    snprintf(text, capacity, "%" PRId64 " MiB", bytes >> 20);
  } else if (bytes >= 1 << 10) {
    snprintf(text, capacity, "%" PRId64 " KiB", bytes >> 10);
  } else {
    snprintf(text, capacity, "%" PRId64 " bytes", bytes);
  }
}

/* `memcpy, avx512 from 2 KiB, avx512-nt from 1 MiB`; a step that changes nothing, or that has no sizes, is left out. */
static void print_steps(char *text, size_t capacity, const struct adr_copy_step *steps) {
  const struct adr_copy_routine *before = steps[0].routine;
  int length = snprintf(text, capacity, "%s", before->name);
  for (int i = 1; i < ADR_COPY_STEPS; i++) {
    char size[SIZE_TEXT];
    bool empty = i + 1 < ADR_COPY_STEPS && steps[i + 1].from <= steps[i].from;
    if (steps[i].routine == before || empty) { continue; }
    before = steps[i].routine;
    print_size(size, sizeof size, steps[i].from);
    length += snprintf(text + length, capacity - (size_t)length, ", %s from %s", before->name, size);
  }
}

static void print_cache(char *text, size_t capacity, int64_t bytes, bool found) {
  char size[SIZE_TEXT];
  print_size(size, sizeof size, bytes);
  snprintf(text, capacity, "%s%s", size, found ? "" : " (not told: default)");
}

int32_t adr_copy_choice_print(const struct adr_copy_choice *choice, char *text, int32_t capacity) {
  const struct adr_copy_caches *caches = &choice->caches;
  char first[CACHE_TEXT], own[CACHE_TEXT], last[CACHE_TEXT];
  char copy[STEPS_TEXT], stream[STEPS_TEXT];
  print_cache(first, sizeof first, caches->first, caches->first_found);
  print_cache(own, sizeof own, caches->own, caches->own_found);
  print_cache(last, sizeof last, caches->last, caches->last_found);
  print_steps(copy, sizeof copy, choice->copy);
  print_steps(stream, sizeof stream, choice->stream);
  return snprintf(text, capacity < 0 ? 0 : (size_t)capacity,
                  "copy: %s; stream: %s; a CPU's caches (sysfs): first level %s, own %s, share of the last %s", copy,
                  stream, first, own, last);
}

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "copy/adr_copy_choice.h"

enum { INDICES = 16, LEVELS = 8, TEXT = 256, PATH = 1024, MAX_CPUS = 1 << 16 };
static const int64_t MAX_SIZE = INT64_C(1) << 40; /* no cache is larger: a system that says so is not believed */

/* First line of a file of one cache; false when there is none. */
static bool read_line(const char *root, int cpu, int index, const char *name, char *text) {
  char path[PATH];
  int length = snprintf(path, sizeof path, "%s/devices/system/cpu/cpu%d/cache/index%d/%s", root, cpu, index, name);
  FILE *file = length > 0 && length < (int)sizeof path ? fopen(path, "re") : NULL;
  if (file == NULL) { return false; }
  bool read = fgets(text, TEXT, file) != NULL;
  fclose(file);
  return read;
}

/* `48K`, `2M` or a number of bytes; 0 when it is neither of these. */
static int64_t parse_size(const char *text) {
  int64_t number = 0;
  char unit = '\0';
  if (text[0] == '-' || sscanf(text, "%" SCNd64 "%c", &number, &unit) < 1) { return 0; }
  int shift = unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
  return number > 0 && number <= MAX_SIZE >> shift ? number << shift : 0;
}

/* How many CPUs a list such as `0-3,8` names; 1 when it is not one. */
static int64_t count_cpus(const char *list) {
  int64_t count = 0;
  for (const char *at = list; at != NULL; at = strchr(at, ',') == NULL ? NULL : strchr(at, ',') + 1) {
    int first;
    int last;
    int words = sscanf(at, "%d-%d", &first, &last);
    if (words < 1 || first < 0 || (words == 2 && (last < first || last >= MAX_CPUS))) { return 1; }
    count += words == 2 ? last - first + 1 : 1;
  }
  return count;
}

/* This CPU's share of cache `index`, and its level; 0 when it holds no data or is not told of. */
static int64_t share(const char *root, int cpu, int index, int *level) {
  char text[TEXT];
  if (!read_line(root, cpu, index, "type", text) || strncmp(text, "Instruction", 11) == 0) { return 0; }
  if (!read_line(root, cpu, index, "level", text)) { return 0; }
  *level = atoi(text);
  if (!read_line(root, cpu, index, "size", text)) { return 0; }
  int64_t size = parse_size(text);
  return size / (read_line(root, cpu, index, "shared_cpu_list", text) ? count_cpus(text) : 1);
}

/* A share, or its default. */
static int64_t found_or(int64_t found, int64_t otherwise, bool *is_found) {
  *is_found = found > 0;
  return found > 0 ? found : otherwise;
}

void adr_copy_caches_read(const char *root, int cpu, struct adr_copy_caches *caches) {
  int64_t shares[LEVELS] = {0};
  int last = 0;
  for (int index = 0; index < INDICES; index++) {
    int level = 0;
    int64_t bytes = share(root, cpu, index, &level);
    if (bytes > 0 && level > 0 && level < LEVELS) {
      shares[level] = bytes;
      if (level > last) { last = level; }
    }
  }
  int own =
      last > 2 ? last - 1 : 2; /* of two levels the second is both: a first one is too small to be worth sparing */
  caches->first = found_or(shares[1], ADR_COPY_FIRST_DEFAULT, &caches->first_found);
  caches->own = found_or(shares[own], ADR_COPY_OWN_DEFAULT, &caches->own_found);
  caches->last = found_or(last > 1 ? shares[last] : 0, ADR_COPY_LAST_DEFAULT, &caches->last_found);
  /* Many CPUs may share a last level that holds less than the caches of their own. */
  if (caches->last < caches->own) { caches->last = caches->own; }
}

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

#include "copy/adr_copy_caches.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDICES = 16, LEVELS = 8, TEXT = 256, PATH = 1024, MAX_CPUS = 1 << 16 };
static const int64_t MAX_SIZE = INT64_C(1) << 40; /* no cache is larger: who says so is not believed */

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

/* `48K`, `2M` or a number of bytes; 0 when it is none of these. */
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

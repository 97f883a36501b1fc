#include "affinity/adr_cpu_quota.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 128, PATH = 8192, WORDS = 64, DIGITS = 15 };

/* What is known of the process's group in one hierarchy. */
struct group {
  const char *root;
  bool unified;
  const char *path;
};

/* Takes the next piece of `*rest` before `separator`; NULL when there is none. */
static char *next_word(char **rest, const char *separator) { return *rest == NULL ? NULL : strsep(rest, separator); }

static bool has_word(char *list, const char *word) {
  for (char *next; (next = next_word(&list, ",")) != NULL;) {
    if (strcmp(next, word) == 0) { return true; }
  }
  return false;
}

/* First line of a file of a group's directory; empty when it cannot be had. */
static void read_line(const char *directory, const char *name, char *text) {
  char path[PATH + TEXT];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "re");
  if (file == NULL || fgets(text, TEXT, file) == NULL) { text[0] = '\0'; }
  if (file != NULL) { fclose(file); }
  text[strcspn(text, "\n")] = '\0';
}

static bool is_number(const char *text) {
  size_t digits = strspn(text, "0123456789");
  return digits > 0 && digits <= DIGITS && text[digits] == '\0';
}

/* `max` and -1 are no limit. */
static uint32_t quota_of(const char *quota, const char *period) {
  uint64_t length = is_number(period) ? strtoull(period, NULL, 10) : 0;
  if (!is_number(quota) || length == 0) { return 0; }
  uint64_t hundredths = (strtoull(quota, NULL, 10) * 100 + length - 1) / length;
  return hundredths < 1 ? 1 : hundredths > INT32_MAX ? INT32_MAX : (uint32_t)hundredths;
}

/* The quota of one group alone. */
static uint32_t own_quota(const char *directory, bool unified) {
  char text[TEXT];
  char period[TEXT];
  if (!unified) {
    read_line(directory, "cpu.cfs_quota_us", text);
    read_line(directory, "cpu.cfs_period_us", period);
    return quota_of(text, period);
  }
  read_line(directory, "cpu.max", text);
  char *rest = text;
  char *quota = next_word(&rest, " ");
  return rest == NULL ? 0 : quota_of(quota, rest);
}

/* Blanks and the like are written as octal numbers there. */
static void unescape(char *text) {
  char *to = text;
  for (const char *from = text; *from != '\0';) {
    unsigned code;
    bool escaped = from[0] == '\\' && sscanf(from + 1, "%3o", &code) == 1;
    *to++ = escaped ? (char)code : *from;
    from += escaped ? 4 : 1;
  }
  *to = '\0';
}

/* Whether a path goes up somewhere. */
static bool goes_up(const char *path) {
  const char *up = strstr(path, "/..");
  return up != NULL && (up[3] == '/' || up[3] == '\0' || goes_up(up + 3));
}

/* Where a group is below the group that is mounted. One that lies elsewhere (a container that sees its own group only,
 * and the path of the host) counts as the mounted one. */
static const char *below(const char *mounted, const char *path) {
  size_t length = strcmp(mounted, "/") == 0 ? 0 : strlen(mounted);
  bool inside = strncmp(path, mounted, length) == 0 && (path[length] == '/' || path[length] == '\0');
  if (!inside || goes_up(path)) { return ""; }
  return path + length + strspn(path + length, "/");
}

/* The least quota from the process's own group up to the root of what is mounted. */
static uint32_t quota_below(const struct group *group, const char *mount_point, const char *mounted) {
  char directory[PATH];
  int top = snprintf(directory, sizeof directory, "%s%s", group->root, mount_point);
  int length = top < 0 || top >= PATH
                   ? PATH
                   : snprintf(directory + top, sizeof directory - (size_t)top, "/%s", below(mounted, group->path));
  uint32_t least = 0;
  if (length < 0 || top + length >= PATH) { return least; }
  for (;;) {
    least = adr_cpu_quota_lesser(least, own_quota(directory, group->unified));
    char *end = strrchr(directory, '/');
    if (end == NULL || end < directory + top) { return least; }
    *end = '\0';
  }
}

/* A line of mountinfo: id, parent, device, root, mount point, options, other fields, `-`, type, source, options. */
static uint32_t quota_of_mount(const struct group *group, char *line) {
  char *words[WORDS];
  int count = 0;
  int type = 0;
  for (char *word; count < WORDS && (word = next_word(&line, " ")) != NULL; count++) {
    words[count] = word;
    if (type == 0 && strcmp(word, "-") == 0) { type = count + 1; }
  }
  if (type < 6 || count < type + 3 || words[4][0] != '/') { return 0; }
  bool holds = group->unified ? strcmp(words[type], "cgroup2") == 0
                              : strcmp(words[type], "cgroup") == 0 && has_word(words[type + 2], "cpu");
  if (!holds) { return 0; }
  unescape(words[3]);
  unescape(words[4]);
  return quota_below(group, words[4], words[3]);
}

/* Calls `take` with each line of a file and what it is to know; the least of what it says. */
static uint32_t least_of_lines(const char *root, const char *name, uint32_t (*take)(const struct group *, char *),
                               const struct group *group) {
  char path[PATH];
  snprintf(path, sizeof path, "%s/proc/self/%s", root, name);
  FILE *file = fopen(path, "re");
  if (file == NULL) { return 0; }
  char *line = NULL;
  size_t size = 0;
  uint32_t least = 0;
  while (getline(&line, &size, file) >= 0) {
    line[strcspn(line, "\n")] = '\0';
    least = adr_cpu_quota_lesser(least, take(group, line));
  }
  free(line);
  fclose(file);
  return least;
}

/* A line of /proc/self/cgroup: number, controllers (none: version 2), path. */
static uint32_t quota_of_group(const struct group *where, char *line) {
  char *rest = line;
  next_word(&rest, ":");
  char *controllers = next_word(&rest, ":");
  if (controllers == NULL || rest == NULL) { return 0; }
  struct group group = {where->root, *controllers == '\0', rest};
  if (!group.unified && !has_word(controllers, "cpu")) { return 0; }
  return least_of_lines(group.root, "mountinfo", quota_of_mount, &group);
}

uint32_t adr_cpu_quota_read(const char *root) {
  struct group where = {.root = root};
  return least_of_lines(root, "cgroup", quota_of_group, &where);
}

#include "segment/adr_process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  FIELDS_TO_STATE = 1,
  FIELDS_TO_PARENT = 2,
  FIELDS_TO_THREADS = 18,
  FIELDS_TO_START = 20
}; /* blanks from the name's `)` to fields 3, 4, 20 and 22 */

/* Reads a process's /proc/<pid>/stat. Returns 0 or -errno. */
static int read_stat(const char *path, char *text, size_t size) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) { return -errno; }
  ssize_t bytes = read(fd, text, size - 1);
  int status = bytes < 0 ? -errno : 0;
  close(fd);
  text[bytes > 0 ? bytes : 0] = '\0';
  return status;
}

/* What follows the name, which may itself hold blanks and parentheses. */
static const char *behind_name(const char *text) { return strrchr(text, ')'); }

/* The field behind so many blanks; NULL: there are not as many. */
static const char *field(const char *at, int blanks) {
  for (int i = 0; i < blanks && at != NULL; i++) { at = strchr(at + 1, ' '); }
  return at == NULL ? NULL : at + 1;
}

struct adr_process adr_process_look_up(uint32_t pid, char name[ADR_PROCESS_NAME], uint32_t *parent) {
  char path[32], text[1024];
  snprintf(path, sizeof path, "/proc/%u/stat", (unsigned)pid);
  if (read_stat(path, text, sizeof text) < 0) { return (struct adr_process){.pid = 0}; }
  const char *begin = strchr(text, '(');
  const char *end = behind_name(text);
  const char *start = end == NULL ? NULL : field(end, FIELDS_TO_START);
  if (begin == NULL || start == NULL) { return (struct adr_process){.pid = 0}; }
  snprintf(name, ADR_PROCESS_NAME, "%.*s", (int)(end - begin - 1), begin + 1);
  *parent = (uint32_t)strtoul(field(end, FIELDS_TO_PARENT), NULL, 10);
  return (struct adr_process){.pid = pid, .start = strtoull(start, NULL, 10)};
}

struct adr_process adr_process_self(void) {
  return (struct adr_process){.pid = (uint32_t)getpid(), .start = adr_process_start()};
}

/* A process whose first thread has ended has the state of that thread, Z, for as long as others go on. And of one that
 * was killed no thread writes any more once it is down to that one. */
static bool is_remains(const char *state, const char *threads) {
  return (*state == 'Z' || *state == 'X') && strtoul(threads, NULL, 10) <= 1;
}

/* Else that a process is not found there says nothing: /proc may be another namespace's, or not be mounted, in a chroot
 * say. */
static bool has_proc(void) {
  char text[1024];
  return read_stat("/proc/self/stat", text, sizeof text) == 0;
}

bool adr_process_is_alive(struct adr_process process) {
  char path[32], text[1024];
  snprintf(path, sizeof path, "/proc/%u/stat", (unsigned)process.pid);
  int status = read_stat(path, text, sizeof text);
  if (status < 0) { return (status != -ENOENT && status != -ESRCH) || !has_proc(); }
  const char *stat = behind_name(text);
  const char *start = field(stat, FIELDS_TO_START);
  if (start == NULL) { return true; }
  if (is_remains(field(stat, FIELDS_TO_STATE), field(stat, FIELDS_TO_THREADS))) { return false; }
  return process.start == 0 || strtoull(start, NULL, 10) == process.start;
}

bool adr_process_has_main_thread(void) {
  char text[1024];
  const char *state =
      read_stat("/proc/self/stat", text, sizeof text) < 0 ? NULL : field(behind_name(text), FIELDS_TO_STATE);
  return state == NULL || (*state != 'Z' && *state != 'X');
}

uint64_t adr_process_start(void) {
  char text[1024];
  const char *start =
      read_stat("/proc/self/stat", text, sizeof text) < 0 ? NULL : field(behind_name(text), FIELDS_TO_START);
  return start == NULL ? 0 : strtoull(start, NULL, 10);
}

uint64_t adr_process_pid_namespace(void) {
  struct stat found;
  return stat("/proc/self/ns/pid", &found) == 0 ? (uint64_t)found.st_ino : 0;
}

uint64_t adr_process_visible_namespace(void) {
  char link[32] = "";
  ssize_t length = readlink("/proc/self", link, sizeof link - 1);
  return length > 0 && strtol(link, NULL, 10) == (long)getpid() ? adr_process_pid_namespace() : 0;
}

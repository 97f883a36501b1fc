#include "segment/adr_process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIELDS_TO_STATE = 1, FIELDS_TO_START = 20 }; /* blanks from the name's `)` to fields 3 and 22 */

/* Reads a process's /proc/<pid>/stat: what follows its name, which may itself hold blanks and parentheses; NULL: there is none. */
static const char *read_stat(const char *path, char *text, size_t size) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) { return NULL; }
  ssize_t bytes = read(fd, text, size - 1);
  close(fd);
  text[bytes > 0 ? bytes : 0] = '\0';
  return strrchr(text, ')');
}

/* The field behind so many blanks; NULL: there are not as many. */
static const char *field(const char *at, int blanks) {
  for (int i = 0; i < blanks && at != NULL; i++) { at = strchr(at + 1, ' '); }
  return at == NULL ? NULL : at + 1;
}

struct adr_process adr_process_self(void) {
  return (struct adr_process){.pid = (uint32_t)getpid(), .start = adr_process_start()};
}

bool adr_process_is_alive(struct adr_process process) {
  char path[32], text[1024];
  snprintf(path, sizeof path, "/proc/%u/stat", (unsigned)process.pid);
  const char *stat = read_stat(path, text, sizeof text);
  const char *state = field(stat, FIELDS_TO_STATE);
  const char *start = field(stat, FIELDS_TO_START);
  if (state == NULL || start == NULL || *state == 'Z' || *state == 'X') { return false; }
  return process.start == 0 || strtoull(start, NULL, 10) == process.start;
}

uint64_t adr_process_start(void) {
  char text[1024];
  const char *start = field(read_stat("/proc/self/stat", text, sizeof text), FIELDS_TO_START);
  return start == NULL ? 0 : strtoull(start, NULL, 10);
}

uint64_t adr_process_pid_namespace(void) {
  struct stat found;
  return stat("/proc/self/ns/pid", &found) == 0 ? (uint64_t)found.st_ino : 0;
}

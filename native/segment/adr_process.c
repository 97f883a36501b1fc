#include "segment/adr_process.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIELDS_TO_START = 20 }; /* blanks from the name's `)` to field 22 */

uint64_t adr_process_start(void) {
  char text[1024];
  int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) { return 0; }
  ssize_t bytes = read(fd, text, sizeof text - 1);
  close(fd);
  text[bytes > 0 ? bytes : 0] = '\0';
  const char *at = strrchr(text, ')'); /* the name itself may hold blanks and parentheses */
  for (int i = 0; i < FIELDS_TO_START && at != NULL; i++) { at = strchr(at + 1, ' '); }
  return at == NULL ? 0 : strtoull(at + 1, NULL, 10);
}

uint64_t adr_process_pid_namespace(void) {
  struct stat found;
  return stat("/proc/self/ns/pid", &found) == 0 ? (uint64_t)found.st_ino : 0;
}

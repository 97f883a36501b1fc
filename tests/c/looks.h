/* Tells of the looks of ranks at each other. A rank that looks whether another one lives asks for the lock of its byte,
 * in C (segment/adr_segment.c) as in Java (io.adrastea.segment.Segment): this fcntl, in the place of the C library's,
 * sees it. So a test can wait until somebody was looked at, however slow the machine is. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "segment/adr_segment.h"

/* To be defined by the file that includes this: the calling process has looked at `rank`. */
static void looked(uint32_t rank);

__attribute__((visibility("default"))) int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  bool locks = command == F_GETLK || command == F_SETLK;
  struct flock asked = locks ? *(const struct flock *)argument : (struct flock){0};
  long status = syscall(SYS_fcntl, fd, command, argument);
  int error = errno;
  if (locks && asked.l_type == F_RDLCK && asked.l_start >= ADR_SEGMENT_PLACES) {
    looked((uint32_t)(asked.l_start - ADR_SEGMENT_PLACES));
  }
  errno = error;
  return (int)status;
}

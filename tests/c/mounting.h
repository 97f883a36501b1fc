/* File systems of a test, in a mount namespace of its own: nobody else sees them, and they go with the process. */
#pragma once

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

/* Whether file systems can be mounted on `directory` from now on. */
static inline int may_mount(const char *directory) {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) { return 0; }
  if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) { return 0; }
  if (mount("none", directory, "tmpfs", 0, "size=16k") != 0) { return 0; }
  return umount(directory) == 0;
}

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/adr_segment.h"

enum { JOB_DIGITS = 16 };

static bool is_ours(const char *name) {
  char prefix[64];
  int length = snprintf(prefix, sizeof prefix, "adrastea-%u-", (unsigned)geteuid());
  return strncmp(name, prefix, (size_t)length) == 0 && strlen(name + length) == JOB_DIGITS
         && strspn(name + length, "0123456789abcdef") == JOB_DIGITS;
}

/* Whether this process has the file open: as its own segment, or as that of another library in it. Its locks are the
 * process's, so they would be in nobody's way here, and to open and close the file once more would drop them. Where
 * /proc does not tell it counts as open: a file that stays is removed by another process's job. */
static bool is_open_here(int directory, const char *name) {
  struct stat file, other;
  if (fstatat(directory, name, &file, AT_SYMLINK_NOFOLLOW) != 0) { return true; } /* it has gone */
  DIR *listing = opendir("/proc/self/fd");
  if (listing == NULL) { return true; }
  bool open_here = false;
  for (struct dirent *entry; !open_here && (entry = readdir(listing)) != NULL;) {
    open_here = fstatat(dirfd(listing), entry->d_name, &other, 0) == 0 && other.st_dev == file.st_dev
                && other.st_ino == file.st_ino;
  }
  closedir(listing);
  return open_here;
}

/* The creator holds a lock on the file for its lifetime, and each rank that has come one on a byte behind it: who gets
 * all of them knows that all are gone. They are kept until the name is gone, so that a creator that was only about to
 * lock finds out (lock_new). */
static bool remove_if_stale(int directory, const char *name) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  struct stat found;
  int fd = openat(directory, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) { return false; }
  bool removed = fstat(fd, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid()
                 && fcntl(fd, F_SETLK, &lock) == 0 && unlinkat(directory, name, 0) == 0;
  close(fd);
  return removed;
}

int adr_segment_remove_stale(const char *directory) {
  DIR *listing = opendir(directory);
  if (listing == NULL) { return -errno; }
  int removed = 0;
  for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
    if (!is_ours(entry->d_name) || is_open_here(dirfd(listing), entry->d_name)) { continue; }
    if (remove_if_stale(dirfd(listing), entry->d_name)) { removed++; }
  }
  closedir(listing);
  return removed;
}

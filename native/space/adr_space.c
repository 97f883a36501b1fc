/* CMA: the kernel copies from and to the memory of another process (process_vm_readv, process_vm_writev).
 *
 * One call takes at most IOV_MAX stretches a side and moves about 2 GiB, and ends early at a page that cannot be
 * reached. Lists that are no longer go as they are. Longer ones, and what was cut short, go through windows of fixed
 * size: a page that is really bad then gives its error, since nothing moves any more. The system calls are made
 * directly: not every C library has functions for them. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "adrastea/space.h"
#include "segment/adr_huge.h"

#ifdef __linux__

#ifndef PR_SET_PTRACER
#define PR_SET_PTRACER 0x59616d61 /* "Yama" */
#endif

enum {
  MOST_ENTRIES = 1024, /* of a list for one call: IOV_MAX */
  WINDOW = 128,        /* stretches that are copied for a call: small on the stack */
};

/* Where in a list the transfer is. */
struct cursor {
  const struct iovec *at;
  const struct iovec *end;
  size_t done; /* bytes of *at */
};

/* `thread` is the number of a process, which is that of its first thread, or of any other one of its threads. */
static int64_t transfer_by(bool write, long thread, const struct iovec *local, size_t locals,
                           const struct iovec *remote, size_t remotes) {
  long number = write ? SYS_process_vm_writev : SYS_process_vm_readv;
  long moved = syscall(number, (pid_t)thread, local, locals, remote, remotes, 0ul);
  return moved < 0 ? -(int64_t)errno : moved;
}

/* The first thread of a process that goes on may have ended, and what has ended has no memory: any other thread of it
 * names the same memory. Out of line. Returns -ESRCH: no thread has memory, or none is told here. */
static __attribute__((noinline)) int64_t transfer_by_others(bool write, int32_t pid, const struct iovec *local,
                                                            size_t locals, const struct iovec *remote, size_t remotes) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
  DIR *threads = opendir(path);
  int64_t moved = -ESRCH;
  for (struct dirent *next = NULL; threads != NULL && moved == -ESRCH && (next = readdir(threads)) != NULL;) {
    long thread = strtol(next->d_name, NULL, 10); /* 0 of `.` and `..` */
    if (thread > 0 && thread != (long)pid) { moved = transfer_by(write, thread, local, locals, remote, remotes); }
  }
  if (threads != NULL) { closedir(threads); }
  return moved;
}

static int64_t transfer(bool write, int32_t pid, const struct iovec *local, size_t locals, const struct iovec *remote,
                        size_t remotes) {
  int64_t moved = transfer_by(write, pid, local, locals, remote, remotes);
  return moved == -ESRCH ? transfer_by_others(write, pid, local, locals, remote, remotes) : moved;
}

/* The next stretches of a list, at most `most` bytes. Sets `*bytes` to their sum. Returns their number. */
static size_t window(const struct cursor *cursor, struct iovec *stretches, uint64_t most, uint64_t *bytes) {
  size_t count = 0;
  size_t done = cursor->done;
  *bytes = 0;
  for (const struct iovec *at = cursor->at; at < cursor->end && count < WINDOW && *bytes < most; at++, done = 0) {
    size_t length = at->iov_len - done;
    if (length > most - *bytes) { length = (size_t)(most - *bytes); }
    if (length > 0) { stretches[count++] = (struct iovec){(char *)at->iov_base + done, length}; }
    *bytes += length;
  }
  return count;
}

static void advance(struct cursor *cursor, uint64_t bytes) {
  while (bytes > 0) {
    size_t left = cursor->at->iov_len - cursor->done;
    if (bytes < left) {
      cursor->done += bytes;
      return;
    }
    bytes -= left;
    cursor->at++;
    cursor->done = 0;
  }
}

/* Bytes of a list, or -EINVAL. */
static int64_t total(const struct iovec *list, int32_t count) {
  uint64_t bytes = 0;
  if (count < 0 || (list == NULL && count > 0)) { return -EINVAL; }
  for (int32_t i = 0; i < count; i++) {
    if (list[i].iov_len > (uint64_t)INT64_MAX - bytes) { return -EINVAL; }
    bytes += list[i].iov_len;
  }
  return (int64_t)bytes;
}

static int64_t move(bool write, int32_t pid, struct cursor local, struct cursor remote, int64_t bytes) {
  struct iovec near[WINDOW];
  struct iovec far[WINDOW];
  bool whole = local.end - local.at <= MOST_ENTRIES && remote.end - remote.at <= MOST_ENTRIES;
  for (uint64_t left = (uint64_t)bytes; left > 0; whole = false) {
    int64_t moved;
    if (whole) {
      moved =
          transfer(write, pid, local.at, (size_t)(local.end - local.at), remote.at, (size_t)(remote.end - remote.at));
    } else {
      uint64_t offered;
      uint64_t asked;
      size_t locals = window(&local, near, left, &offered);
      size_t remotes = window(&remote, far, offered, &asked); /* no page beyond them is touched */
      moved = transfer(write, pid, near, locals, far, remotes);
    }
    if (moved <= 0) { return moved < 0 ? moved : -EFAULT; }
    advance(&local, (uint64_t)moved);
    advance(&remote, (uint64_t)moved);
    left -= (uint64_t)moved;
  }
  return bytes;
}

static int64_t move_lists(bool write, int32_t pid, const struct iovec *local, int32_t locals,
                          const struct iovec *remote, int32_t remotes) {
  int64_t here = total(local, locals);
  int64_t there = total(remote, remotes);
  if (pid <= 0 || here < 0 || here != there) { return -EINVAL; }
  struct cursor near = {local, local + locals, 0};
  struct cursor far = {remote, remote + remotes, 0};
  return move(write, pid, near, far, here);
}

static int64_t move_one(bool write, int32_t pid, int64_t address, void *local, int64_t bytes) {
  struct iovec near = {local, (size_t)bytes};
  struct iovec far = {(void *)(uintptr_t)address, (size_t)bytes}; /* an address of that process */
  return bytes < 0 ? -EINVAL : move_lists(write, pid, &near, 1, &far, 1);
}

static int32_t allow(int32_t pid) {
  int status = prctl(PR_SET_PTRACER, (unsigned long)pid, 0ul, 0ul, 0ul);
  return status == 0 || errno == EINVAL ? 0 : -errno; /* EINVAL: no Yama, or no such process that could come */
}
#else
static int64_t move_lists(bool write, int32_t pid, const void *local, int32_t locals, const void *remote,
                          int32_t remotes) {
  (void)write, (void)pid, (void)local, (void)locals, (void)remote, (void)remotes;
  return -ENOSYS;
}

static int64_t move_one(bool write, int32_t pid, int64_t address, void *local, int64_t bytes) {
  (void)write, (void)pid, (void)address, (void)local, (void)bytes;
  return -ENOSYS;
}

static int32_t allow(int32_t pid) {
  (void)pid;
  return 0;
}
#endif

int64_t adr_cma_read(int32_t pid, int64_t address, void *destination, int64_t offset, int64_t bytes) {
  return move_one(false, pid, address, (void *)((uintptr_t)destination + (uint64_t)offset), bytes);
}

int64_t adr_cma_write(int32_t pid, int64_t address, const void *source, int64_t offset, int64_t bytes) {
  return move_one(true, pid, address, (void *)((uintptr_t)source + (uint64_t)offset), bytes);
}

int64_t adr_cma_read_vector(int32_t pid, const void *remote, int32_t remotes, const void *local, int32_t locals) {
  return move_lists(false, pid, local, locals, remote, remotes);
}

int64_t adr_cma_write_vector(int32_t pid, const void *local, int32_t locals, const void *remote, int32_t remotes) {
  return move_lists(true, pid, local, locals, remote, remotes);
}

int32_t adr_cma_allow(int32_t pid) { return pid <= 0 ? -EINVAL : allow(pid); } /* -1 would let everybody in */

int32_t adr_huge_advise(void *address, int64_t bytes) { return adr_huge_request(address, (uint64_t)bytes); }

int32_t adr_pages_release(void *address, int64_t bytes) {
  if (bytes <= 0 || !adr_pages_are_whole(address, (uint64_t)bytes)) { return -EINVAL; } /* else it takes others' too */
  return madvise(address, (size_t)bytes, MADV_REMOVE) == 0 ? 0 : -errno;
}

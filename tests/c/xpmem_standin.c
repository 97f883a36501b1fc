#include "xpmem_standin.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAME "adrastea-xpmem-standin"
enum { MOST_SEGMENTS = 64, MOST_PERMITS = 4096, MOST_ATTACHED = 4096, VERSION = 0x26003, PAGE = 4096 };
#define ADDRESS_LIMIT UINT64_C(0x7ffffffff000)

/* What other processes see of one; in a nameless file. */
struct registration {
  atomic_int pid; /* 0: dropped */
  atomic_int uid;
  atomic_int made;
  struct {
    atomic_llong id; /* 0: removed */
    uint64_t address;
    uint64_t bytes;
    int mode;
  } segments[MOST_SEGMENTS];
};

struct permit {
  int64_t id; /* 0: released */
  int64_t segment;
  int flags;
  const struct registration *theirs; /* the exporter's */
};

struct attached {
  char *here; /* NULL: detached */
  uint64_t bytes;
  int64_t permit;
  const struct registration *theirs; /* NULL: what is attached has been taken away */
};

/* The kernel's side of this process; a child of fork has none of it. */
static struct {
  int pid;
  int file;
  int permits_made;
  int attached_ever;                 /* places of `attached` that were ever used */
  struct registration *registration; /* NULL: not known to the kernel */
  struct permit permits[MOST_PERMITS];
  struct attached attached[MOST_ATTACHED];
} self;

int standin_open_error;
bool standin_has_library;
bool standin_leaves_mapped;
bool standin_grants_all;
struct standin_counts standin_counts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int error(int number) {
  errno = number;
  return -1;
}

static void look_for_fork(void) {
  if (self.pid == getpid()) { return; }
  memset(&self, 0, sizeof self);
  self.pid = getpid();
}

static void unmap(struct attached *attached) {
  syscall(SYS_munmap, attached->here, attached->bytes);
  attached->here = NULL;
}

/* The kernel kills a process that unmaps an attachment by other means than detach. */
int munmap(void *address, size_t bytes) {
  char *start = address;
  int most = self.pid == getpid() ? MOST_ATTACHED : 0;
  for (int i = 0; i < most; i++) {
    const struct attached *at = &self.attached[i];
    if (at->here != NULL && start < at->here + at->bytes && at->here < start + bytes) { raise(SIGKILL); }
  }
  return (int)syscall(SYS_munmap, address, bytes);
}

static int register_self(void) {
  int file = memfd_create(NAME, MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, sizeof(struct registration)) != 0) { return -1; }
  void *memory = mmap(NULL, sizeof(struct registration), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) { return -1; }
  const char *module = getenv("ADRASTEA_STANDIN_MODULE");
  standin_leaves_mapped |= module != NULL && strcmp(module, "leaves-mapped") == 0;
  self.registration = memory;
  self.file = file;
  self.permits_made = 0;
  self.registration->uid = (int)getuid();
  self.registration->pid = self.pid;
  return file;
}

static int standin_open(const char *path, int flags) {
  if (strcmp(path, ADR_XPMEM_PATH) != 0 || (flags & O_ACCMODE) != O_RDWR || standin_open_error != 0) {
    return error(standin_open_error != 0 ? standin_open_error : ENOENT);
  }
  pthread_mutex_lock(&lock);
  look_for_fork();
  standin_counts.opens++;
  int fd = self.registration == NULL ? register_self() : fcntl(self.file, F_DUPFD_CLOEXEC, 0);
  pthread_mutex_unlock(&lock);
  return fd;
}

/* Any close ends the registration, whatever other descriptors there are: permits and segments go, and what is attached
 * too, here and at others, unless the module leaves that mapped. */
static int standin_close(int fd) {
  pthread_mutex_lock(&lock);
  look_for_fork();
  if (self.registration != NULL) {
    for (int i = 0; i < self.attached_ever && !standin_leaves_mapped; i++) {
      if (self.attached[i].here != NULL) { unmap(&self.attached[i]); }
    }
    memset(self.permits, 0, sizeof self.permits);
    self.registration->pid = 0;
    self.registration = NULL;
  }
  pthread_mutex_unlock(&lock);
  return close(fd);
}

void standin_open_and_close(void) {
  int fd = standin_open(ADR_XPMEM_PATH, O_RDWR);
  if (fd >= 0) { standin_close(fd); }
}

/* Opens the registration among another process's files; -1: that process is not registered, or may not be seen. */
static int open_registration(int pid) {
  char path[64];
  char name[64];
  int found = -1;
  snprintf(path, sizeof path, "/proc/%d/fd", pid);
  DIR *files = opendir(path);
  const struct dirent *entry;
  while (files != NULL && found < 0 && (entry = readdir(files)) != NULL) {
    ssize_t length = readlinkat(dirfd(files), entry->d_name, name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    if (strncmp(name, "/memfd:" NAME, strlen("/memfd:" NAME)) != 0) { continue; }
    struct registration seen;
    found = openat(dirfd(files), entry->d_name, O_RDWR | O_CLOEXEC);
    if (found >= 0 && (pread(found, &seen, sizeof seen, 0) != sizeof seen || seen.pid != pid)) {
      close(found); /* of its parent, or dropped */
      found = -1;
    }
  }
  if (files != NULL) { closedir(files); }
  return found;
}

/* The registration of a process, mapped here; NULL: it has none. */
static const struct registration *map_registration(int pid) {
  if (pid == self.pid) { return self.registration; }
  int file = open_registration(pid);
  if (file < 0) { return NULL; }
  const void *memory = mmap(NULL, sizeof(struct registration), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? NULL : memory;
}

static void unmap_registration(const struct registration *theirs) {
  if (theirs != NULL && theirs != self.registration) { syscall(SYS_munmap, theirs, sizeof(struct registration)); }
}

/* Whether that registration's process is there, and has the segment; sets its place. */
static bool has_segment(const struct registration *theirs, int64_t segment, int *place) {
  int at = 0;
  while (theirs != NULL && at < MOST_SEGMENTS && theirs->segments[at].id != segment) { at++; }
  *place = at;
  return theirs != NULL && theirs->pid == (int)(segment & 0xffffffff) && at < MOST_SEGMENTS;
}

/* Whether the process is there with its files: a zombie has none. */
static bool runs(int pid) {
  int file = pid == self.pid ? -1 : open_registration(pid);
  if (file >= 0) { close(file); }
  return pid == self.pid || file >= 0;
}

/* 0: the segment is open to this process for reading (1), or reading and writing (2). Otherwise its errno. */
static int see_segment(const struct registration *theirs, int64_t segment, int flags) {
  int place;
  int wanted = flags == ADR_XPMEM_RDWR ? 6 : 4;
  if (!has_segment(theirs, segment, &place)) { return ENOENT; }
  int mode = theirs->segments[place].mode;
  int granted = (int)geteuid() == theirs->uid ? mode >> 6 : mode;
  return (granted & wanted) == wanted || geteuid() == 0 ? 0 : EACCES;
}

static int make(struct adr_xpmem_make *make) {
  uint64_t bytes = make->bytes;
  if (make->permit_type != 1 || (make->permit_value & ~UINT64_C(0777)) != 0 || bytes == 0) { return EINVAL; }
  if (self.registration == NULL) { return ADR_XPMEM_NOPROC; }
  if (bytes > ADDRESS_LIMIT || make->address > ADDRESS_LIMIT - bytes) {
    if (bytes != SIZE_MAX || make->address > ADDRESS_LIMIT) { return EINVAL; }
    bytes = ADDRESS_LIMIT - make->address;
  }
  if (make->address % PAGE != 0 || bytes % PAGE != 0) { return EINVAL; }
  int at = 0;
  while (at < MOST_SEGMENTS && self.registration->segments[at].id != 0) { at++; }
  if (at == MOST_SEGMENTS) { return EBUSY; }
  make->segment = self.pid | (int64_t)++self.registration->made << 32;
  self.registration->segments[at].address = make->address;
  self.registration->segments[at].bytes = bytes;
  self.registration->segments[at].mode = (int)make->permit_value;
  self.registration->segments[at].id = make->segment;
  return 0;
}

static int remove_segment(int64_t segment) {
  if ((int)(segment & 0xffffffff) != self.pid) { return segment <= 0 ? EINVAL : EACCES; }
  for (int i = 0; self.registration != NULL && i < MOST_SEGMENTS; i++) {
    if (self.registration->segments[i].id == segment) {
      self.registration->segments[i].id = 0;
      return 0;
    }
  }
  return ENOENT;
}

static int get(struct adr_xpmem_get *get) {
  int pid = (int)(get->segment & 0xffffffff);
  if (get->segment <= 0 || get->flags < 1 || get->flags > 2 || get->permit_type != 1 || get->permit_value != 0) {
    return EINVAL;
  }
  if (kill(pid, 0) != 0) { return errno == EPERM ? EACCES : ENOENT; }
  const struct registration *theirs = map_registration(pid);
  int status = see_segment(theirs, get->segment, get->flags);
  if (status == 0 && self.registration == NULL) { status = ADR_XPMEM_NOPROC; }
  int at = 0;
  while (at < MOST_PERMITS && self.permits[at].id != 0) { at++; }
  if (status == 0 && at == MOST_PERMITS) { status = ENOMEM; }
  if (status != 0) {
    unmap_registration(theirs);
    return status;
  }
  get->permit = self.pid | (int64_t)++self.permits_made << 32;
  self.permits[at] = (struct permit){get->permit, get->segment, get->flags, theirs};
  standin_counts.gets++;
  return 0;
}

static struct permit *find_permit(int64_t id) {
  for (int i = 0; self.registration != NULL && id > 0 && i < MOST_PERMITS; i++) {
    if (self.permits[i].id == id) { return &self.permits[i]; }
  }
  return NULL;
}

static int release(int64_t id) {
  struct permit *permit = find_permit(id);
  standin_counts.releases++;
  if (permit == NULL) { return id <= 0 ? EINVAL : ENOENT; }
  for (int i = 0; i < self.attached_ever; i++) {
    if (self.attached[i].here != NULL && self.attached[i].permit == id) { unmap(&self.attached[i]); }
  }
  unmap_registration(permit->theirs);
  permit->id = 0;
  return 0;
}

/* Room in which every touch is SIGBUS, and which a child of fork does not have. */
static char *reserve(char *here, uint64_t bytes) {
  int nothing = memfd_create("nothing", MFD_CLOEXEC);
  char *room = mmap(here, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (here == NULL ? 0 : MAP_FIXED), nothing, 0);
  close(nothing);
  return room;
}

/* Takes away what is attached of processes whose registration has ended. The module does that when they close; here it
 * is done before anything else that this process asks for. */
static void take_away(void) {
  for (int i = 0; i < self.attached_ever && !standin_leaves_mapped; i++) {
    struct attached *at = &self.attached[i];
    if (at->here != NULL && at->theirs != NULL && at->theirs->pid == 0) {
      reserve(at->here, at->bytes);
      at->theirs = NULL;
    }
  }
}

static int attach(struct adr_xpmem_attach *attach) {
  int place;
  int at = 0;
  if (attach->permit <= 0 || attach->address != 0 || attach->offset % PAGE != 0 || attach->bytes % PAGE != 0) {
    return EINVAL;
  }
  const struct permit *permit = find_permit(attach->permit);
  if (permit == NULL || !has_segment(permit->theirs, permit->segment, &place)) { return ENOENT; }
  if (!runs((int)(permit->segment & 0xffffffff))) { return ENOENT; }
  if (permit->flags != ADR_XPMEM_RDWR && !standin_grants_all) { return EACCES; } /* it is always mapped for writing */
  standin_counts.attaches++;
  uint64_t most = permit->theirs->segments[place].bytes;
  if (attach->offset < 0 || attach->bytes == 0 || (uint64_t)attach->offset + attach->bytes > most) { return EINVAL; }
  while (at < MOST_ATTACHED && self.attached[at].here != NULL) { at++; }
  char *here = at < MOST_ATTACHED ? reserve(NULL, attach->bytes) : MAP_FAILED;
  if (here == MAP_FAILED) { return ENOMEM; }
  uint64_t start = permit->theirs->segments[place].address + (uint64_t)attach->offset;
  standin_map((int)(permit->segment & 0xffffffff), start, attach->bytes, here);
  madvise(here, attach->bytes, MADV_DONTFORK);
  self.attached[at] = (struct attached){here, attach->bytes, attach->permit, permit->theirs};
  self.attached_ever = at < self.attached_ever ? self.attached_ever : at + 1;
  attach->address = (uintptr_t)here;
  return 0;
}

static int detach(uint64_t address) {
  char *page = (char *)(uintptr_t)(address & -(uint64_t)PAGE);
  standin_counts.detaches++;
  for (int i = 0; i < MOST_ATTACHED; i++) {
    struct attached *at = &self.attached[i];
    if (at->here != NULL && at->here <= page && page < at->here + at->bytes) {
      unmap(at);
      return 0;
    }
  }
  return msync(page, PAGE, MS_ASYNC) == 0 ? EINVAL : 0; /* something else is there: nothing is */
}

static int answer(unsigned long request, void *argument) {
  switch (request) {
  case ADR_XPMEM_MAKE:
    return make(argument);
  case ADR_XPMEM_REMOVE:
    return remove_segment(*(int64_t *)argument);
  case ADR_XPMEM_GET:
    return get(argument);
  case ADR_XPMEM_RELEASE:
    return release(*(int64_t *)argument);
  case ADR_XPMEM_ATTACH:
    return attach(argument);
  case ADR_XPMEM_DETACH:
    return detach(*(uint64_t *)argument);
  default:
    return ENOTTY;
  }
}

static int standin_ioctl(int fd, unsigned long request, void *argument) {
  if (fcntl(fd, F_GETFD) < 0) { return -1; }
  if (request == ADR_XPMEM_VERSION) { return VERSION; }
  pthread_mutex_lock(&lock);
  look_for_fork();
  standin_counts.calls++;
  take_away();
  int status = answer(request, argument);
  pthread_mutex_unlock(&lock);
  return status == 0 ? 0 : error(status);
}

int standin_open_and_use(void) {
  enum { TIMES = 20 };
  int fd = standin_open(ADR_XPMEM_PATH, O_RDWR);
  int failed = fd < 0;
  for (int i = 0; i < TIMES; i++) {
    struct adr_xpmem_make make = {.bytes = SIZE_MAX, .permit_type = 1, .permit_value = 0600};
    failed |= standin_ioctl(fd, ADR_XPMEM_MAKE, &make);
    struct adr_xpmem_get get = {.segment = make.segment, .flags = ADR_XPMEM_RDWR, .permit_type = 1};
    failed |= standin_ioctl(fd, ADR_XPMEM_GET, &get);
  }
  return failed;
}

int standin_attachments(void) {
  int count = 0;
  for (int i = 0; i < MOST_ATTACHED; i++) { count += self.attached[i].here != NULL; }
  return count;
}

int standin_mode(int64_t segment) {
  for (int i = 0; self.registration != NULL && i < MOST_SEGMENTS; i++) {
    if (self.registration->segments[i].id == segment) { return self.registration->segments[i].mode; }
  }
  return -1;
}

static void *load(const char *library) {
  static int handle;
  return standin_has_library && strcmp(library, ADR_XPMEM_LIBRARY) == 0 ? &handle : NULL;
}

const struct adr_xpmem_device adr_xpmem_device = {
    .open = standin_open,
    .close = standin_close,
    .ioctl = standin_ioctl,
    .load = load,
    .symbol = standin_symbol,
};

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "segment/adr_process.h"
#include "space/adr_xpmem_device.h"
#include "space/adr_xpmem_driver.h"

/* A place in a segment, laid out as libxpmem takes it. */
struct place {
  int64_t permit;
  int64_t offset;
};

/* The functions of libxpmem.so.0. */
struct library {
  int (*version)(void);
  int64_t (*make)(void *address, size_t bytes, int permit_type, void *permit_value);
  int (*remove)(int64_t segment);
  int64_t (*get)(int64_t segment, int flags, int permit_type, void *permit_value);
  int (*release)(int64_t permit);
  void *(*attach)(struct place place, size_t bytes, void *address);
  int (*detach)(void *address);
};

static struct library library; /* version NULL: none */
static int fd = -1;            /* when there is no library */
static int32_t status = 1;     /* 1: not asked yet */
static int64_t newest_permit;

/* The kernel's errors in the words of space.h. */
static int32_t told(int error) {
  switch (error) {
  case ENOENT:
    return -ESRCH; /* neither that process nor that segment */
  case EACCES:
    return -EPERM;
  case 0:
    return -ENODEV; /* libxpmem found no device and called nothing */
  default:
    return -error;
  }
}

static void *symbol(void *from, const char *name, bool *found) {
  void *function = adr_xpmem_device.symbol(from, name);
  *found = *found && function != NULL;
  return function;
}

static bool load(void) {
  void *from = adr_xpmem_device.load(ADR_XPMEM_LIBRARY);
  bool found = from != NULL;
  if (!found) { return false; }
  struct library all; /* POSIX: a function's address fits a data pointer */
  *(void **)&all.version = symbol(from, "xpmem_version", &found);
  *(void **)&all.make = symbol(from, "xpmem_make", &found);
  *(void **)&all.remove = symbol(from, "xpmem_remove", &found);
  *(void **)&all.get = symbol(from, "xpmem_get", &found);
  *(void **)&all.release = symbol(from, "xpmem_release", &found);
  *(void **)&all.attach = symbol(from, "xpmem_attach", &found);
  *(void **)&all.detach = symbol(from, "xpmem_detach", &found);
  if (found) { library = all; }
  return found;
}

/* An error of opening: here the kernel's word for `none` is that there is no such file. */
static int32_t open_error(void) { return errno == ENOENT || errno == ENXIO ? -ENODEV : told(errno); }

static int32_t open_library(void) {
  errno = 0;
  return library.version() < 0 ? open_error() : 0;
}

static int32_t open_device(void) {
  int opened = adr_xpmem_device.open(ADR_XPMEM_PATH, O_RDWR | O_CLOEXEC);
  if (opened < 0) { return open_error(); }
  if (adr_xpmem_device.ioctl(opened, ADR_XPMEM_VERSION, NULL) < 0) { /* something else by that name */
    adr_xpmem_device.close(opened);
    return -ENODEV;
  }
  fd = opened;
  return 0;
}

/* The kernel keeps what it knows of a process at its main thread, and may crash when that has ended. */
static bool has_main_thread(void) { return adr_process_has_main_thread(); }

int32_t adr_xpmem_driver_open(void) {
  if (status <= 0) { return status; }
  if (!has_main_thread()) {
    status = -ENODEV;
  } else {
    status = load() ? open_library() : open_device();
  }
  return status;
}

void adr_xpmem_driver_forget(void) {
  fd = -1;
  status = 1;
  newest_permit = 0;
}

static int32_t control(unsigned long request, void *argument) {
  if (adr_xpmem_device.ioctl(fd, request, argument) >= 0) { return 0; }
  return errno == ADR_XPMEM_NOPROC ? ADR_XPMEM_LOST : told(errno);
}

/* An id, or an address, that libxpmem gave. */
static int64_t result(int64_t value) { return value == -1 ? told(errno) : value; }

int64_t adr_xpmem_driver_make(void *address, size_t bytes) {
  void *mode = (void *)(uintptr_t)ADR_XPMEM_MODE; /* the mode itself: XPMEM's way */
  if (library.version != NULL) { return result(library.make(address, bytes, ADR_XPMEM_PERMIT_MODE, mode)); }
  struct adr_xpmem_make make = {.address = (uintptr_t)address,
                                .bytes = bytes,
                                .permit_type = ADR_XPMEM_PERMIT_MODE,
                                .permit_value = ADR_XPMEM_MODE};
  int32_t error = control(ADR_XPMEM_MAKE, &make);
  return error < 0 ? error : make.segment;
}

int64_t adr_xpmem_driver_remove(int64_t segment) {
  return library.version != NULL ? result(library.remove(segment)) : control(ADR_XPMEM_REMOVE, &segment);
}

static int64_t get(int64_t segment, int flags) {
  if (library.version != NULL) { return result(library.get(segment, flags, ADR_XPMEM_PERMIT_MODE, NULL)); }
  struct adr_xpmem_get get = {.segment = segment, .flags = flags, .permit_type = ADR_XPMEM_PERMIT_MODE};
  int32_t error = control(ADR_XPMEM_GET, &get);
  return error < 0 ? error : get.permit;
}

int64_t adr_xpmem_driver_get(int64_t segment, int flags) {
  int64_t permit = get(segment, flags);
  if (permit > 0 && permit <= newest_permit) {
    adr_xpmem_driver_release(permit); /* ours, though in another one's registration */
    return ADR_XPMEM_LOST;
  }
  if (permit > 0) { newest_permit = permit; }
  return permit;
}

bool adr_xpmem_driver_is_registered(void) {
  if (library.version != NULL) { return true; }
  static const uint8_t any;
  void *page = (void *)((uintptr_t)&any & -(uintptr_t)sysconf(_SC_PAGESIZE));
  int64_t segment = adr_xpmem_driver_make(page, (size_t)sysconf(_SC_PAGESIZE));
  if (segment > 0) { adr_xpmem_driver_remove(segment); }
  return segment != ADR_XPMEM_LOST;
}

int64_t adr_xpmem_driver_attach(int64_t permit, int64_t offset, size_t bytes) {
  if (library.version != NULL) {
    return result((int64_t)(intptr_t)library.attach((struct place){permit, offset}, bytes, NULL));
  }
  struct adr_xpmem_attach attach = {.permit = permit, .offset = offset, .bytes = bytes, .fd = fd};
  int32_t error = control(ADR_XPMEM_ATTACH, &attach);
  return error < 0 ? error : (int64_t)attach.address;
}

int64_t adr_xpmem_driver_detach(int64_t address) {
  if (library.version != NULL) { return result(library.detach((void *)(intptr_t)address)); }
  uint64_t argument = (uint64_t)address;
  return control(ADR_XPMEM_DETACH, &argument);
}

int64_t adr_xpmem_driver_release(int64_t permit) {
  return library.version != NULL ? result(library.release(permit)) : control(ADR_XPMEM_RELEASE, &permit);
}

static int64_t mark;      /* a permit, 0: not set */
static const uint8_t any; /* on the page that it is for */

static size_t page(void) { return (size_t)sysconf(_SC_PAGESIZE); }

bool adr_xpmem_mark_stands(void) {
  int64_t here = adr_xpmem_driver_attach(mark, 0, page());
  if (here >= 0) { adr_xpmem_driver_detach(here); }
  return here == -EPERM;
}

int64_t adr_xpmem_mark_set(void) {
  if (mark != 0) { return 0; }
  int64_t segment = adr_xpmem_driver_make((void *)((uintptr_t)&any & -page()), page());
  if (segment < 0) { return segment; }
  int64_t permit = adr_xpmem_driver_get(segment, ADR_XPMEM_RDONLY);
  if (permit > 0) {
    mark = permit;
    if (adr_xpmem_mark_stands()) { return 0; }
    mark = 0;
    adr_xpmem_driver_release(permit);
  }
  adr_xpmem_driver_remove(segment);
  return permit < 0 ? permit : -ENODEV;
}

void adr_xpmem_mark_forget(void) { mark = 0; }

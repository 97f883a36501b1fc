/* libxpmem.so.0 over the stand-in: one descriptor, opened at first use, and once more after 2004. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/types.h>

#include "xpmem_standin.h"

struct address {
  int64_t permit;
  off_t offset;
};

static int fd = -1;

static int ask(unsigned long request, void *argument) {
  if (fd < 0 && (fd = adr_xpmem_device.open(ADR_XPMEM_PATH, O_RDWR)) < 0) { return -1; }
  int result = adr_xpmem_device.ioctl(fd, request, argument);
  if (result < 0 && errno == ADR_XPMEM_NOPROC) {
    fd = adr_xpmem_device.open(ADR_XPMEM_PATH, O_RDWR);
    result = fd < 0 ? -1 : adr_xpmem_device.ioctl(fd, request, argument);
  }
  return result;
}

static int version(void) { return ask(ADR_XPMEM_VERSION, NULL); }

static int64_t make(void *address, size_t bytes, int permit_type, void *permit_value) {
  struct adr_xpmem_make make = {(uintptr_t)address, bytes, permit_type, (uintptr_t)permit_value, 0};
  return ask(ADR_XPMEM_MAKE, &make) < 0 ? -1 : make.segment;
}

static int remove_segment(int64_t segment) { return ask(ADR_XPMEM_REMOVE, &segment); }

static int64_t get(int64_t segment, int flags, int permit_type, void *permit_value) {
  struct adr_xpmem_get get = {segment, flags, permit_type, (uintptr_t)permit_value, 0};
  return ask(ADR_XPMEM_GET, &get) < 0 ? -1 : get.permit;
}

static int release(int64_t permit) { return ask(ADR_XPMEM_RELEASE, &permit); }

static void *attach(struct address place, size_t bytes, void *at) {
  struct adr_xpmem_attach attach = {place.permit, place.offset, bytes, (uintptr_t)at, fd, 0};
  return ask(ADR_XPMEM_ATTACH, &attach) < 0 ? (void *)-1 : (void *)(uintptr_t)attach.address;
}

static int detach(void *address) {
  uint64_t argument = (uintptr_t)address;
  return ask(ADR_XPMEM_DETACH, &argument);
}

void *standin_symbol(void *library, const char *name) {
  (void)library;
  if (strcmp(name, "xpmem_version") == 0) { return (void *)(uintptr_t)version; }
  if (strcmp(name, "xpmem_make") == 0) { return (void *)(uintptr_t)make; }
  if (strcmp(name, "xpmem_remove") == 0) { return (void *)(uintptr_t)remove_segment; }
  if (strcmp(name, "xpmem_get") == 0) { return (void *)(uintptr_t)get; }
  if (strcmp(name, "xpmem_release") == 0) { return (void *)(uintptr_t)release; }
  if (strcmp(name, "xpmem_attach") == 0) { return (void *)(uintptr_t)attach; }
  return strcmp(name, "xpmem_detach") == 0 ? (void *)(uintptr_t)detach : NULL;
}

/* The boundary to XPMEM's kernel module: everything that the C core asks of /dev/xpmem goes through
 * `adr_xpmem_device`. A test that has no module links a table of its own instead of adr_xpmem_device.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>

/* These do what the system's functions of these names do: -1 or NULL is an error, told in errno. */
struct adr_xpmem_device {
  int (*open)(const char *path, int flags);
  int (*close)(int fd);
  int (*ioctl)(int fd, unsigned long request, void *argument);
  void *(*load)(const char *library);               /* dlopen */
  void *(*symbol)(void *library, const char *name); /* dlsym */
};

extern const struct adr_xpmem_device adr_xpmem_device;

#define ADR_XPMEM_PATH "/dev/xpmem"
#define ADR_XPMEM_LIBRARY "libxpmem.so.0"

enum { ADR_XPMEM_RDONLY = 1, ADR_XPMEM_RDWR = 2, ADR_XPMEM_PERMIT_MODE = 1, ADR_XPMEM_MODE = 0600 };
#define ADR_XPMEM_ALL SIZE_MAX /* size of a segment: up to the end of the address space */

/* errno: the kernel does not know this process as a user of XPMEM: it was forked, or has closed a descriptor. */
#define ADR_XPMEM_NOPROC 2004

#define ADR_XPMEM_REQUEST(n) ((unsigned long)_IO('x', n))
#define ADR_XPMEM_VERSION ADR_XPMEM_REQUEST(0) /* no argument */
#define ADR_XPMEM_MAKE ADR_XPMEM_REQUEST(1)
#define ADR_XPMEM_REMOVE ADR_XPMEM_REQUEST(2) /* int64_t segment */
#define ADR_XPMEM_GET ADR_XPMEM_REQUEST(3)
#define ADR_XPMEM_RELEASE ADR_XPMEM_REQUEST(4) /* int64_t permit */
#define ADR_XPMEM_ATTACH ADR_XPMEM_REQUEST(5)
#define ADR_XPMEM_DETACH ADR_XPMEM_REQUEST(6) /* uint64_t address */

struct adr_xpmem_make {
  uint64_t address; /* multiple of a page */
  size_t bytes;
  int32_t permit_type;
  uint64_t permit_value;
  int64_t segment; /* result */
};

struct adr_xpmem_get {
  int64_t segment;
  int32_t flags;
  int32_t permit_type;
  uint64_t permit_value;
  int64_t permit; /* result: access permit id */
};

struct adr_xpmem_attach {
  int64_t permit;
  int64_t offset; /* from the segment's first byte, multiple of a page */
  size_t bytes;
  uint64_t address; /* where to map, 0: anywhere; result */
  int32_t fd;
  int32_t flags;
};

_Static_assert(sizeof(size_t) == 8, "XPMEM is for 64-bit processes");
_Static_assert(sizeof(struct adr_xpmem_make) == 40 && offsetof(struct adr_xpmem_make, permit_value) == 24,
               "as the kernel's");
_Static_assert(sizeof(struct adr_xpmem_get) == 32 && offsetof(struct adr_xpmem_get, permit_value) == 16,
               "as the kernel's");
_Static_assert(sizeof(struct adr_xpmem_attach) == 40 && offsetof(struct adr_xpmem_attach, fd) == 32, "as the kernel's");

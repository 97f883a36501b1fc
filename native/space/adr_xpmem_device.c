/* The real device. */
#include "space/adr_xpmem_device.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

static int open_device(const char *path, int flags) { return open(path, flags); }

static int control(int fd, unsigned long request, void *argument) { return ioctl(fd, request, argument); }

static void *load(const char *library) { return dlopen(library, RTLD_NOW | RTLD_LOCAL); }

const struct adr_xpmem_device adr_xpmem_device = {
    .open = open_device,
    .close = close,
    .ioctl = control,
    .load = load,
    .symbol = dlsym,
};

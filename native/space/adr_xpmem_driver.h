/* The operations of XPMEM: by libxpmem when it is there, since it shares one file descriptor with the process's other
 * users of XPMEM, by ioctls of our own otherwise. Results are >= 0, or negative errno values as space.h tells them.
 *
 * The descriptor is opened once and never closed: closing any descriptor of /dev/xpmem ends the registration of the
 * whole process, whoever else uses it. Used under one lock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The registration that this process had with the kernel has ended, since another user of XPMEM in the process has
 * closed a descriptor of the device. Segments, permits and attachments of ours are gone, and their numbers and
 * addresses may mean somebody else's by now. */
#define ADR_XPMEM_LOST (-2004)

/* Finds library or device, at the first call of a process. Returns 0, or a negative errno value, the same at every
 * call. */
int32_t adr_xpmem_driver_open(void);

/* In a child after fork: nothing is open. What was inherited stays as it is; the kernel takes it from the child at its
 * end. */
void adr_xpmem_driver_forget(void);

/* Opens `bytes` bytes at `address` of this process, multiples of pages, to the processes of its user; ADR_XPMEM_ALL
 * bytes: all from there on. Returns the segment's id. */
int64_t adr_xpmem_driver_make(void *address, size_t bytes);

/* Takes a segment of this process back. */
int64_t adr_xpmem_driver_remove(int64_t segment);

/* Asks for access to a segment, for ADR_XPMEM_RDWR or ADR_XPMEM_RDONLY. Returns the permit's id, newer than all before;
 * -ESRCH: there is no such segment (any more); -EPERM; ADR_XPMEM_LOST: also when the permit is not newer than one that
 * was got before, since a registration numbers them upwards. */
int64_t adr_xpmem_driver_get(int64_t segment, int flags);

/* Whether some registration of this process is there, be it ours or a later one of another user. With libxpmem that
 * cannot be asked (it registers the process anew when it is asked anything), and is taken for true. */
bool adr_xpmem_driver_is_registered(void);

/* Maps memory of a permit's segment, multiples of pages. Returns the address; -ESRCH: segment or permit is gone. */
int64_t adr_xpmem_driver_attach(int64_t permit, int64_t offset, size_t bytes);

/* Unmaps what attach gave; nothing else may (the kernel kills a process that unmaps it by other means). */
int64_t adr_xpmem_driver_detach(int64_t address);

/* Gives a permit back. */
int64_t adr_xpmem_driver_release(int64_t permit);

/* The mark by which this process sees whether its registration with XPMEM still stands: the kernel ends it, with all
 * segments, permits and attachments, when anybody in the process closes any descriptor of the device, and a later
 * registration numbers them from 1 again.
 *
 * The mark is a permit that allows reading alone, for a page of our own. To attach by it is refused for want of
 * permission, since attachments are always for writing too, as long as just this permit is there. When the
 * registration is gone it is refused as unknown. A permit of a later registration with the same number would be for
 * writing, since nobody has a use for one that cannot be attached, and is not refused so. Asking takes one ioctl that
 * allocates nothing and uses up no number, of which a registration has 2^30 (to get and to release would). Used under
 * one lock. */
/* Sets the mark, at the first call. Returns 0; -ENODEV: this module does not keep to the above; or an error of the
 * driver. */
int64_t adr_xpmem_mark_set(void);

/* Whether the registration in which it was set still stands. */
bool adr_xpmem_mark_stands(void);

/* In a child after fork: there is none. */
void adr_xpmem_mark_forget(void);

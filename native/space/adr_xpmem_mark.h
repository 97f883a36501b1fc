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
#ifndef ADR_XPMEM_MARK_H
#define ADR_XPMEM_MARK_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the mark, at the first call. Returns 0; -ENODEV: this module does not keep to the above; or an error of the
 * driver. */
int64_t adr_xpmem_mark_set(void);

/* Whether the registration in which it was set still stands. */
bool adr_xpmem_mark_stands(void);

/* In a child after fork: there is none. */
void adr_xpmem_mark_forget(void);

#endif

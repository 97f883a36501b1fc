/* Permits: this process's access to the segments of others (XPMEM get), one for each segment with attachments. Used
 * under one lock. */
#ifndef ADR_PERMIT_H
#define ADR_PERMIT_H

#include <stdbool.h>
#include <stdint.h>

struct adr_permit {
  struct adr_permit *next;
  int64_t segment;
  int64_t id;
  uint32_t attachments; /* it is given back with the last one */
  bool stale;           /* the segment is gone, or its id means another one by now */
};

/* The permit for a segment, NULL: none but stale ones. */
struct adr_permit *adr_permit_find(struct adr_permit *permits, int64_t segment);

/* Gets a new one into the list. Sets `*permit`. Returns 0, -ENOMEM, or an error of the driver. */
int64_t adr_permit_get(struct adr_permit **permits, int64_t segment, struct adr_permit **permit);

/* Gives it back when it has no attachments; without a word to the kernel when it does not know it any more. */
void adr_permit_release_unused(struct adr_permit **permits, struct adr_permit *permit, bool known);

#endif

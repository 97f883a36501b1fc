#include "space/adr_permit.h"

#include <errno.h>
#include <stdlib.h>

#include "space/adr_xpmem_device.h"
#include "space/adr_xpmem_driver.h"

struct adr_permit *adr_permit_find(struct adr_permit *permits, int64_t segment) {
  struct adr_permit *permit = permits;
  while (permit != NULL && (permit->segment != segment || permit->stale)) { permit = permit->next; }
  return permit;
}

int64_t adr_permit_get(struct adr_permit **permits, int64_t segment, struct adr_permit **permit) {
  int64_t id = adr_xpmem_driver_get(segment, ADR_XPMEM_RDWR);
  if (id < 0) { return id; }
  *permit = malloc(sizeof **permit);
  if (*permit == NULL) {
    adr_xpmem_driver_release(id);
    return -ENOMEM;
  }
  **permit = (struct adr_permit){.next = *permits, .segment = segment, .id = id};
  *permits = *permit;
  return 0;
}

void adr_permit_release_unused(struct adr_permit **permits, struct adr_permit *permit, bool known) {
  if (permit->attachments > 0) { return; }
  struct adr_permit **link = permits;
  while (*link != permit) { link = &(*link)->next; }
  *link = permit->next;
  if (known) { adr_xpmem_driver_release(permit->id); } /* an error says that it is gone already */
  free(permit);
}

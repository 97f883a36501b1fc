#include "space/adr_xpmem_mark.h"

#include <errno.h>
#include <unistd.h>

#include "space/adr_xpmem_device.h"
#include "space/adr_xpmem_driver.h"

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

#include "segment/adr_huge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "segment/adr_geometry.h"
#include "segment/adr_mount.h"

#define SETTINGS "/sys/kernel/mm/transparent_hugepage/"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif

enum { TEXT = 256, PATH = 1024 };

static FILE *open_below(const char *root, const char *name) {
  char path[PATH];
  int length = snprintf(path, sizeof path, "%s%s", root, name);
  return length > 0 && length < (int)sizeof path ? fopen(path, "re") : NULL;
}

/* First line of a file; empty when there is none. */
static void read_line(const char *root, const char *name, char *text) {
  FILE *file = open_below(root, name);
  if (file == NULL || fgets(text, TEXT, file) == NULL) { text[0] = '\0'; }
  if (file != NULL) { fclose(file); }
}

/* 0: this system has none. */
static uint64_t page_bytes(const char *root) {
  char text[TEXT];
  uint64_t bytes = 0;
  read_line(root, SETTINGS "hpage_pmd_size", text);
  bool told = sscanf(text, "%" SCNu64, &bytes) == 1;
  return told && bytes > ADR_PAGE && bytes <= UINT64_C(1) << 40 && (bytes & (bytes - 1)) == 0 ? bytes : 0;
}

/* Whether a list of options, separated by commas, has `huge` with a value that makes them. */
static bool offers(char *options) {
  char *rest = options;
  for (char *option = strsep(&rest, ","); option != NULL; option = strsep(&rest, ",")) {
    if (strcmp(option, "huge=advise") == 0 || strcmp(option, "huge=within_size") == 0
        || strcmp(option, "huge=always") == 0) {
      return true;
    }
  }
  return false;
}

static bool file_system_offers(const char *root, dev_t device) {
  char *mount = adr_mount_of(root, device);
  char *options = mount == NULL ? NULL : strrchr(mount, ' ');
  bool offered = options != NULL && offers(options + 1);
  free(mount);
  return offered;
}

uint64_t adr_huge_page(const char *root, dev_t device) {
  char text[TEXT];
  uint64_t bytes = page_bytes(root);
  if (bytes == 0) { return 0; }
  read_line(root, SETTINGS "shmem_enabled", text);
  if (strstr(text, "[deny]") != NULL) { return 0; }
  return strstr(text, "[force]") != NULL || file_system_offers(root, device) ? bytes : 0;
}

int adr_huge_request(void *address, uint64_t bytes) {
  /* This is for the kernel's own thread that makes pages huge. */
  if (madvise(address, bytes, MADV_HUGEPAGE) != 0) { return -errno; }
  /* A huge page that posix_fallocate made is cleared at its first use, and MADV_COLLAPSE maps it as one that was used:
   * without this, what others left in it would be read (seen with Linux 6.18). */
  if (madvise(address, bytes, MADV_POPULATE_WRITE) != 0) { return -errno; }
  /* Now: where the mount says `advise`, reserving makes small pages, since it is not done through a mapping. */
  return madvise(address, bytes, MADV_COLLAPSE) == 0 ? 0 : -errno;
}

/* A stand-in for XPMEM's kernel module, for machines that have none: linked instead of
 * native/space/adr_xpmem_device.c, it answers opens and ioctls by the module's rules. Attachments show the very bytes
 * of the exporter, also between processes that were not forked from each other; a process's registration lives in a
 * nameless file that others find through /proc/<pid>/fd.
 *
 * What it cannot do: only shared mappings of files are seen in an attachment (anonymous shared memory where the caller
 * may use /proc/<pid>/map_files), as they are at the time of the attach; any other page of it is SIGBUS when touched.
 * So exporters keep their data in a mapped file, a memfd or an allocation of the segment, and keep it mapped, and open
 * or linked. The end of an exporter is seen by get and attach; an attachment made before stays readable, unless the
 * file is cut short (SIGBUS). */
#ifndef ADR_XPMEM_STANDIN_H
#define ADR_XPMEM_STANDIN_H

#include <stdbool.h>
#include <stdint.h>

#include "space/adr_xpmem_device.h"

/* What the machine is to look like; for this process and those forked from it. */
extern int standin_open_error;   /* open fails with this errno */
extern bool standin_has_library; /* dlopen finds a libxpmem.so.0, over this stand-in */

/* What the process has asked for so far; gets: those that were granted. */
struct standin_counts {
  int opens;
  int gets;
  int attaches;
  int detaches;
  int releases;
};
extern struct standin_counts standin_counts;

/* Attachments that the calling process has now. */
int standin_attachments(void);

/* Permission bits of a segment of the calling process, -1: no such segment. */
int standin_mode(int64_t segment);

/* xpmem_standin_maps.c: maps what process `pid` has at `start` over the `bytes` reserved at `here`. */
void standin_map(int32_t pid, uint64_t start, uint64_t bytes, char *here);

/* xpmem_standin_library.c: a function of libxpmem.so.0. */
void *standin_symbol(void *library, const char *name);

#endif

/* A stand-in for XPMEM's kernel module, for machines that have none: linked instead of
 * native/space/adr_xpmem_device.c, it answers opens and ioctls by the module's rules. Attachments show the very bytes
 * of the exporter, also between processes that were not forked from each other; a process's registration lives in a
 * nameless file that others find through /proc/<pid>/fd. Closing any descriptor of the device ends the process's
 * registration, as either module has it: permits and segments are numbered from 1 again after the next open; and what
 * was attached, by the process or of it, goes (hpc/xpmem: a touch is SIGSEGV or SIGBUS), or stays mapped and shows the
 * old pages (openucx/xpmem 2.7.4).
 *
 * What it cannot do: only shared mappings of files are seen in an attachment (anonymous shared memory where the caller
 * may use /proc/<pid>/map_files), as they are at the time of the attach; any other page of it is SIGBUS when touched.
 * So exporters keep their data in a mapped file, a memfd or an allocation of the segment, and keep it mapped, and open
 * or linked. An attachment never follows what the exporter maps later at the same address. That a peer's registration
 * has ended is seen at the next ioctl of this process. The end of an exporter is seen by get and attach; an attachment
 * made before stays readable, unless the file is cut short (SIGBUS). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "space/adr_xpmem_device.h"

/* Stands on what tests in Java use. */
#define STANDIN_API __attribute__((visibility("default")))

/* What the machine is to look like; for this process and those forked from it. */
extern int standin_open_error;     /* open fails with this errno */
extern bool standin_has_library;   /* dlopen finds a libxpmem.so.0, over this stand-in */
extern bool standin_leaves_mapped; /* what is attached stays when the registration ends; also by the environment:
                                      ADRASTEA_STANDIN_MODULE=leaves-mapped */
extern bool standin_grants_all;    /* a permit for reading is enough to attach: no module is so */

/* What the process has asked for so far; gets: those that were granted; attaches: those with a permit for them. */
struct standin_counts {
  int calls; /* ioctls of any kind */
  int opens;
  int gets;
  int attaches;
  int detaches;
  int releases;
};
extern struct standin_counts standin_counts;

/* What another user of XPMEM in the process does: opens the device once more, and closes that descriptor. */
STANDIN_API void standin_open_and_close(void);

/* What it does when it opens the device again after that, and leaves it open: segments of its own memory and permits,
 * with the numbers that were given before. Returns 0. */
STANDIN_API int standin_open_and_use(void);

/* Attachments that the calling process has now. */
int standin_attachments(void);

/* Permission bits of a segment of the calling process, -1: no such segment. */
int standin_mode(int64_t segment);

/* xpmem_standin_maps.c: maps what process `pid` has at `start` over the `bytes` reserved at `here`. */
void standin_map(int32_t pid, uint64_t start, uint64_t bytes, char *here);

/* xpmem_standin_library.c: a function of libxpmem.so.0. */
void *standin_symbol(void *library, const char *name);

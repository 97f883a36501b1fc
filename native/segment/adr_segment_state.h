/* A segment as a process has it: the file, its sizes, where it is mapped, and what making, attaching and growing one
 * refuse. adr_segment.h makes and attaches one, adr_region.h lets it grow. */
#pragma once

#include <limits.h>

#include "segment/adr_geometry.h"

/* What attach refuses, beside -errno (-ENOENT: no such file yet). */
enum {
  ADR_SEGMENT_OWNER = -5001,       /* belongs to another user */
  ADR_SEGMENT_MODE = -5002,        /* group or others may open it */
  ADR_SEGMENT_NOT_REGULAR = -5003, /* a symbolic link, a directory, a FIFO, a socket, a device */
  ADR_SEGMENT_VERSION = -5004,     /* another layout version */
  ADR_SEGMENT_CRC = -5005,         /* same version, other layout */
  ADR_SEGMENT_SIZES = -5006,       /* sizes that contradict each other or the file's size */
  ADR_SEGMENT_JOB = -5007,         /* another job's */
  ADR_SEGMENT_MAGIC = -5008,       /* not a segment, or of a machine of the other byte order */
  ADR_SEGMENT_REGIONS = -5009,     /* the job has as many regions as it can */
};

struct adr_region_mappings;

struct adr_segment {
  uint8_t *base;
  int fd;
  struct adr_segment_shape shape;      /* private copy: checked once, no peer can change it */
  struct adr_region_mappings *regions; /* mapped here; NULL: none yet (adr_region.h) */
  char path[PATH_MAX];
};

static inline struct adr_segment_header *adr_segment_header_of(const struct adr_segment *segment) {
  return (struct adr_segment_header *)(void *)segment->base;
}

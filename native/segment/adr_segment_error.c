#include <errno.h>
#include <string.h>

#include "segment/adr_segment.h"

struct text {
  int error;
  const char *text;
};

static const struct text texts[] = {
    {0, "no error"},
    {ADR_AGAIN, "the segment's creator has not finished it yet"},
    {ADR_CORRUPT, "the segment holds what no correct rank writes"},
    {ADR_SEGMENT_OWNER, "the segment belongs to another user"},
    {ADR_SEGMENT_MODE, "the segment may be opened by group or others; it has to be of mode 0600"},
    {ADR_SEGMENT_NOT_REGULAR, "the segment's path is no regular file, but a symbolic link, a directory, a FIFO, a "
                              "socket or a device; remove it"},
    {ADR_SEGMENT_VERSION, "the segment has another layout version; all ranks need the same Adrastea"},
    {ADR_SEGMENT_CRC, "the segment has another layout; all ranks need the same Adrastea"},
    {ADR_SEGMENT_SIZES, "the segment's sizes contradict each other or the size of its file"},
    {ADR_SEGMENT_JOB, "the segment is that of another job"},
    {ADR_SEGMENT_MAGIC, "the file is no segment, or one of the other byte order"},
    {ADR_SEGMENT_REGIONS, "the rank has as many regions as it can have (31)"},
    {-ENOSPC, "the segment's file system is full; make it larger, choose another one with ADRASTEA_SHM_DIR, "
              "or lower ADRASTEA_CELLS or ADRASTEA_CELL_BYTES"},
    {-ENOENT, "the job has no segment (yet)"},
    {-EEXIST, "the job already has a segment"},
};

const char *adr_segment_strerror(int error) {
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (texts[i].error == error) { return texts[i].text; }
  }
  const char *name = strerrordesc_np(-error);
  return name != NULL ? name : "unknown error";
}

#include "counts/adr_counts_job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "queue/adr_free_queue.h"

_Noreturn void counts_fail(const char *what, int64_t status) {
  fprintf(stderr, "%s: %s: %s (%" PRId64 ")\n", program_invocation_short_name, what, adr_segment_strerror((int)status),
          status);
  _exit(1);
}

static void require(const char *what, int64_t status) {
  if (status < 0) { counts_fail(what, status); }
}

static uint64_t job_id(void) {
  static uint64_t jobs;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return ((uint64_t)getpid() << 40) ^ ((uint64_t)now.tv_sec << 30) ^ (uint64_t)now.tv_nsec ^ (jobs++ << 56);
}

void counts_job_open(struct counts_job *job, uint32_t ranks, uint32_t cells, uint32_t payload,
                     struct adr_box_settings boxes) {
  const char *directory = getenv("ADRASTEA_SHM_DIR");
  int status = adr_segment_create(&job->segment, directory != NULL ? directory : "/dev/shm", job_id(), 0, ranks, cells,
                                  payload, boxes);
  require("cannot make a segment", status);
  adr_segment_unlink(&job->segment);
  struct adr_view view = adr_view_of(job->segment.base);
  for (uint32_t rank = 0; rank < ranks; rank++) {
    require("cannot reserve an area", adr_segment_reserve(&job->segment, rank));
    adr_free_queue_format(&view, &job->segment.shape, rank);
  }
}

adr_channel *counts_job_channel(struct counts_job *job, uint32_t rank) {
  adr_channel *channel = adr_channel_open(job->segment.base, (int32_t)rank);
  if (channel == NULL) { counts_fail("cannot open a channel", -12); }
  if (job->segment.shape.boxes.slots == 0) { return channel; }
  for (uint32_t source = 0; source < job->segment.shape.rank_count; source++) {
    require("cannot reserve a fastbox", adr_segment_reserve_box(&job->segment, rank, source));
    require("cannot open a fastbox", adr_channel_open_box(channel, (int32_t)source));
  }
  return channel;
}

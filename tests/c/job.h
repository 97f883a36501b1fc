/* A job on one real segment whose areas are all formatted, for tests; it leaves no file. */
#pragma once

#include <string.h>
#include <unistd.h>

#include "adrastea/channel.h"
#include "check.h"
#include "queue/adr_free_queue.h"
#include "segment/adr_segment.h"

enum { JOB_ID = 0x1234 };

struct job {
  struct adr_segment segment;
  struct adr_view view;
};

/* A fresh private directory, in memory where there is /dev/shm. */
static inline void job_directory(char directory[64]) {
  strcpy(directory, "/dev/shm/adrastea-test-XXXXXX");
  if (mkdtemp(directory) != NULL) { return; }
  strcpy(directory, "/tmp/adrastea-test-XXXXXX");
  CHECK(mkdtemp(directory) != NULL);
}

static inline struct job job_open_boxes(uint32_t ranks, uint32_t cells, uint32_t payload,
                                        struct adr_box_settings boxes) {
  char directory[64];
  struct job job;
  job_directory(directory);
  CHECK_EQUAL(0, adr_segment_create(&job.segment, directory, JOB_ID, 0, ranks, cells, payload, boxes));
  job.view = adr_view_of(job.segment.base);
  for (uint32_t rank = 0; rank < ranks; rank++) {
    CHECK_EQUAL(0, adr_segment_reserve(&job.segment, rank));
    adr_free_queue_format(&job.view, &job.segment.shape, rank);
    CHECK_EQUAL(rank + 1 == ranks, adr_segment_count_in(&job.segment));
  }
  CHECK_EQUAL(0, rmdir(directory)); /* the last to count in took the file away */
  return job;
}

/* A job without fastboxes. */
static inline struct job job_open(uint32_t ranks, uint32_t cells, uint32_t payload) {
  return job_open_boxes(ranks, cells, payload, (struct adr_box_settings){0});
}

/* Opens the fastbox from `source` to the channel of `rank`. */
static inline void job_open_box(struct job *job, struct adr_channel *channel, uint32_t rank, uint32_t source) {
  CHECK_EQUAL(0, adr_segment_reserve_box(&job->segment, rank, source));
  CHECK_EQUAL(0, adr_channel_open_box(channel, (int32_t)source));
}

static inline void job_close(struct job *job) { adr_segment_close(&job->segment); }

static inline struct adr_segment_header *job_header(const struct job *job) {
  return adr_segment_header_of(&job->segment);
}

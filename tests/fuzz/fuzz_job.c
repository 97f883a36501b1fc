#include "fuzz_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_beside.h"
#include "queue/adr_free_queue.h"
#include "ranktable/adr_rank_table.h"

enum { GUARD = 1 << 16, BUFFER = 1 << 16, JOB = 0x1234 };

void fuzz_require(int sound, const char *what) {
  if (!sound) {
    fprintf(stderr, "finding: %s\n", what);
    abort();
  }
}

/* Place for `bytes`, whole pages, with untouchable ones on both sides. */
static uint8_t *guarded(size_t bytes) {
  uint8_t *all = mmap(NULL, bytes + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  fuzz_require(all != MAP_FAILED, "no memory");
  return all + GUARD;
}

static uint8_t *buffer;

static void clear_buffer(void) {
  if (buffer == NULL) {
    buffer = guarded(BUFFER);
    fuzz_require(mprotect(buffer, BUFFER, PROT_READ | PROT_WRITE) == 0, "no memory");
  }
  memset(buffer, 0, BUFFER);
}

uint8_t *fuzz_buffer(size_t bytes) {
  fuzz_require(bytes <= BUFFER, "a piece longer than a buffer");
  return buffer + BUFFER - bytes;
}

void fuzz_directory(char directory[64]) {
  strcpy(directory, "/dev/shm/adrastea-fuzz-XXXXXX");
  if (mkdtemp(directory) != NULL) { return; }
  strcpy(directory, "/tmp/adrastea-fuzz-XXXXXX");
  fuzz_require(mkdtemp(directory) != NULL, "no directory");
}

static void make(struct fuzz_job *job, struct adr_box_settings boxes) {
  char directory[64];
  struct adr_segment *segment = &job->segment;
  fuzz_directory(directory);
  fuzz_require(adr_segment_create(segment, directory, JOB, 0, FUZZ_RANKS, FUZZ_CELLS, FUZZ_PAYLOAD, boxes) == 0,
               "no segment");
  uint64_t bytes = segment->shape.segment_bytes;
  fuzz_require(adr_segment_unlink(segment) == 0 && rmdir(directory) == 0,
               "a file is left"); /* before the first input */
  munmap(segment->base, bytes);
  segment->base = mmap(guarded(bytes), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, segment->fd, 0);
  fuzz_require(segment->base != MAP_FAILED, "no segment");
  job->view = adr_view_of(segment->base);
  for (uint32_t rank = 0; rank < FUZZ_RANKS; rank++) {
    fuzz_require(adr_segment_reserve(segment, rank) == 0, "no area");
    adr_free_queue_format(&job->view, &segment->shape, rank);
    adr_rank_table_set_state(adr_rank_table_entry(segment->base, rank), ADR_RANK_ATTACHED);
  }
  memcpy((void *)&job->header, segment->base, sizeof job->header);
  job->pristine = malloc(bytes);
  memcpy(job->pristine, segment->base, bytes);
}

struct fuzz_job *fuzz_job(int boxes) {
  static struct fuzz_job jobs[2];
  static const struct adr_box_settings settings[2] = {
      {0}, {.slots = 64, .limit = 1024, .threshold = 1, .preallocate_ranks = 0}};
  struct fuzz_job *job = &jobs[boxes];
  if (job->pristine == NULL) { make(job, settings[boxes]); }
  fuzz_beside_hide();
  memcpy(job->segment.base, job->pristine, job->segment.shape.segment_bytes);
  clear_buffer();
  fuzz_beside_expose_job(job);
  return job;
}

/* A segment to be fuzzed: a real one, but mapped between pages that nobody may touch, so that an access outside ends
 * the program. */
#pragma once

#include "fuzz_input.h"
#include "segment/adr_segment.h"
#include "segment/adr_view.h"

enum { FUZZ_RANKS = 3, FUZZ_CELLS = 6, FUZZ_PAYLOAD = 64, FUZZ_STEPS = 256 };

struct fuzz_job {
  struct adr_segment segment;
  struct adr_segment_header header; /* as it was made */
  struct adr_view view;
  uint8_t *pristine;
};

/* A fresh private directory, in memory where there is /dev/shm. */
void fuzz_directory(char directory[64]);

/* The job without (0) or with (1) fastboxes, as it was made: all ranks attached, all cells in their free queues. The
 * same memory at each call. */
struct fuzz_job *fuzz_job(int boxes);

/* Memory of `bytes`, at most 64 KiB, that ends where nobody may touch; the same at each call, and zero after fuzz_job.
 */
uint8_t *fuzz_buffer(size_t bytes);

/* Ends the program when `sound` is false: what was found is told by `what`. */
void fuzz_require(int sound, const char *what);

/* A word that a broken rank could write to; which one the input says. */
uint64_t *fuzz_word(const struct fuzz_job *job, struct fuzz_input *in);

/* Writes to a word that a broken rank could write to; which and what the input says. */
void fuzz_spoil(struct fuzz_job *job, struct fuzz_input *in);

/* A value that such a rank could write: among others offsets of cells, of queues, and headers of fastbox messages. */
uint64_t fuzz_value(const struct fuzz_job *job, struct fuzz_input *in, uint64_t before);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A job to count and time on: one segment without a name, all of whose areas are formatted by this process. */
#pragma once

#include "adrastea/channel.h"
#include "segment/adr_segment.h"

struct counts_job {
  struct adr_segment segment;
};

/* How a job of the defaults has its cells. */
enum { COUNTS_CELLS = 64, COUNTS_PAYLOAD = 8192 };

/* Makes the segment, in ADRASTEA_SHM_DIR or /dev/shm. Ends the program with a line when that cannot be. */
void counts_job_open(struct counts_job *job, uint32_t ranks, uint32_t cells, uint32_t payload,
                     struct adr_box_settings boxes);

/* The channel of a rank of it, with the fastboxes from all ranks when the job has any. */
adr_channel *counts_job_channel(struct counts_job *job, uint32_t rank);

/* Ends the program with a line. */
_Noreturn void counts_fail(const char *what, int64_t status);

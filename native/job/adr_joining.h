/* From settings to a member of a job. Twin of io.adrastea.bootstrap.Joining. */
#pragma once

#include "job/adr_job_state.h"
#include "bootstrap/adr_settings.h"

#define ADR_JOINING_POLL_MILLIS 1
#define ADR_JOINING_POLLS_PER_CHECK 50

/* Makes the segment (rank 0) or attaches to it, takes the rank's place in it and waits for all others. On an error the
 * segment is closed again, and the others see that this rank gave up. */
int adr_joining_join(struct adr_job *job, const struct adr_settings *settings);

/* What is not the caller's, and how a rank of a job waits. */
#pragma once

#include "job/adr_job_state.h"

/* Takes care of what is not the caller's: boxes that others want, rooms to be given back, receivers to be told of
 * messages given up, control messages. Returns 1: a piece is at hand; 0: none; or -EPROTO. */
int adr_job_progress(struct adr_job *job);

/* Tells the receiver `destination` of a message given up so. Returns 1: done; 0: no room; or -EPROTO. */
int adr_job_push_abort(struct adr_job *job, uint32_t destination);

/* Sends what others wait for, as far as there is room: that messages were given up, and control messages. */
void adr_job_flush(struct adr_job *job);

/* What is done for a job during every wait, whose owner it is. */
extern const struct adr_upkeep adr_job_upkeep;

/* The communicator of all ranks of a job, and the list of the others. */
#pragma once

#include "job/adr_job_state.h"

/* Makes it, once the job has been joined. Returns 0, or -ENOMEM. */
int adr_job_world_open(struct adr_job *job);

/* Frees what is private to this rank of all communicators. */
void adr_job_world_close(struct adr_job *job);

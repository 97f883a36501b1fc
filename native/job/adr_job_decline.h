/* A C rank has no rendezvous, and says so in the rank table; so nobody offers it a message that way, as a rule. A rank
 * that does all the same is told at once that this rank declines, instead of waiting for ever. */
#pragma once

#include "job/adr_job_control.h"

/* What the sender of a declined offer is told as its status (-EOPNOTSUPP). */
#define ADR_DECLINED (-95)

/* Registers what comes after an offer was declined. Returns 0. */
int adr_job_decline_open(struct adr_control *control);

/* Declines an offer, an RTS of `bytes` bytes at `payload` in shared memory. Returns 0; ADR_CORRUPT: it is not a valid
 * RTS; or what the channel says. */
int adr_job_decline(struct adr_job *job, uint32_t source, const void *payload, uint64_t bytes);

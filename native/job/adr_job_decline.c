#include "job/adr_job_decline.h"

#include <string.h>

#include "base/adr_base.h"
#include "job/adr_job_state.h"

/* An RTS has the bytes of the message, then the sender's number of it in the lower half of a word. */
enum { RTS_WORDS = 3, RTS_SENDER = 1 };

/* A DONE has the number that its receiver gave the transfer, low, and that of its sender, high; then the status. */
enum { DONE_WORDS = 4 };
#define NO_NUMBER UINT64_C(0xffffffff00000000)

/* The sender takes its offer back, or has understood: it was declined already. */
static int over(struct adr_job *job, uint32_t source, uint32_t type, const uint64_t *words) {
  (void)job, (void)source, (void)type, (void)words;
  return 0;
}

int adr_job_decline_open(struct adr_control *control) {
  int status = adr_control_register(control, ADR_CONTROL_DONE, over);
  return status == 0 ? adr_control_register(control, ADR_CONTROL_WITHDRAW, over) : status;
}

int adr_job_decline(struct adr_job *job, uint32_t source, const void *payload, uint64_t bytes) {
  uint64_t offer[RTS_WORDS];
  if (bytes < sizeof offer) { return ADR_CORRUPT; }
  memcpy(offer, payload, sizeof offer);
  uint64_t done[DONE_WORDS] = {NO_NUMBER | (offer[RTS_SENDER] & UINT32_MAX), (uint32_t)ADR_DECLINED};
  return adr_control_send(&job->control, job->channel, source, ADR_CONTROL_DONE, done, DONE_WORDS);
}

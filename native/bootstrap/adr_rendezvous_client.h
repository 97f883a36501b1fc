/* A rank other than 0 where the ranks of a job meet. Twin of io.adrastea.bootstrap.RendezvousClient. */
#pragma once

#include "bootstrap/adr_rendezvous_server.h"

enum {
  ADR_RENDEZVOUS_FIRST_PAUSE_MILLIS = 10, /* between two attempts; the next is twice as long, ... */
  ADR_RENDEZVOUS_MOST_PAUSE_MILLIS = 200, /* ... up to this */
  ADR_RENDEZVOUS_CONNECT_MILLIS = 2000,   /* how long one attempt waits for a connection */
  ADR_RENDEZVOUS_GRACE_MILLIS = 1000      /* how much longer a connected rank waits for what rank 0 says at the end */
};

/* Connects to rank 0, again and again until the timeout, and asks it for the number of the job. Returns 0; -EINVAL:
 * rank 0 has refused, and `error` has its words; or -ETIMEDOUT. */
int adr_rendezvous_ask(const struct adr_rendezvous_meeting *meeting, uint64_t *job, adr_error *error);

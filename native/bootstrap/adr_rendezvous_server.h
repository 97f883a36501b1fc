/* Rank 0 where the ranks of a job meet. Twin of io.adrastea.bootstrap.RendezvousServer. */
#pragma once

#include "bootstrap/adr_rendezvous_address.h"
#include "bootstrap/adr_rendezvous_line.h"

/* Who meets where. */
struct adr_rendezvous_meeting {
  struct adr_rendezvous_address address;
  uint32_t rank; /* this one */
  uint32_t size;
  uint32_t timeout; /* milliseconds */
  char node[ADR_NODE_TEXT];
  char job[ADR_RENDEZVOUS_JOB_TEXT]; /* the job's number as its launcher says it, 16 hex digits; "": rank 0 draws one */
};

enum {
  ADR_RENDEZVOUS_PAUSE_MILLIS = 100,    /* between two attempts of rank 0 to listen */
  ADR_RENDEZVOUS_IN_USE_MILLIS = 2000,  /* how long rank 0 waits for a port that another process has */
  ADR_RENDEZVOUS_SILENT_MILLIS = 10000, /* how long a connection may take for its line */
  ADR_RENDEZVOUS_LATE_MILLIS = 5000,    /* how long rank 0 waits for others to tell them of a refusal, too */
  ADR_RENDEZVOUS_DRAIN_MILLIS = 500,    /* how long rank 0 lets the others read a refusal */
  ADR_RENDEZVOUS_STRANGERS = 64,        /* connections beside those of the ranks */
  ADR_RENDEZVOUS_BACKLOG = 1024,        /* connections that wait to be accepted */
  ADR_RENDEZVOUS_LISTED = 12            /* ranks that a message names */
};

/* Lets the other ranks come, and gives them all the number of their job, or the reason why there is no job. One
 * thread waits for all connections at once, and keeps one line of each. Returns 0; -EINVAL: the ranks that came do not
 * fit together; -ETIMEDOUT: some did not come; -EADDRNOTAVAIL: the address is another machine's; -EADDRINUSE; or
 * another -errno. */
int adr_rendezvous_serve(const struct adr_rendezvous_meeting *meeting, uint64_t *job, adr_error *error);

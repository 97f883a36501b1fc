/* The buffers of the members in a collective of large data: this rank's as it exposes them to the others, and the
 * others' as it reaches them. Twin of io.adrastea.engine.collective.MemberMemory, without XPMEM. */
#pragma once

#include "job/adr_comm_state.h"

/* Tells the core how others can reach the buffers of this rank, and by what this rank can reach theirs. Returns 0 or
 * -EINVAL. */
int adr_comm_expose(struct adr_comm *comm);

/* Gives the core shared memory of another member, mapped here. Returns 0; ADR_CORRUPT: that member does not have it; or
 * another negative status. */
int adr_comm_reach(struct adr_comm *comm);

/* Brings bytes of another member's memory to where the core wants them. Returns 0, -ESRCH: its process is gone, or a
 * negative errno value with which its memory cannot be read. */
int adr_comm_read(struct adr_comm *comm);

/* Brings bytes of this rank's input to where the core wants them in another member's memory. Returns as adr_comm_read,
 * or ADR_COLL_BROKEN: that member has broken off. */
int adr_comm_write(struct adr_comm *comm);

/* After this rank has broken off: returns when nobody writes its memory any more. */
void adr_comm_await_writers(struct adr_comm *comm);

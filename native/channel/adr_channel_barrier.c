/* The barrier as a channel's functions: exported for those who cannot inline adr_barrier.h. */
#include "barrier/adr_barrier.h"
#include "channel/adr_channel_state.h"
#include "wait/adr_doorbell.h"

/* The last one to arrive wakes those who wait asleep. */
int32_t adr_channel_barrier_arrive(adr_channel *channel) {
  int status = adr_barrier_arrive(&channel->barrier);
  for (uint32_t other = 0; status == ADR_BARRIER_LAST && other < channel->rank_count; other++) {
    adr_doorbell_ring(channel->out[other].entry);
  }
  return status < 0 ? status : 0;
}

int32_t adr_channel_barrier_wait(adr_channel *channel, int32_t spins) {
  return adr_barrier_wait(&channel->barrier, spins);
}

/* The barrier as a channel's functions: exported for those who cannot inline adr_barrier.h. */
#include "barrier/adr_barrier.h"
#include "channel/adr_channel_state.h"

int32_t adr_channel_barrier_arrive(adr_channel *channel) {
  return adr_barrier_arrive(&channel->barrier);
}

int32_t adr_channel_barrier_wait(adr_channel *channel, int32_t spins) {
  return adr_barrier_wait(&channel->barrier, spins);
}

#include "channel/adr_cadence.h"

#include "base/adr_clock.h"

uint32_t adr_cadence_pauses(void) {
  uint64_t least = UINT64_MAX; /* of several: this thread may lose its CPU */
  for (int trial = 0; trial < ADR_CADENCE_TRIALS; trial++) {
    int64_t start = adr_clock_now();
    adr_cadence_pause(ADR_CADENCE_PAUSES);
    uint64_t taken = (uint64_t)(adr_clock_now() - start);
    least = taken < least ? taken : least;
  }
  uint64_t pauses = (ADR_CADENCE_GAP_NANOS * ADR_CADENCE_PAUSES + least / 2) / (least + 1);
  return pauses < 1 ? 1 : pauses > ADR_CADENCE_MOST ? ADR_CADENCE_MOST : (uint32_t)pauses;
}

/* How often to poll a line that another CPU is about to write. Twin of io.adrastea.core.pure.Cadence. */
#pragma once

#include "base/adr_base.h"

#define ADR_CADENCE_GAP_NANOS 40u
#define ADR_CADENCE_TRIALS 8
#define ADR_CADENCE_PAUSES 256u
#define ADR_CADENCE_MOST 16u

/* The first look for an answer comes after so many times the pauses between two looks. */
#define ADR_CADENCE_ANSWER 2u

/* Pauses that take about 40 ns: 1 to 16. They take 8 to 50 ns each, depending on the CPU, so they are measured. Each
 * poll takes the line from its writer, which has to fetch it back for its next store; a poll too late is a message too
 * late. What was tried: docs/performance.md. */
uint32_t adr_cadence_pauses(void);

static inline void adr_cadence_pause(uint32_t pauses) {
  for (; pauses > 0; pauses--) { adr_cpu_pause(); }
}

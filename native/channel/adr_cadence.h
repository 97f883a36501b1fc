/* How often to look. Twin of io.adrastea.core.pure.Cadence. */
#ifndef ADR_CADENCE_H
#define ADR_CADENCE_H

#include <stdint.h>

/* Pause instructions between two looks at a line that another CPU is about to write: about 55 ns of them, of which they take 10 to
 * 50 each, depending on the CPU; so they are measured. Looking more often is slower: each look takes the line from its
 * writer, which has to fetch it back for its next store. Figures: docs/performance.md. */
uint32_t adr_cadence_pauses(void);

#endif

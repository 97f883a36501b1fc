/* In place of channel/adr_cadence.c, which looks at the clock: what an input does must depend on the input alone. */
#include "channel/adr_cadence.h"

uint32_t adr_cadence_pauses(void) { return 1; }

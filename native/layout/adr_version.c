#include "adrastea/version.h"

#include "layout/adr_layout.h"

const char *adr_version(void) { return ADR_VERSION; }

unsigned adr_layout_version(void) { return ADR_LAYOUT_VERSION; }

unsigned adr_layout_checksum(void) { return ADR_LAYOUT_CRC; }

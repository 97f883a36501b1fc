/* The cells of the channel: receive queue, free queue at the sender ([Nemesis 2006, 2.1]),
 * as in a job of the defaults. */
#pragma once

#include "pool/adr_pool_way.h"

/* With fastboxes short messages go by them; without, all messages go by cells. */
struct pool_way pool_cells_way(const char *name, uint32_t cell_bytes, bool boxes);

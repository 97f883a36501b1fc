/* The send buffer pool of [MVAPICH 2006, 3.1 to 3.4]: a message goes through cells of the sender, each in a packet of
 * its own; control messages in the receiver's receive buffer name the cells.
 *
 * The receiver marks a cell free where it lies. The sender's cells under way stand in a send queue, one for each
 * destination; when it begins a transfer it sweeps the queue from its front for cells marked free. One reader and one
 * writer of everything, so no locked instruction. [MVAPICH 2006, 3.3.2] wants those used last to be used next, since
 * they are still in the cache; the other order is there to tell what that brings.
 *
 * The receive buffer is a ring of lines here, each with a sequence number that is written last: a control message is
 * one transfer of a line, where the counters total-in and total-out of section 3.4.1 would be a second. Messages that
 * [MVAPICH 2006] puts into the receive buffer themselves go through cells here: what is compared is the way of the
 * cells. */
#pragma once

#include "pool/adr_pool_way.h"

enum { POOL_MAX_PACKETS = 16 }; /* for which one control message stands */

/* The memory of both sides. */
struct pool_areas;
struct pool_areas *pool_send_areas(uint32_t cell_bytes);

/* `packets`: for how many one control message stands, at most; `oldest_first`: the cell that has been free for longest
 * is next. */
struct pool_way pool_send_way(const char *name, struct pool_areas *areas, uint32_t packets, bool oldest_first);

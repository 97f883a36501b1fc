/* The design of MVAPICH before the send buffer pool ([MVAPICH 2006, 2.3]): a shared buffer for each ordered pair of
 * processes. The sender copies a whole message into it, then the receiver copies it out; the buffer is used round
 * and round. */
#pragma once

#include "pool/adr_pool_way.h"

/* `buffer_bytes`: a power of two. */
struct pool_way pool_pair_way(const char *name, uint64_t buffer_bytes);

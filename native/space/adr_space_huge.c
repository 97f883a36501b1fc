#include "adrastea/space.h"
#include "segment/adr_huge.h"

int32_t adr_huge_advise(void *address, int64_t bytes) { return adr_huge_request(address, (uint64_t)bytes); }

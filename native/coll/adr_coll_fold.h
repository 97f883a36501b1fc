/* A member's moves in a reduce, a scan, an exscan or a reduce_scatter through stages. */
#pragma once

#include "coll/adr_coll.h"

void adr_fold_begin(struct adr_collective *coll);
void adr_fold_go_on(struct adr_collective *coll);
int32_t adr_fold_advance(struct adr_collective *coll);

/* Fetches as adr_stages_fetch_next does. */
void adr_fold_fetch_next(struct adr_collective *coll);

/* Why a rank has failed, in one line of UTF-8 in its entry of the rank table. Twin of
 * io.adrastea.ranktable.FailureReason.
 *
 * Written before the state FAILED, and read once that is seen, so the order of the state is its order too. What is read
 * may be anything: a broken rank may have written it. */
#pragma once

#include "layout/adr_layout.h"

/* Writes as much of `text` as there is room for; what ends a line or controls a terminal becomes a blank, what is no
 * UTF-8 a '?'. */
void adr_failure_reason_write(struct adr_rank_entry *entry, const char *text);

/* Reads it, each byte once, into `text`, which has ADR_RANK_REASON_BYTES; "": there is none. */
void adr_failure_reason_read(const struct adr_rank_entry *entry, char *text);

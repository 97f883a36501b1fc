/* Twin of io.adrastea.layout.ContextIdEntryDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"
#include "base/adr_base.h"

#define ADR_MAX_CONTEXTS 65536u /* numbers of communicators */

/* States of a number, in bits 14 and 15 of its `word`; bits 0 to 13 are its generation. */
enum {
  ADR_CONTEXT_ID_FREE = 0,
  ADR_CONTEXT_ID_TAKEN = 1, /* its owner's local rank + 1 is in bits 32 to 47 */
};
#define ADR_CONTEXT_ID_GENERATIONS 16384u
#define ADR_CONTEXT_ID_STATE_SHIFT 14
#define ADR_CONTEXT_ID_OWNER_SHIFT 32

/* A communicator's number. */
struct adr_context_id_entry {
  /* writers: every rank, which takes it first */
  adr_atomic_u64 word;
  adr_atomic_u64 slot; /* offset of its slot in the file; 0: none yet */
};
#define ADR_CONTEXT_ID_ENTRY_BYTES 16
#define ADR_CONTEXT_ID_TABLE_BYTES (ADR_MAX_CONTEXTS * ADR_CONTEXT_ID_ENTRY_BYTES)
#define ADR_CONTEXT_ID_ENTRY_FIELDS(X) \
  X(context_id_entry, word, 0, 8) \
  X(context_id_entry, slot, 8, 8)

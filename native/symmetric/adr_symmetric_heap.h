/* Which parts of a symmetric heap are allocated [OpenSHMEM over XPMEM 2011, 3.1 and 4.1]. Every PE keeps such a record
 * of its own, and makes the same calls in the same order, so that each object has the same offset in all of them:
 * nobody is asked, and nothing is told. What a call answers depends on the calls before it alone, in both languages.
 * Twin of io.adrastea.symmetric.SymmetricHeap.
 *
 * Numbers alone: neither the heap nor any other shared memory is touched, so no stray put can spoil the record.
 *
 * Objects lie where they first fit in the order of offsets, and free neighbours are one. Of the known ways to choose a
 * place this one has the smallest bound of what fragmentation can cost (about log2 of the largest object in grains
 * times what the objects have at most [Robson 1977]; for best fit it is the number of grains itself), and is among the
 * two that leave the least in programs [Johnstone 1998]. It also keeps objects at low offsets, on few pages.
 *
 * Each object begins at a multiple of 64 bytes and shares its last line with no other one. That costs at most 63 bytes
 * an object, and no two objects share a cache line that different PEs write.
 *
 * Not for several threads at a time. */
#pragma once

#include "symmetric/adr_block_tree.h"

#define ADR_SYMMETRIC_GRAIN 64
#define ADR_SYMMETRIC_MAX_BYTES (INT64_MAX / 4)
#define ADR_SYMMETRIC_LOOKS 16 /* free blocks looked at before one is taken that is large enough anyway */

enum {
  ADR_SYMMETRIC_NONE = -1,     /* the offset of no object */
  ADR_SYMMETRIC_NO_ROOM = -28, /* ENOSPC: no free place is large enough */
};

/* Whole pages of the heap, of which the last one may reach beyond its end. */
struct adr_symmetric_pages {
  uint64_t offset;
  uint64_t bytes; /* 0: there are none */
};

/* What is needed to take back the last call. */
struct adr_symmetric_undo {
  int64_t offset; /* of the object that it allocated or resized; ADR_SYMMETRIC_NONE: there is nothing to take back */
  uint64_t asked; /* bytes of that object before; 0: it was not there */
  uint64_t hash;
};

struct adr_symmetric_heap {
  struct adr_block_tree tree;
  uint64_t bytes;
  uint64_t page_bytes;
  uint64_t hash;                   /* of all calls that changed something, see adr_symmetric_heap_open */
  uint64_t allocated;              /* bytes that objects take up, in whole grains */
  struct adr_symmetric_pages came; /* pages that the last call brought into use: no object was on them before */
  struct adr_symmetric_pages went; /* pages on which no object is any more since the last call */
  struct adr_symmetric_undo undo;
};

/* A heap of `bytes`, of which whole grains are used, all of it free. Pages of `page_bytes`, a power of two of at least
 * a grain, are told of. Returns 0, ADR_INVALID (a heap without a grain, or of more than ADR_SYMMETRIC_MAX_BYTES, or no
 * such page) or -ENOMEM.
 *
 * The hash is FNV-1a of 64 bits over words of 64 bits, each by its bytes from the lowest on: the bytes of the heap, as
 * they are handed in here, and of each call, but for those that fail, change nothing, or are undone:
 *   allocation    1, bytes, alignment (malloc: 64), 0,      offset
 *   reallocation  2, bytes, 64,                     offset, offset of the result
 *   free          3, 0,     0,                      offset, 0 */
int adr_symmetric_heap_open(struct adr_symmetric_heap *heap, uint64_t bytes, uint64_t page_bytes);
void adr_symmetric_heap_close(struct adr_symmetric_heap *heap);

/* Calls that allocate return an offset, or ADR_SYMMETRIC_NO_ROOM or, when this process has no memory for the record,
 * -ENOMEM. What fails has changed nothing. */

/* An object of `bytes`; of 0 bytes: ADR_SYMMETRIC_NONE, and nothing is changed. */
int64_t adr_symmetric_heap_malloc(struct adr_symmetric_heap *heap, uint64_t bytes);

/* An object at a multiple of `alignment`; ADR_INVALID: that is no power of two. An address is as aligned as that if
 * the heap is mapped at such a multiple. */
int64_t adr_symmetric_heap_align(struct adr_symmetric_heap *heap, uint64_t alignment, uint64_t bytes);

/* Makes an object larger or smaller. It stays where it is when it can. Else the result is a new object, and the old one
 * is still there: the caller copies what is in it, and frees it. ADR_SYMMETRIC_NONE allocates; 0 bytes free, which
 * returns ADR_SYMMETRIC_NONE. ADR_INVALID: no object has this offset. */
int64_t adr_symmetric_heap_realloc(struct adr_symmetric_heap *heap, int64_t offset, uint64_t bytes);

/* Frees an object. ADR_SYMMETRIC_NONE changes nothing. Returns 0, or ADR_INVALID: no object has this offset. */
int adr_symmetric_heap_free(struct adr_symmetric_heap *heap, int64_t offset);

/* Takes back the last call, for a PE that learns that another one could not make it: all is as it was, the hash, too.
 * Pages that it brought into use `went`. Returns 0, or ADR_INVALID: that call allocated and resized nothing. */
int adr_symmetric_heap_undo(struct adr_symmetric_heap *heap);

/* Bytes that were asked for of an object; 0: no object has this offset. */
uint64_t adr_symmetric_heap_bytes_of(const struct adr_symmetric_heap *heap, int64_t offset);

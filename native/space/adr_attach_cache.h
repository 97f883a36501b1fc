/* Attachments of other processes' memory (XPMEM), kept for the next message from the same buffer: to attach costs a
 * system call, and a page fault for each page at its first touch.
 *
 * What is in use stays whatever the bounds; what is not goes when a bound is passed, the least recently used first.
 * Where an exporter maps other memory at the same address, its attachment shows that: the kernel follows. Used under
 * one lock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct adr_permit;
struct adr_attachment;
struct adr_reached;

struct adr_attach_cache {
  uint32_t most;       /* attachments that may be kept */
  uint64_t most_bytes; /* in all of them */
  uint32_t count;
  uint64_t bytes;
  uint64_t attached;             /* so often */
  bool abandoned;                /* the kernel does not know what is here any more */
  struct adr_permit *permits;    /* one for each segment with attachments */
  struct adr_attachment *newest; /* most recently used first */
  struct adr_attachment *oldest;
  struct adr_reached *reached; /* what is in use now */
};

/* Where `bytes` bytes at `address` of the segment's process are mapped here; in use until given. Returns the address;
 * -EINVAL; -ENOMEM; ADR_XPMEM_LOST; or an error of the driver. */
int64_t adr_attach_cache_take(struct adr_attach_cache *cache, int64_t segment, int64_t address, int64_t bytes);

/* Lets go of what was taken with the same arguments. Returns 0, or -EINVAL: nothing was. */
int32_t adr_attach_cache_give(struct adr_attach_cache *cache, int64_t segment, int64_t address, int64_t bytes);

/* This process's registration has ended: what is not in use goes at once, the rest when it is given. Nothing more is to
 * be taken. */
void adr_attach_cache_abandon(struct adr_attach_cache *cache);

/* Forgets everything, without a word to the kernel, which has done so before. */
void adr_attach_cache_forget(struct adr_attach_cache *cache);

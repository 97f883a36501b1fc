#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/adr_base.h"
#include "space/adr_attach_cache.h"
#include "space/adr_xpmem_device.h"
#include "space/adr_xpmem_driver.h"

/* This process's access to the segment of another (XPMEM get), one for each segment with attachments. */
struct adr_permit {
  struct adr_permit *next;
  int64_t segment;
  int64_t id;
  uint32_t attachments; /* it is given back with the last one */
  bool stale;           /* the segment is gone, or its id means another one by now */
};

/* The permit for a segment, NULL: none but stale ones. */
static struct adr_permit *find_permit(struct adr_permit *permits, int64_t segment) {
  struct adr_permit *permit = permits;
  while (permit != NULL && (permit->segment != segment || permit->stale)) { permit = permit->next; }
  return permit;
}

/* Gets a new one into the list. Sets `*permit`. Returns 0, -ENOMEM, or an error of the driver. */
static int64_t get_permit(struct adr_permit **permits, int64_t segment, struct adr_permit **permit) {
  int64_t id = adr_xpmem_driver_get(segment, ADR_XPMEM_RDWR);
  if (id < 0) { return id; }
  *permit = malloc(sizeof **permit);
  if (*permit == NULL) {
    adr_xpmem_driver_release(id);
    return -ENOMEM;
  }
  **permit = (struct adr_permit){.next = *permits, .segment = segment, .id = id};
  *permits = *permit;
  return 0;
}

/* Gives it back when it has no attachments; without a word to the kernel when the kernel does not know it any more. */
static void release_unused_permit(struct adr_permit **permits, struct adr_permit *permit, bool known) {
  if (permit->attachments > 0) { return; }
  struct adr_permit **link = permits;
  while (*link != permit) { link = &(*link)->next; }
  *link = permit->next;
  if (known) { adr_xpmem_driver_release(permit->id); } /* an error says that it is gone already */
  free(permit);
}

struct adr_attachment {
  struct adr_attachment *newer;
  struct adr_attachment *older;
  struct adr_permit *permit;
  int64_t start; /* there, a multiple of a page */
  int64_t bytes;
  int64_t here;
  uint32_t uses; /* how many adr_reached */
};

/* A range in use, by which its attachment is found again: several may hold the same bytes. */
struct adr_reached {
  struct adr_reached *next;
  struct adr_attachment *attachment;
  int64_t segment;
  int64_t address;
  int64_t bytes;
  uint32_t times;
};

static void unlink_attachment(struct adr_attach_cache *cache, struct adr_attachment *attachment) {
  *(attachment->newer == NULL ? &cache->newest : &attachment->newer->older) = attachment->older;
  *(attachment->older == NULL ? &cache->oldest : &attachment->older->newer) = attachment->newer;
}

static void link_newest(struct adr_attach_cache *cache, struct adr_attachment *attachment) {
  attachment->newer = NULL;
  attachment->older = cache->newest;
  *(cache->newest == NULL ? &cache->oldest : &cache->newest->newer) = attachment;
  cache->newest = attachment;
}

static void evict(struct adr_attach_cache *cache, struct adr_attachment *attachment) {
  struct adr_permit *permit = attachment->permit;
  unlink_attachment(cache, attachment);
  /* Never munmap: the kernel would kill this process. When the registration that it was made in is gone, it may be
   * mapped still, or another user's attachment may lie there: only while there is no other registration it is ours. */
  if (!cache->abandoned || !adr_xpmem_driver_is_registered()) { adr_xpmem_driver_detach(attachment->here); }
  cache->count--;
  cache->bytes -= (uint64_t)attachment->bytes;
  permit->attachments--;
  free(attachment);
  release_unused_permit(&cache->permits, permit, !cache->abandoned);
}

/* Evicts what is not in use until so many more attachments with so many bytes fit, or nothing more can go. */
static void make_room(struct adr_attach_cache *cache, uint32_t more, uint64_t bytes) {
  struct adr_attachment *next;
  for (struct adr_attachment *at = cache->oldest; at != NULL; at = next) {
    if (cache->count + more <= cache->most && cache->bytes + bytes <= cache->most_bytes) { return; }
    next = at->newer;
    if (at->uses == 0) { evict(cache, at); }
  }
}

/* The segment is gone: what is in use stays mapped, so that touching it is SIGBUS, for which callers are ready. */
static void retire(struct adr_attach_cache *cache, struct adr_permit *permit) {
  struct adr_attachment *next;
  permit->stale = true;
  permit->attachments++; /* keeps the permit until the loop is done */
  for (struct adr_attachment *at = cache->oldest; at != NULL; at = next) {
    next = at->newer;
    if (at->permit == permit && at->uses == 0) { evict(cache, at); }
  }
  permit->attachments--;
  release_unused_permit(&cache->permits, permit, !cache->abandoned);
}

/* Maps a range by the segment's permit, got at the first use. Sets `*permit`. */
static int64_t attach(struct adr_attach_cache *cache, int64_t segment, int64_t start, int64_t bytes,
                      struct adr_permit **permit) {
  struct adr_permit *old = *permit = find_permit(cache->permits, segment);
  int64_t here = old == NULL ? -ESRCH : adr_xpmem_driver_attach(old->id, start, (size_t)bytes);
  if (here != -ESRCH) { return here; }
  /* The first, or the old one was for a segment that is gone. */
  int64_t status = get_permit(&cache->permits, segment, permit);
  if (status == ADR_XPMEM_LOST) { return status; }
  if (old != NULL) { retire(cache, old); }
  if (status < 0) { return status; }
  here = adr_xpmem_driver_attach((*permit)->id, start, (size_t)bytes);
  if (here < 0) { release_unused_permit(&cache->permits, *permit, true); }
  return here;
}

static int64_t add(struct adr_attach_cache *cache, int64_t segment, int64_t start, int64_t bytes) {
  struct adr_permit *permit;
  struct adr_attachment *attachment = calloc(1, sizeof *attachment);
  if (attachment == NULL) { return -ENOMEM; }
  make_room(cache, 1, (uint64_t)bytes);
  int64_t here = attach(cache, segment, start, bytes, &permit);
  if (here < 0) {
    free(attachment);
    return here;
  }
  *attachment = (struct adr_attachment){.permit = permit, .start = start, .bytes = bytes, .here = here};
  link_newest(cache, attachment);
  cache->count++;
  cache->bytes += (uint64_t)bytes;
  cache->attached++;
  permit->attachments++;
  return here;
}

/* Finds an attachment that has all of a range, and makes it the newest. */
static struct adr_attachment *find(struct adr_attach_cache *cache, int64_t segment, int64_t start, int64_t end) {
  for (struct adr_attachment *at = cache->newest; at != NULL; at = at->older) {
    if (at->permit->segment == segment && !at->permit->stale && at->start <= start && end <= at->start + at->bytes) {
      unlink_attachment(cache, at);
      link_newest(cache, at);
      return at;
    }
  }
  return NULL;
}

static struct adr_reached **find_reached(struct adr_attach_cache *cache, int64_t segment, int64_t address,
                                         int64_t bytes) {
  struct adr_reached **link = &cache->reached;
  while (*link != NULL && ((*link)->segment != segment || (*link)->address != address || (*link)->bytes != bytes)) {
    link = &(*link)->next;
  }
  return link;
}

static int64_t reach_first(struct adr_attach_cache *cache, struct adr_reached *reached) {
  int64_t page = sysconf(_SC_PAGESIZE);
  int64_t start = reached->address & -page;
  int64_t end = (int64_t)adr_align_up((uint64_t)(reached->address + reached->bytes), (uint64_t)page);
  reached->attachment = find(cache, reached->segment, start, end);
  if (reached->attachment == NULL) {
    int64_t status = add(cache, reached->segment, start, end - start);
    if (status < 0) { return status; }
    reached->attachment = cache->newest;
  }
  reached->attachment->uses++;
  reached->next = cache->reached;
  cache->reached = reached;
  return 0;
}

int64_t adr_attach_cache_take(struct adr_attach_cache *cache, int64_t segment, int64_t address, int64_t bytes) {
  if (segment <= 0 || address < 0 || bytes <= 0 || bytes > INT64_MAX / 2 - address) { return -EINVAL; }
  struct adr_reached *reached = *find_reached(cache, segment, address, bytes);
  if (reached == NULL) {
    reached = calloc(1, sizeof *reached);
    if (reached == NULL) { return -ENOMEM; }
    *reached = (struct adr_reached){.segment = segment, .address = address, .bytes = bytes};
    int64_t status = reach_first(cache, reached);
    if (status < 0) {
      free(reached);
      return status;
    }
  }
  reached->times++;
  return reached->attachment->here + (address - reached->attachment->start);
}

int32_t adr_attach_cache_give(struct adr_attach_cache *cache, int64_t segment, int64_t address, int64_t bytes) {
  struct adr_reached **link = find_reached(cache, segment, address, bytes);
  struct adr_reached *reached = *link;
  if (reached == NULL) { return -EINVAL; }
  if (--reached->times > 0) { return 0; }
  struct adr_attachment *attachment = reached->attachment;
  *link = reached->next;
  free(reached);
  if (--attachment->uses == 0 && (attachment->permit->stale || cache->abandoned)) {
    evict(cache, attachment);
  } else {
    make_room(cache, 0, 0);
  }
  return 0;
}

void adr_attach_cache_abandon(struct adr_attach_cache *cache) {
  struct adr_attachment *next;
  cache->abandoned = true;
  for (struct adr_attachment *at = cache->oldest; at != NULL; at = next) {
    next = at->newer;
    if (at->uses == 0) { evict(cache, at); }
  }
}

void adr_attach_cache_forget(struct adr_attach_cache *cache) {
  void *next;
  for (struct adr_permit *at = cache->permits; at != NULL; at = next) { next = at->next, free(at); }
  for (struct adr_attachment *at = cache->newest; at != NULL; at = next) { next = at->older, free(at); }
  for (struct adr_reached *at = cache->reached; at != NULL; at = next) { next = at->next, free(at); }
  *cache = (struct adr_attach_cache){.most = cache->most, .most_bytes = cache->most_bytes};
}

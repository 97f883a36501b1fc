/* XPMEM (004 section 3): a process maps memory of another one. One state per process, under one lock.
 *
 * Neither descriptor, segment, permits nor attachments outlive a fork: the child starts with nothing. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

#include "adrastea/space.h"
#include "space/adr_attach_cache.h"
#include "space/adr_xpmem_driver.h"

/* 4 GiB need up to 8 MiB of page tables. */
enum { MOST_ATTACHMENTS = 256 };
#define MOST_BYTES (UINT64_C(4) << 30)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t watched = PTHREAD_ONCE_INIT;
static bool forked; /* since the last call */
static struct adr_attach_cache cache = {.most = MOST_ATTACHMENTS, .most_bytes = MOST_BYTES};
static int64_t exported; /* 0: not yet */

/* The lock is held over a fork, so that the child finds it free and all else consistent. */
static void before_fork(void) { pthread_mutex_lock(&lock); }

static void after_fork(void) { pthread_mutex_unlock(&lock); }

static void after_fork_in_child(void) {
  forked = true;
  pthread_mutex_unlock(&lock);
}

static void watch_forks(void) { pthread_atfork(before_fork, after_fork, after_fork_in_child); }

static void forget(void) {
  adr_attach_cache_forget(&cache);
  exported = 0;
}

/* Every function begins here. Returns 0, or why there is no XPMEM; holds the lock in any case. */
static int32_t enter(void) {
  pthread_once(&watched, watch_forks);
  pthread_mutex_lock(&lock);
  if (forked) {
    forget();
    adr_xpmem_driver_forget();
    forked = false;
  }
  return adr_xpmem_driver_open();
}

/* And ends here. */
static int64_t leave(int64_t result) {
  pthread_mutex_unlock(&lock);
  return result == ADR_XPMEM_LOST ? -ENODEV : result; /* lost twice in a row */
}

/* Not when another user of XPMEM in this process has closed its descriptor since. */
static bool is_there(int64_t segment) {
  int64_t permit = segment > 0 ? adr_xpmem_driver_get(segment) : -ESRCH;
  if (permit > 0) { adr_xpmem_driver_release(permit); }
  return permit > 0;
}

static int64_t export_all(void) {
  if (is_there(exported)) { return exported; }
  int64_t segment = adr_xpmem_driver_make();
  if (segment > 0) { exported = segment; }
  return segment;
}

int32_t adr_xpmem_status(void) { return (int32_t)leave(enter()); }

int64_t adr_xpmem_export(void) {
  int64_t result = enter();
  if (result == 0) { result = export_all(); }
  if (result == ADR_XPMEM_LOST) {
    forget();
    result = export_all();
  }
  return leave(result);
}

int64_t adr_xpmem_reach(int64_t segment, int64_t address, int64_t bytes) {
  int64_t result = enter();
  if (result == 0) { result = adr_attach_cache_take(&cache, segment, address, bytes); }
  if (result == ADR_XPMEM_LOST) {
    forget();
    result = adr_attach_cache_take(&cache, segment, address, bytes);
  }
  return leave(result);
}

int32_t adr_xpmem_unreach(int64_t segment, int64_t address, int64_t bytes) {
  enter(); /* without XPMEM nothing was reached */
  return (int32_t)leave(adr_attach_cache_give(&cache, segment, address, bytes));
}

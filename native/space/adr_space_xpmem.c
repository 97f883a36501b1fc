/* XPMEM [OpenSHMEM over XPMEM 2011, 3]: a process maps memory of another one. One state per process, under one lock.
 *
 * Neither descriptor, segment, permits nor attachments outlive a fork: the child starts with nothing.
 *
 * When another user of XPMEM in this process closes the device the kernel forgets this process, and says nothing. So
 * each call asks first whether the registration stands, and XPMEM is not used again once it does not:
 * - adr_xpmem_export: what peers attach by its segment follows this process's memory from before the call. A buffer
 * that its owner leaves in place while peers use it is then what they see, even if the registration ends meanwhile:
 * their pages stay those of the buffer, or go (SIGBUS), but never show another one's.
 * - adr_xpmem_reach: asks after it has attached too, and so before each use of an attachment, made anew or kept. An
 *   attachment that followed its exporter until then shows the right pages.
 * - adr_xpmem_unreach: asks whether it stood all the time of the use. What was read is right if so: nobody was given
 * our addresses meanwhile. Only a close in the very moment of a use can be SIGSEGV, with a module that unmaps
 * (hpc/xpmem). */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/random.h>

#include "adrastea/space.h"
#include "space/adr_attach_cache.h"
#include "space/adr_xpmem_device.h"
#include "space/adr_xpmem_driver.h"

/* 4 GiB need up to 8 MiB of page tables. */
enum { MOST_ATTACHMENTS = 256 };
enum { PASSED_OVER = 256 }; /* numbers of segments, and as many again at random */
#define MOST_BYTES (UINT64_C(4) << 30)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t watched = PTHREAD_ONCE_INIT;
static bool forked; /* since the last call */
static struct adr_attach_cache cache = {.most = MOST_ATTACHMENTS, .most_bytes = MOST_BYTES};
static int64_t exported; /* 0: not yet */
static bool lost;        /* the registration has ended: there is no XPMEM any more */

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
  adr_xpmem_mark_forget();
  adr_xpmem_driver_forget();
  exported = 0;
  lost = false;
}

/* XPMEM is given up, once and for all. */
static int64_t give_up(void) {
  lost = true;
  adr_attach_cache_abandon(&cache);
  return -ESTALE;
}

/* Every function begins here. Returns 0, or why there is no XPMEM; holds the lock in any case. */
static int64_t enter(void) {
  pthread_once(&watched, watch_forks);
  pthread_mutex_lock(&lock);
  if (forked) {
    forget();
    forked = false;
  }
  int64_t result = lost ? -ESTALE : adr_xpmem_driver_open();
  if (result == 0) { result = adr_xpmem_mark_set(); }
  if (result == 0 && !adr_xpmem_mark_stands()) { result = ADR_XPMEM_LOST; }
  return result == ADR_XPMEM_LOST ? give_up() : result;
}

/* And ends here. */
static int64_t leave(int64_t result) {
  if (result == ADR_XPMEM_LOST) { result = give_up(); }
  pthread_mutex_unlock(&lock);
  return result;
}

/* The segment of all memory is not one of the first: a later registration of another user may have those, with memory
 * from another address on, and a peer that has been told our number must not find them. */
static int64_t export_all(void) {
  uint8_t random = 0;
  ssize_t got = getrandom(&random, sizeof random, GRND_NONBLOCK);
  for (int i = PASSED_OVER + (got < 0 ? 0 : random); i > 0; i--) {
    int64_t passed = adr_xpmem_driver_make(NULL, ADR_XPMEM_ALL);
    if (passed < 0) { return passed; }
    adr_xpmem_driver_remove(passed);
  }
  return adr_xpmem_driver_make(NULL, ADR_XPMEM_ALL);
}

int32_t adr_xpmem_status(void) { return (int32_t)leave(enter()); }

int64_t adr_xpmem_export(void) {
  int64_t result = enter();
  if (result < 0) { return leave(result); }
  if (exported == 0) {
    result = export_all();
    if (result > 0) { exported = result; }
  }
  return leave(result < 0 ? result : exported);
}

/* Whether a segment is there now: attachments do not tell. */
static int64_t find(int64_t segment) {
  int64_t permit = adr_xpmem_driver_get(segment, ADR_XPMEM_RDWR);
  if (permit > 0) { adr_xpmem_driver_release(permit); }
  return permit < 0 ? permit : 0;
}

int64_t adr_xpmem_reach(int64_t segment, int64_t address, int64_t bytes) {
  int64_t result = enter();
  if (result < 0) { return leave(result); }
  if (bytes == 0) { return leave(find(segment)); }
  uint64_t attached = cache.attached;
  result = adr_attach_cache_take(&cache, segment, address, bytes);
  if (result > 0 && cache.attached != attached && !adr_xpmem_mark_stands()) {
    give_up();
    adr_attach_cache_give(&cache, segment, address, bytes);
    result = -ESTALE;
  }
  return leave(result);
}

int32_t adr_xpmem_unreach(int64_t segment, int64_t address, int64_t bytes) {
  int64_t result = enter(); /* without XPMEM nothing was reached */
  int32_t given = adr_attach_cache_give(&cache, segment, address, bytes);
  return (int32_t)leave(given < 0 || result != -ESTALE ? given : result);
}

/* What every room of the C core stands on: error values, alignment, the spin hint.
 *
 * Functions of the core return a value >= 0, or one of the negative values below. They are -errno
 * values, so that a foreign caller needs no table; nothing prints, nothing exits. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define ADR_LINE 64u /* bytes of a cache line */
#define ADR_BLOCK \
  128u /* bytes with one named writer (or set of writers): two lines, since the prefetcher fetches pairs */

enum {
  ADR_GONE = -3,           /* ESRCH: that rank has left or failed */
  ADR_AGAIN = -11,         /* EAGAIN: nothing there, or no room, now */
  ADR_BUSY = -16,          /* EBUSY: a claim is open for that destination */
  ADR_INVALID = -22,       /* EINVAL: an argument is out of range, or asks for what is not there */
  ADR_NOMSG = -42,         /* ENOMSG: the next message is not the one asked for */
  ADR_CORRUPT = -71,       /* EPROTO: shared memory holds what no correct rank writes */
  ADR_TOO_LONG = -90,      /* EMSGSIZE: larger than a cell */
  ADR_LINK_PENDING = -115, /* EINPROGRESS: an enqueuer is between its SWAP and its link */
};

/* The rare branch is laid out of line. */
#define ADR_LIKELY(x) __builtin_expect(!!(x), 1)
#define ADR_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* `value`, a variable that a branch has changed or left: the branch stays one and becomes no computation, which would
 * wait for what is compared. */
#define ADR_KEEP_BRANCH(value) __asm__("" : "+r"(value))

/* Tells the CPU that this is a spin loop: saves power and the pipeline flush at its end. */
static inline void adr_cpu_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb" ::: "memory"); /* `yield` is a no-op on most cores */
#else
  __asm__ __volatile__("" ::: "memory");
#endif
}

/* Pushes a line that was written towards the cache that all CPUs share. No effect but on speed; CPUs without it do
 * nothing. */
static inline void adr_demote(const void *line) {
#if defined(__x86_64__)
  __asm__ __volatile__("cldemote %0" ::"m"(*(const char *)line));
#else
  (void)line;
#endif
}

/* Fetches a line for writing, ahead of time. No effect but on speed; CPUs without it do nothing. */
static inline void adr_prefetch_write(const void *line) {
#if defined(__x86_64__)
  __asm__ __volatile__("prefetchw %0" ::"m"(*(const char *)line));
#else
  __builtin_prefetch(line, 1);
#endif
}

/* Fetches a line for reading, ahead of time. No effect but on speed. */
static inline void adr_prefetch_read(const void *line) { __builtin_prefetch(line); }

/* `alignment` is a power of two. */
static inline uint64_t adr_align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/* What a program does with a message before it sends it and after it has received it, reduced to what moves cache
 * lines: a word of each line is written, and read. Short messages are written and read whole. Each message holds
 * other words than the one before, so that no store is silent; the sum of what was read tells whether all arrived.
 * io.adrastea.bench.measure.Touch does the same in Java. Compiled into adrastea-floor, and at run time into the
 * programs of the peers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { TOUCH_LINE = 64, TOUCH_WHOLE = 256, TOUCH_BUFFERS = 4, TOUCH_BUFFER_BYTES = 64 << 20 };

/* One side's messages of a run, all of one length. */
struct touch {
  bool on;
  uint64_t words;         /* of a message that are touched */
  uint64_t offsets;       /* the sum of their offsets */
  uint64_t written;       /* number of the last message written, from 1 */
  uint64_t read;          /* of the last one read */
  uint64_t checked;       /* of the last one that touch_check has seen */
  uint64_t sum;           /* of the words read since */
  volatile uint8_t tails; /* bytes behind the last word of a short message go here */
};

static inline uint64_t touch_step(uint64_t bytes) { return bytes <= TOUCH_WHOLE ? sizeof(uint64_t) : TOUCH_LINE; }

/* Messages of `bytes` follow, the first of which has the number 1 on both sides. */
static inline void touch_begin(struct touch *touch, uint64_t bytes, bool on) {
  memset(touch, 0, sizeof *touch);
  touch->on = on;
  for (uint64_t at = 0; at + sizeof at <= bytes; at += touch_step(bytes)) {
    touch->words++;
    touch->offsets += at;
  }
}

/* The compiler keeps no word of a message in a register: it is written before it goes, and read out of the buffer. */
static inline void touch_in_memory(const void *message) { __asm__ __volatile__("" ::"r"(message) : "memory"); }

/* Writes a message that is about to be sent. */
static inline void touch_write(struct touch *touch, void *message, uint64_t bytes) {
  uint8_t *to = message;
  if (!touch->on) { return; }
  uint64_t number = ++touch->written;
  uint64_t at = 0;
  for (uint64_t step = touch_step(bytes); at + sizeof number <= bytes; at += step) {
    uint64_t word = number + at;
    memcpy(to + at, &word, sizeof word);
  }
  for (; bytes <= TOUCH_WHOLE && at < bytes; at++) { to[at] = (uint8_t)(number + at); }
  touch_in_memory(message);
}

/* Reads a message that has arrived. */
static inline void touch_read(struct touch *touch, const void *message, uint64_t bytes) {
  const uint8_t *from = message;
  if (!touch->on) { return; }
  touch_in_memory(message);
  uint64_t sum = 0, at = 0;
  for (uint64_t step = touch_step(bytes); at + sizeof sum <= bytes; at += step) {
    uint64_t word;
    memcpy(&word, from + at, sizeof word);
    sum += word;
  }
  for (; bytes <= TOUCH_WHOLE && at < bytes; at++) { touch->tails = from[at]; }
  touch->sum += sum;
  touch->read++;
}

/* Whether the words read since the last call are those that were written. Word `at` of message n is n + at. */
static inline bool touch_check(struct touch *touch) {
  uint64_t count = touch->read - touch->checked, ends = touch->read + touch->checked + 1;
  uint64_t numbers = count % 2 == 0 ? count / 2 * ends : count * (ends / 2);
  bool right = touch->sum == touch->words * numbers + count * touch->offsets;
  touch->checked = touch->read;
  touch->sum = 0;
  return right;
}

/* Messages begin at a line, and one buffer lies this far behind the one before. */
static inline uint64_t touch_stride(uint64_t bytes) {
  uint64_t lines = (bytes + TOUCH_LINE - 1) / TOUCH_LINE;
  return (lines == 0 ? 1 : lines) * TOUCH_LINE;
}

/* Messages take turns in so many buffers: 4, or as many as 64 MiB have room for. */
static inline uint64_t touch_buffers(uint64_t bytes) {
  uint64_t room = TOUCH_BUFFER_BYTES / touch_stride(bytes);
  return room < 1 ? 1 : room > TOUCH_BUFFERS ? TOUCH_BUFFERS : room;
}

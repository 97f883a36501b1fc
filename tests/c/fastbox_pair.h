/* One fastbox on plain memory with guards on both sides, writer and reader in one thread, for tests. */
#pragma once

#include <string.h>

#include "check.h"
#include "fastbox/adr_inbox.h"
#include "fastbox/adr_outbox.h"

enum { RING = 4096, GUARD = 256 };

static _Alignas(64) uint8_t memory[GUARD + RING + GUARD];
static struct adr_box_entry entry;
static struct adr_outbox out;
static struct adr_inbox in;
static struct adr_box_room room;

static inline void fresh(void) {
  memset(memory, 0xee, sizeof memory);
  memset(memory + GUARD, 0, RING);
  entry = (struct adr_box_entry){0};
  out = (struct adr_outbox){.ring = memory + GUARD, .mask = RING - 1, .room = RING, .entry = &entry};
  in = (struct adr_inbox){.ring = memory + GUARD, .mask = RING - 1, .entry = &entry, .tell_at = (RING - 1) >> 2};
}

static inline void guards_are_whole(void) {
  for (int i = 0; i < GUARD; i++) {
    CHECK_EQUAL(0xee, memory[i]);
    CHECK_EQUAL(0xee, memory[GUARD + RING + i]);
  }
}

static inline uint8_t byte_of(uint64_t sequence, uint32_t at) { return (uint8_t)(sequence * 37 + at * 11 + 1); }

static inline void fill(uint64_t sequence, uint32_t length) {
  uint8_t *payload = (uint8_t *)(room.message + 1);
  room.message->match = sequence;
  for (uint32_t i = 0; i < length; i++) { payload[i] = byte_of(sequence, i); }
}

static inline int put(uint64_t sequence, uint32_t length, bool packed, bool burst) {
  if (!adr_outbox_find(&out, length, packed, &room)) { return 0; }
  fill(sequence, length);
  adr_outbox_commit(&out, &room, sequence, length, burst);
  if (!packed) { adr_outbox_prepare(&out, &room); }
  return 1;
}

/* The short way, as the channel takes it. */
static inline int put_line(uint64_t sequence, uint32_t length) {
  uint8_t payload[ADR_BOX_HEAD];
  for (uint32_t i = 0; i < length; i++) { payload[i] = byte_of(sequence, i); }
  return adr_outbox_put_line(&out, sequence, sequence, payload, length);
}

/* Checks the bytes of a message at `position`. */
static inline void is_intact(uint64_t position, uint64_t sequence, uint32_t length) {
  const struct adr_box_message *message = adr_box_message_at(in.ring, in.mask, position);
  const uint8_t *payload = (const uint8_t *)(message + 1);
  CHECK_EQUAL(sequence, message->match);
  for (uint32_t i = 0; i < length; i++) { CHECK_EQUAL(byte_of(sequence, i), payload[i]); }
}

static inline int64_t look(uint64_t sequence, uint32_t length) {
  int64_t header = adr_inbox_poll(&in, sequence);
  CHECK(header > 0);
  CHECK_EQUAL(length, header & (int64_t)ADR_BOX_LENGTH_MASK);
  is_intact(in.position, sequence, length);
  return header;
}

static inline void get(uint64_t sequence, uint32_t length) { adr_inbox_end(&in, (uint64_t)look(sequence, length)); }

/* Runs a test on a fresh one and looks at the guards. */
#define RUN_FRESH(test) \
  do { \
    fresh(); \
    RUN(test); \
    guards_are_whole(); \
  } while (0)

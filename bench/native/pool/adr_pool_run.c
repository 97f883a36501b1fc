#include "pool/adr_pool_run.h"

#include <string.h>

enum { PER_EXCHANGE = 2, VERIFIED_BYTES = 4 << 20, ANSWER_BYTES = 64 };

static uint8_t *outgoing(const struct floor_pair *pair) { return pair->mine; }

static uint8_t *incoming(const struct floor_pair *pair) { return pair->mine + 2 * POOL_MAX_BYTES; }

/* The first word of a message is its number. */
static void send(struct floor_pair *pair, const struct pool_way *way, uint64_t number, uint64_t bytes) {
  memcpy(outgoing(pair), &number, sizeof number);
  way->send(way->state, pair, outgoing(pair), bytes);
}

static void receive(struct floor_pair *pair, const struct pool_way *way, uint64_t number, uint64_t bytes) {
  uint64_t found;
  way->receive(way->state, pair, incoming(pair), bytes);
  memcpy(&found, incoming(pair), sizeof found);
  if (ADR_UNLIKELY(found != number)) { pool_fail("another message", (int64_t)found); }
}

/* No page faults while time runs. */
static void prepare(struct floor_pair *pair, uint64_t bytes) {
  memset(outgoing(pair), 1, bytes);
  memset(incoming(pair), 1, bytes);
  floor_pair_meet(pair);
}

void pool_ping_pong(struct floor_pair *pair, const struct floor_order *order, const struct pool_way *way) {
  uint64_t number = 0;
  prepare(pair, order->bytes);
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t start = floor_now();
    for (uint64_t i = 0; i < order->exchanges; i++) {
      number++;
      if (pair->side == 0) { send(pair, way, number, order->bytes); }
      receive(pair, way, number, order->bytes);
      if (pair->side == 1) { send(pair, way, number, order->bytes); }
    }
    if (pair->side == 0) { floor_note(pair, batch, floor_now() - start, 1); }
  }
}

static void send_all(struct floor_pair *pair, const struct floor_order *order, const struct pool_way *way) {
  uint64_t number = 0;
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t start = floor_now();
    for (uint64_t i = 0; i < order->exchanges * PER_EXCHANGE; i++) { send(pair, way, ++number, order->bytes); }
    receive(pair, way, number, ANSWER_BYTES);
    floor_note(pair, batch, floor_now() - start, 1);
  }
}

static void receive_all(struct floor_pair *pair, const struct floor_order *order, const struct pool_way *way) {
  uint64_t number = 0;
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    for (uint64_t i = 0; i < order->exchanges * PER_EXCHANGE; i++) { receive(pair, way, ++number, order->bytes); }
    send(pair, way, number, ANSWER_BYTES);
  }
}

void pool_stream(struct floor_pair *pair, const struct floor_order *order, const struct pool_way *way) {
  prepare(pair, order->bytes);
  if (pair->side == 0) {
    send_all(pair, order, way);
  } else {
    receive_all(pair, order, way);
  }
}

/* Another content for each message and each place in it. */
static uint8_t content(uint64_t number, uint64_t at) {
  return (uint8_t)((number * 8191 + at) * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

static void send_content(struct floor_pair *pair, const struct pool_way *way, uint64_t number, uint64_t bytes) {
  uint8_t *message = outgoing(pair);
  for (uint64_t at = 0; at < bytes; at++) { message[at] = content(number, at); }
  way->send(way->state, pair, message, bytes);
}

static void receive_content(struct floor_pair *pair, const struct pool_way *way, uint64_t number, uint64_t bytes) {
  uint8_t *message = incoming(pair);
  memset(message, 0, bytes);
  way->receive(way->state, pair, message, bytes);
  for (uint64_t at = 0; at < bytes; at++) {
    if (ADR_UNLIKELY(message[at] != content(number, at))) { pool_fail("wrong contents at byte", (int64_t)at); }
  }
}

void pool_verify(struct floor_pair *pair, uint64_t bytes, const struct pool_way *way) {
  uint64_t messages = PER_EXCHANGE + VERIFIED_BYTES / bytes;
  if (messages > 2000) { messages = 2000; } /* each takes a cell: more than there are */
  floor_pair_meet(pair);
  for (int sender = 0; sender < 2; sender++) {
    for (uint64_t number = 1; number <= messages; number++) {
      if (pair->side == sender) {
        send_content(pair, way, number, bytes);
      } else {
        receive_content(pair, way, number, bytes);
      }
    }
  }
}

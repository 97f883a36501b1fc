#include "job/adr_job_control.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/adr_base.h"
#include "bootstrap/adr_job_error.h"

enum { ENTRIES_PER_RANK = 2, MORE_ENTRIES = 8 };

int adr_control_open(struct adr_control *control, uint32_t ranks) {
  uint32_t count = ENTRIES_PER_RANK * ranks + MORE_ENTRIES;
  *control = (struct adr_control){.ranks = ranks};
  control->entries = calloc(count, sizeof *control->entries);
  control->stuck = calloc(ranks, sizeof *control->stuck);
  if (control->entries == NULL || control->stuck == NULL) {
    adr_control_close(control);
    return -ENOMEM;
  }
  for (uint32_t i = 0; i < count; i++) {
    control->entries[i].next = control->spent;
    control->spent = &control->entries[i];
  }
  return 0;
}

void adr_control_close(struct adr_control *control) {
  free(control->entries);
  free(control->stuck);
  *control = (struct adr_control){0};
}

int adr_control_register(struct adr_control *control, uint32_t type, adr_control_handler handler) {
  if (type >= ADR_CONTROL_COUNT) { return -EINVAL; }
  if (control->handlers[type] != NULL) { return -EEXIST; }
  control->handlers[type] = handler;
  return 0;
}

/* 1: it is out, or its receiver is gone; 0: there is no room. */
static int try_send(adr_channel *channel, uint32_t peer, uint32_t type, const uint64_t *words, uint32_t count) {
  int64_t bytes = (int64_t)(count * sizeof *words);
  int32_t taken =
      adr_channel_try_send(channel, (int32_t)peer, ADR_PIECE_FIRST, ADR_CONTROL_MATCH | type, bytes, words, 0, bytes);
  if (taken == ADR_AGAIN || taken == ADR_BUSY) { return 0; }
  return taken == bytes || taken == ADR_GONE ? 1 : taken < 0 ? taken : ADR_CORRUPT;
}

static void add(struct adr_control *control, struct adr_control_entry *entry) {
  entry->next = NULL;
  if (control->first == NULL) {
    control->first = entry;
  } else {
    control->last->next = entry;
  }
  control->last = entry;
}

int adr_control_send(struct adr_control *control, adr_channel *channel, uint32_t peer, uint32_t type,
                     const uint64_t *words, uint32_t count) {
  if (adr_control_is_idle(control)) { /* else it would overtake one before it */
    int status = try_send(channel, peer, type, words, count);
    if (status != 0) { return status < 0 ? status : 0; }
  }
  struct adr_control_entry *entry = control->spent;
  if (entry == NULL) { return -EAGAIN; }
  control->spent = entry->next;
  entry->peer = peer;
  entry->type = type;
  entry->count = count;
  memcpy(entry->words, words, count * sizeof *words);
  add(control, entry);
  return 0;
}

int adr_control_flush(struct adr_control *control, adr_channel *channel) {
  struct adr_control_entry *entry = control->first;
  int error = 0;
  memset(control->stuck, 0, control->ranks * sizeof *control->stuck);
  control->first = NULL;
  while (entry != NULL) {
    struct adr_control_entry *next = entry->next;
    int status = control->stuck[entry->peer] || error < 0
                     ? 0
                     : try_send(channel, entry->peer, entry->type, entry->words, entry->count);
    if (status > 0) {
      entry->next = control->spent;
      control->spent = entry;
    } else {
      error = status < 0 ? status : error;
      control->stuck[entry->peer] = true;
      add(control, entry);
    }
    entry = next;
  }
  return error;
}

int adr_control_hand(struct adr_control *control, struct adr_job *job, uint32_t source, int64_t match,
                     const void *payload, uint64_t bytes) {
  uint32_t type = (uint32_t)match & (ADR_CONTROL_COUNT - 1);
  adr_control_handler handler = control->handlers[type];
  if (handler == NULL) {
    if (control->unknown++ == 0) {
      control->unknown_type = type;
      control->unknown_source = source;
    }
    return 0;
  }
  uint64_t words[ADR_CONTROL_WORDS] = {0};
  memcpy(words, payload, bytes < sizeof words ? bytes : sizeof words); /* once: its sender could change it meanwhile */
  return handler(job, source, type, words);
}

/* The types that have a handler, as "2, 4". */
static void name_types(const struct adr_control *control, char *text, size_t size) {
  size_t length = 0;
  text[0] = '\0';
  for (uint32_t type = 0; type < ADR_CONTROL_COUNT && length < size; type++) {
    if (control->handlers[type] == NULL) { continue; }
    length += (size_t)snprintf(text + length, size - length, "%s%" PRIu32, length == 0 ? "" : ", ", type);
  }
}

int adr_control_tell(struct adr_control *control, adr_error *error) {
  if (ADR_LIKELY(control->unknown == 0)) { return 0; }
  char types[64], more[64] = "";
  name_types(control, types, sizeof types);
  if (control->unknown > 1) {
    snprintf(more, sizeof more, " (and %" PRIu32 " more of such types have come)", control->unknown - 1);
  }
  control->unknown = 0;
  return adr_fail(error, -EPROTO,
                  "rank %" PRIu32 " sent a control message of type %" PRIu32
                  "%s; this rank handles types %s; it was dropped and all else goes on, but "
                  "that rank may wait for an answer: run the same version in all ranks",
                  control->unknown_source, control->unknown_type, more, types);
}

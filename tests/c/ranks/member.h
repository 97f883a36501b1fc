/* What the C ranks of the multi-process tests share: joining, and messages put together from their pieces. */
#pragma once

#include <adrastea/adrastea.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The message under way from one source, or the last one. */
struct member_inflow {
  uint8_t *contents;
  int64_t room;
};

static adr_job *job;

/* Ends the program with the error in words when `status` is one. */
static inline int require(int status) {
  if (status < 0) {
    fprintf(stderr, "rank %d: %s\n", adr_job_rank(job), adr_job_error(job));
    exit(1);
  }
  return status;
}

static inline void member_join(void) {
  adr_error error;
  if (adr_job_join(&job, ADR_JOIN_END_WITH_LAUNCHER, &error) < 0) {
    fprintf(stderr, "%s\n", error.text);
    exit(1);
  }
}

/* Takes a piece in and releases it. Returns 1: its message is whole. */
static inline int member_take(struct member_inflow *in, const adr_message *piece) {
  if (piece->kind == ADR_PIECE_ABORT) {
    fprintf(stderr, "rank %d gave up a message\n", piece->source);
    exit(1);
  }
  if (piece->total_length > in->room) {
    in->contents = realloc(in->contents, piece->total_length);
    if (in->contents == NULL) { exit(1); }
    in->room = piece->total_length;
  }
  if (piece->length > 0) { memcpy(in->contents + piece->offset, piece->payload, piece->length); }
  require(adr_release(job));
  return piece->offset + piece->length == piece->total_length;
}

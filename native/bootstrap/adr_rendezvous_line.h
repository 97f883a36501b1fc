/* The lines that ranks exchange where they meet. A rank sends
 *
 *   adrastea 1 rank=<r> size=<n> node=<identity>
 *
 * where 1 is the version of this protocol, and rank 0 answers one of
 *
 *   job <16 hex digits>
 *   refused <words>
 *
 * each with a line feed at its end and at most 512 bytes with it. Twin of io.adrastea.bootstrap.RendezvousLine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bootstrap/adr_node.h"

enum {
  ADR_RENDEZVOUS_VERSION = 1,
  ADR_RENDEZVOUS_LINE = 512, /* bytes of a line, with its end */
  ADR_RENDEZVOUS_QUOTE = 64, /* bytes of it that messages quote */
  ADR_RENDEZVOUS_JOB_TEXT = 17
};

/* What a rank says of itself. */
struct adr_rendezvous_hello {
  uint32_t version;
  uint32_t rank;
  uint32_t size;
  char node[ADR_NODE_TEXT];
  char job[ADR_RENDEZVOUS_JOB_TEXT]; /* the number that its launcher has told it, 16 hex digits; "": none */
};

enum adr_rendezvous_answer { ADR_RENDEZVOUS_JOB, ADR_RENDEZVOUS_REFUSED, ADR_RENDEZVOUS_NO_ANSWER };

/* Writes a rank's line, with its end. Returns its length. */
size_t adr_rendezvous_write_hello(char line[ADR_RENDEZVOUS_LINE], const struct adr_rendezvous_hello *hello);

/* Whether these bytes are a rank's line, or can become one: others speak another language. */
bool adr_rendezvous_may_be_hello(const char *bytes, size_t length);

/* Reads a rank's line, without its end. Returns false: it is malformed; of another version the version alone is read.
 */
bool adr_rendezvous_read_hello(struct adr_rendezvous_hello *hello, const char *line);

/* Writes an answer with its end. Words that are too long are cut off. Returns its length. */
size_t adr_rendezvous_write_job(char line[ADR_RENDEZVOUS_LINE], uint64_t job);
size_t adr_rendezvous_write_refusal(char line[ADR_RENDEZVOUS_LINE], const char *words);

/* Reads an answer, without its end: the job's number, or the words in `line`. */
enum adr_rendezvous_answer adr_rendezvous_read_answer(const char *line, uint64_t *job, const char **words);

/* Replaces what is not printable in ASCII by question marks, and ends the text at the first line feed, if there is one
 * among these bytes. `text` has a place more than they are. */
void adr_rendezvous_make_plain(char *text, size_t length);

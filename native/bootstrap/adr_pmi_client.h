/* The conversation with a process manager by PMI-1: lines of the form "cmd=NAME key=value key=value", each answered by
 * one. Twin of io.adrastea.bootstrap.PmiClient. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adrastea/job.h"

enum { ADR_PMI_LINE = 2048, ADR_PMI_WORD = 512 };

/* A conversation. It fails for good with the first error. */
struct adr_pmi_client {
  int descriptor;
  const char *name; /* of the variable that told the way to the manager, for messages */
  const char *way;  /* what that variable holds */
  int64_t deadline; /* of adr_clock_now */
  bool closes;      /* whether the descriptor was opened here */
  size_t held;      /* bytes in `bytes`: the answer, and what has come behind it */
  size_t length;    /* of the answer, with its end of line; 0: there was none yet */
  char bytes[ADR_PMI_LINE];
};

/* Takes up a descriptor that was inherited; PMI_FD says which. */
void adr_pmi_take(struct adr_pmi_client *client, const char *fd, int64_t deadline);

/* Connects to the "host:port" of PMI_PORT, by the deadline; the system's resolver, which is asked before, has limits of
 * its own. Returns 0 or an error. */
int adr_pmi_connect(struct adr_pmi_client *client, const char *port, int64_t deadline, adr_error *error);

/* Sends a line, whose end is added, and waits for its answer, which is to be of this name. Returns 0 or an error: the
 * manager is gone, is too late, or answers something else or what is no line. */
int adr_pmi_ask(struct adr_pmi_client *client, const char *line, const char *answer, adr_error *error);

/* Waits for one more line of this name, unasked. Returns 0 or an error as above. */
int adr_pmi_await(struct adr_pmi_client *client, const char *answer, adr_error *error);

/* Copies the value of a key of the last answer, cut off where there is no place for more. Returns whether it is there.
 */
bool adr_pmi_value(const struct adr_pmi_client *client, const char *key, char value[ADR_PMI_WORD]);

/* Says that the last answer is not what was asked for. Returns -EPROTO. */
int adr_pmi_refuse(const struct adr_pmi_client *client, const char *why, adr_error *error);

void adr_pmi_close(struct adr_pmi_client *client);

#include "bootstrap/adr_pmi.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/adr_clock.h"
#include "bootstrap/adr_job_error.h"
#include "bootstrap/adr_node.h"
#include "bootstrap/adr_pmi_client.h"
#include "bootstrap/adr_setting.h"
#include "bootstrap/adr_variables.h"
#include "segment/adr_geometry.h"

#define KEY "adrastea"         /* under which rank 0 puts the job's number and its node ... */
#define APART "adrastea-apart" /* ... and a rank on another node its own number and node, ... */
#define FAR "adrastea-far"     /* ... or here, if it is a rank in Java with links to other nodes, which C ranks lack */

static int claim(struct adr_claim *claim, adr_error *error) {
  const char *fd = adr_variable("PMI_FD");
  const char *port = adr_variable("PMI_PORT");
  if (*fd != '\0') {
    uint32_t number;
    if (!adr_read_digits(fd, &number)) {
      return adr_fail(error, -EINVAL, "PMI_FD is '%.32s'; allowed is the number of an open descriptor", fd);
    }
    snprintf(claim->words, sizeof claim->words, "PMI_FD=%s", fd);
    return adr_variables_claim(claim, "PMI_RANK", "PMI_SIZE", error);
  }
  if (*port == '\0') { return 0; }
  snprintf(claim->words, sizeof claim->words, "PMI_PORT=%.64s", port);
  return adr_variables_claim_rank(claim, "PMI_ID", error);
}

/* A connection says first which process it is of, and is told size, rank and whether to debug, a line each. */
static int introduce(struct adr_pmi_client *client, struct adr_membership *membership, adr_error *error) {
  enum { LINES = 3 };
  char line[64];
  char value[ADR_PMI_WORD];
  uint32_t rank = UINT32_MAX;
  snprintf(line, sizeof line, "cmd=initack pmiid=%" PRIu32, membership->rank);
  int status = adr_pmi_ask(client, line, "initack", error);
  for (int i = 0; status == 0 && i < LINES; i++) {
    status = adr_pmi_await(client, "set", error);
    bool sound = (!adr_pmi_value(client, "size", value) || adr_read_digits(value, &membership->size))
                 && (!adr_pmi_value(client, "rank", value) || adr_read_digits(value, &rank));
    if (status == 0 && !sound) { return adr_pmi_refuse(client, "whole numbers are allowed", error); }
  }
  if (status < 0) { return status; }
  if (membership->size > ADR_MAX_LOCAL_RANKS || rank >= membership->size) {
    char why[ADR_PMI_WORD];
    snprintf(why, sizeof why, "it tells no rank and size; allowed are a size from 1 to %u and a rank below it",
             ADR_MAX_LOCAL_RANKS);
    return adr_pmi_refuse(client, why, error);
  }
  membership->rank = rank;
  return 0;
}

/* Rank 0 chooses the job's number. */
static int put_card(struct adr_pmi_client *client, const char *space, const char *node, adr_error *error) {
  uint64_t job;
  char line[ADR_PMI_LINE];
  int status = adr_job_number_draw(&job, error);
  if (status < 0) { return status; }
  snprintf(line, sizeof line, "cmd=put kvsname=%s key=" KEY " value=%016" PRIx64 ",%s", space, job, node);
  return adr_pmi_ask(client, line, "put_result", error);
}

/* Asks for the value of a key. Returns 0, or an error; "": nobody has put it. */
static int get(struct adr_pmi_client *client, const char *space, const char *key, char value[ADR_PMI_WORD],
               adr_error *error) {
  char line[ADR_PMI_LINE];
  char code[ADR_PMI_WORD];
  snprintf(line, sizeof line, "cmd=get kvsname=%s key=%s", space, key);
  int status = adr_pmi_ask(client, line, "get_result", error);
  bool found = status == 0 && adr_pmi_value(client, "rc", code) && strcmp(code, "0") == 0;
  if (!found || !adr_pmi_value(client, "value", value)) { *value = '\0'; }
  return status;
}

/* Reads what rank 0 has put, and tells the others where this rank is on another node. */
static int get_card(struct adr_pmi_client *client, struct adr_membership *membership, const char *space,
                    char first[ADR_PMI_WORD], const char *node, adr_error *error) {
  char line[ADR_PMI_LINE];
  char card[ADR_PMI_WORD];
  int status = get(client, space, KEY, card, error);
  if (status < 0) { return status; }
  if (strspn(card, "0123456789abcdef") != 16 || card[16] != ',') {
    return adr_pmi_refuse(client, "rank 0 has not put the number of its job; are all ranks of one version?", error);
  }
  membership->job = strtoull(card, NULL, 16);
  strcpy(first, card + 17);
  if (strcmp(first, node) == 0) { return 0; }
  snprintf(line, sizeof line, "cmd=put kvsname=%s key=" APART " value=%" PRIu32 ",%s", space, membership->rank, node);
  return adr_pmi_ask(client, line, "put_result", error); /* refused where another rank has put it: one is enough */
}

/* Fails with the rank that is on another node than rank 0, if there is one. */
static int check_apart(struct adr_pmi_client *client, const char *space, const char *first, adr_error *error) {
  char apart[ADR_PMI_WORD];
  int status = get(client, space, APART, apart, error);
  if (status == 0 && *apart == '\0') { status = get(client, space, FAR, apart, error); }
  if (status < 0 || *apart == '\0') { return status; }
  uint32_t rank;
  char *comma = strchr(apart, ',');
  if (comma != NULL) { *comma = '\0'; }
  if (comma == NULL || !adr_read_digits(apart, &rank)) {
    return adr_pmi_refuse(client, "no rank and node are in it; are all ranks of one version?", error);
  }
  char words[ADR_APART_TEXT];
  adr_node_tell_apart(words, rank, comma + 1, first);
  return adr_fail(error, -EXDEV, "%s", words);
}

/* Asks for the space of keys, and exchanges the nodes, so that all ranks join or none. The conversation ends with that:
 * what follows is told by the segment, and a rank that ends without a word is no failure to the manager then. */
static int talk(struct adr_pmi_client *client, struct adr_membership *membership, adr_error *error) {
  char node[ADR_NODE_TEXT];
  char first[ADR_PMI_WORD];
  char space[ADR_PMI_WORD];
  int status = adr_node_identity(node, error);
  if (status == 0) {
    status = adr_pmi_ask(client, "cmd=init pmi_version=1 pmi_subversion=1", "response_to_init", error);
  }
  if (status < 0) { return status; }
  if (!adr_pmi_value(client, "rc", space) || strcmp(space, "0") != 0) {
    return adr_pmi_refuse(client, "it does not speak version 1 of PMI", error);
  }
  status = adr_pmi_ask(client, "cmd=get_my_kvsname", "my_kvsname", error);
  if (status < 0) { return status; }
  if (!adr_pmi_value(client, "kvsname", space)) { return adr_pmi_refuse(client, "there is no kvsname", error); }
  if (membership->rank == 0) { status = put_card(client, space, node, error); }
  if (status == 0) { status = adr_pmi_ask(client, "cmd=barrier_in", "barrier_out", error); }
  if (status == 0) { status = get_card(client, membership, space, first, node, error); }
  if (status == 0) { status = adr_pmi_ask(client, "cmd=barrier_in", "barrier_out", error); }
  if (status == 0) { status = check_apart(client, space, first, error); }
  return status < 0 ? status : adr_pmi_ask(client, "cmd=finalize", "finalize_ack", error);
}

static int join(struct adr_membership *membership, adr_error *error) {
  static const char *const names[] = {"hydra_pmi_proxy", NULL};
  struct adr_pmi_client client;
  uint32_t millis;
  int status = adr_setting_number(&millis, ADR_SETTING_JOIN_TIMEOUT, error);
  if (status < 0) { return status; }
  int64_t deadline = adr_clock_now() + (int64_t)millis * 1000000;
  membership->launcher = adr_parent_named(names);
  if (*adr_variable("PMI_FD") != '\0') {
    adr_pmi_take(&client, adr_variable("PMI_FD"), deadline);
  } else {
    status = adr_pmi_connect(&client, adr_variable("PMI_PORT"), deadline, error);
    if (status == 0) { status = introduce(&client, membership, error); }
  }
  if (status == 0) { status = talk(&client, membership, error); }
  adr_pmi_close(&client);
  return status;
}

const struct adr_bootstrap adr_pmi = {"pmi", claim, join};

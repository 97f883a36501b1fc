/* The conversation by PMI-1 with a process manager of the test's own, which answers as it should, in halves, slowly,
 * with garbage, too long or not at all; the words are those of Java ranks (PmiClientTest). */
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "bootstrap/adr_bootstrap.h"
#include "bootstrap/adr_node.h"
#include "bootstrap/adr_pmi_client.h"
#include "check.h"

#define GET "get kvsname=kvs_17_0 key=adrastea\n"
#define GET_APART "get kvsname=kvs_17_0 key=adrastea-apart\n"
#define GET_FAR "get kvsname=kvs_17_0 key=adrastea-far\n"

#define CHILD ", and a process that a rank has started needs ADRASTEA_BOOTSTRAP=none"

enum { FUZZ_INPUTS = 400, WORDS = 256 };

static char node[ADR_NODE_TEXT];
static char card[ADR_NODE_TEXT + 32];
static char apart[ADR_NODE_TEXT + 32]; /* that a rank has put; "": none has */

/* How a manager answers. */
struct manner {
  const char *to;     /* the start of the line, behind "cmd=", that is answered otherwise ... */
  const char *answer; /* ... in this way; "": not at all, NULL: the manager closes */
  size_t piece;       /* bytes that are sent at a time; 0: all */
};

struct manager {
  int socket;
  int listener; /* -1: none */
  struct manner manner;
};

static void send_pieces(const struct manager *manager, const char *text) {
  size_t length = strlen(text);
  size_t piece = manager->manner.piece == 0 ? length : manager->manner.piece;
  for (size_t done = 0; done < length; done += piece) {
    if (done > 0) { nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL); }
    size_t count = length - done < piece ? length - done : piece;
    send(manager->socket, text + done, count, MSG_NOSIGNAL);
  }
}

static const char *proper(const char *line, char answer[WORDS]) {
  if (strcmp(line, "cmd=initack pmiid=1") == 0) {
    return "cmd=initack\ncmd=set size=3\ncmd=set rank=1\ncmd=set debug=0\n";
  }
  if (strcmp(line, "cmd=init pmi_version=1 pmi_subversion=1") == 0) {
    return "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n";
  }
  if (strcmp(line, "cmd=get_my_kvsname") == 0) { return "cmd=my_kvsname kvsname=kvs_17_0\n"; }
  if (strncmp(line, "cmd=put kvsname=kvs_17_0 key=adrastea value=", 44) == 0) {
    CHECK_EQUAL(16, strspn(line + 44, "0123456789abcdef"));
    CHECK(strcmp(line + 61, node) == 0);
    return "cmd=put_result rc=0 msg=success\n";
  }
  if (strcmp(line, "cmd=barrier_in") == 0) { return "cmd=barrier_out\n"; }
  if (strcmp(line, "cmd=get kvsname=kvs_17_0 key=adrastea") == 0) {
    snprintf(answer, WORDS, "cmd=get_result rc=0 msg=success value=%s\n", card);
    return answer;
  }
  if (strncmp(line, "cmd=put kvsname=kvs_17_0 key=adrastea-apart value=", 50) == 0) {
    snprintf(apart, sizeof apart, "%.*s", (int)sizeof apart - 1, line + 50);
    return "cmd=put_result rc=0 msg=success\n";
  }
  if (strcmp(line, "cmd=get kvsname=kvs_17_0 key=adrastea-apart") == 0) {
    snprintf(answer, WORDS, "cmd=get_result rc=%d msg=%s value=%s\n", *apart == '\0' ? -1 : 0,
             *apart == '\0' ? "key_adrastea-apart_not_found" : "success", *apart == '\0' ? "unknown" : apart);
    return answer;
  }
  if (strcmp(line, "cmd=get kvsname=kvs_17_0 key=adrastea-far") == 0) {
    return "cmd=get_result rc=-1 msg=key_adrastea-far_not_found value=unknown\n";
  }
  if (strcmp(line, "cmd=finalize") == 0) { return "cmd=finalize_ack\n"; }
  return "cmd=unknown\n";
}

static void *manage(void *argument) {
  struct manager *manager = argument;
  if (manager->listener >= 0) { manager->socket = accept(manager->listener, NULL, NULL); }
  FILE *lines = fdopen(dup(manager->socket), "r");
  char line[ADR_PMI_LINE];
  while (fgets(line, sizeof line, lines) != NULL) {
    char answer[WORDS];
    const char *to = manager->manner.to;
    bool otherwise = to != NULL && strncmp(line + 4, to, strlen(to)) == 0;
    line[strcspn(line, "\n")] = '\0';
    if (otherwise && manager->manner.answer == NULL) { break; }
    send_pieces(manager, otherwise ? manager->manner.answer : proper(line, answer));
  }
  fclose(lines);
  close(manager->socket);
  return NULL;
}

static void clear(void) {
  static const char *const names[] = {"PMI_FD", "PMI_RANK", "PMI_SIZE", "PMI_PORT", "PMI_ID"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) { unsetenv(names[i]); }
}

static void set(const char *name, const char *value) { CHECK_EQUAL(0, setenv(name, value, 1)); }

static void set_number(const char *name, int value) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  set(name, text);
}

/* Asks a manager of this manner over an inherited descriptor, or over a connection. */
static int ask(struct adr_membership *membership, struct manner manner, bool port, adr_error *error) {
  struct manager manager = {.socket = -1, .listener = -1, .manner = manner};
  int pair[2] = {-1, -1};
  char way[32];
  *apart = '\0';
  clear();
  if (port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    manager.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(0, bind(manager.listener, (struct sockaddr *)&address, sizeof address));
    CHECK_EQUAL(0, listen(manager.listener, 1));
    CHECK_EQUAL(0, getsockname(manager.listener, (struct sockaddr *)&address, &length));
    snprintf(way, sizeof way, "127.0.0.1:%d", ntohs(address.sin_port));
    set("PMI_PORT", way);
    set("PMI_ID", "1");
  } else {
    CHECK_EQUAL(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    manager.socket = pair[1];
    set_number("PMI_FD", pair[0]);
    set("PMI_RANK", "0");
    set("PMI_SIZE", "2");
  }
  pthread_t thread;
  CHECK_EQUAL(0, pthread_create(&thread, NULL, manage, &manager));
  int status = adr_bootstrap_find(membership, error);
  if (pair[0] >= 0) { close(pair[0]); }
  CHECK_EQUAL(0, pthread_join(thread, NULL));
  if (manager.listener >= 0) { close(manager.listener); }
  return status;
}

static void check_joins(struct manner manner, bool port) {
  struct adr_membership membership;
  adr_error error = {0};
  int status = ask(&membership, manner, port, &error);
  if (status != 0) { fprintf(stderr, "%s\n", error.text); }
  CHECK_EQUAL(0, status);
  CHECK(membership.job == UINT64_C(0x0123456789abcdef));
  CHECK_EQUAL(port ? 1 : 0, membership.rank);
  CHECK_EQUAL(port ? 3 : 2, membership.size);
  CHECK(!membership.ours);
}

/* `words` stand behind "PMI_FD=<number>, the way to mpiexec: ". */
static void check_refused(struct manner manner, const char *words) {
  struct adr_membership membership;
  adr_error error = {0};
  CHECK(ask(&membership, manner, false, &error) < 0);
  const char *behind = strstr(error.text, ", the way to mpiexec: ");
  if (behind == NULL || strcmp(behind + 22, words) != 0) {
    fprintf(stderr, "said:   %s\nwanted: %s\n", error.text, words);
  }
  CHECK(strncmp(error.text, "PMI_FD=", 7) == 0 && behind != NULL && strcmp(behind + 22, words) == 0);
}

static void a_manager_tells_the_job(void) {
  check_joins((struct manner){0}, false);
  check_joins((struct manner){0}, true);
}

static void answers_may_come_in_pieces(void) {
  static const size_t pieces[] = {1, 2, 7, 31};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    check_joins((struct manner){.piece = pieces[i]}, false);
    check_joins((struct manner){.piece = pieces[i]}, true);
  }
}

static void a_wrong_answer_is_refused_by_name(void) {
  static char line_without_end[ADR_PMI_LINE + 1];
  memset(line_without_end, 'x', ADR_PMI_LINE);
  check_refused((struct manner){"init ", "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=-1\n", 0},
                "it does not speak version 1 of PMI; the answer is 'cmd=response_to_init pmi_version=2 "
                "pmi_subversion=0 rc=-1'");
  check_refused((struct manner){"get_my_kvsname", "cmd=my_kvsname\n", 0},
                "there is no kvsname; the answer is 'cmd=my_kvsname'");
  check_refused((struct manner){"barrier_in", "HTTP/1.1 400 Bad Request\r\n", 0},
                "cmd=barrier_out was expected; the answer is 'HTTP/1.1 400 Bad Request?'");
  check_refused((struct manner){"put ", "\n", 0}, "cmd=put_result was expected; the answer is ''");
  check_refused((struct manner){GET, "cmd=get_result rc=-1 msg=key_adrastea_not_found value=unknown\n", 0},
                "rank 0 has not put the number of its job; are all ranks of one version?; the answer is "
                "'cmd=get_result rc=-1 msg=key_adrastea_not_found value=unknown'");
  char words[WORDS];
  snprintf(words, sizeof words, "a line has no end; the answer is '%.95s'", line_without_end);
  check_refused((struct manner){"init ", line_without_end, 0}, words);
}

static void a_manager_that_is_gone_or_late_is_refused(void) {
  check_refused((struct manner){"barrier_in", NULL, 0},
                "it is closed; a program that mpiexec has started can join once" CHILD);
  set("ADRASTEA_JOIN_TIMEOUT", "30");
  check_refused((struct manner){"barrier_in", "", 0}, "it is not answered in time (ADRASTEA_JOIN_TIMEOUT)");
  unsetenv("ADRASTEA_JOIN_TIMEOUT");
}

static void check_variables(const char *words) {
  struct adr_membership membership;
  adr_error error = {0};
  CHECK(adr_bootstrap_find(&membership, &error) < 0);
  if (strcmp(words, error.text) != 0) { fprintf(stderr, "said:   %s\nwanted: %s\n", error.text, words); }
  CHECK(strcmp(words, error.text) == 0);
}

/* Nobody accepts the connections that fill the listener's queue, so that it leaves one more unanswered. */
static void a_manager_that_is_not_reached_in_time_is_refused(void) {
  enum { CONNECTIONS = 4 };
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int filling[CONNECTIONS];
  char way[32], words[WORDS];
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK_EQUAL(0, bind(listener, (struct sockaddr *)&address, sizeof address));
  CHECK_EQUAL(0, listen(listener, 0));
  CHECK_EQUAL(0, getsockname(listener, (struct sockaddr *)&address, &length));
  for (int i = 0; i < CONNECTIONS; i++) {
    filling[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    connect(filling[i], (struct sockaddr *)&address, sizeof address);
  }
  clear();
  snprintf(way, sizeof way, "127.0.0.1:%d", ntohs(address.sin_port));
  set("PMI_PORT", way);
  set("PMI_ID", "0");
  set("ADRASTEA_JOIN_TIMEOUT", "30");
  snprintf(words, sizeof words,
           "PMI_PORT=%s: mpiexec does not answer there: it was not reached in time (ADRASTEA_JOIN_TIMEOUT)", way);
  check_variables(words);
  unsetenv("ADRASTEA_JOIN_TIMEOUT");
  for (int i = 0; i < CONNECTIONS; i++) { close(filling[i]); }
  close(listener);
}

static void wrong_variables_are_refused(void) {
  clear();
  set("PMI_FD", "x");
  check_variables("PMI_FD is 'x'; allowed is the number of an open descriptor");
  set("PMI_FD", "4");
  check_variables("PMI_FD=4 needs PMI_RANK and PMI_SIZE too; missing: PMI_RANK (start the program by its launcher, or "
                  "set ADRASTEA_BOOTSTRAP)");
  set("PMI_FD", "987654");
  set("PMI_RANK", "0");
  set("PMI_SIZE", "1");
  check_variables("PMI_FD=987654, the way to mpiexec: there is no such descriptor; a wrapper may have closed it" CHILD);
  clear();
  set("PMI_PORT", "localhost");
  set("PMI_ID", "0");
  check_variables("PMI_PORT is 'localhost'; allowed is host:port, as mpiexec -pmi-port sets it");
  set("PMI_PORT", "127.0.0.1:1");
  check_variables("PMI_PORT=127.0.0.1:1: mpiexec does not answer there: Connection refused");
  set("PMI_ID", "-1");
  check_variables("PMI_PORT=127.0.0.1:1 needs PMI_ID too, which is '-1'; allowed is a whole number from 0 to 1023");
  set("PMI_ID", "2");
  set("SLURM_STEP_ID", "0");
  set("SLURM_PROCID", "1");
  set("SLURM_NTASKS", "4");
  check_variables("two launchers disagree about this process: rank 1 of 4 by slurm (SLURM_STEP_ID=0, SLURM_PROCID=1, "
                  "SLURM_NTASKS=4), rank 2 by pmi (PMI_PORT=127.0.0.1:1, PMI_ID=2); choose one by "
                  "ADRASTEA_BOOTSTRAP=slurm or pmi");
  unsetenv("SLURM_STEP_ID");
  unsetenv("SLURM_PROCID");
  unsetenv("SLURM_NTASKS");
  clear();
}

static void another_node_is_refused(void) {
  struct adr_membership membership;
  adr_error error = {0};
  struct manner manner = {GET, "cmd=get_result rc=0 value=0123456789abcdef,elsewhere:1:2\n", 0};
  CHECK_EQUAL(-EXDEV, ask(&membership, manner, false, &error));
  char words[ADR_APART_TEXT];
  adr_node_tell_apart(words, 0, node, "elsewhere:1:2");
  CHECK(strcmp(words, error.text) == 0);
  manner = (struct manner){GET_APART, "cmd=get_result rc=0 value=1,elsewhere:1:2\n", 0};
  CHECK_EQUAL(-EXDEV, ask(&membership, manner, false, &error));
  adr_node_tell_apart(words, 1, "elsewhere:1:2", node);
  CHECK(strcmp(words, error.text) == 0);
  manner.to = GET_FAR; /* a rank in Java with links, which C ranks lack */
  CHECK_EQUAL(-EXDEV, ask(&membership, manner, false, &error));
  CHECK(strcmp(words, error.text) == 0);
  check_refused((struct manner){GET_APART, "cmd=get_result rc=0 value=elsewhere:1:2\n", 0},
                "no rank and node are in it; are all ranks of one version?; the answer is 'cmd=get_result rc=0 "
                "value=elsewhere:1:2'");
}

/* Whatever a manager answers, a rank joins or says why it does not. */
static void no_answer_breaks_a_rank(void) {
  static const char *const commands[] = {"init ", "get_my_kvsname", "put ",     "barrier_in",
                                         GET,     GET_APART,        "finalize", "initack"};
  static const char letters[] = "cmd=rc0 \n\r=value=kvsname,\x01\xff"
                                "0123456789abcdef";
  unsigned seed = 17;
  set("ADRASTEA_JOIN_TIMEOUT", "5");
  for (int i = 0; i < FUZZ_INPUTS; i++) {
    char answer[64];
    size_t length = (size_t)rand_r(&seed) % (sizeof answer - 2);
    for (size_t at = 0; at < length; at++) { answer[at] = letters[(size_t)rand_r(&seed) % (sizeof letters - 1)]; }
    answer[length] = '\n';
    answer[length + 1] = '\0';
    struct adr_membership membership;
    adr_error error = {0};
    const char *to = commands[(size_t)rand_r(&seed) % (sizeof commands / sizeof *commands)];
    int status = ask(&membership, (struct manner){to, answer, 0}, i % 4 == 0, &error);
    CHECK(status == 0 || *error.text != '\0');
  }
  unsetenv("ADRASTEA_JOIN_TIMEOUT");
}

int main(void) {
  adr_error error = {0};
  CHECK_EQUAL(0, adr_node_identity(node, &error));
  snprintf(card, sizeof card, "0123456789abcdef,%s", node);
  RUN(a_manager_tells_the_job);
  RUN(answers_may_come_in_pieces);
  RUN(a_wrong_answer_is_refused_by_name);
  RUN(a_manager_that_is_gone_or_late_is_refused);
  RUN(a_manager_that_is_not_reached_in_time_is_refused);
  RUN(wrong_variables_are_refused);
  RUN(another_node_is_refused);
  RUN(no_answer_breaks_a_rank);
  return 0;
}

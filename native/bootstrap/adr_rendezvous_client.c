#include "bootstrap/adr_rendezvous_client.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/adr_clock.h"
#include "bootstrap/adr_job_error.h"

enum { REASON = 160, MOST_POLL_MILLIS = 60000 };

struct client {
  const struct adr_rendezvous_meeting *meeting;
  int64_t deadline;
  char reason[REASON]; /* why the last attempt failed */
  char answer[ADR_RENDEZVOUS_LINE + 1];
};

static int64_t least(int64_t one, int64_t other) { return one < other ? one : other; }

/* Waits for an event until then. Returns false: it has not come. */
static bool await(int fd, short events, int64_t until) {
  while (true) {
    int64_t left = until - adr_clock_millis();
    struct pollfd polled = {.fd = fd, .events = events};
    if (left < 0) { return false; }
    if (poll(&polled, 1, (int)least(left + 1, MOST_POLL_MILLIS)) > 0) { return true; }
  }
}

static bool fail(struct client *client, const char *reason) {
  snprintf(client->reason, sizeof client->reason, "%s", reason);
  return false;
}

/* A connection to a port of this host at which nobody listens can be given that very port, and then meets itself. */
static bool is_connected_to_itself(int fd) {
  struct sockaddr_storage own = {0}, peer = {0};
  socklen_t own_length = sizeof own, peer_length = sizeof peer;
  return getsockname(fd, (struct sockaddr *)&own, &own_length) == 0
         && getpeername(fd, (struct sockaddr *)&peer, &peer_length) == 0 && own_length == peer_length
         && memcmp(&own, &peer, own_length) == 0;
}

static bool connect_to(struct client *client, int fd, const struct addrinfo *at) {
  int error = connect(fd, at->ai_addr, at->ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS || error == EINTR) {
    /* the last attempt begins at the deadline */
    int64_t until =
        least(client->deadline + ADR_RENDEZVOUS_MOST_PAUSE_MILLIS, adr_clock_millis() + ADR_RENDEZVOUS_CONNECT_MILLIS);
    if (!await(fd, POLLOUT, until)) { return fail(client, "nobody answers there"); }
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &(socklen_t){sizeof error});
  }
  if (error == 0 && is_connected_to_itself(fd)) { error = ECONNREFUSED; }
  return error == 0 ? true : fail(client, strerrordesc_np(error));
}

static bool send_hello(struct client *client, int fd) {
  const struct adr_rendezvous_meeting *meeting = client->meeting;
  struct adr_rendezvous_hello hello = {ADR_RENDEZVOUS_VERSION, meeting->rank, meeting->size, "", ""};
  char line[ADR_RENDEZVOUS_LINE];
  strcpy(hello.node, meeting->node);
  strcpy(hello.job, meeting->job);
  size_t length = adr_rendezvous_write_hello(line, &hello);
  /* There is room for all of it, since it is the first that is sent. */
  return send(fd, line, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length
             ? true
             : fail(client, "the connection was closed before rank 0 had answered");
}

/* Reads a line into `answer`. */
static bool read_answer(struct client *client, int fd) {
  int64_t until = client->deadline + least(client->meeting->timeout, ADR_RENDEZVOUS_GRACE_MILLIS);
  size_t length = 0;
  while (length < ADR_RENDEZVOUS_LINE) {
    if (!await(fd, POLLIN, until)) { return fail(client, "connected, but without an answer yet"); }
    ssize_t got = recv(fd, client->answer + length, ADR_RENDEZVOUS_LINE - length, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) { continue; }
    if (got <= 0) { return fail(client, "the connection was closed before rank 0 had answered"); }
    length += (size_t)got;
    if (memchr(client->answer + length - (size_t)got, '\n', (size_t)got) != NULL) { break; }
  }
  adr_rendezvous_make_plain(client->answer, length);
  return true;
}

static bool exchange(struct client *client, const struct addrinfo *at) {
  int fd = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) { return fail(client, strerrordesc_np(errno)); }
  bool answered = connect_to(client, fd, at) && send_hello(client, fd) && read_answer(client, fd);
  close(fd);
  return answered;
}

/* Tries all addresses of the host. Returns 1: the job's number is here; 0: there is no answer yet; or an error. */
static int attempt(struct client *client, uint64_t *job, adr_error *error) {
  struct addrinfo *found;
  if (adr_rendezvous_address_resolve(&client->meeting->address, &found) != 0) {
    fail(client, "its host is unknown");
    return 0;
  }
  bool answered = false;
  for (const struct addrinfo *at = found; at != NULL && !answered; at = at->ai_next) {
    answered = exchange(client, at);
  }
  freeaddrinfo(found);
  if (!answered) { return 0; }
  const char *words = "";
  switch (adr_rendezvous_read_answer(client->answer, job, &words)) {
  case ADR_RENDEZVOUS_JOB:
    return 1;
  case ADR_RENDEZVOUS_REFUSED:
    return adr_fail(error, -EINVAL, "%s", words);
  default:
    snprintf(client->reason, sizeof client->reason, "what answers there is no rank of Adrastea: '%.*s'",
             ADR_RENDEZVOUS_QUOTE, client->answer);
    return 0;
  }
}

int adr_rendezvous_ask(const struct adr_rendezvous_meeting *meeting, uint64_t *job, adr_error *error) {
  struct client client = {.meeting = meeting, .deadline = adr_clock_millis() + meeting->timeout};
  int64_t pause = ADR_RENDEZVOUS_FIRST_PAUSE_MILLIS;
  while (true) {
    int status = attempt(&client, job, error);
    if (status != 0) { return status < 0 ? status : 0; }
    int64_t left = client.deadline - adr_clock_millis();
    if (left < 0) { break; }
    int64_t millis = least(pause, left + 1);
    nanosleep(&(struct timespec){.tv_nsec = (long)millis * 1000000}, NULL);
    pause = least(2 * pause, ADR_RENDEZVOUS_MOST_PAUSE_MILLIS);
  }
  return adr_fail(error, -ETIMEDOUT,
                  "rank %" PRIu32 " waited %" PRIu32 " ms for rank 0 at %s: %s; is rank 0 running there, and were all "
                  "ranks started? (ADRASTEA_RENDEZVOUS, ADRASTEA_JOIN_TIMEOUT)",
                  meeting->rank, meeting->timeout, meeting->address.words, client.reason);
}

#include "bootstrap/adr_rendezvous_server.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/adr_clock.h"
#include "bootstrap/adr_job_error.h"
#include "bootstrap/adr_variables.h"

enum { MOST_POLL_MILLIS = 60000, LIST_TEXT = 96, WORDS = ADR_RENDEZVOUS_LINE };

enum state { READING, WHOLE, TOO_LONG };

struct connection {
  int fd;
  enum state state;
  int64_t since;
  size_t length;
  char line[ADR_RENDEZVOUS_LINE + 1];
};

struct server {
  const struct adr_rendezvous_meeting *meeting;
  int listener;
  int64_t deadline;
  int64_t faulty_since; /* when the first line came that is to be refused; 0: none has */
  size_t most;
  size_t count;
  struct connection *connections;
  struct pollfd *polled; /* the listener, and behind it the connections */
  bool *came;            /* by rank */
  bool *here;
  bool has_told; /* of a connection that is no rank's */
};

static void pause_a_little(void) {
  nanosleep(&(struct timespec){.tv_nsec = ADR_RENDEZVOUS_PAUSE_MILLIS * 1000000L}, NULL);
}

/* Returns a socket or -errno. */
static int listen_at(const struct addrinfo *at) {
  int fd = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) { return -errno; }
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)); /* a second start on the port works at once */
  if (bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, ADR_RENDEZVOUS_BACKLOG) == 0) { return fd; }
  int status = -errno;
  close(fd);
  return status;
}

/* The others try all addresses of the host, so that one is enough here. Of several errors the last counts, but for that
 * of a port in use. */
static int listen_at_any(const struct addrinfo *found) {
  int status = -EADDRNOTAVAIL;
  for (; found != NULL; found = found->ai_next) {
    int fd = listen_at(found);
    if (fd >= 0) { return fd; }
    if (status != -EADDRINUSE) { status = fd; }
  }
  return status;
}

static int fail_to_listen(const struct server *server, int status, adr_error *error) {
  const struct adr_rendezvous_address *address = &server->meeting->address;
  switch (status) {
  case -EADDRNOTAVAIL:
    return adr_fail(error, status,
                    "ADRASTEA_RENDEZVOUS=%s: %.128s is no address of this machine, on which rank 0 runs; let it name "
                    "the machine of rank 0",
                    address->words, address->host);
  case -EADDRINUSE:
    return adr_fail(error, status,
                    "ADRASTEA_RENDEZVOUS=%s: another process listens at that port; each job that runs there at the "
                    "same time needs a port of its own, and one process alone is rank 0",
                    address->words);
  default:
    return adr_fail(error, status, "ADRASTEA_RENDEZVOUS=%s: rank 0 cannot listen there: %s", address->words,
                    strerrordesc_np(-status));
  }
}

/* The name may not be known yet, as that of a pod that has just begun. */
static int open_listener(struct server *server, adr_error *error) {
  const struct adr_rendezvous_address *address = &server->meeting->address;
  int64_t in_use_until = adr_clock_millis() + ADR_RENDEZVOUS_IN_USE_MILLIS;
  while (true) {
    struct addrinfo *found;
    int unknown = adr_rendezvous_address_resolve(address, &found);
    int status = 0;
    if (unknown == 0) {
      status = listen_at_any(found);
      freeaddrinfo(found);
    }
    server->listener = status;
    if (unknown == 0 && status >= 0) { return 0; }
    int64_t now = adr_clock_millis();
    if (unknown != 0 && now > server->deadline) {
      return adr_fail(error, -ETIMEDOUT,
                      "ADRASTEA_RENDEZVOUS=%s: the host %.128s is unknown to rank 0, which looked for it for %" PRIu32
                      " ms (ADRASTEA_JOIN_TIMEOUT)",
                      address->words, address->host, server->meeting->timeout);
    }
    if (unknown == 0 && (status != -EADDRINUSE || now > in_use_until || now > server->deadline)) {
      return fail_to_listen(server, status, error);
    }
    pause_a_little();
  }
}

static bool has_come(const struct connection *connection) { return connection->state != READING; }

static size_t count_come(const struct server *server) {
  size_t count = 0;
  for (size_t i = 0; i < server->count; i++) { count += has_come(&server->connections[i]); }
  return count;
}

/* Forgets a connection; a rank may come again. */
static void drop(struct server *server, size_t at) {
  close(server->connections[at].fd);
  server->connections[at] = server->connections[--server->count];
  server->polled[1 + at] = server->polled[1 + server->count];
}

static void tell_of_stranger(struct server *server, struct connection *connection) {
  struct sockaddr_storage peer;
  socklen_t length = sizeof peer;
  char host[64] = "somewhere";
  if (server->has_told) { return; }
  server->has_told = true;
  if (getpeername(connection->fd, (struct sockaddr *)&peer, &length) == 0) {
    getnameinfo((struct sockaddr *)&peer, length, host, sizeof host, NULL, 0, NI_NUMERICHOST);
  }
  adr_rendezvous_make_plain(connection->line, connection->length);
  fprintf(
      stderr,
      "adrastea: rank 0 has closed a connection from %s to %s, which is no rank's: it sent '%.*s' (more of them are "
      "not told)\n",
      host, server->meeting->address.words, ADR_RENDEZVOUS_QUOTE, connection->line);
}

/* Why a line alone is refused, into `words`. Returns false: it is not. */
static bool refuses(const struct server *server, const struct connection *connection,
                    struct adr_rendezvous_hello *hello, char words[WORDS]) {
  const struct adr_rendezvous_meeting *meeting = server->meeting;
  if (connection->state == TOO_LONG) {
    snprintf(words, WORDS, "a rank has sent a line of more than %d bytes to rank 0: '%.*s'", ADR_RENDEZVOUS_LINE,
             ADR_RENDEZVOUS_QUOTE, connection->line);
  } else if (!adr_rendezvous_read_hello(hello, connection->line)) {
    snprintf(words, WORDS,
             "a rank has sent a line to rank 0 that is malformed: '%.*s'; all ranks of a job need the same version of "
             "Adrastea",
             ADR_RENDEZVOUS_QUOTE, connection->line);
  } else if (hello->version != ADR_RENDEZVOUS_VERSION) {
    snprintf(words, WORDS,
             "a rank speaks version %" PRIu32 " of the rendezvous and rank 0 version %d; all ranks of a job need the "
             "same version of Adrastea",
             hello->version, ADR_RENDEZVOUS_VERSION);
  } else if (hello->size != meeting->size) {
    snprintf(words, WORDS,
             "rank %" PRIu32 " has ADRASTEA_SIZE=%" PRIu32 " and rank 0 has ADRASTEA_SIZE=%" PRIu32
             "; all ranks of a job need the same",
             hello->rank, hello->size, meeting->size);
  } else if (hello->rank >= meeting->size) {
    snprintf(words, WORDS, "a process says that it is rank %" PRIu32 " of %" PRIu32 ": ranks are 0 to %" PRIu32,
             hello->rank, meeting->size, meeting->size - 1);
  } else if (strcmp(hello->node, meeting->node) != 0) {
    char apart[ADR_APART_TEXT];
    adr_node_tell_apart(apart, hello->rank, hello->node, meeting->node);
    snprintf(words, WORDS, "%s", apart);
  } else {
    return false;
  }
  return true;
}

/* Goes through all that came, and notes which ranks are here. Returns true, with the reason: there can be no job. */
static bool refuses_any(struct server *server, char words[WORDS]) {
  struct adr_rendezvous_hello hello;
  memset(server->here, 0, server->meeting->size * sizeof *server->here);
  server->here[0] = true;
  for (size_t i = 0; i < server->count; i++) {
    if (!has_come(&server->connections[i])) { continue; }
    if (refuses(server, &server->connections[i], &hello, words)) { return true; }
    if (server->here[hello.rank]) {
      snprintf(words, WORDS,
               "two processes say that they are rank %" PRIu32 "; each process of a job needs a rank of its own "
               "(ADRASTEA_RANK, JOB_COMPLETION_INDEX)",
               hello.rank);
      return true;
    }
    server->here[hello.rank] = true;
  }
  return false;
}

/* Notes that a line is here. */
static void note(struct server *server, struct connection *connection, enum state state) {
  struct adr_rendezvous_hello hello;
  char words[WORDS];
  connection->state = state;
  adr_rendezvous_make_plain(connection->line, connection->length);
  bool faulty = refuses(server, connection, &hello, words);
  if (!faulty) {
    faulty = server->came[hello.rank] && refuses_any(server, words); /* else the one that came before is gone */
    server->came[hello.rank] = true;
  }
  if (faulty && server->faulty_since == 0) { server->faulty_since = adr_clock_millis(); }
}

/* Whether a rank does not know the number of the job, which launchers tell to its ranks alone. */
static bool is_of_another_job(const struct server *server, const struct connection *connection) {
  struct adr_rendezvous_hello hello;
  char line[ADR_RENDEZVOUS_LINE + 1];
  if (*server->meeting->job == '\0') { return false; }
  memcpy(line, connection->line, connection->length);
  adr_rendezvous_make_plain(line, connection->length);
  return adr_rendezvous_read_hello(&hello, line) && hello.version == ADR_RENDEZVOUS_VERSION
         && strcmp(hello.job, server->meeting->job) != 0;
}

/* Takes in what has come. Returns false: the connection is to be dropped. */
static bool take_in(struct server *server, struct connection *connection) {
  char rest[ADR_RENDEZVOUS_LINE];
  bool reading = connection->state == READING;
  char *into = reading ? connection->line + connection->length : rest; /* what stands behind the line does not count */
  size_t room = reading ? ADR_RENDEZVOUS_LINE - connection->length : sizeof rest;
  ssize_t got = recv(connection->fd, into, room, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) { return true; }
  if (got <= 0) { return false; }
  if (!reading) { return true; }
  connection->length += (size_t)got;
  if (!adr_rendezvous_may_be_hello(connection->line, connection->length)) {
    tell_of_stranger(server, connection);
    return false;
  }
  if (memchr(into, '\n', (size_t)got) != NULL) {
    if (is_of_another_job(server, connection)) {
      tell_of_stranger(server, connection);
      return false;
    }
    note(server, connection, WHOLE);
  } else if (connection->length == ADR_RENDEZVOUS_LINE) {
    note(server, connection, TOO_LONG);
  }
  return true;
}

/* Accepts one, since the system refuses a process that has no file left, even where nobody comes. Returns 0 or -errno.
 */
static int accept_one(struct server *server) {
  int fd = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) {
    bool short_of = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    return short_of ? -errno : 0; /* else the other end has gone in this moment */
  }
  server->polled[1 + server->count] = (struct pollfd){.fd = fd, .events = POLLIN};
  server->connections[server->count++] = (struct connection){.fd = fd, .since = adr_clock_millis()};
  return 0;
}

static bool is_silent(const struct connection *connection, int64_t now) {
  return !has_come(connection) && now - connection->since > ADR_RENDEZVOUS_SILENT_MILLIS;
}

static int64_t least(int64_t one, int64_t other) { return one < other ? one : other; }

/* Waits until something comes, or until it is time to look at what did not. */
static int wait_and_read(struct server *server) {
  int64_t now = adr_clock_millis();
  int64_t until = server->deadline;
  if (server->faulty_since != 0) { until = least(until, server->faulty_since + ADR_RENDEZVOUS_LATE_MILLIS); }
  for (size_t i = 0; i < server->count; i++) {
    const struct connection *connection = &server->connections[i];
    if (!has_come(connection)) { until = least(until, connection->since + ADR_RENDEZVOUS_SILENT_MILLIS); }
  }
  server->polled[0] = (struct pollfd){.fd = server->count < server->most ? server->listener : -1, .events = POLLIN};
  int64_t millis = until < now ? 0 : least(until - now + 1, MOST_POLL_MILLIS);
  if (poll(server->polled, 1 + server->count, (int)millis) < 0) { return errno == EINTR ? 0 : -errno; }
  now = adr_clock_millis();
  for (size_t i = server->count; i-- > 0;) { /* from the end: a dropped one gives its place to the last */
    struct connection *connection = &server->connections[i];
    bool stays = server->polled[1 + i].revents == 0 || take_in(server, connection);
    if (stays && is_silent(connection, now)) {
      tell_of_stranger(server, connection);
      stays = false;
    }
    if (!stays) { drop(server, i); }
  }
  return server->polled[0].revents == 0 ? 0 : accept_one(server);
}

static void send_to_all(const struct server *server, const char *line, size_t length) {
  for (size_t i = 0; i < server->count; i++) {
    /* There is room for it: it is the first that is sent. Who does not get it finds out by its own deadline. */
    (void)!send(server->connections[i].fd, line, length, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
}

/* Lets the others read what was sent: bytes of theirs that nobody has read would take it away with the connection. */
static void drain(struct server *server) {
  int64_t until = adr_clock_millis() + ADR_RENDEZVOUS_DRAIN_MILLIS;
  char rest[ADR_RENDEZVOUS_LINE];
  for (size_t i = 0; i < server->count; i++) { shutdown(server->connections[i].fd, SHUT_WR); }
  while (server->count > 0) {
    int64_t now = adr_clock_millis();
    if (now >= until || poll(server->polled + 1, server->count, (int)(until - now)) < 0) { return; }
    for (size_t i = server->count; i-- > 0;) {
      if (server->polled[1 + i].revents != 0 && recv(server->connections[i].fd, rest, sizeof rest, 0) <= 0) {
        drop(server, i);
      }
    }
  }
}

static int refuse(struct server *server, int status, const char *words, adr_error *error) {
  char line[ADR_RENDEZVOUS_LINE];
  send_to_all(server, line, adr_rendezvous_write_refusal(line, words));
  drain(server);
  return adr_fail(error, status, "%s", words);
}

/* Lists the ranks that are not here, of those that came before or of those that did not. */
static const char *list(const struct server *server, bool came, char text[LIST_TEXT]) {
  uint32_t count = 0;
  size_t at = 0;
  text[0] = '\0';
  for (uint32_t rank = 0; rank < server->meeting->size; rank++) {
    if (server->here[rank] || server->came[rank] != came) { continue; }
    if (count++ >= ADR_RENDEZVOUS_LISTED) { continue; }
    at += (size_t)snprintf(text + at, LIST_TEXT - at, "%s%" PRIu32, count == 1 ? "" : ", ", rank);
  }
  if (count > ADR_RENDEZVOUS_LISTED) {
    snprintf(text + at, LIST_TEXT - at, " and %" PRIu32 " more", count - ADR_RENDEZVOUS_LISTED);
  }
  return text;
}

static int refuse_late(struct server *server, adr_error *error) {
  char words[WORDS], absent[LIST_TEXT], gone[LIST_TEXT];
  list(server, false, absent);
  list(server, true, gone);
  bool both = *absent != '\0' && *gone != '\0';
  snprintf(words, WORDS,
           "rank 0 waited %" PRIu32 " ms at %s for all %" PRIu32 " ranks: %s%s%s%s%s%s%s; were all started? "
           "(ADRASTEA_JOIN_TIMEOUT)",
           server->meeting->timeout, server->meeting->address.words, server->meeting->size,
           *absent == '\0' ? "" : "rank(s) [", absent, *absent == '\0' ? "" : "] have not come", both ? ", " : "",
           *gone == '\0' ? "" : "rank(s) [", gone, *gone == '\0' ? "" : "] have come and gone again");
  return refuse(server, -ETIMEDOUT, words, error);
}

static int accept_job(const struct server *server, uint64_t *job, adr_error *error) {
  char line[ADR_RENDEZVOUS_LINE];
  int status = 0;
  if (*server->meeting->job == '\0') {
    status = adr_job_number_draw(job, error);
  } else {
    *job = strtoull(server->meeting->job, NULL, 16);
  }
  if (status == 0) { send_to_all(server, line, adr_rendezvous_write_job(line, *job)); }
  return status;
}

static int meet(struct server *server, uint64_t *job, adr_error *error) {
  while (true) {
    char words[WORDS];
    int64_t now = adr_clock_millis();
    bool all = count_come(server) + 1 >= server->meeting->size;
    bool late = now > server->deadline;
    bool faulty = server->faulty_since != 0 && now - server->faulty_since > ADR_RENDEZVOUS_LATE_MILLIS;
    if (all || late || faulty) {
      server->faulty_since = 0; /* what was wrong may have gone */
      if (refuses_any(server, words)) { return refuse(server, -EINVAL, words, error); }
      if (all) { return accept_job(server, job, error); }
      if (late) { return refuse_late(server, error); }
    }
    int status = wait_and_read(server);
    if (status < 0) {
      snprintf(words, WORDS,
               "rank 0 cannot hold a connection of each of %" PRIu32 " ranks: %s (ulimit -n says how many files it may "
               "open)",
               server->meeting->size, strerrordesc_np(-status));
      return refuse(server, status, words, error);
    }
  }
}

static int allocate(struct server *server) {
  server->most = server->meeting->size - 1 + ADR_RENDEZVOUS_STRANGERS;
  server->connections = malloc(server->most * sizeof *server->connections);
  server->polled = malloc((1 + server->most) * sizeof *server->polled);
  server->came = calloc(server->meeting->size, sizeof *server->came);
  server->here = calloc(server->meeting->size, sizeof *server->here);
  bool all = server->connections != NULL && server->polled != NULL && server->came != NULL && server->here != NULL;
  return all ? 0 : -ENOMEM;
}

static void close_all(struct server *server) {
  while (server->count > 0) { drop(server, server->count - 1); }
  if (server->listener >= 0) { close(server->listener); }
  free(server->connections);
  free(server->polled);
  free(server->came);
  free(server->here);
}

int adr_rendezvous_serve(const struct adr_rendezvous_meeting *meeting, uint64_t *job, adr_error *error) {
  struct server server = {.meeting = meeting, .listener = -1, .deadline = adr_clock_millis() + meeting->timeout};
  int status = allocate(&server);
  if (status == 0) { server.came[0] = true; }
  status = status < 0 ? adr_fail(error, status, "no memory for the ranks that meet") : open_listener(&server, error);
  if (status == 0) { status = meet(&server, job, error); }
  close_all(&server);
  return status;
}

#include "bootstrap/adr_pmi_client.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adrastea/descriptor.h"
#include "base/adr_clock.h"
#include "bootstrap/adr_job_error.h"
#include "bootstrap/adr_plain_text.h"

/* The descriptor's number stands in the environment of a rank's own children too. */
#define CHILD ", and a process that a rank has started needs ADRASTEA_BOOTSTRAP=none"

enum { WORDS_OF_ANSWER = 96 };

static int32_t millis_left(const struct adr_pmi_client *client) {
  int64_t left = (client->deadline - adr_clock_now()) / 1000000;
  return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int32_t)left;
}

static struct adr_pmi_client client_of(const char *name, const char *way, int64_t deadline) {
  return (struct adr_pmi_client){.descriptor = -1, .name = name, .way = way, .deadline = deadline};
}

void adr_pmi_take(struct adr_pmi_client *client, const char *fd, int64_t deadline) {
  *client = client_of("PMI_FD", fd, deadline);
  client->descriptor = (int)strtol(fd, NULL, 10);
}

/* Connects a socket, by the deadline, and leaves it blocking. Returns 0 or a negative errno value. */
static int connect_by_deadline(const struct adr_pmi_client *client, int descriptor, const struct addrinfo *at) {
  struct pollfd polled = {.fd = descriptor, .events = POLLOUT};
  int error = connect(descriptor, at->ai_addr, at->ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS || error == EINTR) {
    int ready;
    do { ready = poll(&polled, 1, millis_left(client)); } while (ready < 0 && errno == EINTR);
    if (ready <= 0) { return ready < 0 ? -errno : -ETIMEDOUT; }
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &(socklen_t){sizeof error});
  }
  if (error == 0 && fcntl(descriptor, F_SETFL, 0) != 0) { error = errno; }
  return -error;
}

int adr_pmi_connect(struct adr_pmi_client *client, const char *port, int64_t deadline, adr_error *error) {
  *client = client_of("PMI_PORT", port, deadline);
  const char *colon = strrchr(port, ':');
  char host[256];
  if (colon == NULL || colon == port || (size_t)(colon - port) >= sizeof host) {
    return adr_fail(error, -EINVAL, "PMI_PORT is '%.64s'; allowed is host:port, as mpiexec -pmi-port sets it", port);
  }
  snprintf(host, sizeof host, "%.*s", (int)(colon - port), port);
  struct addrinfo *found = NULL;
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
  int status = getaddrinfo(host, colon + 1, &hints, &found);
  if (status != 0) {
    return adr_fail(error, -EHOSTUNREACH, "PMI_PORT=%.64s: no address is known of it: %s", port, gai_strerror(status));
  }
  status = -EADDRNOTAVAIL;
  for (const struct addrinfo *each = found; each != NULL && client->descriptor < 0; each = each->ai_next) {
    int socket_ = socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    status = socket_ < 0 ? -errno : connect_by_deadline(client, socket_, each);
    if (status == 0) {
      client->descriptor = socket_;
    } else if (socket_ >= 0) {
      close(socket_);
    }
  }
  freeaddrinfo(found);
  if (client->descriptor < 0) {
    return adr_fail(error, status, "PMI_PORT=%.64s: mpiexec does not answer there: %s", port,
                    status == -ETIMEDOUT ? "it was not reached in time (ADRASTEA_JOIN_TIMEOUT)" : strerror(-status));
  }
  client->closes = true;
  return 0;
}

/* What a call of the descriptor returned, in words. */
static int fail(const struct adr_pmi_client *client, int status, adr_error *error) {
  const char *words = status == -ETIMEDOUT ? "it is not answered in time (ADRASTEA_JOIN_TIMEOUT)"
                      : status == 0 || status == -EPIPE || status == -ECONNRESET
                          ? "it is closed; a program that mpiexec has started can join once" CHILD
                      : status == -EBADF ? "there is no such descriptor; a wrapper may have closed it" CHILD
                                         : strerror(-status);
  return adr_fail(error, status == 0 ? -EPIPE : status, "%s=%.64s, the way to mpiexec: %s", client->name, client->way,
                  words);
}

int adr_pmi_refuse(const struct adr_pmi_client *client, const char *why, adr_error *error) {
  char answer[WORDS_OF_ANSWER];
  size_t length = client->length > 0 ? client->length - 1 : client->held;
  length = length < sizeof answer - 1 ? length : sizeof answer - 1;
  memcpy(answer, client->bytes, length);
  adr_plain_text_ascii(answer, length);
  return adr_fail(error, -EPROTO, "%s=%.64s, the way to mpiexec: %s; the answer is '%s'", client->name, client->way,
                  why, answer);
}

static int put(struct adr_pmi_client *client, const char *bytes, size_t length, adr_error *error) {
  for (size_t done = 0; done < length;) {
    int32_t count =
        adr_descriptor_write(client->descriptor, bytes + done, (int32_t)(length - done), millis_left(client));
    if (count <= 0) { return fail(client, count, error); }
    done += (size_t)count;
  }
  return 0;
}

/* Lets what has come behind the last answer be the first of the next. */
static void forget_answer(struct adr_pmi_client *client) {
  memmove(client->bytes, client->bytes + client->length, client->held - client->length);
  client->held -= client->length;
  client->length = 0;
}

static int get_line(struct adr_pmi_client *client, adr_error *error) {
  forget_answer(client);
  while (1) {
    const char *end = memchr(client->bytes, '\n', client->held);
    if (end != NULL) {
      client->length = (size_t)(end - client->bytes) + 1;
      return 0;
    }
    if (client->held == sizeof client->bytes) { return adr_pmi_refuse(client, "a line has no end", error); }
    int32_t count = adr_descriptor_read(client->descriptor, client->bytes + client->held,
                                        (int32_t)(sizeof client->bytes - client->held), millis_left(client));
    if (count <= 0) { return fail(client, count, error); }
    client->held += (size_t)count;
  }
}

bool adr_pmi_value(const struct adr_pmi_client *client, const char *key, char value[ADR_PMI_WORD]) {
  const char *end = client->bytes + (client->length == 0 ? 0 : client->length - 1);
  size_t of_key = strlen(key);
  for (const char *word = client->bytes; word < end;) {
    const char *blank = memchr(word, ' ', (size_t)(end - word));
    size_t length = (size_t)((blank == NULL ? end : blank) - word);
    if (length > of_key && memcmp(word, key, of_key) == 0 && word[of_key] == '=') {
      size_t count = length - of_key - 1;
      count = count < ADR_PMI_WORD ? count : ADR_PMI_WORD - 1;
      memcpy(value, word + of_key + 1, count);
      value[count] = '\0';
      return true;
    }
    word += length + 1;
  }
  return false;
}

int adr_pmi_await(struct adr_pmi_client *client, const char *answer, adr_error *error) {
  char name[ADR_PMI_WORD];
  int status = get_line(client, error);
  if (status < 0) { return status; }
  if (adr_pmi_value(client, "cmd", name) && strcmp(name, answer) == 0) { return 0; }
  char why[WORDS_OF_ANSWER];
  snprintf(why, sizeof why, "cmd=%s was expected", answer);
  return adr_pmi_refuse(client, why, error);
}

int adr_pmi_ask(struct adr_pmi_client *client, const char *line, const char *answer, adr_error *error) {
  char whole[ADR_PMI_LINE];
  int length = snprintf(whole, sizeof whole, "%s\n", line);
  if (length >= (int)sizeof whole) { return adr_fail(error, -EMSGSIZE, "a line for mpiexec is too long"); }
  int status = put(client, whole, (size_t)length, error);
  return status < 0 ? status : adr_pmi_await(client, answer, error);
}

void adr_pmi_close(struct adr_pmi_client *client) {
  if (client->closes && client->descriptor >= 0) { close(client->descriptor); }
  client->descriptor = -1;
}

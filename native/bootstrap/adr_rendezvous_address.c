#include "bootstrap/adr_rendezvous_address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define ALPHANUMERIC "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

enum { MOST_PORT = 65535 };

/* Takes up to 255 of these characters, and at least one. */
static bool take_host(struct adr_rendezvous_address *address, const char *text, const char *allowed, size_t *length) {
  *length = strspn(text, allowed);
  if (*length < 1 || *length >= sizeof address->host) { return false; }
  memcpy(address->host, text, *length);
  address->host[*length] = '\0';
  return true;
}

static bool take_port(struct adr_rendezvous_address *address, const char *text) {
  size_t digits = strspn(text, "0123456789");
  long port = strtol(text, NULL, 10);
  if (digits < 1 || digits >= sizeof address->port || text[digits] != '\0' || port < 1 || port > MOST_PORT) {
    return false;
  }
  strcpy(address->port, text);
  return true;
}

bool adr_rendezvous_address_parse(struct adr_rendezvous_address *address, const char *text) {
  size_t length;
  snprintf(address->words, sizeof address->words, "%s", text);
  if (*text == '[') {
    return take_host(address, text + 1, ALPHANUMERIC ":.%_-", &length) && text[length + 1] == ']'
           && text[length + 2] == ':' && take_port(address, text + length + 3);
  }
  return take_host(address, text, ALPHANUMERIC "._-", &length) && text[length] == ':'
         && take_port(address, text + length + 1);
}

int adr_rendezvous_address_resolve(const struct adr_rendezvous_address *address, struct addrinfo **found) {
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
  return getaddrinfo(address->host, address->port, &hints, found);
}

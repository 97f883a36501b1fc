/* The address at which ranks meet, host:port. Twin of io.adrastea.bootstrap.RendezvousAddress. */
#pragma once

#include <netdb.h>
#include <stdbool.h>

enum { ADR_RENDEZVOUS_HOST = 256, ADR_RENDEZVOUS_WORDS = 129 };

struct adr_rendezvous_address {
  char host[ADR_RENDEZVOUS_HOST];
  char port[6];
  char words[ADR_RENDEZVOUS_WORDS]; /* as it was given, cut off where it is long, for messages */
};

/* Reads `text`: a host's name or address, IPv6 in brackets, and a port from 1 to 65535. Returns false: it is not so. */
bool adr_rendezvous_address_parse(struct adr_rendezvous_address *address, const char *text);

/* Looks the host up, which takes as long as the system's resolver waits. Returns 0 and a list for freeaddrinfo, or an
 * error of gai_strerror. */
int adr_rendezvous_address_resolve(const struct adr_rendezvous_address *address, struct addrinfo **found);

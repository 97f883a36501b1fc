/* Started by anything that tells a rank, a size and where the ranks meet. Twin of
 * io.adrastea.bootstrap.RendezvousBootstrap. */
#pragma once

#include "bootstrap/adr_membership.h"

extern const struct adr_bootstrap adr_rendezvous;

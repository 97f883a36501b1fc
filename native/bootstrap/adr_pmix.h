/* Started by Open MPI's mpirun, whose variables are those of PMIx and its own. Twin of
 * io.adrastea.bootstrap.PmixBootstrap. */
#pragma once

#include "bootstrap/adr_membership.h"

extern const struct adr_bootstrap adr_pmix;

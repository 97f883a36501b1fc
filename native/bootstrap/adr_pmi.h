/* Started by MPICH's mpiexec.hydra, or by another process manager that speaks PMI-1: over an inherited socket (PMI_FD),
 * or over a connection (PMI_PORT, mpiexec -pmi-port). Twin of io.adrastea.bootstrap.PmiBootstrap. */
#pragma once

#include "bootstrap/adr_membership.h"

extern const struct adr_bootstrap adr_pmi;

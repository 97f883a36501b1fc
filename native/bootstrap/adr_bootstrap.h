/* The ways in which a process learns which rank of its job it is, and the choice among them. Twin of
 * io.adrastea.bootstrap.Bootstraps. */
#pragma once

#include "bootstrap/adr_membership.h"

/* Finds out which rank of which job this process is: by the way that ADRASTEA_BOOTSTRAP names, or by the first that
 * claims it; without any it is a job of one with a random number. Returns 0 or an error; -EINVAL too when two ways
 * claim different ranks or sizes. */
int adr_bootstrap_find(struct adr_membership *membership, adr_error *error);

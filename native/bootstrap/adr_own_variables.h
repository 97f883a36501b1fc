/* Started by `adrastea run`, or by anything that sets the same variables. Twin of io.adrastea.bootstrap.OwnVariables.
 */
#pragma once

#include "bootstrap/adr_membership.h"

extern const struct adr_bootstrap adr_own_variables;

/* Fills in the job and the launcher of a rank that our launcher has started. Returns 0 or an error. */
int adr_own_variables_join(struct adr_membership *membership, adr_error *error);

/* Started by `adrastea run`, or by anything that sets the same variables. Twin of io.adrastea.bootstrap.OwnVariables.
 */
#pragma once

#include "bootstrap/adr_membership.h"

extern const struct adr_bootstrap adr_own_variables;

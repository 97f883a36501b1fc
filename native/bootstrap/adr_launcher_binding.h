/* Whether another launcher has bound this process to CPUs. Twin of io.adrastea.bootstrap.LauncherBinding. */
#pragma once

#include <stdbool.h>

#include "segment/adr_process.h"

enum { ADR_BINDING_WORDS = 512 };

/* Writes what the calling thread is bound to. Returns false: it may run where its launcher may, or that cannot be told.
 */
bool adr_launcher_binding(struct adr_process launcher, char words[ADR_BINDING_WORDS]);

/* Started by Slurm's srun, as a task of a step. Twin of io.adrastea.bootstrap.SlurmBootstrap. */
#pragma once

#include "bootstrap/adr_membership.h"

extern const struct adr_bootstrap adr_slurm;

/* Writes a line to standard error where a batch script starts a program that was probably meant for its tasks. */
void adr_slurm_warn_without_step(void);

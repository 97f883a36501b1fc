/* Teams of libshmem; active sets are teams that nobody has a handle of. Each stands on a communicator of its
 * own, by the same calls as a Team of Java, so that PEs of both are in one. */
#pragma once

#include <shmem.h>

#include "adrastea/comm.h"

struct adr_libshmem_team {
  adr_comm *comm;         /* NULL: none was needed yet, of SHMEM_TEAM_SHARED */
  int start, stride, pes; /* its PEs in the world */
  int pe;                 /* this one in the team */
  shmem_team_config_t config;
  const char *routine; /* that is under way on it */
  struct adr_libshmem_team *next;
};

/* The team of a handle, for a routine which has entered the job; ends the job when there is none. */
struct adr_libshmem_team *adr_libshmem_team_of(const char *routine, shmem_team_t handle);

/* Enters the job for a collective of a team; ends the job when there is none. */
struct adr_libshmem_team *adr_libshmem_team_enter(const char *routine, shmem_team_t handle);

/* The number in the world of a PE of a team. */
static inline int adr_libshmem_team_world(const struct adr_libshmem_team *team, int pe) {
  return team->start + pe * team->stride;
}

/* Frees all teams, when no PE uses them any more. */
void adr_libshmem_teams_end(void);

/* Keeps a team that was made, in the list of all; NULL: there is no memory. */
struct adr_libshmem_team *adr_libshmem_team_keep(struct adr_libshmem_team team);

/* Frees one of those. */
void adr_libshmem_team_drop(struct adr_libshmem_team *team);

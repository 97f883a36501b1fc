#include "libshmem/adr_libshmem_team.h"

#include <stdlib.h>

#include "libshmem/adr_libshmem.h"

static struct adr_libshmem_team world, shared;
static struct adr_libshmem_team *teams; /* that were made; inside the job */

struct adr_libshmem_team *adr_libshmem_team_keep(struct adr_libshmem_team team) {
  struct adr_libshmem_team *kept = malloc(sizeof *kept);
  if (kept == NULL) { return NULL; }
  *kept = team;
  kept->next = teams;
  teams = kept;
  return kept;
}

void adr_libshmem_team_drop(struct adr_libshmem_team *team) {
  struct adr_libshmem_team **link = &teams;
  while (*link != team) { link = &(*link)->next; }
  *link = team->next;
  adr_comm_close(team->comm);
  free(team);
}

static struct adr_libshmem_team of_all(adr_comm *comm) {
  return (struct adr_libshmem_team){.comm = comm, .stride = 1, .pes = adr_libshmem.pes, .pe = adr_libshmem.pe};
}

/* All PEs share memory. */
static struct adr_libshmem_team *of_shared(void) {
  if (shared.comm == NULL) { shared = of_all(NULL); }
  return &shared;
}

static struct adr_libshmem_team *of_world(void) {
  if (world.comm == NULL) { world = of_all(adr_shmem_comm(adr_libshmem.shmem)); }
  return &world;
}

struct adr_libshmem_team *adr_libshmem_team_of(const char *routine, shmem_team_t handle) {
  if (handle == SHMEM_TEAM_WORLD) { return of_world(); }
  if (handle == SHMEM_TEAM_SHARED) { return of_shared(); }
  for (struct adr_libshmem_team *team = teams; team != NULL; team = team->next) {
    if (team == handle) { return team; }
  }
  if (handle == SHMEM_TEAM_INVALID) {
    adr_libshmem_fail(routine, "the team is SHMEM_TEAM_INVALID, which a PE gets that is not in a new team");
  }
  adr_libshmem_fail(routine, "there is no team %p; it was destroyed, or never made", (void *)handle);
}

struct adr_libshmem_team *adr_libshmem_team_enter(const char *routine, shmem_team_t handle) {
  adr_libshmem_need(routine);
  adr_libshmem_enter();
  struct adr_libshmem_team *team = adr_libshmem_team_of(routine, handle);
  if (team->comm == NULL) {
    /* SHMEM_TEAM_SHARED has another one than the world, since two threads may be in a collective of each at once. Its
     * PEs make it of the job's when they first need it. */
    adr_comm *comm;
    adr_libshmem_check(routine, adr_comm_dup(adr_job_world(adr_libshmem.job), &comm));
    team->comm = comm;
  }
  team->routine = routine;
  return team;
}

void adr_libshmem_teams_end(void) {
  while (teams != NULL) { adr_libshmem_team_drop(teams); }
  if (shared.comm != NULL) { adr_comm_close(shared.comm); }
  shared.comm = NULL;
  world.comm = NULL; /* which ends with symmetric memory */
}

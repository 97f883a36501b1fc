/* Ends this process when its launcher is gone, so that no rank outlives its job, and takes the name of the segment's
 * file away, if it still has one. Where the launcher does not read that a rank has aborted the job, the watch does so
 * too. Only ranks that ask for it watch. Twin of io.adrastea.bootstrap.LauncherWatch. */
#pragma once

#include <limits.h>

#include "segment/adr_process.h"

#define ADR_LAUNCHER_WATCH_INTERVAL_MILLIS 200
#define ADR_LAUNCHER_WATCH_EXIT_CODE 143 /* as if ended by SIGTERM */

struct adr_launcher_watch;

/* Watches from now on, in a thread with all signals blocked; `file` is the segment's, which is there until all have
 * joined. Returns 0 or -errno. */
int adr_launcher_watch_start(struct adr_launcher_watch **watch, struct adr_process launcher, const char file[PATH_MAX]);

/* From now on a rank of the rank table at `base` that aborts the job ends this process too. */
void adr_launcher_watch_obey(struct adr_launcher_watch *watch, void *base, uint32_t ranks);

/* Stops watching. NULL is allowed. */
void adr_launcher_watch_stop(struct adr_launcher_watch *watch);

/* What identifies a process beyond its pid, which the kernel gives out again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A process that can be told from a later one with the same number. Twin of io.adrastea.segment.ProcessIdentity. */
struct adr_process {
  uint32_t pid;
  uint64_t start; /* clock ticks since boot (field 22 of /proc/<pid>/stat), 0: unknown */
};

enum { ADR_PROCESS_NAME = 16 };

/* A process as /proc tells of it: `name` gets what it is called, cut off after 15 bytes, `parent` the process that it
 * was started by, 0: one outside of this PID namespace. The pid is 0 when there is none of that number. */
struct adr_process adr_process_look_up(uint32_t pid, char name[ADR_PROCESS_NAME], uint32_t *parent);

/* The calling process. */
struct adr_process adr_process_self(void);

/* Whether the process still runs: not when only its remains are there (state Z or X, and no thread but the first). One
 * whose start is unknown is told by its number alone. When nothing can be learned (no file descriptor is left, say, or
 * there is no /proc) it counts as alive. */
bool adr_process_is_alive(struct adr_process process);

/* Whether the thread that the calling process began with has not ended. */
bool adr_process_has_main_thread(void);

/* Start time of the calling process in clock ticks since boot (field 22 of /proc/self/stat), 0: unknown. */
uint64_t adr_process_start(void);

/* Inode of the PID namespace that the calling process's pid belongs to, 0: unknown. */
uint64_t adr_process_pid_namespace(void);

/* The namespace whose pids /proc tells of, if that is the caller's own; 0: pids cannot be looked up here (another
 * namespace's /proc is mounted, or none). */
uint64_t adr_process_visible_namespace(void);

/* What identifies a process beyond its pid, which the kernel gives out again. */
#ifndef ADR_PROCESS_H
#define ADR_PROCESS_H

#include <stdint.h>

/* Start time of the calling process in clock ticks since boot (field 22 of /proc/self/stat), 0: unknown. */
uint64_t adr_process_start(void);

/* Inode of the PID namespace that the calling process's pid belongs to, 0: unknown. */
uint64_t adr_process_pid_namespace(void);

#endif

/* The environment variables of the OpenSHMEM standard: SHMEM_VERSION, SHMEM_INFO, SHMEM_SYMMETRIC_SIZE and SHMEM_DEBUG,
 * and their deprecated names SMA_VERSION and so on, which count where the former are not set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct adr_libshmem_settings {
  int64_t heap_bytes; /* of each PE's symmetric heap, 64 or more, whole lines of 64 */
  bool version;       /* tell the version */
  bool info;          /* tell of these variables */
  bool debug;         /* tell what is done at setup and at the end */
};

/* Reads them. Returns 0, or -1 and says in `why` what is wrong, what is allowed. */
int adr_libshmem_settings_read(struct adr_libshmem_settings *settings, char *why, size_t size);

/* Reads a size as the standard has it: "20m", "3.1G", ".5k", "4096". Returns -1 for another text. */
int64_t adr_libshmem_size(const char *text);

/* Prints what SHMEM_VERSION and SHMEM_INFO ask for. */
void adr_libshmem_settings_print(const struct adr_libshmem_settings *settings);

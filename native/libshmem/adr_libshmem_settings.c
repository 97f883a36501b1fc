#include "libshmem/adr_libshmem_settings.h"

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIZE "256M"
#define MOST_BYTES (INT64_C(1) << 46) /* what a process of 47 bits of addresses has room for, with a second PE */

static const char *value_of(const char *name, const char *former) {
  const char *value = getenv(name);
  return value != NULL ? value : getenv(former);
}

/* The number is read digit by digit, since the program's locale may have another decimal point. */
int64_t adr_libshmem_size(const char *text) {
  long double number = 0, weight = 1;
  int digits = 0;
  for (; *text >= '0' && *text <= '9'; text++, digits++) { number = number * 10 + (*text - '0'); }
  if (*text == '.') {
    for (text++; *text >= '0' && *text <= '9'; text++, digits++) {
      weight /= 10;
      number += weight * (*text - '0');
    }
  }
  if (digits == 0) { return -1; }
  int shift;
  switch (*text) {
  case '\0':
    shift = 0;
    break;
  case 'k':
  case 'K':
    shift = 10;
    break;
  case 'm':
  case 'M':
    shift = 20;
    break;
  case 'g':
  case 'G':
    shift = 30;
    break;
  case 't':
  case 'T':
    shift = 40;
    break;
  default:
    return -1;
  }
  if (shift > 0 && text[1] != '\0') { return -1; }
  number *= (long double)(INT64_C(1) << shift);
  if (number > (long double)MOST_BYTES) { return -1; }
  int64_t bytes = (int64_t)number;
  return (long double)bytes < number ? bytes + 1 : bytes;
}

int adr_libshmem_settings_read(struct adr_libshmem_settings *settings, char *why, size_t size) {
  const char *heap = value_of("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE");
  if (heap == NULL || *heap == '\0') { heap = DEFAULT_SIZE; }
  int64_t bytes = adr_libshmem_size(heap);
  if (bytes < 0) {
    snprintf(why, size,
             "SHMEM_SYMMETRIC_SIZE is '%s'; it may be a number of bytes from 0 to 64T, with a point if need be, and "
             "one of k, K, m, M, g, G, t, T behind it, such as 256M or 1.5g",
             heap);
    return -1;
  }
  settings->heap_bytes = bytes < 64 ? 64 : (bytes + 63) / 64 * 64;
  settings->version = value_of("SHMEM_VERSION", "SMA_VERSION") != NULL;
  settings->info = value_of("SHMEM_INFO", "SMA_INFO") != NULL;
  settings->debug = value_of("SHMEM_DEBUG", "SMA_DEBUG") != NULL;
  return 0;
}

void adr_libshmem_settings_print(const struct adr_libshmem_settings *settings) {
  if (settings->version) {
    printf(SHMEM_VENDOR_STRING " " ADR_VERSION ", OpenSHMEM %d.%d\n", SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
  }
  if (settings->info) {
    printf("SHMEM_VERSION         any value: print the version at start\n"
           "SHMEM_INFO            any value: print this text at start\n"
           "SHMEM_SYMMETRIC_SIZE  bytes of each PE's symmetric heap, such as 256M or 1.5g (now %lld); "
           "default " DEFAULT_SIZE "\n"
           "SHMEM_DEBUG           any value: print what is done at start and at the end\n"
           "SMA_VERSION, SMA_INFO, SMA_SYMMETRIC_SIZE, SMA_DEBUG: former names of these\n"
           "ADRASTEA_...          settings of the job: docs/settings.md\n",
           (long long)settings->heap_bytes);
  }
  if (settings->version || settings->info) { fflush(stdout); }
}

/* Reading and writing a file descriptor that a process has inherited, such as the socket of a launcher. Java has no way
 * of its own to one. */
#ifndef ADRASTEA_DESCRIPTOR_H
#define ADRASTEA_DESCRIPTOR_H

#include <stdint.h>

#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Waits for at most `millis` milliseconds until something can be read, and reads at most `length` bytes of it. Returns
 * how many; 0: the other end has closed it; or a negative errno value: -ETIMEDOUT when nothing came, -EBADF when there
 * is no such descriptor, -EINVAL for a length below 1 or a negative time. */
ADR_API int32_t adr_descriptor_read(int32_t descriptor, void *bytes, int32_t length, int32_t millis);

/* Waits likewise until something can be written, and writes at most `length` bytes. Returns how many, or an error as
 * above; -EPIPE when the other end has closed it. */
ADR_API int32_t adr_descriptor_write(int32_t descriptor, const void *bytes, int32_t length, int32_t millis);

#ifdef __cplusplus
}
#endif
#endif

/* Takes the space of a stretch of a file before it is touched, so that a full file system is an error and no SIGBUS.
 * Twin of io.adrastea.segment.Reservation, which writes zeros. */
#pragma once

#include <stdint.h>

/* Reserves `bytes` (> 0) from `offset` on, which are the caller's alone. Returns 0, -ENOSPC or another -errno: then
 * nothing is kept. Never -EINTR: however often signals come, it gets on. */
int adr_reservation_reserve(int fd, uint64_t offset, uint64_t bytes);

/* Reserves what is missing of a stretch that others may be using: no byte of it changes. Returns as the former; after
 * an error the stretch has all that it had, and perhaps more. */
int adr_reservation_complete(int fd, uint64_t offset, uint64_t bytes);

/* Makes a stretch all zeros, and gives its space back to the system; where the file system cannot punch holes, zeros
 * are written. Returns 0 or -errno. */
int adr_reservation_empty(int fd, uint64_t offset, uint64_t bytes);

/* Gives the space of a stretch back to the system, if it can: whoever touches it then finds zeros. */
void adr_reservation_release(int fd, uint64_t offset, uint64_t bytes);

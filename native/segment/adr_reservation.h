/* Takes the space of a stretch of a file before it is touched, so that a full file system is an error and no SIGBUS.
 * Twin of io.adrastea.segment.Reservation, which writes zeros. */
#pragma once

#include <stdint.h>

/* Reserves `bytes` (> 0) from `offset` on, which are the caller's alone. Returns 0, -ENOSPC or another -errno: then
 * nothing is kept. Never -EINTR: however often signals come, it gets on. */
int adr_reservation_reserve(int fd, uint64_t offset, uint64_t bytes);

/* Reserves likewise a stretch that was used before: it is all zeros then. */
int adr_reservation_renew(int fd, uint64_t offset, uint64_t bytes);

/* Gives the space of a stretch back to the system, if it can: whoever touches it then finds zeros. */
void adr_reservation_release(int fd, uint64_t offset, uint64_t bytes);

/* A file system as /proc/self/mountinfo tells of it. Twin of io.adrastea.segment.Mount. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* What stands there of the file system `device`: `TYPE SOURCE OPTIONS`, to be freed; NULL: nothing tells. `root`: where
 * /proc lies, "" for the machine's own. */
char *adr_mount_of(const char *root, dev_t device);

/* Whether several hosts have a file system of this type mounted at the same time: memory that is mapped of such a file
 * is that of one host, locks are asked of a server, and ranks of two hosts would take themselves for neighbours. */
bool adr_mount_is_of_several_hosts(const char *type);

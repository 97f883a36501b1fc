/* What tells the node of a process from others. Twin of io.adrastea.bootstrap.NodeIdentity. */
#pragma once

#include <stdint.h>

#include "adrastea/job.h"

enum { ADR_NODE_TEXT = 128, ADR_APART_TEXT = 512 };

/* Writes the start of the kernel, and device and inode of the directory of segments, with colons between: processes
 * with the same can share a segment, whatever containers they live in and whatever their launcher says of nodes. Words
 * without blanks. Returns 0 or an error: there is no such directory. */
int adr_node_identity(char text[ADR_NODE_TEXT], adr_error *error);

/* Writes the message for a job whose rank `rank` is on another node than rank 0. */
void adr_node_tell_apart(char words[ADR_APART_TEXT], uint32_t rank, const char *node, const char *first);

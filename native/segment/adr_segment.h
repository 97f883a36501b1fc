/* The shared-memory file of a node's job: create, attach, reserve, unlink. Twin of
 * io.adrastea.segment.SegmentFile.
 *
 * The creator makes the file, locks it, fills the header and stores the magic last. Each rank attaches,
 * reserves its own area (posix_fallocate: a full file system is an error here, never a SIGBUS later),
 * formats its free queue (adr_free_queue_format) and counts itself in; the last one unlinks the file. The
 * creator's lock tells others whether it still lives, across PID namespaces too, and so does the lock of each
 * rank (adr_segment_lock_place); POSIX drops them when the process closes any descriptor of the file: a process
 * that created or attached must not attach a second time. */
#pragma once

#include "segment/adr_segment_state.h"

/* Locks in the file, far behind its end: below this offset the creator's, from it on one byte per rank. */
#define ADR_SEGMENT_PLACES (INT64_C(1) << 62)

/* What the lock of a rank's byte tells of the process that took it. */
enum adr_segment_place { ADR_SEGMENT_PLACE_FREE, ADR_SEGMENT_PLACE_HELD, ADR_SEGMENT_PLACE_UNKNOWN };

/* Writes the path of the segment of a node of the job below `directory`: adrastea-<uid>-<16 hex digits>-<node>. Returns
 * 0 or -ENAMETOOLONG. */
int adr_segment_path(char path[PATH_MAX], const char *directory, uint64_t job_id, uint32_t node);

/* Creates and maps the segment. Returns 0, -EINVAL (a size out of range), -ENOSPC (no room for header and
 * rank table), -EEXIST (the job has one) or another -errno; nothing is left behind then. */
int adr_segment_create(struct adr_segment *segment, const char *directory, uint64_t job_id, uint32_t node,
                       uint32_t ranks, uint32_t cells, uint32_t payload, struct adr_box_settings boxes);

/* Maps the segment of a job. Returns 0; ADR_AGAIN or -ENOENT: the creator is not that far, try again; or one
 * of the values above or another -errno. */
int adr_segment_attach(struct adr_segment *segment, const char *directory, uint64_t job_id, uint32_t node);

/* Takes the space of `rank`'s area, without the rings of its boxes, from the file system, in the memory of the calling
 * thread's node, and zeroes its header, its box table and its cells' headers. Returns 0, -ENOSPC or another -errno. */
int adr_segment_reserve(struct adr_segment *segment, uint32_t rank);

/* Takes the space of the ring of `rank`'s box from `source`; it is zero then. Returns 0, -ENOSPC or another -errno. */
int adr_segment_reserve_box(struct adr_segment *segment, uint32_t rank, uint32_t source);

/* Locks the byte of `rank`, for as long as the calling process lives and has the segment open: whatever PID namespace
 * the others are in, they see the lock fall with the process, as soon as none of its threads touches memory any more.
 * Returns 0 or -errno. */
int adr_segment_lock_place(const struct adr_segment *segment, uint32_t rank);

/* Whether a process other than the caller's holds the byte of `rank`; `fd` is the segment's. */
enum adr_segment_place adr_segment_check_place(int fd, uint32_t rank);

/* Counts one more rank in, after its area is formatted; the last one unlinks the file before. Returns 1: it was the
 * last one; 0: others are missing; or -errno: it was the last one, and the file could not be unlinked. */
int adr_segment_count_in(struct adr_segment *segment);

/* Takes back that a rank has counted itself in, so that nobody goes on with one that has given up. Returns false: all
 * are in, and it is one of them. */
bool adr_segment_count_out(struct adr_segment *segment);

/* Removes the file's name; mapped memory stays. Returns 0 (also when it was gone) or -errno. */
int adr_segment_unlink(const struct adr_segment *segment);

/* Unmaps and closes. */
void adr_segment_close(struct adr_segment *segment);

/* Removes files of this user in `directory` whose creator and ranks are gone; never one that this process has open.
 * Returns how many, or -errno. */
int adr_segment_remove_stale(const char *directory);

/* One line for a value that any of these returned: what was wrong and what to do. A static string. */
const char *adr_segment_strerror(int error);

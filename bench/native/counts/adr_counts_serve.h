/* Times of the channel between two processes, and of looks that find nothing, beside those that adrastea-floor takes.
 */
#pragma once

/* Reads a command a line, `NAME N BATCHES EXCHANGES`, and answers each with one line: `ns T1 ... T<BATCHES>`, the
 * nanoseconds of each batch, or `error TEXT`. An exchange is a round trip of queue    N bytes (at most 4096), by cells
 *   box      N bytes, by fastbox
 *   named    8 bytes by fastbox in a job of N ranks (2, 4, 8, ... 256), all but two of them idle, received by source
 *   any      the same, received from any source
 * or it is two looks for messages in a job of N ranks that find nothing,
 *   channel  by adr_channel_poll
 *   bitmap   at the bitmap of active fastboxes alone
 *   counters at an array of counters, one per source, beside a private one ([MVAPICH 2006, 3.4.1])
 *   boxes    at the next place of every fastbox
 * Ends at the end of its input. A CPU of -1: not pinned. Returns the program's exit code. */
int counts_serve(const int cpus[2]);

/* Three ways to find out that no message has come, over the same number of sources. */
#pragma once

#include "counts/adr_counts_job.h"

enum { COUNTS_MAX_RANKS = 256 };

struct counts_look;

/* For rank 0 of a job. Ends the program when there is no memory. */
struct counts_look *counts_look_open(const struct counts_job *job);

/* Each gives the source that has something, or -1. */
int counts_look_bitmap(const struct counts_look *look);
int counts_look_counters(const struct counts_look *look);
int counts_look_boxes(const struct counts_look *look);

/* Spoils shared words while the target works with them (the target itself does so between its calls): what is read
 * twice, once for the check and once for the use, is another word the second time. fuzz_beside.c has a thread that does
 * it; fuzz_between.c does it behind each load. */
#pragma once

#include "fuzz_job.h"

/* Spoils from now on, for as long as the process lives. Without it nothing is spoiled but what the input says. */
void fuzz_beside_start(uint64_t seed);

/* An input with this hash begins. */
void fuzz_beside_begin(uint64_t hash);

/* Whether it was started: a call may be refused then that is not otherwise. */
bool fuzz_beside_is_on(void);

/* From now on the words of this job are spoiled, as fuzz_spoil would. Called by fuzz_job. */
void fuzz_beside_expose_job(struct fuzz_job *job);

/* And, three times as often, the words of this memory, a multiple of 8 bytes: what a target has beside its job, at most
 * twice. */
void fuzz_beside_expose(void *memory, size_t bytes);

/* The first `bytes` of that memory can be read at `mapping` too, until that is about to be unmapped: behind a load
 * there words are spoiled as well. One mapping at a time. They are written at `memory`: `mapping` may be read-only. */
void fuzz_beside_expose_mapping(const void *mapping, void *memory, size_t bytes);
void fuzz_beside_hide_mapping(const void *mapping); /* nothing, when it is not such a mapping */

/* Nothing is spoiled until something is exposed again; no store is on its way when this returns. */
void fuzz_beside_hide(void);

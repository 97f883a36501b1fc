/* What is counted: a case calls the counted functions so many times, each in the state that its name says. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Runs a case; false: there is none of that name. The functions that callgrind collects in are counted_nothing,
 * counted_enqueue, counted_dequeue (queue-busy, queue-empty), counted_send, counted_receive (channel-queue,
 * channel-box), counted_poll, counted_take (the same with -poll behind). */
bool counts_run_case(const char *name, uint32_t times);

/* The way in and out of a job for several threads of its rank: one is inside at a time, and each wait lets others in,
 * in the order in which they came. Without a gate a job is for one thread. Twin of io.adrastea.wait.Gate as far as that
 * one is for many threads. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct adr_gate {
  pthread_mutex_t guard; /* of the two numbers */
  pthread_cond_t turn;
  uint64_t next; /* of the thread that comes next */
  uint64_t now;  /* of the one that is inside; equal: none is */
};

/* Returns 0 or a negative errno value. */
int adr_gate_open(struct adr_gate *gate);

/* Nobody is inside, or waits to come in. */
void adr_gate_close(struct adr_gate *gate);

/* Comes in, behind those that came before. */
void adr_gate_enter(struct adr_gate *gate);

void adr_gate_exit(struct adr_gate *gate);

/* Whether a thread waits to come in; to be asked inside. */
bool adr_gate_is_wanted(struct adr_gate *gate);

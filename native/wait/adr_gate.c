#include "wait/adr_gate.h"

int adr_gate_open(struct adr_gate *gate) {
  gate->next = 0;
  gate->now = 0;
  int status = pthread_mutex_init(&gate->guard, NULL);
  if (status != 0) { return -status; }
  status = pthread_cond_init(&gate->turn, NULL);
  if (status != 0) { pthread_mutex_destroy(&gate->guard); }
  return -status;
}

void adr_gate_close(struct adr_gate *gate) {
  pthread_cond_destroy(&gate->turn);
  pthread_mutex_destroy(&gate->guard);
}

void adr_gate_enter(struct adr_gate *gate) {
  pthread_mutex_lock(&gate->guard);
  const uint64_t mine = gate->next++;
  while (gate->now != mine) { pthread_cond_wait(&gate->turn, &gate->guard); }
  pthread_mutex_unlock(&gate->guard);
}

void adr_gate_exit(struct adr_gate *gate) {
  pthread_mutex_lock(&gate->guard);
  gate->now++;
  if (gate->now != gate->next) { pthread_cond_broadcast(&gate->turn); }
  pthread_mutex_unlock(&gate->guard);
}

bool adr_gate_is_wanted(struct adr_gate *gate) {
  pthread_mutex_lock(&gate->guard);
  const bool wanted = gate->next - gate->now > 1;
  pthread_mutex_unlock(&gate->guard);
  return wanted;
}

/* Measures how late a sleep ends, as a C rank of the job whose rank 0 is Lateness.java, which tells what is measured
 * and has the table:
 *
 *   bin/adrastea run -n 2 java examples/mixed/Lateness.java : -n 1 build-mixed/lateness
 */
#include <adrastea/adrastea.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { COLLECTOR = 0, ORDER_TAG = 1, NAME_TAG = 2, SAMPLES_TAG = 3, BATCH = 500 };

struct order {
  int64_t period; /* nanoseconds from one waking to the next */
  int64_t samples;
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t sleep_until(int64_t due) {
  struct timespec time = {due / 1000000000, due % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) {}
  return now() - due;
}

static int receive_order(adr_job *job, struct order *order) {
  adr_message message;
  int status = adr_wait(job, COLLECTOR, &message);
  if (status < 0) { return status; }
  if (ADR_TAG(message.match) != ORDER_TAG || message.length != sizeof *order) { return -1; }
  memcpy(order, message.payload, sizeof *order);
  return adr_release(job);
}

static int measure(adr_job *job, const struct order *order) {
  int64_t batch[BATCH];
  int64_t due = now();
  for (int64_t left = order->samples; left > 0;) {
    int64_t count = left < BATCH ? left : BATCH;
    for (int64_t i = 0; i < count; i++) { batch[i] = sleep_until(due += order->period); }
    int status = adr_send(job, COLLECTOR, ADR_MATCH(0, SAMPLES_TAG), batch, (uint64_t)count * sizeof *batch);
    if (status < 0) { return status; }
    left -= count;
  }
  return 0;
}

int main(void) {
  static const char name[] = "C, clock_nanosleep";
  struct order order;
  adr_job *job;
  adr_error error;
  if (adr_job_join(&job, ADR_JOIN_END_WITH_LAUNCHER, &error) < 0) {
    fprintf(stderr, "lateness: %s\n", error.text);
    return 1;
  }
  if (adr_job_rank(job) == COLLECTOR) {
    fprintf(
        stderr,
        "lateness: rank 0 is to be Lateness.java: adrastea run java examples/mixed/Lateness.java : -n 1 lateness\n");
    return 2;
  }
  int status = receive_order(job, &order);
  if (status >= 0) { status = adr_send(job, COLLECTOR, ADR_MATCH(0, NAME_TAG), name, strlen(name)); }
  if (status >= 0) { status = adr_barrier(job); } /* all begin at once */
  if (status >= 0) { status = measure(job, &order); }
  if (status < 0) {
    fprintf(stderr, "lateness: %s\n", adr_job_error(job));
    return 1;
  }
  return adr_job_leave(job);
}

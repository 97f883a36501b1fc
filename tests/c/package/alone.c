/* A job of one that sends itself a message; C and C++ alike. */
#include <adrastea/adrastea.h>
#include <stdio.h>

int main(void) {
  adr_job *job;
  adr_error error;
  adr_message message;
  if (adr_job_join(&job, 0, &error) < 0) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  int status = adr_send(job, adr_job_rank(job), ADR_MATCH(0, 7), "hello", 5);
  if (status == 0) { status = adr_barrier(job); }
  if (status == 0) { status = adr_wait(job, ADR_ANY, &message); }
  if (status < 0) {
    fprintf(stderr, "%s\n", adr_job_error(job));
    return 1;
  }
  printf("rank %d of %d: %.*s, %d bytes with tag %d\n", adr_job_rank(job), adr_job_size(job), (int)message.length,
         (const char *)message.payload, (int)message.total_length, ADR_TAG(message.match));
  adr_release(job);
  return adr_job_leave(job);
}

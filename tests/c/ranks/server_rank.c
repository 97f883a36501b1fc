/* A server and its clients, some of which are killed: twin of tests/java/io/adrastea/it/ServerRank.java, which says
 * what they do. */
#include "member.h"

enum { TAG = 5, FAILED_MOST = 16 };

static void answer(const adr_message *request) {
  int client = request->source;
  int64_t number;
  memcpy(&number, request->payload, sizeof number);
  require(adr_release(job));
  number++;
  require(adr_send(job, client, ADR_MATCH(0, TAG), &number, sizeof number));
}

static int acknowledge(void) {
  int32_t failed[FAILED_MOST];
  int count = adr_job_acknowledge_failed_ranks(job, failed, FAILED_MOST);
  printf("acknowledged");
  for (int i = 0; i < count; i++) { printf(" %d", failed[i]); }
  printf("\n");
  fflush(stdout);
  return count;
}

static void serve(void) {
  adr_message request;
  int failures = 0;
  int served = 0;
  for (int failed = 0; served + failed < adr_job_size(job) - 1;) {
    int status = adr_wait(job, ADR_ANY, &request);
    if (status == ADR_ERROR_RANK_FAILED) {
      failures++;
      failed = acknowledge();
    } else {
      require(status);
      answer(&request);
      served++;
    }
  }
  printf("served %d, failures %d\n", served, failures);
  if (adr_wait(job, ADR_ANY, &request) == ADR_ERROR_RANK_FAILED) { printf("alone\n"); }
}

static void ask(void) {
  adr_message reply;
  int64_t number = 41;
  while (getchar() != EOF) {}
  require(adr_send(job, 0, ADR_MATCH(0, TAG), &number, sizeof number));
  require(adr_wait(job, 0, &reply));
  memcpy(&number, reply.payload, sizeof number);
  require(adr_release(job));
  printf("answered %d\n", (int)number);
}

int main(int count, char **words) {
  member_join();
  if (count == 2 && strcmp(words[1], "bug") == 0) {
    adr_job_fail(job, "client 1 has a bug");
    return 1;
  }
  printf("ready\n");
  fflush(stdout);
  if (adr_job_rank(job) == 0) {
    serve();
  } else {
    ask();
  }
  return adr_job_leave(job);
}

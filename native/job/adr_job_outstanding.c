/* What a rank would leave undone; see adrastea/job.h. */
#include <inttypes.h>
#include <stdio.h>

#include "job/adr_job_state.h"

struct words {
  char *text; /* may be NULL */
  size_t size;
  size_t length; /* of all the words, though they may not fit */
};

static void say(struct words *words, const adr_outgoing *message) {
  bool fits = words->text != NULL && words->length < words->size;
  int length = snprintf(fits ? words->text + words->length : NULL, fits ? words->size - words->length : 0,
                        "%sa send to rank %" PRId32 " tag %" PRId32 ", %" PRIu64 " of %" PRIu64 " bytes",
                        words->length == 0 ? "" : "; ", message->destination, ADR_TAG(message->match), message->sent,
                        message->bytes);
  words->length += length > 0 ? (size_t)length : 0;
}

int adr_job_outstanding(const adr_job *job, char *text, size_t size) {
  struct words words = {text, size, 0};
  int count = 0;
  if (text != NULL && size > 0) { text[0] = '\0'; }
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (job->out[rank].message == NULL) { continue; }
    say(&words, job->out[rank].message);
    count++;
  }
  return count;
}

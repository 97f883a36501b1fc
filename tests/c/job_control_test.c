/* What ranks tell each other beside messages: by type to handlers, kept in order where there is no room, and told of
 * where nobody handles it. Rank 1 uses its channel itself, as a rank of another version would. */
#include "job/adr_job_control.h"

#include "job/adr_job_decline.h"
#include "job/adr_job_state.h"
#include "ranks.h"

enum { TAG = 5, UNKNOWN = 200, OFFERS = 60, NUMBER = 77 };

static uint64_t words[3];

static void send_words(int64_t match, uint32_t count) {
  int64_t bytes = (int64_t)(count * sizeof *words);
  int32_t taken;
  do {
    taken = adr_channel_try_send(job->channel, 0, ADR_PIECE_FIRST, match, bytes, words, 0, bytes);
  } while (taken == -EAGAIN);
  CHECK_EQUAL(bytes, taken);
}

/* Receives one message of a word with the tag, past errors, whose words it notes. */
static char told[512];
static int errors;

static uint64_t receive_word(void) {
  adr_message piece;
  int status;
  while ((status = adr_wait(job, 1, &piece)) < 0) {
    CHECK_EQUAL(-EPROTO, status);
    snprintf(told, sizeof told, "%s", adr_job_error(job));
    errors++;
  }
  CHECK_EQUAL(TAG, ADR_TAG(piece.match));
  uint64_t word;
  memcpy(&word, piece.payload, sizeof word);
  CHECK_EQUAL(0, adr_release(job));
  return word;
}

static void send_unknown(void) {
  if (adr_job_rank(job) == 1) {
    send_words(ADR_CONTROL_MATCH | UNKNOWN, 2);
    send_words(ADR_CONTROL_MATCH | (UNKNOWN + 1), 0);
    words[0] = 1;
    CHECK_EQUAL(0, adr_barrier(job));
    send_words(ADR_MATCH(0, TAG), 1);
    CHECK_EQUAL(0, adr_barrier(job));
  } else {
    CHECK_EQUAL(0, adr_barrier(job)); /* takes them in */
    CHECK_EQUAL(1, receive_word());
    adr_message piece;
    errors += adr_poll(job, &piece) < 0; /* told when nothing else is there */
    if (told[0] == '\0') { snprintf(told, sizeof told, "%s", adr_job_error(job)); }
    CHECK_EQUAL(1, errors);
    CHECK(strstr(told, "rank 1 sent a control message of type 200 (and 1 more") != NULL);
    CHECK(strstr(told, "this rank handles types 2, 4;") != NULL);
    CHECK_EQUAL(0, adr_poll(job, &piece)); /* once */
    CHECK_EQUAL(0, adr_barrier(job));
  }
}

static void a_type_that_nobody_handles_is_told_of_once_and_nothing_else_is_lost(void) { run_ranks(2, send_unknown); }

/* The next control message for rank 1: its type; its words go to `words`. */
static uint32_t await_control(void) {
  adr_inbound inbound;
  while (adr_channel_poll(job->channel, -1, &inbound) != ADR_POLL_PIECE) { usleep(100); }
  CHECK(adr_control_is(inbound.match));
  CHECK(inbound.length <= (int64_t)(4 * sizeof *words));
  memcpy(words, job->segment.base + inbound.payload, sizeof words);
  CHECK_EQUAL(0, adr_channel_release(job->channel));
  return (uint32_t)inbound.match & 0xff;
}

static void offer_once(void) {
  if (adr_job_rank(job) == 1) {
    words[0] = 1 << 20;
    words[1] = NUMBER;
    send_words((int64_t)(ADR_MATCH_TRANSFER | TAG), 3);
    CHECK_EQUAL(ADR_CONTROL_DONE, await_control());
    CHECK_EQUAL(NUMBER, words[0] & UINT32_MAX);
    CHECK_EQUAL((uint64_t)(uint32_t)ADR_DECLINED, words[1]);
    send_words(ADR_CONTROL_MATCH | ADR_CONTROL_DONE, 1); /* as a sender whose buffer is not lasting answers */
    send_words(ADR_CONTROL_MATCH | ADR_CONTROL_WITHDRAW, 1);
    words[0] = 2;
    send_words(ADR_MATCH(0, TAG), 1);
  } else {
    CHECK_EQUAL(2, receive_word()); /* and no offer */
    CHECK_EQUAL(0, errors);
  }
}

static void an_offer_by_rendezvous_is_declined(void) { run_ranks(2, offer_once); }

/* Rank 1 takes nothing in before all its offers are out: more than rank 0 has room for answers. */
static void offer_many(void) {
  if (adr_job_rank(job) == 1) {
    uint64_t answered = 0;
    for (uint64_t i = 0; i < OFFERS; i++) {
      adr_inbound inbound;
      words[1] = i;
      int32_t taken;
      while ((taken = adr_channel_try_send(job->channel, 0, ADR_PIECE_FIRST, (int64_t)(ADR_MATCH_TRANSFER | TAG),
                                           sizeof words, words, 0, sizeof words))
             == -EAGAIN) {
        if (adr_channel_poll(job->channel, -1, &inbound) != ADR_POLL_PIECE) { continue; }
        uint64_t number;
        memcpy(&number, job->segment.base + inbound.payload, sizeof number);
        CHECK_EQUAL(answered++, number & UINT32_MAX); /* in order */
        CHECK_EQUAL(0, adr_channel_release(job->channel));
      }
      CHECK_EQUAL((int32_t)sizeof words, taken);
    }
    while (answered < OFFERS) {
      CHECK_EQUAL(ADR_CONTROL_DONE, await_control());
      CHECK_EQUAL(answered++, words[0] & UINT32_MAX);
    }
    words[0] = 3;
    send_words(ADR_MATCH(0, TAG), 1);
  } else {
    CHECK_EQUAL(3, receive_word());
  }
}

static void answers_wait_for_room_and_keep_their_order(void) {
  setenv("ADRASTEA_BOX_LINES", "0", 1);
  setenv("ADRASTEA_CELLS", "2", 1);
  run_ranks(2, offer_many);
  unsetenv("ADRASTEA_BOX_LINES");
  unsetenv("ADRASTEA_CELLS");
}

static int handled;

static int handle(struct adr_job *owner, uint32_t source, uint32_t type, const uint64_t *seen) {
  CHECK(owner == job);
  CHECK_EQUAL(1, source);
  CHECK_EQUAL(UNKNOWN, type);
  CHECK_EQUAL(9, seen[0]);
  CHECK_EQUAL(0, seen[1]);
  handled++;
  return seen[2] == 0 ? 0 : ADR_CORRUPT;
}

static void send_known(void) {
  if (adr_job_rank(job) == 1) {
    words[0] = 9;
    send_words(ADR_CONTROL_MATCH | UNKNOWN, 1);
    send_words(ADR_MATCH(0, TAG), 1);
  } else {
    CHECK_EQUAL(0, adr_control_register(&job->control, UNKNOWN, handle));
    CHECK_EQUAL(-EEXIST, adr_control_register(&job->control, UNKNOWN, handle));
    CHECK_EQUAL(-EINVAL, adr_control_register(&job->control, ADR_CONTROL_COUNT, handle));
    CHECK_EQUAL(9, receive_word());
    CHECK_EQUAL(1, handled);
  }
}

static void a_type_goes_to_who_registered_for_it(void) { run_ranks(2, send_known); }

int main(void) {
  ranks_begin();
  RUN(a_type_that_nobody_handles_is_told_of_once_and_nothing_else_is_lost);
  RUN(an_offer_by_rendezvous_is_declined);
  RUN(answers_wait_for_room_and_keep_their_order);
  RUN(a_type_goes_to_who_registered_for_it);
  ranks_end();
  return 0;
}

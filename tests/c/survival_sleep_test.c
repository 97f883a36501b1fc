/* A ringer dies on its way to the wake, at each stop point from its mark to the call. The sleeper finds what it gave
 * when its time is over, what others give in between comes with it, and from then on it is woken as ever. */
#include "survival.h"

enum { SLEEPER, OTHER, RINGER, CELLS = 16, SHORT_NANOS = 1000000 };
static const struct adr_box_settings BOXES = {.slots = 64, .limit = 300, .threshold = 1};

/* What the one that died left, and what comes of it. */
struct wreck {
  int point;
  bool sleeping; /* it had not claimed the wake: the next one that gives something rings */
  bool counted;  /* it had raised the word: a rank that has not fallen asleep by then does not */
};

static const struct wreck wrecks[] = {
    {ADR_STOP_doorbell_marked, true, false},
    {ADR_STOP_wake_claimed, false, false},
    {ADR_STOP_wake_counted, false, true},
};

static void give(struct side *me) { push_up_to(me, SLEEPER, me->out[SLEEPER].number + 1); }

/* The first one goes by cell and finds the fastbox; the second goes by that. */
static phase_body *const ringer_phases[] = {give, give};
enum { RINGER_PHASES = sizeof ringer_phases / sizeof ringer_phases[0] };

static struct adr_rank_entry *entry_of_sleeper(void) { return adr_rank_table_entry(job.segment.base, SLEEPER); }

static bool is_asleep(void) { return adr_load_relaxed_u32(&entry_of_sleeper()->doorbell_sleeping) == 1; }

/* Whether it was woken, or did not even fall asleep. */
static bool is_woken(struct side *sleeper, int64_t word) {
  int32_t status = adr_channel_sleep(job.segment.base, SLEEPER, word, SHORT_NANOS);
  CHECK(status == 0 || status == -ETIMEDOUT);
  CHECK_EQUAL(0, adr_channel_end_sleep(sleeper->channel));
  return status == 0;
}

static int64_t fall_asleep(struct side *sleeper) {
  int64_t word = adr_channel_announce_sleep(sleeper->channel);
  CHECK(word >= 0);
  CHECK_EQUAL(0, pull(sleeper, -1)); /* the last look */
  CHECK(is_asleep());
  return word;
}

/* `others`: somebody else gives something, too, while it sleeps. */
static void run_case(const struct wreck *wreck, bool others) {
  job = job_open_boxes(SURVIVAL_RANKS, CELLS, SURVIVAL_PAYLOAD, BOXES);
  struct side sleeper = side_open(SLEEPER), other = side_open(OTHER);
  job_open_box(&job, sleeper.channel, SLEEPER, RINGER);
  struct victim ringer = victim_start(RINGER, (struct plan){wreck->point, 1, SIGKILL}, ringer_phases, RINGER_PHASES);
  CHECK_EQUAL(PHASE_OVER, victim_go_on(&ringer));
  pull_all(&sleeper);
  int64_t word = fall_asleep(&sleeper);
  CHECK_EQUAL(DEAD, victim_go_on(&ringer));
  CHECK_EQUAL(wreck->sleeping, is_asleep());
  if (others) { give(&other); }
  bool rung_by_other = others && wreck->sleeping;
  CHECK_EQUAL(wreck->counted || rung_by_other, is_woken(&sleeper, word));
  pull_all(&sleeper);
  CHECK_EQUAL(RINGER_PHASES, sleeper.in[RINGER].number);
  CHECK_EQUAL(others, sleeper.in[OTHER].number);
  word = fall_asleep(&sleeper);
  give(&other);
  CHECK(!is_asleep() && is_woken(&sleeper, word));
  adr_channel_close(sleeper.channel);
  adr_channel_close(other.channel);
  job_close(&job);
}

int main(void) {
  traces_open();
  atexit(name_the_case);
  CHECK_EQUAL(0, adr_channel_prepare_to_wake());
  for (size_t i = 0; i < sizeof wrecks / sizeof wrecks[0]; i++) {
    for (int others = 0; others < 2; others++) {
      snprintf(case_name, sizeof case_name, "%s, %s", stop_name(wrecks[i].point), others ? "and others give" : "alone");
      run_case(&wrecks[i], others);
    }
  }
  case_name[0] = '\0';
  printf("ok a_ringer_that_dies_costs_one_bounded_sleep\n");
  return 0;
}

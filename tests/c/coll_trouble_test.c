/* What a member that waits in a collective is told where another one revokes the communicator and closes it between two
 * looks of the one that waits (the stop point trouble_looked). */
#include <errno.h>

#include "base/adr_stop.h"
#include "coll_slot.h"

static adr_coll *meddler; /* revokes and closes at the next stop; NULL: it has, or is not to */

void adr_stop(enum adr_stop_point point) {
  if (point != ADR_STOP_trouble_looked || meddler == NULL) { return; }
  CHECK_EQUAL(0, adr_coll_revoke(meddler));
  CHECK_EQUAL(0, adr_coll_close_state(meddler));
  meddler = NULL;
}

/* It calls so although the other had closed when it looked again: that one closed because it had revoked. */
static void should_call_revoked_what_was_revoked_before_it_was_closed(void) {
  set_up_slot(2, 0, 0);
  adr_coll *waiting = opened(0);
  adr_coll *other = opened(1);
  meddler = other;
  CHECK_EQUAL(-EAGAIN, adr_coll_begin(waiting, ADR_COLL_BARRIER, 0, 0, 0, 0, NULL, 0, NULL, 0, 0));
  CHECK_EQUAL(-EAGAIN, adr_coll_step(waiting, adr_coll_begun(waiting), NULL, 0, NULL, 0, 0));
  CHECK(meddler == other); /* without spins nobody looks whether what is waited for can still come */
  const int32_t status = adr_coll_step(waiting, adr_coll_begun(waiting), NULL, 0, NULL, 0, 1);
  CHECK(meddler == NULL);
  CHECK(status == -EAGAIN || status == ADR_COLL_REVOKED); /* what it had not seen yet it sees at the next look */
  CHECK_EQUAL(ADR_MEMBER_CLOSED, adr_coll_state(waiting, 1));
  CHECK_EQUAL(ADR_COLL_REVOKED, adr_coll_step(waiting, adr_coll_begun(waiting), NULL, 0, NULL, 0, 1));
  adr_coll_close(waiting);
  adr_coll_close(other);
  tear_down_slot();
}

int main(void) {
  RUN(should_call_revoked_what_was_revoked_before_it_was_closed);
  return 0;
}

/* Both sides of a fastbox whose ring lies between pages that nobody may touch, while somebody writes into ring and
 * entry. */
#include <string.h>
#include <sys/mman.h>

#include "fastbox/adr_inbox.h"
#include "fastbox/adr_outbox.h"
#include "fuzz_beside.h"

enum { RING = 4096, GUARD = 4096, MOST_HELD = 4, LONGEST = RING / 2 - 32 };

static struct adr_box_entry entry;

struct state {
  uint8_t *ring;
  struct adr_outbox out;
  struct adr_inbox box;
  uint64_t sent;
  uint64_t expected;
  uint64_t held[MOST_HELD];
};

static uint8_t *fresh_ring(void) {
  static uint8_t *ring;
  if (ring == NULL) {
    uint8_t *all = mmap(NULL, RING + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fuzz_require(all != MAP_FAILED && mprotect(all + GUARD, RING, PROT_READ | PROT_WRITE) == 0, "no memory");
    ring = all + GUARD;
  }
  memset(ring, 0, RING);
  return ring;
}

static void put(struct state *state, struct fuzz_input *in) {
  struct adr_box_room room;
  uint32_t length = fuzz_below(in, 2) == 0 ? fuzz_below(in, ADR_BOX_HEAD + 1) : fuzz_u16(in) % LONGEST;
  uint32_t how = fuzz_below(in, 8);
  if (how == 7 && length <= ADR_BOX_HEAD && state->out.position % ADR_LINE == 0) {
    state->sent += adr_outbox_put_line(&state->out, state->sent, 1, fuzz_buffer(length), length);
  } else if (adr_outbox_find(&state->out, length, (how & 1) != 0, &room)) {
    adr_outbox_fill(&room, 1, fuzz_buffer(length), length);
    if ((how & 2) != 0) {
      adr_outbox_commit(&state->out, &room, state->sent++, length, (how & 4) != 0);
      adr_outbox_prepare(&state->out, &room);
    } else {
      adr_outbox_abort(&state->out, &room);
    }
  }
}

static void get(struct state *state, struct fuzz_input *in) {
  struct adr_inbox *box = &state->box;
  uint64_t header;
  if (!adr_inbox_peek_usual(box, state->expected, &header)) {
    int64_t found = adr_inbox_poll(box, state->expected);
    fuzz_require(found >= 0 || found == ADR_CORRUPT, "a header that was not written");
    if (found <= 0) { return; }
    header = (uint64_t)found;
  }
  uint32_t length = (uint32_t)(header & ADR_BOX_LENGTH_MASK);
  const struct adr_box_message *message = adr_box_message_at(box->ring, box->mask, box->position);
  adr_copy_short(fuzz_buffer(length), message + 1, length);
  (void)adr_load_once_u64(&message->match);
  state->expected++;
  if (fuzz_below(in, 3) == 0) {
    state->held[fuzz_below(in, MOST_HELD)] = adr_inbox_retain(box, header);
  } else {
    adr_inbox_end(box, header);
  }
}

static void spoil(struct state *state, struct fuzz_job *job, struct fuzz_input *in) {
  adr_atomic_u64 *word =
      fuzz_below(in, 8) == 0 ? &entry.released : (void *)(state->ring + 8 * (fuzz_u16(in) % (RING / 8)));
  uint64_t before = adr_load_relaxed_u64(word);
  adr_store_relaxed_u64(word, fuzz_value(job, in, before));
}

static void step(struct state *state, struct fuzz_job *job, struct fuzz_input *in) {
  switch (fuzz_below(in, 8)) {
  case 0:
  case 1:
    put(state, in);
    break;
  case 2:
  case 3:
    get(state, in);
    break;
  case 4: {
    uint64_t held = state->held[fuzz_below(in, MOST_HELD)];
    int status = adr_inbox_release(&state->box, held + 8 * fuzz_below(in, 2));
    fuzz_require(status == 0 || status == ADR_INVALID || status == ADR_CORRUPT, "a status that the call does not have");
    break;
  }
  case 5:
    adr_inbox_tell(&state->box);
    adr_outbox_show(&state->out);
    (void)adr_inbox_is_empty(&state->box, state->expected);
    break;
  default:
    spoil(state, job, in);
    break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz_input in = {bytes, size};
  struct fuzz_job *job = fuzz_job(1);
  struct state state = {.ring = fresh_ring()};
  adr_store_relaxed_u64(&entry.released, 0);
  state.expected = state.sent = fuzz_u8(&in);
  state.out = (struct adr_outbox){.ring = state.ring, .mask = RING - 1, .room = RING, .entry = &entry};
  state.box = (struct adr_inbox){.ring = state.ring, .mask = RING - 1, .tell_at = RING / 4, .entry = &entry};
  fuzz_beside_expose(state.ring, RING);
  fuzz_beside_expose((void *)&entry.released, sizeof(uint64_t));
  for (int steps = 0; in.left > 0 && steps < FUZZ_STEPS; steps++) { step(&state, job, &in); }
  return 0;
}

/* Teams of OpenSHMEM: split in all ways, and what they tell. */
#include "areas.h"

/* A team consists of these PEs of the world, and works. */
static void check_team(shmem_team_t team, const int *members, int count) {
  int self = -1;
  for (int i = 0; i < count; i++) { self = members[i] == me ? i : self; }
  if (self < 0) {
    CHECK(team == SHMEM_TEAM_INVALID);
    CHECK(shmem_team_my_pe(team) == -1 && shmem_team_n_pes(team) == -1);
    CHECK(shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD) == -1);
    CHECK(shmem_team_ptr(team, to_area, 0) == NULL);
    return;
  }
  CHECK(shmem_team_my_pe(team) == self && shmem_team_n_pes(team) == count);
  for (int pe = 0; pe < pes; pe++) {
    int number = -1;
    for (int i = 0; i < count; i++) { number = members[i] == pe ? i : number; }
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, team) == number);
  }
  for (int i = 0; i < count; i++) {
    CHECK(shmem_team_translate_pe(team, i, SHMEM_TEAM_SHARED) == members[i]);
    CHECK(shmem_team_ptr(team, to_area, i) == shmem_ptr(to_area, members[i]));
  }
  CHECK(shmem_team_translate_pe(team, count, SHMEM_TEAM_WORLD) == -1);
  CHECK(shmem_team_ptr(team, to_area, count) == NULL && shmem_team_ptr(team, to_area, -1) == NULL);
  int *all = (int *)(void *)to_area, *mine = (int *)(void *)from_area;
  *mine = me;
  CHECK(shmem_int_fcollect(team, all, mine, 1) == 0);
  for (int i = 0; i < count; i++) { CHECK(all[i] == members[i]); }
  CHECK(shmem_team_sync(team) == 0);
}

/* A context of the team numbers PEs as it does. */
static void check_context(shmem_team_t team, const int *members, int count) {
  if (team == SHMEM_TEAM_INVALID) { return; }
  shmem_ctx_t context;
  shmem_team_t of;
  CHECK(shmem_team_create_ctx(team, SHMEM_CTX_PRIVATE, &context) == 0);
  CHECK(shmem_ctx_get_team(context, &of) == 0 && of == team);
  int *words = (int *)(void *)to_area;
  const int self = shmem_team_my_pe(team);
  CHECK(shmem_team_sync(team) == 0);
  for (int i = 0; i < count; i++) { shmem_ctx_int_p(context, words + self, members[self] + 100, i); }
  shmem_ctx_quiet(context);
  CHECK(shmem_team_sync(team) == 0);
  for (int i = 0; i < count; i++) { CHECK(words[i] == members[i] + 100); }
  CHECK(shmem_team_sync(team) == 0);
  shmem_ctx_destroy(context);
}

static void split_in_all_ways(void) {
  int members[MOST_PES];
  for (int start = 0; start < pes; start++) {
    for (int stride = 1 - pes; stride < pes || stride == 0; stride++) {
      for (int size = 1; size <= pes; size++) {
        const int last = start + stride * (size - 1);
        if (last < 0 || last >= pes || (stride == 0 && size > 1)) { continue; }
        shmem_team_t team = SHMEM_TEAM_WORLD;
        for (int i = 0; i < size; i++) { members[i] = start + i * stride; }
        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team) == 0);
        check_team(team, members, size);
        check_context(team, members, size);
        shmem_team_destroy(team);
      }
    }
  }
}

static int teams_are_split_by_every_start_stride_and_size(void) {
  int failed = 0;
  for (int count = 1; count <= MOST_PES; count++) { failed += run_pes(count, split_in_all_ways); }
  return failed;
}

static void split_in_grids(void) {
  int members[MOST_PES];
  for (int width = 1; width <= pes + 1; width++) {
    shmem_team_t x, y;
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, width, NULL, 0, &x, NULL, 0, &y) == 0);
    int count = 0;
    for (int pe = 0; pe < pes; pe++) {
      if (pe / width == me / width) { members[count++] = pe; }
    }
    check_team(x, members, count);
    CHECK(shmem_team_my_pe(x) == me % width);
    count = 0;
    for (int pe = me % width; pe < pes; pe += width) { members[count++] = pe; }
    check_team(y, members, count);
    check_context(y, members, count);
    CHECK(shmem_team_my_pe(y) == me / width);
    /* A grid's row is split again, backwards. */
    shmem_team_t back;
    const int row = shmem_team_n_pes(y);
    CHECK(shmem_team_split_strided(y, row - 1, -1, row, NULL, 0, &back) == 0);
    for (int i = 0; i < count / 2; i++) {
      const int other = members[i];
      members[i] = members[count - 1 - i];
      members[count - 1 - i] = other;
    }
    check_team(back, members, count);
    check_context(back, members, count);
    CHECK(shmem_team_translate_pe(back, 0, y) == row - 1);
    shmem_team_destroy(back);
    shmem_team_destroy(x);
    shmem_team_destroy(y);
  }
}

static int teams_are_split_in_grids_of_every_width(void) {
  int failed = 0;
  for (int count = 1; count <= MOST_PES; count++) { failed += run_pes(count, split_in_grids); }
  return failed;
}

/* What is refused by a return value, at all PEs alike. */
static void ask_for_what_cannot_be(void) {
  shmem_team_t team = SHMEM_TEAM_WORLD, other = SHMEM_TEAM_WORLD;
  shmem_team_config_t config = {.num_contexts = 3}, told = {.num_contexts = 7};
  shmem_ctx_t context;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes + 1, NULL, 0, &team) != 0 && team == SHMEM_TEAM_INVALID);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 0, NULL, 0, &team) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, -1, 2, NULL, 0, &team) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, -1, 1, 1, NULL, 0, &team) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 0, 2, NULL, 0, &team) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, INT32_MAX, INT32_MAX, NULL, 0, &team) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, SHMEM_TEAM_NUM_CONTEXTS, &team) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, &config, 1L << 40, &team) != 0);
  CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &team, NULL, 0, &other) != 0);
  CHECK(team == SHMEM_TEAM_INVALID && other == SHMEM_TEAM_INVALID);
  CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &team, NULL, 0, &other) != 0);
  CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &context) != 0 && context == SHMEM_CTX_INVALID);
  CHECK(shmem_team_create_ctx(SHMEM_TEAM_WORLD, 1L << 40, &context) != 0);
  CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, 0, &told) != 0);
  CHECK(shmem_team_get_config(SHMEM_TEAM_WORLD, 1L << 40, &told) != 0 && told.num_contexts == 7);
  CHECK(shmem_team_get_config(SHMEM_TEAM_WORLD, SHMEM_TEAM_NUM_CONTEXTS, &told) == 0 && told.num_contexts == 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_SHARED, 0, 1, pes, &config, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0);
  CHECK(shmem_team_get_config(team, 0, &told) == 0 && told.num_contexts == 0);
  CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &told) == 0 && told.num_contexts == 3);
  shmem_team_destroy(SHMEM_TEAM_INVALID); /* does nothing */
} /* and finalizes with a team that was not destroyed */

static int what_cannot_be_is_refused(void) { return run_pes(3, ask_for_what_cannot_be); }

int main(void) {
  int wrong = 0;
  pes_begin();
  RUN(teams_are_split_by_every_start_stride_and_size);
  RUN(teams_are_split_in_grids_of_every_width);
  RUN(what_cannot_be_is_refused);
  return pes_end(wrong);
}

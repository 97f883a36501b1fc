/* Every collective of a team of OpenSHMEM on every type, against results that are computed here, and by the generic
 * names of C11. */
#include "areas.h"
#include "types.h"

enum { COUNT = 5 };

#define CHECK_DONE(call) CHECK((call) == 0)

/* What a PE has at a place: every PE can compute it. */
#define ELEMENT(TYPE, pe, i) ((TYPE)((pe)*7 + (i)*3 + 1))

static shmem_team_t team;
static int in_team, of_team; /* this PE's number, and how many there are */

static void clear(void) {
  memset(to_area, 0x55, AREA);
  shmem_team_sync(team); /* nobody puts here before */
}

/* What all collectives that move data do with one type. `call` has the routine's name and type. */
#define MOVES(NAME, TYPE) \
  static void move_##NAME(void) { \
    TYPE *to = (TYPE *)(void *)to_area, *from = (TYPE *)(void *)from_area; \
    for (int root = 0; root < of_team; root++) { \
      clear(); \
      for (int i = 0; i < COUNT; i++) { from[i] = ELEMENT(TYPE, in_team, i); } \
      CHECK_DONE(shmem_##NAME##_broadcast(team, to, from, COUNT, root)); \
      for (int i = 0; i < COUNT; i++) { CHECK(to[i] == ELEMENT(TYPE, root, i)); } \
      CHECK_DONE(shmem_broadcast(team, to, from, COUNT - 1, of_team - 1 - root)); \
      for (int i = 0; i < COUNT - 1; i++) { CHECK(to[i] == ELEMENT(TYPE, of_team - 1 - root, i)); } \
      CHECK(to[COUNT - 1] == ELEMENT(TYPE, root, COUNT - 1)); \
    } \
    for (int generic = 0; generic < 2; generic++) { \
      for (int i = 0; i < COUNT; i++) { from[i] = ELEMENT(TYPE, in_team, i); } \
      clear(); \
      CHECK_DONE(generic ? shmem_fcollect(team, to, from, COUNT) : shmem_##NAME##_fcollect(team, to, from, COUNT)); \
      for (int i = 0; i < of_team * COUNT; i++) { CHECK(to[i] == ELEMENT(TYPE, i / COUNT, i % COUNT)); } \
      clear(); \
      const size_t mine = (size_t)(in_team % 3); \
      CHECK_DONE(generic ? shmem_collect(team, to, from, mine) : shmem_##NAME##_collect(team, to, from, mine)); \
      for (int pe = 0, at = 0; pe < of_team; pe++) { \
        for (int i = 0; i < pe % 3; i++, at++) { CHECK(to[at] == ELEMENT(TYPE, pe, i)); } \
      } \
      clear(); \
      for (int i = 0; i < of_team * COUNT; i++) { from[i] = ELEMENT(TYPE, in_team, i); } \
      CHECK_DONE(generic ? shmem_alltoall(team, to, from, COUNT) : shmem_##NAME##_alltoall(team, to, from, COUNT)); \
      for (int i = 0; i < of_team * COUNT; i++) { \
        CHECK(to[i] == ELEMENT(TYPE, i / COUNT, in_team * COUNT + i % COUNT)); \
      } \
      clear(); \
      for (int i = 0; i < of_team * COUNT; i++) { from[i * 3] = ELEMENT(TYPE, in_team, i); } \
      CHECK_DONE(generic ? shmem_alltoalls(team, to, from, 2, 3, COUNT) \
                         : shmem_##NAME##_alltoalls(team, to, from, 2, 3, COUNT)); \
      for (int i = 0; i < of_team * COUNT; i++) { \
        TYPE untouched; \
        memset(&untouched, 0x55, sizeof untouched); \
        CHECK(to[i * 2] == ELEMENT(TYPE, i / COUNT, in_team * COUNT + i % COUNT)); \
        if (i > 0) { CHECK_DONE(memcmp(&to[i * 2 - 1], &untouched, sizeof(TYPE) < 10 ? sizeof(TYPE) : 10)); } \
      } \
      shmem_team_sync(team); \
    } \
  }
RMA_TYPES(MOVES)

/* One reduction: what PEs give, and how two are combined. Every other time in place. */
#define REDUCES(NAME, TYPE, OP, GIVEN, COMBINED) \
  for (int in_place = 0; in_place < 2; in_place++) { \
    TYPE *to = (TYPE *)(void *)to_area, *from = in_place ? to : (TYPE *)(void *)from_area; \
    clear(); \
    for (int i = 0; i < COUNT; i++) { \
      const int pe = in_team; \
      from[i] = (TYPE)(GIVEN); \
    } \
    CHECK_DONE(in_place ? shmem_##OP##_reduce(team, to, from, COUNT) \
                        : shmem_##NAME##_##OP##_reduce(team, to, from, COUNT)); \
    for (int i = 0; i < COUNT; i++) { \
      int pe = 0; \
      TYPE a = (TYPE)(GIVEN); \
      for (pe = 1; pe < of_team; pe++) { \
        const TYPE b = (TYPE)(GIVEN); \
        a = (TYPE)(COMBINED); \
      } \
      CHECK(to[i] == a); \
    } \
  }

#define BITS (UINT64_C(0x5ac3f00d96a578e1) >> (pe * 5) ^ (uint64_t)i)

#define COMBINES_BITS(NAME, TYPE) \
  static void combine_bits_##NAME(void) { \
    REDUCES(NAME, TYPE, and, BITS, a &b) \
    REDUCES(NAME, TYPE, or, BITS, a | b) \
    REDUCES(NAME, TYPE, xor, BITS, a ^ b) \
  }
BITWISE_TYPES(COMBINES_BITS)
OLD_BITWISE_TYPES(COMBINES_BITS)

/* Numbers of both signs, which unsigned ones have as large ones. */
#define SIGNED_NUMBER (pe % 2 * 37 - 50 + i * 20 + pe)

#define FINDS_ENDS(NAME, TYPE) \
  static void find_ends_##NAME(void) { \
    REDUCES(NAME, TYPE, max, SIGNED_NUMBER, a > b ? a : b) \
    REDUCES(NAME, TYPE, min, SIGNED_NUMBER, a < b ? a : b) \
  }
ORDER_TYPES(FINDS_ENDS)

#define SCANS(NAME, TYPE, SCAN, FIRST, LAST) \
  for (int in_place = 0; in_place < 2; in_place++) { \
    TYPE *to = (TYPE *)(void *)to_area, *from = in_place ? to : (TYPE *)(void *)from_area; \
    clear(); \
    for (int i = 0; i < COUNT; i++) { from[i] = ELEMENT(TYPE, in_team, i); } \
    CHECK_DONE(in_place ? shmem_sum_##SCAN(team, to, from, COUNT) : shmem_##NAME##_sum_##SCAN(team, to, from, COUNT)); \
    for (int i = 0; i < COUNT; i++) { \
      TYPE sum = 0; \
      for (int pe = FIRST; pe <= LAST; pe++) { sum = (TYPE)(sum + ELEMENT(TYPE, pe, i)); } \
      CHECK(to[i] == sum); \
    } \
  }

#define COMPUTES(NAME, TYPE) \
  static void compute_##NAME(void) { \
    REDUCES(NAME, TYPE, sum, pe * 3 + i, a + b) \
    REDUCES(NAME, TYPE, prod, pe % 3 + 1 + i % 2, a * b) \
    SCANS(NAME, TYPE, inscan, 0, in_team) \
    SCANS(NAME, TYPE, exscan, 0, in_team - 1) \
  }
ARITHMETIC_TYPES(COMPUTES)

/* Imaginary parts, too. */
static void compute_with_imaginary_parts(void) {
  double _Complex *to = (double _Complex *)(void *)to_area, *from = (double _Complex *)(void *)from_area;
  clear();
  from[0] = 2.0 + in_team * I;
  CHECK_DONE(shmem_complexd_prod_reduce(team, to, from, 1));
  double _Complex product = 1;
  for (int pe = 0; pe < of_team; pe++) { product *= 2.0 + pe * I; }
  CHECK(to[0] == product);
}

/* Bytes, also long ones, which go another way than short ones. */
static void move_bytes(void) {
  const size_t sizes[] = {0, 1, 33, 7001};
  for (unsigned round = 0; round < sizeof sizes / sizeof *sizes; round++) {
    const size_t size = sizes[round];
    const size_t mine = size == 0 ? 0 : size - (size_t)in_team % size;
    const int root = (int)round % of_team;
    clear();
    for (size_t i = 0; i < AREA; i++) { from_area[i] = (char)(i * 13 + (size_t)in_team * 5); }
    CHECK_DONE(shmem_broadcastmem(team, to_area, from_area, size, root));
    for (size_t i = 0; i < size; i++) { CHECK(to_area[i] == (char)(i * 13 + (size_t)root * 5)); }
    clear();
    CHECK_DONE(shmem_fcollectmem(team, to_area, from_area, size));
    for (size_t i = 0; i < size * (size_t)of_team; i++) { CHECK(to_area[i] == (char)(i % size * 13 + i / size * 5)); }
    clear();
    CHECK_DONE(shmem_collectmem(team, to_area, from_area, mine));
    size_t at = 0;
    for (int pe = 0; pe < of_team && size > 0; pe++) {
      for (size_t i = 0; i < size - (size_t)pe % size; i++, at++) {
        CHECK(to_area[at] == (char)(i * 13 + (size_t)pe * 5));
      }
    }
    clear();
    CHECK_DONE(shmem_alltoallmem(team, to_area, from_area, size));
    for (size_t i = 0; i < size * (size_t)of_team; i++) {
      CHECK(to_area[i] == (char)(((size_t)in_team * size + i % size) * 13 + i / size * 5));
    }
    clear();
    CHECK_DONE(shmem_alltoallsmem(team, to_area, from_area, 1, 1, size));
    for (size_t i = 0; i < size * (size_t)of_team; i++) {
      CHECK(to_area[i] == (char)(((size_t)in_team * size + i % size) * 13 + i / size * 5));
    }
    shmem_team_sync(team);
  }
}

#define CALL_MOVE(NAME, TYPE) move_##NAME();
#define CALL_BITS(NAME, TYPE) combine_bits_##NAME();
#define CALL_ENDS(NAME, TYPE) find_ends_##NAME();
#define CALL_COMPUTE(NAME, TYPE) compute_##NAME();

static void call_all(void) {
  in_team = shmem_team_my_pe(team);
  of_team = shmem_team_n_pes(team);
  RMA_TYPES(CALL_MOVE)
  BITWISE_TYPES(CALL_BITS)
  OLD_BITWISE_TYPES(CALL_BITS)
  ORDER_TYPES(CALL_ENDS)
  ARITHMETIC_TYPES(CALL_COMPUTE)
  compute_with_imaginary_parts();
  move_bytes();
  CHECK_DONE(shmem_sync(team));
}

static void call_on_all_teams(void) {
  team = SHMEM_TEAM_WORLD;
  call_all();
  team = SHMEM_TEAM_SHARED;
  call_all();
  shmem_barrier_all();
  shmem_sync_all();
  shmem_team_t odd;
  CHECK_DONE(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -2, (pes + 1) / 2, NULL, 0, &odd));
  if (odd != SHMEM_TEAM_INVALID) {
    team = odd;
    call_all();
    shmem_team_destroy(odd);
  }
}

static int every_collective_computes_what_it_is_to_on_every_type(void) {
  return run_pes(1, call_on_all_teams) + run_pes(2, call_on_all_teams) + run_pes(5, call_on_all_teams);
}

/* Elements in the areas of two initializations of one program. */
static void begin_again(void) {
  shmem_finalize();
  shmem_init();
  take_areas();
  team = SHMEM_TEAM_SHARED;
  in_team = me;
  of_team = pes;
  move_int();
  team = SHMEM_TEAM_WORLD;
  move_int();
}

static int collectives_work_after_another_initialization(void) { return run_pes(3, begin_again); }

int main(void) {
  int wrong = 0;
  pes_begin();
  RUN(every_collective_computes_what_it_is_to_on_every_type);
  RUN(collectives_work_after_another_initialization);
  return pes_end(wrong);
}

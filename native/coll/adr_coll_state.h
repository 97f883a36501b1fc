/* A member's side of the collectives of a communicator, private to its rank: the fields of adr_coll.c and
 * adr_collective.c, and those of the moves with the calls between them. The moves stand on those by lines
 * (adr_coll_lines.h), those straight from memory on cells too, and exchanges on both. */
#pragma once

#include <stddef.h>

#include "adrastea/coll.h"
#include "base/adr_base.h"
#include "coll/adr_slot.h"

enum {
  ADR_COLL_NEXT = 100, /* a move went well, the next one can be made */
  ADR_COLL_THROUGH,    /* it was the last one: the collective ends */
};

enum {
  /* So many collectives later memory is written again: to write over what others have just read takes longer. */
  ADR_COLL_QUARTERS = 4,
  ADR_COLL_QUARTER = 90112, /* holds 64 KiB, and the part of it that one of three members or more combines */
  ADR_COLL_CELL = ADR_COLL_QUARTERS * ADR_COLL_QUARTER, /* of one member */
  ADR_COLL_BCAST_BUFFERS = 8,
  ADR_COLL_BCAST_BUFFER = 8192, /* smaller, so that the others can follow a root closely */
  ADR_COLL_GATHER_BUFFERS = 4,
  ADR_COLL_GATHER_BUFFER = 16384,
  ADR_COLL_OPERANDS = 4, /* that each combines all of; behind them in the quarter lies what it has combined */
  ADR_COLL_OPERAND = 16384,
  ADR_COLL_LEAST_PART = 256,       /* of an allreduce: few members do not wait for many */
  ADR_COLL_COMBINED_BY_ALL = 2048, /* up to so many bytes: cheaper than to wait for each other once more */
  ADR_COLL_MOST_UNIT = 8192,       /* elements can be no longer */
  ADR_COLL_RELAYED = 16384,        /* at the end of a quarter: bytes that go through it for another member */
  ADR_COLL_PREPARED = 2048,        /* up to so many bytes lines are fetched ahead: as many as a CPU fetches at once */
  ADR_COLL_MOST_MOVED = 65536,     /* bytes in a call: all threads' safepoints of a JVM wait for its end */
};

/* The members' cells as this member has them, beyond one collective. Quarters are given in turn to the collectives that
 * may go through cells, when they begin, whether they need them in the end or not: so all members give the same quarter
 * to the same collective, in whichever order they go on with them. */
struct adr_cells {
  int64_t users[ADR_COLL_QUARTERS]; /* the last collective that a quarter was given to */
  uint8_t *memory;                  /* of all cells; NULL: not given yet */
  int64_t count;                    /* collectives that a quarter was given to */
};

struct adr_cell_moves {
  uint8_t *memory; /* of all cells, once the quarter is ready */
  bool ready;      /* the quarter is free for this one */
  uint32_t quarter;
  int64_t before; /* the collective that this quarter was given to before */
  int64_t round;
  int64_t filled;       /* rounds whose buffer of ours is filled */
  int64_t buffer_bytes; /* of a round's buffer */
  int64_t buffers;      /* of a quarter */
  uint32_t stage;       /* of a round */
  uint32_t at;          /* member that is looked at next */
  int64_t unit;         /* bytes of an element */
  int64_t room;         /* bytes of each member that go in a round */
  uint32_t owners;      /* members that combine a part; 0: each combines all */
  int64_t folded_at;    /* where in the cells lies what was combined so far; below zero: in the caller's output */
  bool seen;            /* what that member has to have done is done */
};

struct adr_fold_moves {
  int64_t round;
  uint32_t stage;      /* of a round */
  uint32_t at;         /* member that is looked at next */
  bool seen;           /* what that member has to have done is done */
  bool chained;        /* of a scan: each takes what the member before has combined */
  int64_t folded_at;   /* where in the cells lies what was combined so far; below zero: in the caller's output */
  int64_t room;        /* bytes that go in a round, of a reduce_scatter of each part */
  uint32_t owners;     /* of a reduce: members that combine a part; 0: the root combines all */
  uint32_t group;      /* parts that come in one round */
  int64_t filled;      /* rounds whose buffer of ours is filled */
  uint32_t first;      /* part of the round, and bytes of each that came before */
  uint32_t fill_first; /* the same of the round that is filled */
  int64_t before;
  int64_t fill_before;
  uint32_t filling; /* part of which a stretch is filled next */
};

/* A stretch of a member's shared allocations as it is mapped here. */
struct adr_direct_window {
  int64_t offset; /* in the file */
  int64_t bytes;
  uint8_t *memory; /* NULL: not given yet */
};

struct adr_direct_moves {
  struct adr_direct_window *windows;   /* two of each member: of its input, of its output; NULL: none was given yet */
  uint32_t wanted;                     /* number of the one that the caller is asked for */
  bool exposed;                        /* the caller has told of its buffers */
  uint64_t tells[ADR_SLOT_TELL_WORDS]; /* what it has told */
  bool whole;                          /* of an allreduce: both members combine all */
  bool writes;     /* of two members: what one gives, or combines, it writes to the other's output */
  int64_t written; /* bytes of what it combines that are there */
  bool brought;    /* the operand that is looked at is at hand */
  bool own;        /* what this member combines lies in its output */
  int64_t share;   /* bytes that the giver writes to each output of a bcast or an exscan */
  uint32_t stage;
  uint32_t at; /* members that this one is done with in the stage */
  int64_t position;
};

/* What a member asks another one to copy, and what it copies for others. */
struct adr_relay_moves {
  int32_t asked;    /* READ or WRITE: what the caller was asked for last, of another member's memory */
  uint32_t buffer;  /* of that member: 0 its input, 1 its output */
  uint32_t stage;   /* of what this member asks for; 0: it asks for nothing */
  uint32_t number;  /* of that; odd: it is asked for */
  uint32_t other;   /* member that is asked */
  int64_t place;    /* where the rest of it lies in that member's memory, as it has told, ... */
  int64_t target;   /* ... where in the cells, ... */
  int64_t position; /* ... or where in the caller's input or output, ... */
  int64_t kind;     /* ... as this says: ADR_COLL_IN_... */
  int64_t left;     /* bytes of it */
  uint32_t served;  /* member + 1 that this one has copied for, and that may not be through; 0: none */
  uint32_t served_number;
  bool copies; /* the caller copies for that member now */
};

struct adr_exchange_moves {
  int64_t *parts;       /* of this member, where it gives or takes by parts; NULL: it never did */
  bool by_parts;        /* this member gives or takes by parts */
  bool stays;           /* this member's own block is where it is to be */
  bool several_blocks;  /* a giver has another one for each reader */
  uint32_t first_group; /* members of the first of two groups, each of which gives to the other; 0: there are none */
  int32_t way;          /* of what this member gives */
  uint32_t givers;      /* other members that have a block for this one */
  uint32_t readers;     /* other members that this one has a block for */
  int64_t header;       /* bytes before the buffers of a quarter */
  int64_t buffer_bytes;
  int64_t room; /* bytes of each block that go in a round */
  int64_t round;
  int64_t rounds; /* in which this member fills or reads */
  int64_t filled; /* rounds that this member has filled */
  int64_t fills;  /* that it has to fill */
  uint32_t stage;
  uint32_t *left; /* givers whose blocks of this round are not taken yet, so many */
  uint32_t left_count;
  uint32_t at;    /* of these the one that is looked at next; or reader that is waited for */
  uint32_t block; /* that is put next where others read it */
  int64_t kept;   /* bytes of this member's own block that are where they are to be */
  bool writes;    /* this member's block goes to its reader's output */
  bool goes_on;   /* a block of this round has more in the next one */
  bool partly;    /* the block that is taken was read in part */
  bool awaited;   /* a giver may wait until this member has read all */
};

/* What a member does next in a collective. */
enum adr_coll_move {
  ADR_COLL_IDLE,
  ADR_COLL_GET_ROOM,
  ADR_COLL_POST,
  ADR_COLL_READ_LINES,
  ADR_COLL_READ_RESULT,
  ADR_COLL_GIVE_RESULT,
  ADR_COLL_END,
  ADR_COLL_MOVE_CELLS,
  ADR_COLL_EXPOSE_BUFFERS,
  ADR_COLL_MOVE_DIRECT,
  ADR_COLL_MOVE_EXCHANGE,
};

/* One collective of a member at a time: there is one for each of its lines. */
struct adr_collective {
  struct adr_slot_view slot;
  adr_coll *member;
  struct adr_cell_moves cells;
  struct adr_fold_moves fold;
  struct adr_direct_moves direct;
  struct adr_exchange_moves exchange;
  struct adr_relay_moves relay;
  int64_t words[ADR_COLL_WORDS];
  int64_t sequence; /* of the collective under way, or of the last one here */
  uint32_t lag;     /* most collectives that a member whose line was read had begun before, and not done */
  int32_t move;
  int32_t way;
  int32_t kind;
  int32_t root;
  int64_t *parts; /* of a reduce_scatter: bytes of each, and where it begins; NULL: none was ever told */
  bool by_parts;  /* they are told; else all are as long */
  int32_t element;
  int32_t operation;
  int64_t bytes;
  uint64_t head;
  uint64_t what;
  uint64_t compared;        /* bits of it that all members tell alike */
  uint32_t first;           /* member whose line is read first */
  uint32_t last;            /* behind the last one whose line is read */
  uint32_t at;              /* member whose line is read next */
  int64_t fold_from;        /* where in each operand begins what this member combines */
  int64_t fold_bytes;       /* of that */
  const uint8_t *folded_at; /* where in the slot lies what was combined so far */
  bool asked;               /* the caller was asked for something */
  int64_t moved;            /* bytes, in this call */
  int32_t other;
  const uint8_t *in; /* the caller's, during a call */
  uint8_t *out;
};

struct adr_coll {
  struct adr_slot_view slot;
  void *base;       /* of the job's segment, where the others' doorbells are */
  int64_t sequence; /* of the collective that has begun last */
  int64_t done;     /* this one and all before have ended */
  int64_t least;    /* what every member has done at least, as far as this one has looked */
  uint32_t roots;   /* of all collectives so far in which not all lines are compared, folded into 8 bits */
  int64_t *parts;   /* for the next one by parts; NULL: nobody has asked for them */
  uint32_t begun;   /* number of the collective that the last begin was about */
  struct adr_cells cells;
  struct adr_collective collectives[ADR_SLOT_LINES]; /* by the line that they use */
  uint32_t local_ranks[]; /* of the members; behind them as many numbers for each collective (exchange.left) */
};

/* A member that has not done a collective; -1: every one has. */
int32_t adr_coll_behind(adr_coll *member, int64_t earlier);

/* Says that a collective has ended, if those before have, while others are under way. */
void adr_coll_end_among_others(adr_coll *member);

/* Whether every member has done a collective; else the one that has not is waited for. */
static inline bool adr_coll_all_have_done(struct adr_collective *coll, int64_t earlier) {
  const int32_t behind = adr_coll_behind(coll->member, earlier);
  if (behind >= 0) { coll->other = behind; }
  return behind < 0;
}

/* Every member has begun this collective, and its line told what it had done before. */
static inline void adr_coll_all_have_begun(struct adr_collective *coll) {
  const int64_t done = coll->sequence - 1 - coll->lag;
  if (coll->member->least < done) { coll->member->least = done; }
}

/* Through cells. */

/* A collective begins that may go through cells, of elements of so many bytes: takes the quarter whose turn it is. */
void adr_cells_reserve(struct adr_collective *coll, int64_t unit);
void adr_cells_begin(struct adr_collective *coll);
int32_t adr_cells_advance(struct adr_collective *coll);

/* Before this member writes into its quarter of a cell: NEXT, AGAIN or NEEDS_CELLS. */
int32_t adr_cells_prepare(struct adr_collective *coll);

/* Whether cells are there, and nobody uses the quarter any more, as far as this member has looked. */
static inline bool adr_cells_is_free(const struct adr_collective *coll) {
  return coll->member->cells.memory != NULL && coll->cells.before <= coll->member->least;
}

/* The quarter is free. */
static inline void adr_cells_take(struct adr_collective *coll) {
  coll->cells.memory = coll->member->cells.memory;
  coll->cells.ready = true;
}

/* The quarter of a member's cell that this collective uses. */
int64_t adr_cells_quarter(const struct adr_collective *coll, uint32_t member);

/* The straight path of what fits one buffer, of which no member combines a part for others. */
bool adr_cells_goes_straight(const struct adr_collective *coll);
bool adr_cells_go_straight(struct adr_collective *coll, int32_t spins);

/* What was not there on it is left to moves, which have begun: this member's first buffer is filled. */
void adr_cells_go_on(struct adr_collective *coll);

/* At the end of a collective, for the next one, which is likely to write as much to the same places: has the lines of
 * the next quarter back from those that read them, as adr_slot_prepare does. What is longer is fetched while it is
 * copied. */
void adr_cells_fetch_next(struct adr_collective *coll);

/* Asks whether the next quarter is free, now rather than when it is needed, if this member does not look at all lines
 * (`leads`); returns whether lines of so many bytes are to be fetched, and fetches that of the progress. */
bool adr_cells_prepare_next(struct adr_collective *coll, int64_t bytes, bool leads);

/* Fetches those of the next quarter from a byte on. */
void adr_cells_fetch_lines(const struct adr_collective *coll, int64_t first, int64_t bytes);

/* What is combined through cells. */
void adr_fold_begin(struct adr_collective *coll);
void adr_fold_go_on(struct adr_collective *coll);
int32_t adr_fold_advance(struct adr_collective *coll);

/* Fetches as adr_cells_fetch_next does. */
void adr_fold_fetch_next(struct adr_collective *coll);

/* A member's part of a reduce_scatter: its length, and where it begins. */
static inline int64_t adr_coll_part_bytes(const struct adr_collective *coll, uint32_t member) {
  return coll->by_parts ? coll->parts[member] : coll->bytes / coll->slot.ranks;
}

static inline int64_t adr_coll_part_at(const struct adr_collective *coll, uint32_t member) {
  return coll->by_parts ? coll->parts[coll->slot.ranks + member] : member * (coll->bytes / coll->slot.ranks);
}

/* Straight from the others' memory. */

/* Brings the next bytes of a block of a member's input, which is shared, to the output: NEXT, also when more are left
 * (`position`), or what is to be done first. */
int32_t adr_direct_fetch_block(struct adr_collective *coll, uint32_t member, int64_t from, int64_t out, int64_t bytes);

/* Brings the next bytes of a block of the input to a member's output, which has been told of: NEXT, also when more are
 * left (`position`), what is to be done first, or BROKEN. */
int32_t adr_direct_put_block(struct adr_collective *coll, uint32_t member, int64_t from, int64_t to, int64_t bytes);

/* Whether what was read of a member is what it gave: NEXT, or BROKEN. */
int32_t adr_direct_trust(struct adr_collective *coll, uint32_t member);

/* Every member's line was read: whether all can reach what they need. */
bool adr_direct_is_possible(struct adr_collective *coll);

int32_t adr_direct_advance(struct adr_collective *coll);

/* A part of a buffer. */
struct adr_stretch {
  int64_t at;
  int64_t bytes;
};

/* Where in this member's input, or output, another one may have it copy. */
struct adr_stretch adr_direct_stretch(const struct adr_collective *coll, bool is_input);
struct adr_stretch adr_exchange_stretch(const struct adr_collective *coll, uint32_t member, bool is_input);

/* Bytes that a member cannot copy, against what the lines tell. */

/* Whether this member has asked another one to copy, and goes on with that first. */
static inline bool adr_relay_is_under_way(const struct adr_collective *coll) {
  return coll->relay.stage != 0 || coll->relay.copies;
}

int32_t adr_relay_advance(struct adr_collective *coll);

/* Where this member has nothing else to do: AGAIN, or what is to be copied for another one. */
int32_t adr_relay_serve(struct adr_collective *coll);

/* Exchanges. */

/* Takes this member's parts, of which a copy is made; NULL: there were none. Returns whether a collective can begin
 * with them, in which this member gives so many bytes. */
bool adr_exchange_allows(struct adr_collective *coll, const int64_t *given, int32_t kind, int32_t root, int32_t element,
                         int64_t bytes);

/* Whether it goes on between two groups, of which the root tells how many members the first one has. */
static inline bool adr_exchange_is_across(int32_t kind, int32_t element) {
  return kind == ADR_COLL_ALLGATHERV && element >= ADR_COLL_FOR_GROUPS;
}

/* Begins; `stays`: this member's own block is where it is to be. */
void adr_exchange_begin(struct adr_collective *coll, bool by_parts, bool stays);

/* Whether this member shows a line: one that only reads another's line need not. */
bool adr_exchange_posts(const struct adr_collective *coll);

/* Whether the caller is to tell of its buffers: others may read this member's where it lies. */
bool adr_exchange_tells_output(const struct adr_collective *coll);
bool adr_exchange_exposes(const struct adr_collective *coll);

/*
 * Whether this member is to have the cells made before it posts its line: it makes those of all, and may end its part
 * here without having seen that others need them.
 */
bool adr_exchange_makes_cells(const struct adr_collective *coll);

/* Where in the input the block lies that goes to all; 0: there is one for each, and readers find theirs. */
int64_t adr_exchange_one_block_at(const struct adr_collective *coll);

/* Whether what this member takes goes over what it gives: nobody can read that where it lies. */
bool adr_exchange_is_over_input(const struct adr_collective *coll);

/* This member's line is about to be posted, and has told of its buffers where it is to. */
void adr_exchange_decide(struct adr_collective *coll);

/* Puts what this member gives into its line, where it fits: NEXT, or FILL. */
int32_t adr_exchange_fill_line(struct adr_collective *coll);

/* Whether nothing is to be waited for but lines, and nothing to be asked of the caller. */
bool adr_exchange_goes_straight(const struct adr_collective *coll);

/* The straight path: blocks of one length, by lines alone, or by what fits one buffer. Whether it was gone to the
 * end; else moves go on. */
bool adr_exchange_go_straight(struct adr_collective *coll, int32_t spins);

int32_t adr_exchange_advance(struct adr_collective *coll);

/* Fetches as adr_cells_fetch_next does. */
void adr_exchange_fetch_next(struct adr_collective *coll);

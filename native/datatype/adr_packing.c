/* Packing and unpacking by a program [SCI-MPICH 2002, 3.3.2 and Fig. 6]: find_position once, then leaf after leaf, from
 * any byte on and as many bytes as are asked for; a cursor keeps the place. Twin of io.adrastea.datatype.Packing and,
 * from pass_blocks on, ProgramCopy. */
#include <stdbool.h>

#include "adrastea/datatype.h"
#include "datatype/adr_block_copy.h"
#include "datatype/adr_program.h"

enum {
  WINDOW_BYTES = 8192, /* what is moved child by child at a time: source and destination stay in the first cache */
  LINE = 64,
  INSIDE_BYTES = 512, /* a piece of so many is worth to be looked at before all others */
};

/* A call of pack or unpack. */
struct move {
  const struct adr_program *program;
  struct adr_program_cursor *cursor;
  uintptr_t memory;
  uintptr_t packed;
  int64_t left;
  bool pack;
};

/* Places may wrap on their way, as long as what is moved lies where it is to lie. */
static inline int64_t add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static inline int64_t multiply(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }
static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static inline bool is_leaf(const struct adr_node *node) { return node->kind <= ADR_NODE_RUNS; }

static inline int64_t copies(const struct move *move, int64_t level, const struct adr_node *node) {
  return level == 0 ? move->cursor->count : node->count;
}

/* Where the copy of a body lies that a level stands at. */
static int64_t body_base(const struct adr_program *program, const struct adr_node *node,
                         const struct adr_level *level) {
  if (node->kind == ADR_NODE_INDEXED) {
    int64_t entry = add(level->base, adr_node_entries(program, node)[level->at].displacement);
    return add(entry, multiply(level->copy, node->stride));
  }
  return add(level->base, multiply(level->at, node->stride));
}

/* Goes to the first block of a node. */
static void enter(struct move *move, int64_t level, int64_t number, int64_t base) {
  for (;; level++) {
    const struct adr_node *node = adr_node_at(move->program, number);
    struct adr_level *here = &move->cursor->levels[level];
    *here = (struct adr_level){.node = number, .base = add(base, node->position)};
    if (is_leaf(node)) { break; }
    base = body_base(move->program, node, here);
    number = node->first;
  }
  move->cursor->top = level;
  move->cursor->within = 0;
}

/* Goes on behind the node of a level, to the first block of what follows; false: nothing does. */
static bool finish(struct move *move, int64_t level) {
  for (; level > 0; level--) {
    int64_t number = move->cursor->levels[level].node;
    struct adr_level *up = &move->cursor->levels[level - 1];
    const struct adr_node *parent = adr_node_at(move->program, up->node);
    if (parent->kind == ADR_NODE_INDEXED) {
      const struct adr_entry *entry = &adr_node_entries(move->program, parent)[up->at];
      if (++up->copy == entry[1].before - entry[0].before) {
        up->copy = 0;
        up->at++;
      }
      if (up->at == parent->count) { continue; }
      number = parent->first;
    } else if (++number == parent->first + parent->extra) {
      if (++up->at == copies(move, level - 1, parent)) { continue; }
      number = parent->first;
    }
    enter(move, level, number, body_base(move->program, parent, up));
    return true;
  }
  return false;
}

/* Moves bytes of a block, or a whole one. */
ADR_INLINE void move_bytes(struct move *move, int64_t base, int64_t bytes, bool pack) {
  uintptr_t place = move->memory + (uintptr_t)base;
  adr_block_copy(pack ? move->packed : place, pack ? place : move->packed, bytes);
  move->packed += (uintptr_t)bytes;
  move->left -= bytes;
}

/* Copies rows of blocks, whose packed form is `packed_outer` and `size` apart. */
ADR_INLINE void move_rows(struct move *move, uintptr_t packed, int64_t packed_outer, int64_t packed_inner, int64_t base,
                          int64_t outer, int64_t inner, int64_t rows, int64_t blocks, int64_t size, bool pack) {
  struct adr_rows there = {packed, packed_outer, packed_inner};
  struct adr_rows here = {move->memory + (uintptr_t)base, outer, inner};
  adr_rows_copy(pack ? there : here, pack ? here : there, rows, blocks, size);
}

/* Copies blocks, whose packed form is `packed_inner` apart. */
ADR_INLINE void move_row(uintptr_t packed, int64_t packed_inner, uintptr_t place, int64_t inner, int64_t blocks,
                         int64_t size, bool pack) {
  if (pack) {
    adr_row_copy(packed, packed_inner, place, inner, blocks, size);
  } else {
    adr_row_copy(place, inner, packed, packed_inner, blocks, size);
  }
}

/* Rows whose blocks lie farther apart than the rows do, such as columns of a matrix: as many rows at a time as share a
 * cache line, and block by block in them, so that each line is used up before the next. */
static bool is_crosswise(int64_t outer, int64_t inner, int64_t rows, int64_t blocks) {
  return outer > 0 && outer <= LINE / 2 && (inner >= LINE || inner <= -LINE) && rows > 1 && blocks > 1;
}

ADR_INLINE void move_crosswise(struct move *move, int64_t base, const struct adr_node *row, const struct adr_node *leaf,
                               int64_t rows, bool pack) {
  int64_t tile = LINE / row->stride;
  for (int64_t done = 0; done < rows; done += tile) {
    int64_t some = least(tile, rows - done);
    uintptr_t packed = move->packed + (uintptr_t)multiply(done, row->size);
    move_rows(move, packed, leaf->size, row->size, add(base, multiply(done, row->stride)), leaf->stride, row->stride,
              leaf->count, some, leaf->size, pack);
  }
}

/* Whole rows of a leaf that is alone in its loop: two levels at once. */
ADR_INLINE bool move_pair(struct move *move, const struct adr_node *leaf, struct adr_level *here,
                          const struct adr_node *row, struct adr_level *up, bool pack) {
  int64_t total = copies(move, move->cursor->top - 1, row);
  int64_t rows = total - up->at;
  if (move->left < rows * row->size) { rows = move->left / row->size; }
  if (rows == 1) { return false; } /* one level is enough */
  if (is_crosswise(row->stride, leaf->stride, rows, leaf->count)) {
    move_crosswise(move, here->base, row, leaf, rows, pack);
  } else {
    move_rows(move, move->packed, row->size, leaf->size, here->base, row->stride, leaf->stride, rows, leaf->count,
              leaf->size, pack);
  }
  move->packed += (uintptr_t)(rows * row->size);
  move->left -= rows * row->size;
  up->at += rows;
  here->base = add(here->base, multiply(rows, row->stride));
  return up->at == total;
}

/* Whole copies of a body of blocks, child by child, a window at a time. */
ADR_INLINE bool move_woven(struct move *move, const struct adr_node *loop, struct adr_level *up, bool pack) {
  const struct adr_node *child = adr_node_at(move->program, loop->first);
  int64_t total = copies(move, move->cursor->top - 1, loop);
  int64_t window = WINDOW_BYTES / loop->size;
  while (up->at < total && move->left >= loop->size) {
    int64_t some = least(least(window, total - up->at), move->left / loop->size);
    int64_t base = body_base(move->program, loop, up);
    for (int64_t i = 0; i < loop->extra; i++) {
      uintptr_t packed = move->packed + (uintptr_t)child[i].packed;
      uintptr_t place = move->memory + (uintptr_t)add(base, child[i].position);
      for (int64_t j = 0; j < child[i].count; j++) { /* the loop of the copies inside: it is the longer one */
        move_row(packed, loop->size, place, loop->stride, some, child[i].size, pack);
        packed += (uintptr_t)child[i].size;
        place += (uintptr_t)child[i].stride;
      }
    }
    move->packed += (uintptr_t)(some * loop->size);
    move->left -= some * loop->size;
    up->at += some;
  }
  return up->at == total;
}

/* How many whole blocks there are in the bytes that are left; a division only where they end inside the leaf. */
static inline int64_t whole_blocks(const struct move *move, const struct adr_node *leaf, int64_t blocks) {
  if (move->left >= blocks * leaf->size) { return blocks; }
  uint64_t size = (uint64_t)leaf->size;
  uint64_t left = (uint64_t)move->left;
  return (int64_t)((size & (size - 1)) == 0 ? left >> __builtin_ctzll(size) : left / size);
}

/* Equal blocks, by stride or by table. Returns the level that is at its end, or -1. */
ADR_INLINE int64_t move_blocks(struct move *move, const struct adr_node *leaf, struct adr_level *here, bool pack) {
  struct adr_program_cursor *cursor = move->cursor;
  const int64_t *table = leaf->kind == ADR_NODE_GATHER ? adr_node_table(move->program, leaf) : NULL;
  if (cursor->within == 0 && here->at == 0 && table == NULL) {
    struct adr_level *up = here - 1;
    const struct adr_node *parent = adr_node_at(move->program, up->node);
    if (parent->kind == ADR_NODE_WOVEN && here->node == parent->first) {
      if (move->left >= parent->size) {
        if (move_woven(move, parent, up, pack)) { return cursor->top - 1; }
        enter(move, cursor->top, parent->first, body_base(move->program, parent, up));
      }
    } else if (parent->kind == ADR_NODE_LOOP && parent->extra == 1) {
      if (move->left >= parent->size && move_pair(move, leaf, here, parent, up, pack)) { return cursor->top - 1; }
    }
  } else if (cursor->within != 0) { /* what a piece before has left of a block */
    int64_t place = table != NULL ? table[here->at] : multiply(here->at, leaf->stride);
    int64_t part = least(move->left, leaf->size - cursor->within);
    move_bytes(move, add(add(here->base, place), cursor->within), part, pack);
    cursor->within += part;
    if (cursor->within < leaf->size) { return -1; }
    cursor->within = 0;
    here->at++;
  }
  int64_t some = whole_blocks(move, leaf, leaf->count - here->at);
  if (some > 0) {
    if (table != NULL) {
      uintptr_t origin = move->memory + (uintptr_t)here->base;
      adr_table_copy(move->packed, origin, table + here->at, some, leaf->size, pack);
    } else {
      uintptr_t place = move->memory + (uintptr_t)add(here->base, multiply(here->at, leaf->stride));
      move_row(move->packed, leaf->size, place, leaf->stride, some, leaf->size, pack);
    }
    move->packed += (uintptr_t)(some * leaf->size);
    move->left -= some * leaf->size;
    here->at += some;
  }
  if (here->at == leaf->count) { return cursor->top; }
  if (move->left > 0) { /* the front of a block */
    int64_t place = table != NULL ? table[here->at] : multiply(here->at, leaf->stride);
    cursor->within = move->left;
    move_bytes(move, add(here->base, place), move->left, pack);
  }
  return -1;
}

/* Blocks of any sizes. Returns the level that is at its end, or -1. */
ADR_INLINE int64_t move_runs(struct move *move, const struct adr_node *leaf, struct adr_level *here, bool pack) {
  const struct adr_entry *entry = &adr_node_entries(move->program, leaf)[here->at];
  int64_t within = move->cursor->within;
  while (here->at < leaf->count && move->left > 0) {
    int64_t size = entry[1].before - entry[0].before - within;
    int64_t part = least(move->left, size);
    move_bytes(move, add(add(here->base, entry->displacement), within), part, pack);
    within = part == size ? 0 : within + part;
    here->at += part == size;
    entry += part == size;
  }
  move->cursor->within = within;
  return here->at == leaf->count ? move->cursor->top : -1;
}

ADR_INLINE void run(struct move *move, bool pack) {
  move->cursor->position += move->left;
  while (move->left > 0) {
    struct adr_level *here = &move->cursor->levels[move->cursor->top];
    const struct adr_node *leaf = adr_node_at(move->program, here->node);
    int64_t ended =
        leaf->kind == ADR_NODE_RUNS ? move_runs(move, leaf, here, pack) : move_blocks(move, leaf, here, pack);
    if (ended >= 0 && !finish(move, ended)) { break; }
  }
}

/* Blocks of a piece inside a leaf; -1: it is not such a piece. */
static inline int64_t inner_blocks(const struct adr_node *leaf, const struct adr_level *here, int64_t within,
                                   int64_t bytes) {
  uint64_t size = (uint64_t)leaf->size;
  if (within != 0 || here->at == 0 || (size & (size - 1)) != 0 || ((uint64_t)bytes & (size - 1)) != 0) { return -1; }
  int64_t blocks = bytes >> __builtin_ctzll(size);
  return blocks < leaf->count - here->at ? blocks : -1;
}

/* A short piece inside a block, or of whole blocks inside a leaf: nothing of the cursor but its leaf is looked at.
 * Returns false when it is another piece. */
ADR_INLINE bool move_inside(const struct adr_program *program, struct adr_program_cursor *cursor, uintptr_t memory,
                            uintptr_t packed, int64_t bytes, bool pack) {
  if ((uint64_t)bytes - 1 >= INSIDE_BYTES) { return false; } /* a cursor behind the last byte has no leaf */
  struct adr_level *here = &cursor->levels[cursor->top];
  const struct adr_node *leaf = adr_node_at(program, here->node);
  if (leaf->kind != ADR_NODE_BLOCKS) { return false; }
  uintptr_t place = memory + (uintptr_t)add(add(here->base, multiply(here->at, leaf->stride)), cursor->within);
  if (bytes < leaf->size - cursor->within) {
    adr_block_copy(pack ? packed : place, pack ? place : packed, bytes);
    cursor->within += bytes;
  } else {
    int64_t blocks = inner_blocks(leaf, here, cursor->within, bytes);
    if (blocks < 0) { return false; }
    move_row(packed, leaf->size, place, leaf->stride, blocks, leaf->size, pack);
    here->at += blocks;
  }
  cursor->position += bytes;
  return true;
}

static __attribute__((noinline)) void pack_piece(const struct adr_program *program, struct adr_program_cursor *cursor,
                                                 uintptr_t memory, uintptr_t packed, int64_t bytes) {
  struct move move = {.program = program, .cursor = cursor, .memory = memory, .packed = packed, .left = bytes};
  run(&move, true);
}

static __attribute__((noinline)) void unpack_piece(const struct adr_program *program, struct adr_program_cursor *cursor,
                                                   uintptr_t memory, uintptr_t packed, int64_t bytes) {
  struct move move = {.program = program, .cursor = cursor, .memory = memory, .packed = packed, .left = bytes};
  run(&move, false);
}

void adr_datatype_pack(const void *program, void *cursor, const void *memory, int64_t offset, void *packed,
                       int64_t packed_offset, int64_t bytes) {
  uintptr_t here = (uintptr_t)memory + (uintptr_t)offset;
  uintptr_t there = (uintptr_t)packed + (uintptr_t)packed_offset;
  if (!move_inside(program, cursor, here, there, bytes, true)) { pack_piece(program, cursor, here, there, bytes); }
}

void adr_datatype_unpack(const void *program, void *cursor, void *memory, int64_t offset, const void *packed,
                         int64_t packed_offset, int64_t bytes) {
  uintptr_t here = (uintptr_t)memory + (uintptr_t)offset;
  uintptr_t there = (uintptr_t)packed + (uintptr_t)packed_offset;
  if (!move_inside(program, cursor, here, there, bytes, false)) { unpack_piece(program, cursor, here, there, bytes); }
}

/* The last of `count` entries with at most `most` before it. */
static int64_t find_entry(const struct adr_entry *entries, int64_t count, int64_t most) {
  int64_t low = 0;
  for (int64_t high = count; high - low > 1;) {
    int64_t middle = low + (high - low) / 2;
    if (entries[middle].before <= most) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* The child in whose bytes one lies. */
static int64_t find_child(const struct adr_program *program, const struct adr_node *node, int64_t position) {
  int64_t low = node->first;
  for (int64_t high = node->first + node->extra; high - low > 1;) {
    int64_t middle = low + (high - low) / 2;
    if (adr_node_at(program, middle)->packed <= position) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

void adr_datatype_seek(const void *words, void *place, int64_t count, int64_t position) {
  const struct adr_program *program = words;
  struct adr_program_cursor *cursor = place;
  cursor->position = position;
  cursor->count = count;
  cursor->top = 0;
  cursor->within = 0;
  if (program->size == 0 || count == 0) { return; }
  if (position == 0) { /* without a division: short messages are packed from their first byte on */
    struct move move = {.program = program, .cursor = cursor};
    enter(&move, 0, 0, 0);
    return;
  }
  if (position / program->size >= count) { return; }
  int64_t number = 0, base = 0;
  for (int64_t level = 0;; level++) {
    const struct adr_node *node = adr_node_at(program, number);
    struct adr_level *here = &cursor->levels[level];
    *here = (struct adr_level){.node = number, .base = add(base, node->position)};
    cursor->top = level;
    if (node->kind == ADR_NODE_RUNS) {
      here->at = find_entry(adr_node_entries(program, node), node->count, position);
      cursor->within = position - adr_node_entries(program, node)[here->at].before;
      return;
    }
    int64_t copy = position / node->size;
    position -= copy * node->size;
    here->at = copy;
    if (is_leaf(node)) {
      cursor->within = position;
      return;
    }
    if (node->kind == ADR_NODE_INDEXED) {
      here->at = find_entry(adr_node_entries(program, node), node->count, copy);
      here->copy = copy - adr_node_entries(program, node)[here->at].before;
      number = node->first;
    } else {
      number = find_child(program, node, position);
      position -= adr_node_at(program, number)->packed;
    }
    base = body_base(program, node, here);
  }
}

/* Where the byte at a cursor lies, from the origin of the first element on. */
static int64_t place_of(const struct move *side) {
  const struct adr_level *here = &side->cursor->levels[side->cursor->top];
  const struct adr_node *leaf = adr_node_at(side->program, here->node);
  int64_t place = leaf->kind == ADR_NODE_BLOCKS   ? multiply(here->at, leaf->stride)
                  : leaf->kind == ADR_NODE_GATHER ? adr_node_table(side->program, leaf)[here->at]
                                                  : adr_node_entries(side->program, leaf)[here->at].displacement;
  return add(add(here->base, place), side->cursor->within);
}

/* The bytes of the block at a cursor that it has not passed. */
static int64_t block_bytes(const struct move *side) {
  const struct adr_level *here = &side->cursor->levels[side->cursor->top];
  const struct adr_node *leaf = adr_node_at(side->program, here->node);
  if (leaf->kind != ADR_NODE_RUNS) { return leaf->size - side->cursor->within; }
  const struct adr_entry *entry = &adr_node_entries(side->program, leaf)[here->at];
  return entry[1].before - entry[0].before - side->cursor->within;
}

/* Goes on behind blocks of the leaf at a cursor. */
static void pass_blocks(struct move *side, int64_t blocks, int64_t bytes) {
  struct adr_level *here = &side->cursor->levels[side->cursor->top];
  side->cursor->position += bytes;
  side->cursor->within = 0;
  here->at += blocks;
  if (here->at == adr_node_at(side->program, here->node)->count) { finish(side, side->cursor->top); }
}

/* Passes bytes of the block at a cursor, or all of them. */
static void skip(struct move *side, int64_t bytes) {
  if (bytes == block_bytes(side)) {
    pass_blocks(side, 1, bytes);
  } else {
    side->cursor->position += bytes;
    side->cursor->within += bytes;
  }
}

/* Goes on behind whole copies of the loop above the leaf at a cursor, which stands at the first byte of one. */
static void pass_copies(struct move *side, const struct adr_node *loop, int64_t some) {
  int64_t level = side->cursor->top - 1;
  struct adr_level *up = &side->cursor->levels[level];
  side->cursor->position += some * loop->size;
  up->at += some;
  if (up->at < copies(side, level, loop)) {
    enter(side, level + 1, loop->first, body_base(side->program, loop, up));
  } else {
    finish(side, level);
  }
}

/* Copies rows of blocks, crosswise where that uses up each cache line before the next. */
static void copy_rows(struct adr_rows to, struct adr_rows from, int64_t rows, int64_t blocks, int64_t size,
                      bool woven) {
  bool crosswise = is_crosswise(to.outer, to.inner, rows, blocks);
  if (!woven && !crosswise && !is_crosswise(from.outer, from.inner, rows, blocks)) {
    adr_rows_copy(to, from, rows, blocks, size);
    return;
  }
  int64_t tile = woven ? rows : LINE / (crosswise ? to.outer : from.outer);
  for (int64_t done = 0; done < rows; done += tile) {
    struct adr_rows there = {to.at + (uintptr_t)multiply(done, to.outer), to.inner, to.outer};
    struct adr_rows here = {from.at + (uintptr_t)multiply(done, from.outer), from.inner, from.outer};
    adr_rows_copy(there, here, blocks, least(tile, rows - done), size);
  }
}

/* Whether two bodies have the same blocks, each of them in places of its own. */
static bool is_alike(const struct move *to, const struct adr_node *to_loop, const struct move *from,
                     const struct adr_node *from_loop) {
  if (to_loop->kind == ADR_NODE_INDEXED || to_loop->kind != from_loop->kind || to_loop->extra != from_loop->extra
      || to_loop->size != from_loop->size || (to_loop->kind == ADR_NODE_LOOP && to_loop->extra != 1)) {
    return false;
  }
  const struct adr_node *there = adr_node_at(to->program, to_loop->first);
  const struct adr_node *here = adr_node_at(from->program, from_loop->first);
  for (int64_t i = 0; i < to_loop->extra; i++) {
    if (there[i].kind != ADR_NODE_BLOCKS || here[i].kind != ADR_NODE_BLOCKS || there[i].size != here[i].size
        || there[i].count != here[i].count) {
      return false;
    }
  }
  return true;
}

/* Many copies of bodies that are alike, which both cursors stand at the first byte of. Returns the bytes that were
 * copied; 0: there is nothing of that kind here. */
static int64_t copy_loops(struct move *to, struct move *from, int64_t left) {
  const struct adr_level *to_up = &to->cursor->levels[to->cursor->top - 1];
  const struct adr_level *from_up = &from->cursor->levels[from->cursor->top - 1];
  const struct adr_node *to_loop = adr_node_at(to->program, to_up->node);
  const struct adr_node *from_loop = adr_node_at(from->program, from_up->node);
  if (to_up[1].node != to_loop->first || from_up[1].node != from_loop->first
      || !is_alike(to, to_loop, from, from_loop)) {
    return 0;
  }
  int64_t some = least(copies(to, to->cursor->top - 1, to_loop) - to_up->at,
                       copies(from, from->cursor->top - 1, from_loop) - from_up->at);
  some = least(some, left / to_loop->size);
  if (some < 2) { return 0; }
  const struct adr_node *there = adr_node_at(to->program, to_loop->first);
  const struct adr_node *here = adr_node_at(from->program, from_loop->first);
  bool woven = to_loop->kind == ADR_NODE_WOVEN;
  int64_t window = woven ? WINDOW_BYTES / to_loop->size : some;
  for (int64_t done = 0; done < some; done += window) {
    uintptr_t to_base =
        to->memory + (uintptr_t)add(body_base(to->program, to_loop, to_up), multiply(done, to_loop->stride));
    uintptr_t from_base =
        from->memory + (uintptr_t)add(body_base(from->program, from_loop, from_up), multiply(done, from_loop->stride));
    for (int64_t i = 0; i < to_loop->extra; i++) {
      struct adr_rows to_rows = {to_base + (uintptr_t)there[i].position, to_loop->stride, there[i].stride};
      struct adr_rows from_rows = {from_base + (uintptr_t)here[i].position, from_loop->stride, here[i].stride};
      copy_rows(to_rows, from_rows, least(window, some - done), there[i].count, there[i].size, woven);
    }
  }
  pass_copies(to, to_loop, some);
  pass_copies(from, from_loop, some);
  return some * to_loop->size;
}

/* Whole blocks of one size at both ends. Returns the bytes that were copied; 0: there are none. */
static int64_t copy_blocks(struct move *to, struct move *from, int64_t left) {
  const struct adr_level *to_here = &to->cursor->levels[to->cursor->top];
  const struct adr_level *from_here = &from->cursor->levels[from->cursor->top];
  const struct adr_node *to_leaf = adr_node_at(to->program, to_here->node);
  const struct adr_node *from_leaf = adr_node_at(from->program, from_here->node);
  int64_t size = to_leaf->size;
  if (to_leaf->kind == ADR_NODE_RUNS || from_leaf->kind == ADR_NODE_RUNS || size != from_leaf->size || left < size
      || (to->cursor->within | from->cursor->within) != 0) {
    return 0;
  }
  if ((to_here->at | from_here->at) == 0) {
    int64_t bytes = copy_loops(to, from, left);
    if (bytes != 0) { return bytes; }
  }
  int64_t blocks = least(to_leaf->count - to_here->at, from_leaf->count - from_here->at);
  if (left < blocks * size) { blocks = left / size; }
  uintptr_t to_base = to->memory + (uintptr_t)to_here->base;
  uintptr_t from_base = from->memory + (uintptr_t)from_here->base;
  if (to_leaf->kind == ADR_NODE_BLOCKS && from_leaf->kind == ADR_NODE_BLOCKS) {
    adr_row_copy(to_base + (uintptr_t)multiply(to_here->at, to_leaf->stride), to_leaf->stride,
                 from_base + (uintptr_t)multiply(from_here->at, from_leaf->stride), from_leaf->stride, blocks, size);
  } else {
    const int64_t *to_table = to_leaf->kind == ADR_NODE_GATHER ? adr_node_table(to->program, to_leaf) : NULL;
    const int64_t *from_table = from_leaf->kind == ADR_NODE_GATHER ? adr_node_table(from->program, from_leaf) : NULL;
    for (int64_t i = 0; i < blocks; i++) {
      int64_t there = to_here->at + i, here = from_here->at + i;
      adr_block_copy(to_base + (uintptr_t)(to_table != NULL ? to_table[there] : multiply(there, to_leaf->stride)),
                     from_base + (uintptr_t)(from_table != NULL ? from_table[here] : multiply(here, from_leaf->stride)),
                     size);
    }
  }
  pass_blocks(to, blocks, blocks * size);
  pass_blocks(from, blocks, blocks * size);
  return blocks * size;
}

/* What comes next, in the widest step that fits both ends. Returns its bytes. */
static int64_t copy_next(struct move *to, struct move *from, int64_t left) {
  int64_t bytes = copy_blocks(to, from, left);
  if (bytes != 0) { return bytes; }
  int64_t to_bytes = block_bytes(to), from_bytes = block_bytes(from);
  if (from_bytes >= 2 * to_bytes) { /* contiguous, as seen from the other end */
    to->packed = from->memory + (uintptr_t)place_of(from);
    to->left = bytes = least(from_bytes, left);
    run(to, false);
    skip(from, bytes);
  } else if (to_bytes >= 2 * from_bytes) {
    from->packed = to->memory + (uintptr_t)place_of(to);
    from->left = bytes = least(to_bytes, left);
    run(from, true);
    skip(to, bytes);
  } else {
    bytes = least(least(to_bytes, from_bytes), left);
    adr_block_copy(to->memory + (uintptr_t)place_of(to), from->memory + (uintptr_t)place_of(from), bytes);
    skip(to, bytes);
    skip(from, bytes);
  }
  return bytes;
}

void adr_datatype_copy(const void *to_program, void *to_cursor, void *to, int64_t to_offset, const void *from_program,
                       void *from_cursor, const void *from, int64_t from_offset, int64_t bytes) {
  struct move there = {.program = to_program, .cursor = to_cursor, .memory = (uintptr_t)to + (uintptr_t)to_offset};
  struct move here = {
      .program = from_program, .cursor = from_cursor, .memory = (uintptr_t)from + (uintptr_t)from_offset};
  while (bytes > 0) { bytes -= copy_next(&there, &here, bytes); }
}

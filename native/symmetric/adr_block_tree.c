#include "symmetric/adr_block_tree.h"

#include <errno.h>
#include <stdlib.h>

enum { NONE = ADR_BLOCK_TREE_NONE, FIRST_PLACES = 16 };
#define FIRST_PRIORITY UINT32_C(0x9E3779B9)

int adr_block_tree_open(struct adr_block_tree *tree, uint64_t bytes) {
  *tree = (struct adr_block_tree){.places = FIRST_PLACES, .used = 2, .root = 1, .priority = FIRST_PRIORITY};
  tree->blocks = calloc(FIRST_PLACES, sizeof *tree->blocks);
  if (tree->blocks == NULL) { return -ENOMEM; }
  tree->blocks[1] = (struct adr_tree_block){.bytes = bytes, .largest = bytes, .priority = FIRST_PRIORITY};
  return 0;
}

void adr_block_tree_close(struct adr_block_tree *tree) {
  free(tree->blocks);
  *tree = (struct adr_block_tree){0};
}

int adr_block_tree_require(struct adr_block_tree *tree, uint32_t splits) {
  if (tree->spares + (tree->places - tree->used) >= splits) { return 0; }
  if (tree->places > UINT32_MAX / 2) { return -ENOMEM; }
  void *grown = realloc(tree->blocks, 2 * (size_t)tree->places * sizeof *tree->blocks);
  if (grown == NULL) { return -ENOMEM; }
  tree->blocks = grown;
  tree->places *= 2;
  return 0;
}

/* The next of a series of numbers that looks random and has no 0 [Marsaglia 2003]. */
static uint32_t next_priority(struct adr_block_tree *tree) {
  uint32_t priority = tree->priority;
  priority ^= priority << 13;
  priority ^= priority >> 17;
  priority ^= priority << 5;
  tree->priority = priority;
  return priority;
}

/* An index without a block. */
static uint32_t take_index(struct adr_block_tree *tree) {
  uint32_t index = tree->spare;
  if (index == NONE) { return tree->used++; }
  tree->spare = tree->blocks[index].right;
  tree->spares--;
  return index;
}

static void give_index(struct adr_block_tree *tree, uint32_t index) {
  tree->blocks[index].right = tree->spare;
  tree->spare = index;
  tree->spares++;
}

/* Bytes of a block that are free: all or nothing. */
static uint64_t free_bytes(const struct adr_block_tree *tree, uint32_t block) {
  return tree->blocks[block].asked == 0 ? tree->blocks[block].bytes : 0;
}

/* Works out the largest free block below a block anew. */
static void measure(struct adr_block_tree *tree, uint32_t block) {
  uint64_t largest = free_bytes(tree, block);
  uint64_t left = tree->blocks[tree->blocks[block].left].largest;
  uint64_t right = tree->blocks[tree->blocks[block].right].largest;
  if (left > largest) { largest = left; }
  if (right > largest) { largest = right; }
  tree->blocks[block].largest = largest;
}

/* Does so for a block and for all above it. */
static void measure_up(struct adr_block_tree *tree, uint32_t block) {
  for (uint32_t at = block; at != NONE; at = tree->blocks[at].parent) { measure(tree, at); }
}

/* Puts a block, or nothing, in the place below `parent` that another one has. */
static void replace(struct adr_block_tree *tree, uint32_t parent, uint32_t block, uint32_t by) {
  if (parent == NONE) {
    tree->root = by;
  } else if (tree->blocks[parent].left == block) {
    tree->blocks[parent].left = by;
  } else {
    tree->blocks[parent].right = by;
  }
  if (by != NONE) { tree->blocks[by].parent = parent; }
}

/* Puts a block above the one that it is below; their order stays. */
static void rotate_up(struct adr_block_tree *tree, uint32_t block) {
  uint32_t parent = tree->blocks[block].parent;
  uint32_t between;
  replace(tree, tree->blocks[parent].parent, parent, block);
  if (tree->blocks[parent].left == block) {
    between = tree->blocks[block].right;
    tree->blocks[parent].left = between;
    tree->blocks[block].right = parent;
  } else {
    between = tree->blocks[block].left;
    tree->blocks[parent].right = between;
    tree->blocks[block].left = parent;
  }
  if (between != NONE) { tree->blocks[between].parent = parent; }
  tree->blocks[parent].parent = block;
  measure(tree, parent);
}

/* The first block below a block. */
static uint32_t leftmost(const struct adr_block_tree *tree, uint32_t block) {
  uint32_t at = block;
  while (tree->blocks[at].left != NONE) { at = tree->blocks[at].left; }
  return at;
}

static uint32_t rightmost(const struct adr_block_tree *tree, uint32_t block) {
  uint32_t at = block;
  while (tree->blocks[at].right != NONE) { at = tree->blocks[at].right; }
  return at;
}

/* The first block behind a block and all below it. */
static uint32_t behind(const struct adr_block_tree *tree, uint32_t block) {
  uint32_t at = block;
  uint32_t above = tree->blocks[at].parent;
  while (above != NONE && tree->blocks[above].right == at) {
    at = above;
    above = tree->blocks[at].parent;
  }
  return above;
}

/* The last block before a block and all below it. */
static uint32_t before(const struct adr_block_tree *tree, uint32_t block) {
  uint32_t at = block;
  uint32_t above = tree->blocks[at].parent;
  while (above != NONE && tree->blocks[above].left == at) {
    at = above;
    above = tree->blocks[at].parent;
  }
  return above;
}

uint32_t adr_block_tree_next(const struct adr_block_tree *tree, uint32_t block) {
  uint32_t right = tree->blocks[block].right;
  return right == NONE ? behind(tree, block) : leftmost(tree, right);
}

uint32_t adr_block_tree_previous(const struct adr_block_tree *tree, uint32_t block) {
  uint32_t left = tree->blocks[block].left;
  return left == NONE ? before(tree, block) : rightmost(tree, left);
}

/* The first block that does not start before `from`. */
static uint32_t first_from(const struct adr_block_tree *tree, uint64_t from) {
  uint32_t found = NONE;
  uint32_t at = tree->root;
  while (at != NONE) {
    if (tree->blocks[at].start < from) {
      at = tree->blocks[at].right;
    } else {
      found = at;
      at = tree->blocks[at].left;
    }
  }
  return found;
}

uint32_t adr_block_tree_at(const struct adr_block_tree *tree, uint64_t start) {
  uint32_t block = first_from(tree, start);
  return tree->blocks[block].start == start ? block : NONE;
}

/* The first free block of at least `bytes` among a block and those below it, one of which is. */
static uint32_t first_below(const struct adr_block_tree *tree, uint32_t block, uint64_t bytes) {
  uint32_t at = block;
  for (;;) {
    uint32_t left = tree->blocks[at].left;
    if (tree->blocks[left].largest >= bytes) {
      at = left;
    } else if (free_bytes(tree, at) >= bytes) {
      return at;
    } else {
      at = tree->blocks[at].right;
    }
  }
}

uint32_t adr_block_tree_first_free(const struct adr_block_tree *tree, uint64_t from, uint64_t bytes) {
  uint32_t at = first_from(tree, from);
  while (at != NONE && free_bytes(tree, at) < bytes) {
    uint32_t right = tree->blocks[at].right;
    if (tree->blocks[right].largest >= bytes) { return first_below(tree, right, bytes); }
    at = behind(tree, at);
  }
  return at;
}

void adr_block_tree_set_asked(struct adr_block_tree *tree, uint32_t block, uint64_t asked) {
  tree->blocks[block].asked = asked;
  measure_up(tree, block);
}

/* Puts a new block right behind another one, whose size may have changed, into the tree. */
static void insert_behind(struct adr_block_tree *tree, uint32_t block, uint32_t inserted) {
  uint32_t right = tree->blocks[block].right;
  uint32_t parent = right == NONE ? block : leftmost(tree, right);
  if (right == NONE) {
    tree->blocks[parent].right = inserted;
  } else {
    tree->blocks[parent].left = inserted;
  }
  tree->blocks[inserted].parent = parent;
  while (parent != NONE && tree->blocks[inserted].priority > tree->blocks[parent].priority) {
    rotate_up(tree, inserted);
    parent = tree->blocks[inserted].parent;
  }
  measure_up(tree, inserted);
}

/* Takes a block out of the tree: down to where nothing is below it, and off. */
static void take_out(struct adr_block_tree *tree, uint32_t block) {
  for (;;) {
    uint32_t left = tree->blocks[block].left;
    uint32_t right = tree->blocks[block].right;
    if (left == NONE && right == NONE) { break; }
    bool goes_right = tree->blocks[left].priority > tree->blocks[right].priority; /* that of no block is 0 */
    rotate_up(tree, goes_right ? left : right);
  }
  uint32_t parent = tree->blocks[block].parent;
  replace(tree, parent, block, NONE);
  measure_up(tree, parent);
}

uint32_t adr_block_tree_split(struct adr_block_tree *tree, uint32_t block, uint64_t start) {
  uint32_t second = take_index(tree);
  uint64_t end = adr_block_tree_end(tree, block);
  tree->blocks[second] = (struct adr_tree_block){.start = start, .bytes = end - start, .priority = next_priority(tree)};
  tree->blocks[block].bytes = start - tree->blocks[block].start;
  insert_behind(tree, block, second);
  return second;
}

void adr_block_tree_join_next(struct adr_block_tree *tree, uint32_t block) {
  uint32_t next = adr_block_tree_next(tree, block);
  uint64_t bytes = tree->blocks[next].bytes;
  take_out(tree, next);
  give_index(tree, next);
  tree->blocks[block].bytes += bytes;
  measure_up(tree, block);
}

/* The blocks that a stretch of memory is cut into, and the first free one of a size among them. Numbers alone: the
 * memory itself is never touched. Twin of io.adrastea.symmetric.BlockTree.
 *
 * The blocks have no gaps between them, and no two neighbours are both free; the caller sees to the latter. They are
 * the nodes of a tree in the order of their places, a treap [Seidel 1996], in which each node knows the largest free
 * block below it, as in a Cartesian tree of free blocks [Stephenson 1983]. So each call is O(log n)
 * for n blocks. The priorities come from a generator of the tree's own, which always begins alike; they decide how long
 * a call takes, and never what it answers.
 *
 * A block is told by its index, which it keeps as long as it is there; 0 is no block. */
#pragma once

#include <stdbool.h>

#include "base/adr_base.h"

enum { ADR_BLOCK_TREE_NONE = 0 };

struct adr_tree_block {
  uint64_t start;
  uint64_t bytes;   /* up to where the next one starts */
  uint64_t asked;   /* bytes asked for, 0: free */
  uint64_t largest; /* bytes of the largest free block among this one and those below it */
  uint32_t parent;
  uint32_t left;
  uint32_t right; /* of an index without a block: the next such one */
  uint32_t priority;
};

struct adr_block_tree {
  struct adr_tree_block *blocks; /* 0 is no block: all zeros */
  uint32_t places;
  uint32_t used;  /* indexes from here on never had a block */
  uint32_t spare; /* the first index that has no block any more */
  uint32_t spares;
  uint32_t root;
  uint32_t priority; /* given last */
};

/* A stretch of `bytes`, at least 1, as one free block. Returns 0 or -ENOMEM. */
int adr_block_tree_open(struct adr_block_tree *tree, uint64_t bytes);
void adr_block_tree_close(struct adr_block_tree *tree);

/* Makes sure that so many blocks can be split. Returns 0 or -ENOMEM, and nothing has changed then. */
int adr_block_tree_require(struct adr_block_tree *tree, uint32_t splits);

/* Bytes of the largest free block; 0: there is no free one. */
static inline uint64_t adr_block_tree_largest(const struct adr_block_tree *tree) {
  return tree->blocks[tree->root].largest;
}

static inline bool adr_block_tree_is_free(const struct adr_block_tree *tree, uint32_t block) {
  return block != ADR_BLOCK_TREE_NONE && tree->blocks[block].asked == 0;
}

/* Where a block ends and the next one starts. */
static inline uint64_t adr_block_tree_end(const struct adr_block_tree *tree, uint32_t block) {
  return tree->blocks[block].start + tree->blocks[block].bytes;
}

/* The blocks beside a block. */
uint32_t adr_block_tree_next(const struct adr_block_tree *tree, uint32_t block);
uint32_t adr_block_tree_previous(const struct adr_block_tree *tree, uint32_t block);

/* The block that starts there. */
uint32_t adr_block_tree_at(const struct adr_block_tree *tree, uint64_t start);

/* The first free block of at least `bytes`, at least 1, that does not start before `from`. */
uint32_t adr_block_tree_first_free(const struct adr_block_tree *tree, uint64_t from, uint64_t bytes);

/* Says how many bytes are asked for of a block; 0: it is free. */
void adr_block_tree_set_asked(struct adr_block_tree *tree, uint32_t block, uint64_t asked);

/* Cuts a block in two, for which adr_block_tree_require has made sure; the second starts at `start`, and is free.
 * Returns it. */
uint32_t adr_block_tree_split(struct adr_block_tree *tree, uint32_t block, uint64_t start);

/* Makes a block one with the next, whose index is no block then. */
void adr_block_tree_join_next(struct adr_block_tree *tree, uint32_t block);

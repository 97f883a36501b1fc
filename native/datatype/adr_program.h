/* The program of a datatype: a flattened layout as 64-bit words, the same in C and Java [SCI-MPICH 2002, 3.3.1]. Twin
 * of io.adrastea.datatype.Program, whose page tells what the words mean.
 *
 *   head   0 magic   1 words   2 size   3 extent   4 true lower bound   5 true upper bound   6 levels   7 nodes
 *   node   0 kind    1 packed  2 position   3 count   4 stride   5 size   6 first   7 extra
 *
 * A reader of words of another process checks a copy of its own of them. */
#pragma once

#include <stdint.h>

#define ADR_PROGRAM_MAGIC INT64_C(0x0145505954524441) /* "ADRTYPE" and version 1, read as bytes */

enum {
  ADR_PROGRAM_HEAD_WORDS = 8,
  ADR_PROGRAM_NODE_WORDS = 8,
  ADR_PROGRAM_MOST_LEVELS = 72, /* each below the first stands for two copies at least, or once between two such */
  ADR_PROGRAM_WOVEN_BYTES = 2048,
};

enum adr_node_kind {
  ADR_NODE_BLOCKS = 1, /* count blocks of size bytes, stride apart */
  ADR_NODE_GATHER,     /* count blocks of size bytes at the displacements in the table */
  ADR_NODE_RUNS,       /* count blocks; pairs (displacement, packed bytes before it), and one for the end */
  ADR_NODE_LOOP,       /* count copies of a body of extra children, stride apart */
  ADR_NODE_WOVEN,      /* the same; the children are BLOCKS, and may be moved child by child */
  ADR_NODE_INDEXED,    /* pairs (displacement, copies before it), and one for the end; copies of one child */
};

struct adr_program {
  int64_t magic;
  int64_t words;
  int64_t size; /* packed bytes of one element */
  int64_t extent;
  int64_t true_lower;
  int64_t true_upper;
  int64_t levels;
  int64_t nodes;
};
_Static_assert(sizeof(struct adr_program) == 8 * ADR_PROGRAM_HEAD_WORDS, "as in Java");

struct adr_node {
  int64_t kind;
  int64_t packed;   /* bytes in front of it in its parent's body */
  int64_t position; /* from its parent's place on */
  int64_t count;
  int64_t stride;
  int64_t size;  /* packed bytes of a block, or of one copy of a body */
  int64_t first; /* child */
  int64_t extra; /* the table's first word, or the number of children */
};
_Static_assert(sizeof(struct adr_node) == 8 * ADR_PROGRAM_NODE_WORDS, "as in Java");

/* An entry of a table of RUNS or INDEXED. */
struct adr_entry {
  int64_t displacement;
  int64_t before;
};

/* The place at one level of nodes. */
struct adr_level {
  int64_t node;
  int64_t at;   /* which copy, block or entry */
  int64_t base; /* where the node lies, from the memory's origin on */
  int64_t copy; /* INDEXED: which copy from its entry on */
};

/* How far an operation is in its memory. */
struct adr_program_cursor {
  int64_t position; /* packed bytes before it */
  int64_t count;    /* elements */
  int64_t top;      /* the level of the leaf */
  int64_t within;   /* bytes of the block that are before it */
  struct adr_level levels[];
};

static inline const struct adr_node *adr_node_at(const struct adr_program *program, int64_t node) {
  return (const struct adr_node *)(program + 1) + node;
}

static inline const int64_t *adr_node_table(const struct adr_program *program, const struct adr_node *node) {
  return (const int64_t *)program + node->extra;
}

static inline const struct adr_entry *adr_node_entries(const struct adr_program *program, const struct adr_node *node) {
  return (const struct adr_entry *)adr_node_table(program, node);
}

/* Whether words are a program. Twin of io.adrastea.datatype.ProgramCheck, which tells what is wrong with them. */
#include <stdbool.h>

#include "adrastea/datatype.h"
#include "base/adr_base.h"
#include "datatype/adr_program.h"

/* What is known of a node. */
struct span {
  int64_t low; /* from its parent's place on */
  int64_t high;
  int64_t level;
};

struct check {
  const struct adr_program *program;
  struct span *spans;
  int64_t child; /* the next one that no parent was seen of */
  int64_t table; /* the next word that no node was seen of */
};

static inline bool add(int64_t a, int64_t b, int64_t *sum) { return !__builtin_add_overflow(a, b, sum); }
static inline bool multiply(int64_t a, int64_t b, int64_t *product) { return !__builtin_mul_overflow(a, b, product); }
static inline bool is_loop(const struct adr_node *node) {
  return node->kind == ADR_NODE_LOOP || node->kind == ADR_NODE_WOVEN;
}

static bool check_head(const struct adr_program *program, int64_t words) {
  return words >= ADR_PROGRAM_HEAD_WORDS + ADR_PROGRAM_NODE_WORDS && program->magic == ADR_PROGRAM_MAGIC
         && program->words == words && program->nodes >= 1
         && program->nodes <= (words - ADR_PROGRAM_HEAD_WORDS) / ADR_PROGRAM_NODE_WORDS && program->levels >= 1
         && program->levels <= ADR_PROGRAM_MOST_LEVELS;
}

static bool take_children(struct check *check, const struct adr_node *node, int64_t number, int64_t children) {
  if (children < (number == 0 ? 0 : 1) || children > check->program->nodes - check->child
      || node->first != check->child) {
    return false;
  }
  for (int64_t i = 0; i < children; i++) { check->spans[check->child++].level = check->spans[number].level + 1; }
  return true;
}

static bool take_table(struct check *check, const struct adr_node *node) {
  int64_t words = check->program->words;
  if (node->count >= words || node->extra != check->table) { return false; }
  int64_t entries = node->kind == ADR_NODE_GATHER ? node->count : 2 * node->count + 2;
  if (entries > words - check->table) { return false; }
  check->table += entries;
  return true;
}

/* Kind, children and table. */
static bool check_node(struct check *check, int64_t number) {
  const struct adr_node *node = adr_node_at(check->program, number);
  if (number == 0) {
    bool empty = node->size == 0 && check->program->nodes == 1;
    if (!is_loop(node) || node->count != 1 || node->position != 0 || node->packed != 0 || node->first != 1
        || (node->size <= 0 && !empty)) {
      return false;
    }
  } else if (node->count < 1 || node->size < 1) {
    return false;
  }
  if (node->kind < ADR_NODE_BLOCKS || node->kind > ADR_NODE_INDEXED
      || check->spans[number].level > ADR_PROGRAM_MOST_LEVELS) {
    return false;
  }
  if (is_loop(node)) { return take_children(check, node, number, node->extra); }
  if (node->kind == ADR_NODE_INDEXED) { return take_children(check, node, number, 1) && take_table(check, node); }
  if (node->first != 0) { return false; }
  return node->kind == ADR_NODE_BLOCKS ? node->extra == 0 : take_table(check, node);
}

/* Copies of what lies from `from` to `to`. */
static bool repeat(struct span *span, int64_t from, int64_t to, int64_t count, int64_t stride) {
  int64_t last;
  return multiply(count - 1, stride, &last) && add(from, last < 0 ? last : 0, &span->low)
         && add(to, last > 0 ? last : 0, &span->high);
}

static void widen(struct span *span, bool first, int64_t from, int64_t to) {
  span->low = first || from < span->low ? from : span->low;
  span->high = first || to > span->high ? to : span->high;
}

static bool measure_gather(const struct adr_node *node, const int64_t *table, struct span *span) {
  for (int64_t i = 0; i < node->count; i++) {
    int64_t end;
    if (!add(table[i], node->size, &end)) { return false; }
    widen(span, i == 0, table[i], end);
  }
  return true;
}

/* What stands before each entry ascends from 0, and nothing is behind the last. */
static bool check_entries(const struct adr_entry *entries, int64_t count) {
  if (entries[0].before != 0 || entries[count].displacement != 0) { return false; }
  for (int64_t i = 0; i < count; i++) {
    if (entries[i + 1].before <= entries[i].before) { return false; }
  }
  return true;
}

static bool measure_runs(const struct adr_node *node, const struct adr_entry *entries, struct span *span) {
  if (!check_entries(entries, node->count) || entries[node->count].before != node->size) { return false; }
  for (int64_t i = 0; i < node->count; i++) {
    int64_t end;
    if (!add(entries[i].displacement, entries[i + 1].before - entries[i].before, &end)) { return false; }
    widen(span, i == 0, entries[i].displacement, end);
  }
  return true;
}

/* The packed bytes of all of a node. */
static bool bytes_of(const struct adr_program *program, const struct adr_node *node, int64_t *bytes) {
  switch (node->kind) {
  case ADR_NODE_RUNS:
    *bytes = node->size;
    return true;
  case ADR_NODE_INDEXED:
    return multiply(adr_node_entries(program, node)[node->count].before, node->size, bytes);
  default:
    return multiply(node->count, node->size, bytes);
  }
}

static bool measure_indexed(const struct check *check, const struct adr_node *node, struct span *span) {
  const struct adr_entry *entries = adr_node_entries(check->program, node);
  const struct adr_node *body = adr_node_at(check->program, node->first);
  int64_t bytes;
  if (!check_entries(entries, node->count) || !bytes_of(check->program, body, &bytes) || bytes != node->size
      || body->packed != 0) {
    return false;
  }
  for (int64_t i = 0; i < node->count; i++) {
    struct span one;
    int64_t low, high, copies = entries[i + 1].before - entries[i].before;
    if (!repeat(&one, check->spans[node->first].low, check->spans[node->first].high, copies, node->stride)
        || !add(one.low, entries[i].displacement, &low) || !add(one.high, entries[i].displacement, &high)) {
      return false;
    }
    widen(span, i == 0, low, high);
  }
  return true;
}

static bool measure_loop(const struct check *check, const struct adr_node *node, struct span *span) {
  int64_t packed = 0;
  bool blocks = true;
  for (int64_t i = node->first; i < node->first + node->extra; i++) {
    const struct adr_node *child = adr_node_at(check->program, i);
    int64_t bytes;
    if (child->packed != packed || !bytes_of(check->program, child, &bytes) || !add(packed, bytes, &packed)) {
      return false;
    }
    blocks = blocks && child->kind == ADR_NODE_BLOCKS;
    widen(span, i == node->first, check->spans[i].low, check->spans[i].high);
  }
  if (packed != node->size) { return false; }
  if (node->kind == ADR_NODE_WOVEN && (!blocks || node->extra < 2 || node->size > ADR_PROGRAM_WOVEN_BYTES)) {
    return false;
  }
  return node->extra == 0 || repeat(span, span->low, span->high, node->count, node->stride);
}

/* Bytes and bounds; those of its children are known. */
static bool measure(const struct check *check, int64_t number) {
  const struct adr_node *node = adr_node_at(check->program, number);
  struct span *span = &check->spans[number];
  bool right;
  switch (node->kind) {
  case ADR_NODE_BLOCKS:
    right = repeat(span, 0, node->size, node->count, node->stride);
    break;
  case ADR_NODE_GATHER:
    right = measure_gather(node, adr_node_table(check->program, node), span);
    break;
  case ADR_NODE_RUNS:
    right = measure_runs(node, adr_node_entries(check->program, node), span);
    break;
  case ADR_NODE_INDEXED:
    right = measure_indexed(check, node, span);
    break;
  default:
    right = measure_loop(check, node, span);
    break;
  }
  return right && add(span->low, node->position, &span->low) && add(span->high, node->position, &span->high);
}

static bool is_program(struct check *check) {
  const struct adr_program *program = check->program;
  int64_t levels = 0;
  check->spans[0].level = 1;
  for (int64_t i = 0; i < program->nodes; i++) {
    check->spans[i].low = check->spans[i].high = 0;
    if (!check_node(check, i)) { return false; }
    if (check->spans[i].level > levels) { levels = check->spans[i].level; }
  }
  if (check->child != program->nodes || check->table != program->words || levels != program->levels) { return false; }
  for (int64_t i = program->nodes - 1; i >= 0; i--) {
    if (!measure(check, i)) { return false; }
  }
  const struct adr_node *root = adr_node_at(program, 0);
  return program->size == root->size && program->extent == root->stride && program->true_lower == check->spans[0].low
         && program->true_upper == check->spans[0].high;
}

int32_t adr_datatype_check(const int64_t *words, int64_t count, int64_t *scratch) {
  const struct adr_program *program = (const struct adr_program *)words;
  if (!check_head(program, count)) { return ADR_INVALID; }
  struct check check = {
      .program = program,
      .spans = (struct span *)scratch,
      .child = 1,
      .table = ADR_PROGRAM_HEAD_WORDS + program->nodes * ADR_PROGRAM_NODE_WORDS,
  };
  return is_program(&check) ? 0 : ADR_INVALID;
}

#include "symmetric/adr_symmetric_heap.h"

#include <errno.h>

enum { NONE = ADR_BLOCK_TREE_NONE, MOST_SPLITS = 2 };
enum { ALLOCATION = 1, REALLOCATION = 2, FREE = 3 };
#define FNV_OFFSET UINT64_C(0xCBF29CE484222325)
#define FNV_PRIME UINT64_C(0x100000001B3)

/* The hash with one more word [Fowler 2012]. */
static uint64_t hashed(uint64_t hash, uint64_t word) {
  for (int shift = 0; shift < 64; shift += 8) { hash = (hash ^ (word >> shift & 0xFF)) * FNV_PRIME; }
  return hash;
}

/* Notes a call in the hash. */
static void note(struct adr_symmetric_heap *heap, uint64_t call, uint64_t bytes, uint64_t alignment, uint64_t given,
                 uint64_t offset) {
  uint64_t hash = hashed(heap->hash, call);
  hash = hashed(hash, bytes);
  hash = hashed(hash, alignment);
  hash = hashed(hash, given);
  heap->hash = hashed(hash, offset);
}

/* Begins a call, which is the last one from now on. */
static void begin(struct adr_symmetric_heap *heap) {
  heap->came = (struct adr_symmetric_pages){0};
  heap->went = (struct adr_symmetric_pages){0};
  heap->undo.offset = ADR_SYMMETRIC_NONE;
}

/* Says what would take back the call that follows. */
static void prepare_undo(struct adr_symmetric_heap *heap, uint64_t offset, uint64_t asked) {
  heap->undo = (struct adr_symmetric_undo){.offset = (int64_t)offset, .asked = asked, .hash = heap->hash};
}

static bool is_power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

int adr_symmetric_heap_open(struct adr_symmetric_heap *heap, uint64_t bytes, uint64_t page_bytes) {
  *heap = (struct adr_symmetric_heap){.bytes = bytes & -(uint64_t)ADR_SYMMETRIC_GRAIN, .page_bytes = page_bytes};
  bool is_page = is_power_of_two(page_bytes) && page_bytes >= ADR_SYMMETRIC_GRAIN;
  if (heap->bytes == 0 || bytes > ADR_SYMMETRIC_MAX_BYTES || !is_page || page_bytes > ADR_SYMMETRIC_MAX_BYTES) {
    return ADR_INVALID;
  }
  begin(heap);
  heap->hash = hashed(FNV_OFFSET, bytes);
  return adr_block_tree_open(&heap->tree, heap->bytes);
}

void adr_symmetric_heap_close(struct adr_symmetric_heap *heap) {
  adr_block_tree_close(&heap->tree);
  *heap = (struct adr_symmetric_heap){0};
}

/* Where the objects before a block end; 0: there are none. */
static uint64_t end_before(const struct adr_symmetric_heap *heap, uint32_t block) {
  const struct adr_block_tree *tree = &heap->tree;
  uint32_t at = adr_block_tree_previous(tree, block);
  if (adr_block_tree_is_free(tree, at)) { at = adr_block_tree_previous(tree, at); }
  return at == NONE ? 0 : adr_block_tree_end(tree, at);
}

/* Where the first object behind a block starts. */
static uint64_t start_behind(const struct adr_symmetric_heap *heap, uint32_t block) {
  const struct adr_block_tree *tree = &heap->tree;
  uint32_t at = adr_block_tree_next(tree, block);
  if (adr_block_tree_is_free(tree, at)) { at = adr_block_tree_next(tree, at); }
  return at == NONE ? INT64_MAX : tree->blocks[at].start;
}

/* The pages of a place that have nothing else on them: what lies before it ends at `before`, what lies behind it starts
 * at `behind`. */
static struct adr_symmetric_pages pages(const struct adr_symmetric_heap *heap, uint64_t start, uint64_t end,
                                        uint64_t before, uint64_t behind) {
  uint64_t first = start & -heap->page_bytes;
  uint64_t last = adr_align_up(end, heap->page_bytes);
  if (before > first) { first += heap->page_bytes; }
  if (behind < last) { last -= heap->page_bytes; }
  return first < last ? (struct adr_symmetric_pages){.offset = first, .bytes = last - first}
                      : (struct adr_symmetric_pages){0};
}

/* The pages of a block that have no other object on them. */
static struct adr_symmetric_pages pages_of(const struct adr_symmetric_heap *heap, uint32_t block) {
  return pages(heap, heap->tree.blocks[block].start, adr_block_tree_end(&heap->tree, block), end_before(heap, block),
               start_behind(heap, block));
}

/* The first free block that has room for `whole` bytes at a multiple of an alignment. A block of so many bytes may not
 * have it at such a multiple when that is larger than a grain, so blocks are looked at one by one. Behind the first
 * few, a block is taken that is large enough wherever the multiple lies in it. Only when there is no such block are all
 * the others looked at. */
static uint32_t find(const struct adr_symmetric_heap *heap, uint64_t whole, uint64_t alignment) {
  const struct adr_block_tree *tree = &heap->tree;
  uint64_t from = 0;
  for (int looks = 1;; looks++) {
    uint32_t block = adr_block_tree_first_free(tree, from, whole);
    if (block == NONE) { return NONE; }
    uint64_t start = adr_align_up(tree->blocks[block].start, alignment);
    from = adr_block_tree_end(tree, block);
    if (start <= from && whole <= from - start) { return block; }
    if (looks == ADR_SYMMETRIC_LOOKS) {
      uint32_t large = adr_block_tree_first_free(tree, from, whole + alignment - ADR_SYMMETRIC_GRAIN);
      if (large != NONE) { return large; }
    }
  }
}

/* Takes a place for an object. Returns its block, or ADR_SYMMETRIC_NO_ROOM or -ENOMEM. */
static int64_t take(struct adr_symmetric_heap *heap, uint64_t bytes, uint64_t alignment) {
  struct adr_block_tree *tree = &heap->tree;
  if (bytes > heap->bytes || alignment > ADR_SYMMETRIC_MAX_BYTES) { return ADR_SYMMETRIC_NO_ROOM; }
  uint64_t whole = adr_align_up(bytes, ADR_SYMMETRIC_GRAIN);
  uint32_t block = find(heap, whole, alignment);
  if (block == NONE) { return ADR_SYMMETRIC_NO_ROOM; }
  if (adr_block_tree_require(tree, MOST_SPLITS) < 0) { return -ENOMEM; }
  uint64_t start = adr_align_up(tree->blocks[block].start, alignment);
  if (start > tree->blocks[block].start) { block = adr_block_tree_split(tree, block, start); }
  if (start + whole < adr_block_tree_end(tree, block)) { adr_block_tree_split(tree, block, start + whole); }
  adr_block_tree_set_asked(tree, block, bytes);
  heap->allocated += whole;
  heap->came = pages_of(heap, block);
  return block;
}

/* Gives the place of an object back. */
static void give(struct adr_symmetric_heap *heap, uint32_t block) {
  struct adr_block_tree *tree = &heap->tree;
  heap->went = pages_of(heap, block);
  heap->allocated -= tree->blocks[block].bytes;
  adr_block_tree_set_asked(tree, block, 0);
  if (adr_block_tree_is_free(tree, adr_block_tree_next(tree, block))) { adr_block_tree_join_next(tree, block); }
  uint32_t previous = adr_block_tree_previous(tree, block);
  if (adr_block_tree_is_free(tree, previous)) { adr_block_tree_join_next(tree, previous); }
}

/* How many bytes an object could have where it is. */
static uint64_t room_at(const struct adr_symmetric_heap *heap, uint32_t block) {
  const struct adr_block_tree *tree = &heap->tree;
  uint32_t next = adr_block_tree_next(tree, block);
  uint64_t more = adr_block_tree_is_free(tree, next) ? tree->blocks[next].bytes : 0;
  return tree->blocks[block].bytes + more;
}

/* Makes an object larger or smaller where it is, for which there is room, and one split is made sure of. */
static void resize(struct adr_symmetric_heap *heap, uint32_t block, uint64_t bytes) {
  struct adr_block_tree *tree = &heap->tree;
  uint64_t whole = adr_align_up(bytes, ADR_SYMMETRIC_GRAIN);
  uint64_t old_end = adr_block_tree_end(tree, block);
  uint64_t end = tree->blocks[block].start + whole;
  uint64_t behind = start_behind(heap, block);
  heap->allocated += end - old_end;
  if (end > old_end) {
    heap->came = pages(heap, old_end, end, old_end, behind);
  } else {
    heap->went = pages(heap, end, old_end, end, behind);
  }
  if (adr_block_tree_is_free(tree, adr_block_tree_next(tree, block))) { adr_block_tree_join_next(tree, block); }
  if (end < adr_block_tree_end(tree, block)) { adr_block_tree_split(tree, block, end); }
  adr_block_tree_set_asked(tree, block, bytes);
}

/* The block of an object. */
static uint32_t object_at(const struct adr_symmetric_heap *heap, int64_t offset) {
  uint32_t block = offset < 0 ? NONE : adr_block_tree_at(&heap->tree, (uint64_t)offset);
  return adr_block_tree_is_free(&heap->tree, block) ? NONE : block;
}

int64_t adr_symmetric_heap_malloc(struct adr_symmetric_heap *heap, uint64_t bytes) {
  return adr_symmetric_heap_align(heap, ADR_SYMMETRIC_GRAIN, bytes);
}

int64_t adr_symmetric_heap_align(struct adr_symmetric_heap *heap, uint64_t alignment, uint64_t bytes) {
  begin(heap);
  if (!is_power_of_two(alignment)) { return ADR_INVALID; }
  if (bytes == 0) { return ADR_SYMMETRIC_NONE; }
  int64_t block = take(heap, bytes, alignment < ADR_SYMMETRIC_GRAIN ? ADR_SYMMETRIC_GRAIN : alignment);
  if (block < 0) { return block; }
  uint64_t offset = heap->tree.blocks[block].start;
  prepare_undo(heap, offset, 0);
  note(heap, ALLOCATION, bytes, alignment, 0, offset);
  return (int64_t)offset;
}

/* Resizes an object where it is. Returns 0, ADR_SYMMETRIC_NO_ROOM or -ENOMEM. */
static int try_resize(struct adr_symmetric_heap *heap, uint32_t block, uint64_t bytes) {
  if (bytes > room_at(heap, block)) { return ADR_SYMMETRIC_NO_ROOM; }
  if (adr_block_tree_require(&heap->tree, 1) < 0) { return -ENOMEM; }
  prepare_undo(heap, heap->tree.blocks[block].start, heap->tree.blocks[block].asked);
  resize(heap, block, bytes);
  return 0;
}

int64_t adr_symmetric_heap_realloc(struct adr_symmetric_heap *heap, int64_t offset, uint64_t bytes) {
  if (offset == ADR_SYMMETRIC_NONE) { return adr_symmetric_heap_malloc(heap, bytes); }
  if (bytes == 0) {
    int status = adr_symmetric_heap_free(heap, offset);
    return status < 0 ? status : ADR_SYMMETRIC_NONE;
  }
  begin(heap);
  uint32_t block = object_at(heap, offset);
  if (block == NONE) { return ADR_INVALID; }
  int64_t result = offset;
  int status = try_resize(heap, block, bytes);
  if (status == ADR_SYMMETRIC_NO_ROOM) {
    int64_t moved = take(heap, bytes, ADR_SYMMETRIC_GRAIN);
    if (moved < 0) { return moved; }
    result = (int64_t)heap->tree.blocks[moved].start;
    prepare_undo(heap, (uint64_t)result, 0);
  } else if (status < 0) {
    return status;
  }
  note(heap, REALLOCATION, bytes, ADR_SYMMETRIC_GRAIN, (uint64_t)offset, (uint64_t)result);
  return result;
}

int adr_symmetric_heap_free(struct adr_symmetric_heap *heap, int64_t offset) {
  begin(heap);
  if (offset == ADR_SYMMETRIC_NONE) { return 0; }
  uint32_t block = object_at(heap, offset);
  if (block == NONE) { return ADR_INVALID; }
  give(heap, block);
  note(heap, FREE, 0, 0, (uint64_t)offset, 0);
  return 0;
}

int adr_symmetric_heap_undo(struct adr_symmetric_heap *heap) {
  struct adr_symmetric_undo undo = heap->undo;
  begin(heap);
  if (undo.offset == ADR_SYMMETRIC_NONE) { return ADR_INVALID; }
  uint32_t block = object_at(heap, undo.offset);
  if (undo.asked == 0) {
    give(heap, block);
  } else {
    resize(heap, block, undo.asked);
  }
  heap->hash = undo.hash;
  return 0;
}

uint64_t adr_symmetric_heap_bytes_of(const struct adr_symmetric_heap *heap, int64_t offset) {
  return heap->tree.blocks[object_at(heap, offset)].asked;
}

/*
 * The ranks of an MPI that sends what is not contiguous: the cases of io.adrastea.bench.datatypes, with the loop, the
 * buffers and the touching of its CaseExchange. Compiled at run time by the mpicc of the MPI under test.
 *
 *   adr_mpi_datatypes FILE CPU0 CPU1    FILE describes the cases (adr_shapes.h)
 *   GROUP-WAY NUMBER BATCHES EXCHANGES  ->   ns T1 T2 ... T<BATCHES>, of a message to rank 1 and one back
 *   WAY: contiguous, the same bytes in one piece; type, by a derived datatype; hand, packed by a loop written for the
 *        shape; packed, by MPI_Pack and MPI_Unpack; piecewise, a message for each block
 */
#include "adr_mpi_rank.h"
#include "adr_shapes.h"
#include "adr_touch.h"

#include <stdint.h>

enum { TAG = 2, WORD = sizeof(int32_t) };

/* One end of a message: words of 4 bytes, in the order of the packed message. */
struct words {
  int32_t *at;      /* where each lies, in words */
  int32_t *touched; /* of those that are touched */
};

/* What is made of a case once. */
struct made {
  MPI_Datatype send, receive;
  struct words sent, received;
  int64_t touches; /* words of a message that are touched */
};

typedef void move_fn(const struct shape *shape, const struct made *made, int turn);

struct way {
  const char *name;
  move_fn *send, *receive;
};

static struct shape *shapes;
static struct made *mades;
static int64_t shape_count;
static int ranks, peer;
static char *memory, *outgoing, *incoming; /* messages take turns in these */
static size_t memory_stride, packed_stride;
static int turns;
static int32_t written, read_; /* numbers of the last message written, and read */
static int wrong;

/* What the words of a datatype describe. */
static MPI_Datatype parse_type(const char **text);

static int number(const char **text) { return (int)shape_number(text); }

static int *some_numbers(const char **text, int count) {
  int *numbers = shape_room(count, sizeof *numbers);
  for (int i = 0; i < count; i++) numbers[i] = number(text);
  return numbers;
}

static MPI_Datatype parse_struct(const char **text) {
  MPI_Datatype type;
  int count = number(text);
  int *lengths = shape_room(count, sizeof *lengths);
  MPI_Aint *places = shape_room(count, sizeof *places);
  MPI_Datatype *parts = shape_room(count, sizeof *parts);
  for (int i = 0; i < count; i++) {
    lengths[i] = 1;
    places[i] = (MPI_Aint)shape_number(text);
    parts[i] = parse_type(text);
  }
  MPI_Type_create_struct(count, lengths, places, parts, &type);
  return type;
}

static MPI_Datatype parse_indexed_block(const char **text) {
  MPI_Datatype type;
  int count = number(text);
  int length = number(text);
  int *places = some_numbers(text, count);
  MPI_Type_create_indexed_block(count, length, places, parse_type(text), &type);
  free(places);
  return type;
}

static MPI_Datatype parse_subarray(const char **text) {
  MPI_Datatype type;
  int dimensions = number(text);
  int *sizes = some_numbers(text, dimensions);
  int *parts = some_numbers(text, dimensions);
  int *starts = some_numbers(text, dimensions);
  MPI_Type_create_subarray(dimensions, sizes, parts, starts, MPI_ORDER_FORTRAN, parse_type(text), &type);
  return type;
}

static MPI_Datatype parse_vector(const char **text, int bytes) {
  MPI_Datatype type;
  int count = number(text);
  int length = number(text);
  MPI_Aint stride = (MPI_Aint)shape_number(text);
  MPI_Datatype part = parse_type(text);
  if (bytes) {
    MPI_Type_create_hvector(count, length, stride, part, &type);
  } else {
    MPI_Type_vector(count, length, (int)stride, part, &type);
  }
  return type;
}

static MPI_Datatype parse_type(const char **text) {
  char word[SHAPE_NAME];
  MPI_Datatype type = MPI_DATATYPE_NULL;
  shape_word(text, word);
  if (strcmp(word, "float") == 0) return MPI_FLOAT;
  if (strcmp(word, "double") == 0) return MPI_DOUBLE;
  if (strcmp(word, "struct") == 0) return parse_struct(text);
  if (strcmp(word, "indexedBlock") == 0) return parse_indexed_block(text);
  if (strcmp(word, "subarray") == 0) return parse_subarray(text);
  if (strcmp(word, "vector") == 0) return parse_vector(text, 0);
  if (strcmp(word, "hvector") == 0) return parse_vector(text, 1);
  if (strcmp(word, "contiguous") == 0) {
    int count = number(text);
    MPI_Type_contiguous(count, parse_type(text), &type);
  } else if (strcmp(word, "resized") == 0) {
    MPI_Aint lower = (MPI_Aint)shape_number(text);
    MPI_Aint extent = (MPI_Aint)shape_number(text);
    MPI_Type_create_resized(parse_type(text), lower, extent, &type);
  } else {
    shape_fail("there is no such datatype");
  }
  return type;
}

static MPI_Datatype type_of(const struct shape_layout *layout) {
  const char *text = layout->type;
  MPI_Datatype type = parse_type(&text);
  MPI_Type_commit(&type);
  return type;
}

/* Packs memory whose words are their places. */
static int32_t *places(const struct shape *shape, const struct shape_layout *layout, MPI_Datatype type) {
  int32_t *at = shape_room(shape->bytes, 1);
  int position = 0;
  MPI_Pack(memory + layout->origin, 1, type, at, (int)shape->bytes, &position, MPI_COMM_SELF);
  return at;
}

/* Chooses those words of a message that are the first in their line at either end:
 * io.adrastea.bench.datatypes.Words. */
static void choose_touched(struct made *made, const struct shape *shape) {
  int64_t words = shape->bytes / WORD;
  char *seen[2];
  for (int end = 0; end < 2; end++) seen[end] = shape_room(shape->memory_bytes / SHAPE_LINE + 1, 1);
  made->sent.touched = shape_room(words, sizeof(int32_t));
  made->received.touched = shape_room(words, sizeof(int32_t));
  for (int64_t i = 0; i < words; i++) {
    char *from = &seen[0][made->sent.at[i] / (SHAPE_LINE / WORD)];
    char *to = &seen[1][made->received.at[i] / (SHAPE_LINE / WORD)];
    if (*from && *to) continue;
    *from = *to = 1;
    made->sent.touched[made->touches] = made->sent.at[i];
    made->received.touched[made->touches++] = made->received.at[i];
  }
  for (int end = 0; end < 2; end++) free(seen[end]);
}

static void make(const struct shape *shape, struct made *made) {
  made->send = type_of(&shape->send);
  made->receive = type_of(&shape->receive);
  for (int64_t word = 0; word < shape->memory_bytes / WORD; word++) ((int32_t *)memory)[word] = (int32_t)word;
  made->sent.at = places(shape, &shape->send, made->send);
  made->received.at = places(shape, &shape->receive, made->receive);
  choose_touched(made, shape);
}

static char *turn_of(int turn) { return memory + (size_t)turn * memory_stride; }

static void touch_words_write(char *message, const int32_t *touched, int64_t count) {
  int32_t number = ++written;
  int32_t *words = (int32_t *)message;
  for (int64_t i = 0; i < count; i++) words[touched[i]] = number + (int32_t)i;
  touch_in_memory(message);
}

static void touch_words_read(const char *message, const int32_t *touched, int64_t count) {
  uint32_t sum = 0, number = (uint32_t)++read_;
  const int32_t *words = (const int32_t *)message;
  touch_in_memory(message);
  for (int64_t i = 0; i < count; i++) sum += (uint32_t)words[touched[i]];
  wrong |= sum != (uint32_t)count * number + (uint32_t)(count * (count - 1) / 2);
}

/* A message in one piece is touched a word of each line. */
static void touch_lines_write(char *message, int64_t bytes) {
  int32_t number = ++written;
  int32_t *words = (int32_t *)message;
  for (int64_t i = 0; i < bytes / SHAPE_LINE; i++) words[i * (SHAPE_LINE / WORD)] = number + (int32_t)i;
  touch_in_memory(message);
}

static void touch_lines_read(const char *message, int64_t bytes) {
  uint32_t sum = 0, number = (uint32_t)++read_, count = (uint32_t)(bytes / SHAPE_LINE);
  const int32_t *words = (const int32_t *)message;
  touch_in_memory(message);
  for (int64_t i = 0; i < count; i++) sum += (uint32_t)words[i * (SHAPE_LINE / WORD)];
  wrong |= sum != count * number + (uint32_t)((uint64_t)count * (count - 1) / 2);
}

static void send_contiguous(const struct shape *shape, const struct made *made, int turn) {
  (void)made;
  char *message = outgoing + (size_t)turn * packed_stride;
  touch_lines_write(message, shape->bytes);
  MPI_Send(message, (int)shape->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
}

static void receive_contiguous(const struct shape *shape, const struct made *made, int turn) {
  (void)made;
  char *message = incoming + (size_t)turn * packed_stride;
  MPI_Recv(message, (int)shape->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  touch_lines_read(message, shape->bytes);
}

static void send_type(const struct shape *shape, const struct made *made, int turn) {
  MPI_Send(turn_of(turn) + shape->send.origin, 1, made->send, peer, TAG, MPI_COMM_WORLD);
}

static void receive_type(const struct shape *shape, const struct made *made, int turn) {
  MPI_Recv(turn_of(turn) + shape->receive.origin, 1, made->receive, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_hand(const struct shape *shape, const struct made *made, int turn) {
  (void)made;
  shape_pack(&shape->send.loop, turn_of(turn), outgoing);
  MPI_Send(outgoing, (int)shape->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
}

static void receive_hand(const struct shape *shape, const struct made *made, int turn) {
  (void)made;
  MPI_Recv(incoming, (int)shape->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  shape_unpack(&shape->receive.loop, incoming, turn_of(turn));
}

static void send_packed(const struct shape *shape, const struct made *made, int turn) {
  int position = 0;
  MPI_Pack(turn_of(turn) + shape->send.origin, 1, made->send, outgoing, (int)shape->bytes, &position, MPI_COMM_WORLD);
  MPI_Send(outgoing, position, MPI_PACKED, peer, TAG, MPI_COMM_WORLD);
}

static void receive_packed(const struct shape *shape, const struct made *made, int turn) {
  int position = 0;
  MPI_Recv(incoming, (int)shape->bytes, MPI_PACKED, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Unpack(incoming, (int)shape->bytes, &position, turn_of(turn) + shape->receive.origin, 1, made->receive,
             MPI_COMM_WORLD);
}

static void send_piecewise(const struct shape *shape, const struct made *made, int turn) {
  (void)made;
  const struct shape_box *box = &shape->send.loop.boxes[0];
  char *block = turn_of(turn) + box->at;
  for (int64_t i = 0; i < box->rows; i++, block += box->row_stride)
    MPI_Send(block, (int)box->row_bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
}

static void receive_piecewise(const struct shape *shape, const struct made *made, int turn) {
  (void)made;
  const struct shape_box *box = &shape->receive.loop.boxes[0];
  char *block = turn_of(turn) + box->at;
  for (int64_t i = 0; i < box->rows; i++, block += box->row_stride)
    MPI_Recv(block, (int)box->row_bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static const struct way ways[] = {
    {"contiguous", send_contiguous, receive_contiguous},
    {"type", send_type, receive_type},
    {"hand", send_hand, receive_hand},
    {"packed", send_packed, receive_packed},
    {"piecewise", send_piecewise, receive_piecewise},
};

static const struct way *way_of(const char *verb) {
  const char *name = strrchr(verb, '-');
  for (size_t i = 0; name != NULL && i < sizeof ways / sizeof *ways; i++)
    if (strcmp(name + 1, ways[i].name) == 0) return &ways[i];
  return NULL;
}

static void send_one(const struct shape *shape, const struct made *made, const struct way *way, int turn) {
  if (way->send != send_contiguous) touch_words_write(turn_of(turn), made->sent.touched, made->touches);
  way->send(shape, made, turn);
}

static void receive_one(const struct shape *shape, const struct made *made, const struct way *way, int turn) {
  way->receive(shape, made, turn);
  if (way->receive != receive_contiguous) touch_words_read(turn_of(turn), made->received.touched, made->touches);
}

static void exchange(const struct shape *shape, const struct made *made, const struct way *way, int rank, int count) {
  static int turn;
  for (int i = 0; i < count; i++) {
    turn = turn + 1 >= turns ? 0 : turn + 1;
    if (rank == 0) send_one(shape, made, way, turn);
    receive_one(shape, made, way, turn);
    if (rank == 1) send_one(shape, made, way, turn);
  }
}

/* Every word of a message, once each way, untimed. */
static void verify_send(const struct shape *shape, const struct made *made, const struct way *way, uint32_t seed) {
  uint32_t *words = (uint32_t *)turn_of(0);
  for (int64_t i = 0; i < shape->bytes / WORD; i++) words[made->sent.at[i]] = seed + (uint32_t)i * 2654435761u;
  way->send(shape, made, 0);
}

static void verify_receive(const struct shape *shape, const struct made *made, const struct way *way, uint32_t seed) {
  const uint32_t *words = (const uint32_t *)turn_of(0);
  way->receive(shape, made, 0);
  for (int64_t i = 0; i < shape->bytes / WORD; i++)
    wrong |= words[made->received.at[i]] != seed + (uint32_t)i * 2654435761u;
}

static void verify(const struct shape *shape, const struct made *made, const struct way *way, int rank) {
  static uint32_t seed;
  seed += 2;
  if (way->send == send_contiguous) return; /* its lines were checked */
  if (rank == 0) verify_send(shape, made, way, seed);
  verify_receive(shape, made, way, rank == 0 ? seed + 1 : seed);
  if (rank == 1) verify_send(shape, made, way, seed + 1);
}

static void check(const struct shape *shape, const char *verb) {
  if (!wrong) return;
  fprintf(stderr, "%s %s: what arrived is not what was sent\n", shape->name, verb);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void run(int rank, const struct order *order, const struct way *way, struct shape *shape) {
  static long long cost = -1;
  static size_t memory_held, out_held, in_held;
  struct made *made = &mades[shape - shapes];
  if (cost < 0) cost = clock_cost();
  memory_stride = touch_stride((uint64_t)shape->memory_bytes);
  packed_stride = touch_stride((uint64_t)shape->bytes);
  turns = (int)touch_buffers((uint64_t)shape->memory_bytes);
  grow(&memory, &memory_held, memory_stride * (size_t)turns);
  grow(&outgoing, &out_held, packed_stride * (size_t)turns);
  grow(&incoming, &in_held, packed_stride * (size_t)turns);
  if (made->sent.at == NULL) make(shape, made);
  written = read_ = 0;
  long long *times = calloc((size_t)order->batches, sizeof *times);
  if (times == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int batch = 0; batch < order->batches; batch++) {
    long long begin = now_ns();
    exchange(shape, made, way, rank, order->exchanges);
    times[batch] = now_ns() - begin - cost;
    check(shape, order->verb);
  }
  verify(shape, made, way, rank);
  check(shape, order->verb);
  if (rank == 0) tell(times, order->batches);
  free(times);
}

int main(int argc, char **argv) {
  int rank;
  struct order order;
  begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2 || argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  shapes = shape_read_all(argv[1], &shape_count);
  mades = shape_room(shape_count, sizeof *mades);
  pin(atoi(argv[2 + rank]));
  peer = 1 - rank;
  while (next(rank, ranks, &order)) {
    const struct way *way = way_of(order.verb);
    struct shape *shape = shape_find(shapes, shape_count, order.verb, order.bytes);
    if (way == NULL || shape == NULL || order.batches < 1 || order.exchanges < 1) {
      if (rank == 0) printf("error unknown command '%s'\n", order.verb), fflush(stdout);
      continue;
    }
    run(rank, &order, way, shape);
  }
  MPI_Finalize();
  return 0;
}

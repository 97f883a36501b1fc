package io.adrastea.datatype;

import static io.adrastea.datatype.Program.BLOCKS;
import static io.adrastea.datatype.Program.EXTENT;
import static io.adrastea.datatype.Program.GATHER;
import static io.adrastea.datatype.Program.HEAD_WORDS;
import static io.adrastea.datatype.Program.INDEXED;
import static io.adrastea.datatype.Program.KIND;
import static io.adrastea.datatype.Program.LEVELS;
import static io.adrastea.datatype.Program.LOOP;
import static io.adrastea.datatype.Program.MAGIC;
import static io.adrastea.datatype.Program.MOST_LEVELS;
import static io.adrastea.datatype.Program.NODES;
import static io.adrastea.datatype.Program.NODE_COUNT;
import static io.adrastea.datatype.Program.NODE_EXTRA;
import static io.adrastea.datatype.Program.NODE_FIRST;
import static io.adrastea.datatype.Program.NODE_PACKED;
import static io.adrastea.datatype.Program.NODE_POSITION;
import static io.adrastea.datatype.Program.NODE_SIZE;
import static io.adrastea.datatype.Program.NODE_STRIDE;
import static io.adrastea.datatype.Program.NODE_WORDS;
import static io.adrastea.datatype.Program.RUNS;
import static io.adrastea.datatype.Program.SIZE;
import static io.adrastea.datatype.Program.TRUE_LOWER;
import static io.adrastea.datatype.Program.TRUE_UPPER;
import static io.adrastea.datatype.Program.WORDS;
import static io.adrastea.datatype.Program.WOVEN;
import static io.adrastea.datatype.Program.WOVEN_BYTES;
import static io.adrastea.datatype.Program.word;

/**
 * Whether words that somebody has sent are a program: then the loops of {@link Packing} end, stay inside its words, and
 * touch nothing outside its true bounds. Twin of {@code datatype/adr_program_check.c}. To be asked of a copy of the
 * words that nobody else can write.
 */
final class ProgramCheck {
  private final long[] words;
  private final int nodes;
  private String wrong;
  private long child = 1; // the next one that no parent was seen of
  private long table; // the next word that no node was seen of
  private final long[] low; // of each node, from its parent's place on
  private final long[] high;
  private final int[] level;

  private ProgramCheck(long[] words, int nodes) {
    this.words = words;
    this.nodes = nodes;
    this.table = HEAD_WORDS + (long) nodes * NODE_WORDS;
    this.low = new long[nodes];
    this.high = new long[nodes];
    this.level = new int[nodes];
  }

  private boolean require(boolean right, int node, String what) {
    if (!right && wrong == null) {
      wrong = "node %d has %s".formatted(node, what);
    }
    return right;
  }

  private void takeChildren(int node, int at, long children) {
    boolean there = children >= (node == 0 ? 0 : 1) && children <= nodes - child;
    if (!require(there && words[at + NODE_FIRST] == child, node, "children that are another's, or not there")) {
      return;
    }
    for (long i = 0; i < children; i++) {
      level[(int) child++] = level[node] + 1;
    }
  }

  private void takeTable(int node, int at, long kind, long count) {
    long entries = kind == GATHER ? count : count < words.length ? 2 * count + 2 : Long.MAX_VALUE;
    if (require(words[at + NODE_EXTRA] == table && entries <= words.length - table, node,
        "a table that is another's, or not there")) {
      table += entries;
    }
  }

  /** Kind, children and table. */
  private void checkNode(int node) {
    int at = word(node);
    long kind = words[at + KIND];
    long count = words[at + NODE_COUNT];
    boolean loop = kind == LOOP || kind == WOVEN;
    boolean least = node == 0
        ? loop && count == 1 && words[at + NODE_POSITION] == 0 && words[at + NODE_PACKED] == 0
            && words[at + NODE_FIRST] == 1 && (words[at + NODE_SIZE] > 0 || nodes == 1 && words[at + NODE_SIZE] == 0)
        : count >= 1 && words[at + NODE_SIZE] >= 1;
    if (!require(kind >= BLOCKS && kind <= INDEXED && least && level[node] <= MOST_LEVELS, node,
        "kind %d, count %d, size %d, level %d".formatted(kind, count, words[at + NODE_SIZE], level[node]))) {
      return;
    }
    if (loop || kind == INDEXED) {
      takeChildren(node, at, loop ? words[at + NODE_EXTRA] : 1);
    } else {
      require(words[at + NODE_FIRST] == 0, node, "a child");
    }
    if (kind == BLOCKS) {
      require(words[at + NODE_EXTRA] == 0, node, "a table");
    } else if (!loop) {
      takeTable(node, at, kind, count);
    }
  }

  /** Copies of what lies from {@code from} to {@code to}. */
  private void repeat(int node, long from, long to, long count, long stride) {
    long last = Exact.multiply(count - 1, stride);
    low[node] = Exact.add(from, Math.min(last, 0));
    high[node] = Exact.add(to, Math.max(last, 0));
  }

  private void widen(int node, boolean first, long from, long to) {
    low[node] = first ? from : Math.min(low[node], from);
    high[node] = first ? to : Math.max(high[node], to);
  }

  private void measureGather(int node, int at, long count, long size) {
    int from = (int) words[at + NODE_EXTRA];
    for (int i = 0; i < count; i++) {
      widen(node, i == 0, words[from + i], Exact.add(words[from + i], size));
    }
  }

  /** What stands before each entry ascends from 0, and nothing is behind the last. */
  private boolean checkEntries(int node, int from, long count) {
    boolean ascends = words[from + 1] == 0 && words[from + 2 * (int) count] == 0;
    for (int i = 0; i < count; i++) {
      ascends &= words[from + 2 * i + 3] > words[from + 2 * i + 1];
    }
    return require(ascends, node, "a table that does not ascend from 0");
  }

  private void measureRuns(int node, int at, long count, long size) {
    int from = (int) words[at + NODE_EXTRA];
    if (!checkEntries(node, from, count) || !require(words[from + 2 * (int) count + 1] == size, node, "another size")) {
      return;
    }
    for (int i = 0; i < count; i++) {
      long displacement = words[from + 2 * i];
      widen(node, i == 0, displacement, Exact.add(displacement, words[from + 2 * i + 3] - words[from + 2 * i + 1]));
    }
  }

  /** The packed bytes of all of a node. */
  private long bytesOf(int node) {
    int at = word(node);
    long count = words[at + NODE_COUNT];
    return switch ((int) words[at + KIND]) {
      case RUNS -> words[at + NODE_SIZE];
      case INDEXED -> Exact.multiply(words[(int) words[at + NODE_EXTRA] + 2 * (int) count + 1], words[at + NODE_SIZE]);
      default -> Exact.multiply(count, words[at + NODE_SIZE]);
    };
  }

  private void measureIndexed(int node, int at, long count, long size) {
    int from = (int) words[at + NODE_EXTRA];
    int body = (int) words[at + NODE_FIRST];
    if (!checkEntries(node, from, count)
        || !require(bytesOf(body) == size && words[word(body) + NODE_PACKED] == 0, node,
            "a child of another size")) {
      return;
    }
    long bodyLow = low[body];
    long bodyHigh = high[body];
    long low = 0;
    long high = 0;
    for (int i = 0; i < count; i++) {
      repeat(node, bodyLow, bodyHigh, words[from + 2 * i + 3] - words[from + 2 * i + 1], words[at + NODE_STRIDE]);
      long here = Exact.add(this.low[node], words[from + 2 * i]);
      long there = Exact.add(this.high[node], words[from + 2 * i]);
      low = i == 0 ? here : Math.min(low, here);
      high = i == 0 ? there : Math.max(high, there);
    }
    this.low[node] = low;
    this.high[node] = high;
  }

  private void measureLoop(int node, int at, long count, long size) {
    int first = (int) words[at + NODE_FIRST];
    int children = (int) words[at + NODE_EXTRA];
    long packed = 0;
    boolean blocks = true;
    for (int i = first; i < first + children; i++) {
      require(words[word(i) + NODE_PACKED] == packed, i, "another place in its parent's body");
      packed = Exact.add(packed, bytesOf(i));
      blocks &= words[word(i) + KIND] == BLOCKS;
      widen(node, i == first, low[i], high[i]);
    }
    require(packed == size, node, "another size than its body");
    require(words[at + KIND] == LOOP || blocks && children > 1 && size <= WOVEN_BYTES, node,
        "a body that is not to be moved child by child");
    if (children > 0) {
      repeat(node, low[node], high[node], count, words[at + NODE_STRIDE]);
    }
  }

  /** Bytes and bounds; those of its children are known. */
  private void measure(int node) {
    int at = word(node);
    long size = words[at + NODE_SIZE];
    long count = words[at + NODE_COUNT];
    switch ((int) words[at + KIND]) {
      case BLOCKS -> repeat(node, 0, size, count, words[at + NODE_STRIDE]);
      case GATHER -> measureGather(node, at, count, size);
      case RUNS -> measureRuns(node, at, count, size);
      case INDEXED -> measureIndexed(node, at, count, size);
      default -> measureLoop(node, at, count, size);
    }
    low[node] = Exact.add(low[node], words[at + NODE_POSITION]);
    high[node] = Exact.add(high[node], words[at + NODE_POSITION]);
  }

  /** The head tells of the levels, and of the root, what they are. */
  private String checkRoot() {
    long deepest = 0;
    for (int one : level) {
      deepest = Math.max(deepest, one);
    }
    int root = word(0);
    boolean empty = words[root + NODE_EXTRA] == 0;
    if (deepest != words[LEVELS] || words[SIZE] != words[root + NODE_SIZE]
        || words[EXTENT] != words[root + NODE_STRIDE] || words[TRUE_LOWER] != (empty ? 0 : low[0])
        || words[TRUE_UPPER] != (empty ? 0 : high[0])) {
      return "its head is that of another one";
    }
    return null;
  }

  private String checkNodes() {
    level[0] = 1;
    for (int node = 0; node < nodes && wrong == null; node++) {
      checkNode(node);
    }
    if (wrong == null && (child != nodes || table != words.length)) {
      wrong = "its nodes have %d children and tables up to word %d".formatted(child - 1, table);
    }
    try {
      for (int node = nodes - 1; node >= 0 && wrong == null; node--) {
        measure(node);
      }
    } catch (ArithmeticException e) {
      wrong = e.getMessage();
    }
    return wrong == null ? checkRoot() : wrong;
  }

  /** What is wrong with the words; null: nothing. */
  static String check(long[] words) {
    if (words.length < HEAD_WORDS + NODE_WORDS) {
      return "they are fewer than %d".formatted(HEAD_WORDS + NODE_WORDS);
    }
    if (words[0] != MAGIC) {
      return "the first is 0x%x, not 0x%x".formatted(words[0], MAGIC);
    }
    if (words[WORDS] != words.length) {
      return "they say that they are %d".formatted(words[WORDS]);
    }
    long nodes = words[NODES];
    if (nodes < 1 || nodes > (words.length - HEAD_WORDS) / NODE_WORDS) {
      return "%d nodes do not lie in them".formatted(nodes);
    }
    if (words[LEVELS] < 1 || words[LEVELS] > MOST_LEVELS) {
      return "they have %d levels; there may be 1 to %d".formatted(words[LEVELS], MOST_LEVELS);
    }
    return new ProgramCheck(words, (int) nodes).checkNodes();
  }
}

package io.adrastea.datatype;

import io.adrastea.datatype.Flat.Blocks;
import io.adrastea.datatype.Flat.Gather;
import io.adrastea.datatype.Flat.Indexed;
import io.adrastea.datatype.Flat.Loop;
import io.adrastea.datatype.Flat.Node;
import io.adrastea.datatype.Flat.Runs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The program of a datatype: a {@link Flat} layout as 64-bit words, the same in C ({@code datatype/adr_program.h}) and
 * Java, which may go to another process. Its head is followed by nodes of {@link #NODE_WORDS} words and by their
 * tables.
 *
 * <pre>
 * head   0 magic   1 words   2 size   3 extent   4 true lower bound   5 true upper bound   6 levels   7 nodes
 * node   0 kind    1 packed  2 position   3 count   4 stride   5 size   6 first   7 extra
 * </pre>
 *
 * <p>
 * Node 0 is a loop whose count is the number of elements of the datatype; its stride is the extent. {@code packed}
 * counts the packed bytes in front of a node in its parent's body, {@code position} is where it lies from there.
 * {@code size} counts the packed bytes of one block, or of one copy of a body. {@code first} is the first child, and
 * {@code extra} the word at which a table begins, or the number of children. Children and tables stand one behind the
 * other in the order of their nodes, so a program has just one form, and {@link #validate} can tell.
 *
 * <pre>
 * BLOCKS   count blocks of size bytes, stride apart
 * GATHER   count blocks of size bytes at the displacements in the table
 * RUNS     count blocks; the table has pairs (displacement, packed bytes before it), and one more for the end
 * LOOP     count copies of a body of extra children, stride apart
 * WOVEN    the same; all children are BLOCKS, at least two, and a copy is small: they may be moved child by child
 * INDEXED  count displacements; pairs (displacement, copies before it) and one more; copies of first, stride apart
 * </pre>
 */
public final class Program {
  static final long MAGIC = 0x0145505954524441L; // "ADRTYPE" and version 1, read as bytes
  static final int HEAD_WORDS = 8;
  static final int NODE_WORDS = 8;
  static final int WORDS = 1;
  static final int SIZE = 2;
  static final int EXTENT = 3;
  static final int TRUE_LOWER = 4;
  static final int TRUE_UPPER = 5;
  static final int LEVELS = 6;
  static final int NODES = 7;

  static final int KIND = 0;
  static final int NODE_PACKED = 1;
  static final int NODE_POSITION = 2;
  static final int NODE_COUNT = 3;
  static final int NODE_STRIDE = 4;
  static final int NODE_SIZE = 5;
  static final int NODE_FIRST = 6;
  static final int NODE_EXTRA = 7;

  static final int BLOCKS = 1;
  static final int GATHER = 2;
  static final int RUNS = 3;
  static final int LOOP = 4;
  static final int WOVEN = 5;
  static final int INDEXED = 6;

  /** The most levels of nodes: each below the first stands for two copies at least, or stands once between two such. */
  static final int MOST_LEVELS = 72;

  /** A copy of at most so many bytes is small enough to be moved child by child. */
  static final int WOVEN_BYTES = 2048;

  private final long[] words;
  private final MemorySegment segment;
  private long checksum; // 0: not computed yet
  private long meanBlock; // 0: not computed yet
  private MemorySegment lasting; // the words in native memory, for code that needs an address

  private Program(long[] words) {
    this.words = words;
    this.segment = MemorySegment.ofArray(words);
  }

  /** The program of a layout. */
  public static Program of(Flat flat, Bounds bounds) {
    return new Program(new Writer(flat, bounds).words());
  }

  /**
   * The program that somebody has sent.
   *
   * @throws IllegalArgumentException when the words are no program; the message tells what is wrong with which word
   */
  public static Program of(long[] words) {
    long[] own = words.clone();
    String wrong = ProgramCheck.check(own);
    if (wrong != null) {
      throw new IllegalArgumentException(
          "these %d words are no program of a datatype: %s".formatted(own.length, wrong));
    }
    return new Program(own);
  }

  long[] raw() {
    return words;
  }

  /** A copy of its words. */
  public long[] words() {
    return words.clone();
  }

  /** Its words, to be read by C in a call that takes arrays. */
  public MemorySegment segment() {
    return segment;
  }

  /** Its words in native memory that stays as long as this is reachable. */
  public MemorySegment lasting() {
    MemorySegment found = lasting;
    if (found == null) { // several threads may come here: each copy is as good as the other
      found = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_LONG, words);
      lasting = found;
    }
    return found;
  }

  /** Counts the bytes of one element. */
  public long size() {
    return words[SIZE];
  }

  public long extent() {
    return words[EXTENT];
  }

  public long trueLower() {
    return words[TRUE_LOWER];
  }

  public long trueUpper() {
    return words[TRUE_UPPER];
  }

  /** Tells where the lowest byte of elements lies, from the origin of the first on. */
  public long lowest(long elements) {
    return Exact.add(words[TRUE_LOWER], Math.min(0, Exact.multiply(elements - 1, words[EXTENT])));
  }

  /** Tells where the highest byte of elements ends, from the origin of the first on. */
  public long highest(long elements) {
    return Exact.add(words[TRUE_UPPER], Math.max(0, Exact.multiply(elements - 1, words[EXTENT])));
  }

  /** A checksum of its words, by which others know it again. */
  public long checksum() {
    long found = checksum;
    if (found == 0) { // several threads may come here: all find the same
      found = checksum(words);
      checksum = found;
    }
    return found;
  }

  /** The checksum of words; never 0. */
  public static long checksum(long[] words) {
    long sum = 0xcbf29ce484222325L;
    for (long word : words) {
      sum = (sum ^ word) * 0x9E3779B97F4A7C15L;
      sum ^= sum >>> 32;
    }
    return sum == 0 ? 1 : sum;
  }

  /** Counts the bytes of a block, on average: what tells how much one costs to copy. */
  public long meanBlock() {
    long found = meanBlock;
    if (found == 0) {
      found = Math.max(1, (long) (words[SIZE] / Math.max(1, blocks())));
      meanBlock = found;
    }
    return found;
  }

  /** Counts the blocks of one element. */
  private double blocks() {
    double[] blocks = new double[(int) words[NODES]];
    for (int node = blocks.length - 1; node >= 0; node--) { // children stand behind their parents
      int at = word(node);
      double body = 0;
      long children = isLeaf(words[at]) ? 0 : words[at] == INDEXED ? 1 : words[at + NODE_EXTRA];
      for (int i = 0; i < children; i++) {
        body += blocks[(int) words[at + NODE_FIRST] + i];
      }
      long table = words[at + NODE_EXTRA] + 2 * words[at + NODE_COUNT] + 1;
      double copies = words[at] == INDEXED ? words[(int) table] : words[at + NODE_COUNT];
      blocks[node] = isLeaf(words[at]) ? copies : copies * body;
    }
    return blocks[0];
  }

  private static boolean isLeaf(long kind) {
    return kind <= RUNS;
  }

  int levels() {
    return (int) words[LEVELS];
  }

  static int word(long node) {
    return HEAD_WORDS + (int) node * NODE_WORDS;
  }

  /** Writes the words, level by level. */
  private static final class Writer {
    private final List<Node> nodes = new ArrayList<>();
    private final List<Integer> level = new ArrayList<>();
    private final Bounds bounds;
    private final Flat flat;

    Writer(Flat flat, Bounds bounds) {
      this.flat = flat;
      this.bounds = bounds;
    }

    long[] words() {
      long tables = 0;
      add(new Loop(0, 1, bounds.extent(), flat), 1);
      for (int i = 0; i < nodes.size(); i++) {
        addBody(nodes.get(i), level.get(i) + 1);
        tables += tableWords(nodes.get(i));
      }
      long total = HEAD_WORDS + (long) nodes.size() * NODE_WORDS + tables;
      if (total > Integer.MAX_VALUE - 8) {
        throw new ArithmeticException("a program of %d words is longer than an array".formatted(total));
      }
      long[] words = new long[(int) total];
      writeHead(words);
      writeNodes(words);
      return words;
    }

    private void add(Node node, int ofLevel) {
      nodes.add(node);
      level.add(ofLevel);
    }

    private void addBody(Node node, int ofLevel) {
      if (node instanceof Loop it) {
        for (Node child : it.body().nodes()) {
          add(child, ofLevel);
        }
      } else if (node instanceof Indexed it) {
        Node[] body = it.body().nodes();
        add(body.length == 1 ? body[0] : new Loop(0, 1, 0, it.body()), ofLevel);
      }
    }

    private static long tableWords(Node node) {
      return switch (node) {
        case Gather it -> it.displacements().length;
        case Runs it -> 2L * it.before().length;
        case Indexed it -> 2L * it.before().length;
        case Blocks it -> 0;
        case Loop it -> 0;
      };
    }

    private void writeHead(long[] words) {
      words[0] = MAGIC;
      words[WORDS] = words.length;
      words[SIZE] = bounds.size();
      words[EXTENT] = bounds.extent();
      words[TRUE_LOWER] = bounds.trueLower();
      words[TRUE_UPPER] = bounds.trueUpper();
      words[LEVELS] = level.getLast();
      words[NODES] = nodes.size();
    }

    private void writeNodes(long[] words) {
      int child = 1;
      int table = HEAD_WORDS + nodes.size() * NODE_WORDS;
      for (int i = 0; i < nodes.size(); i++) {
        int at = word(i);
        words[at + NODE_POSITION] = nodes.get(i).position();
        switch (nodes.get(i)) {
          case Blocks it -> write(words, at, BLOCKS, it.count(), it.stride(), it.size(), 0, 0);
          case Gather it -> {
            write(words, at, GATHER, it.displacements().length, 0, it.size(), 0, table);
            System.arraycopy(it.displacements(), 0, words, table, it.displacements().length);
            table += it.displacements().length;
          }
          case Runs it -> {
            write(words, at, RUNS, it.displacements().length, 0, it.bytes(), 0, table);
            table = writePairs(words, table, it.displacements(), it.before());
          }
          case Loop it -> {
            Node[] body = it.body().nodes();
            write(words, at, kind(it), it.count(), it.stride(), it.body().bytes(), child, body.length);
            writePacked(words, child, body);
            child += body.length;
          }
          case Indexed it -> {
            write(words, at, INDEXED, it.displacements().length, it.stride(), it.body().bytes(), child++, table);
            table = writePairs(words, table, it.displacements(), it.before());
          }
        }
      }
    }

    private static void write(
        long[] words, int at, int kind, long count, long stride, long size, long first, long extra) {
      words[at + KIND] = kind;
      words[at + NODE_COUNT] = count;
      words[at + NODE_STRIDE] = stride;
      words[at + NODE_SIZE] = size;
      words[at + NODE_FIRST] = first;
      words[at + NODE_EXTRA] = extra;
    }

    private static void writePacked(long[] words, int child, Node[] body) {
      long packed = 0;
      for (int i = 0; i < body.length; i++) {
        words[word(child + i) + NODE_PACKED] = packed;
        packed += body[i].bytes();
      }
    }

    private static int writePairs(long[] words, int table, long[] displacements, long[] before) {
      int at = table;
      for (int i = 0; i < displacements.length; i++) {
        words[at++] = displacements[i];
        words[at++] = before[i];
      }
      words[at++] = 0;
      words[at++] = before[displacements.length];
      return at;
    }

    private static int kind(Loop loop) {
      Flat body = loop.body();
      boolean woven = body.nodes().length > 1 && body.bytes() <= WOVEN_BYTES;
      for (Node child : body.nodes()) {
        woven &= child instanceof Blocks;
      }
      return woven ? WOVEN : LOOP;
    }
  }
}

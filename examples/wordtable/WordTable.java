import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.rma.Window;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Counts the words of text files in one hash table whose places lie in the memory of all ranks of a job. No rank serves
 * the table: each claims a place by {@code compareAndSwap} and counts there by {@code fetchAndOp}, in windows that all
 * have locked and share. Rank 0 prints the ten most frequent words, and compares the whole table with what it counts
 * alone.
 *
 * <pre>
 * bin/adrastea run -n 4 -- java examples/wordtable/WordTable.java [FILE | DIRECTORY]...
 * </pre>
 *
 * <p>
 * Each rank reads its own part of each file. The files are those below {@code docs} unless some are named. Any number
 * of ranks gives the same output. The exit code is 1 when the table is not what one rank counts, and 2 when a file
 * cannot be read.
 */
public final class WordTable {
  private static final int SHOWN = 10;
  private static final int WRONG = 1;
  private static final int BAD_ARGUMENT = 2;
  private static final int MOST_LETTERS = 500; // longer stretches of letters are left out

  // A place of the table has two long numbers: a reference to the word, 0 where there is no word yet, and its count.
  private static final int PLACE_LONGS = 2;

  // A reference has, from the lowest bit on, the bytes of the word, where they begin in the texts of a rank, that rank,
  // and some bits of the word's hash, so that most other words are told apart without a look at the text.
  private static final int LENGTH_BITS = 12;
  private static final int OFFSET_BITS = 31;
  private static final int RANK_BITS = 10;
  private static final int OFFSET_SHIFT = LENGTH_BITS;
  private static final int RANK_SHIFT = OFFSET_SHIFT + OFFSET_BITS;
  private static final int HASH_SHIFT = RANK_SHIFT + RANK_BITS;

  private final Window table;
  private final Window texts; // each rank adds to its own
  private final int places; // of each rank
  private final byte[] other = new byte[1 << LENGTH_BITS];
  private int used; // bytes of this rank's texts

  private WordTable(Window table, Window texts) {
    this.table = table;
    this.texts = texts;
    this.places = (int) (table.bytes(0) / PLACE_LONGS / Long.BYTES);
  }

  public static void main(String[] args) throws Exception {
    AtomicInteger code = new AtomicInteger();
    Job.run(job -> code.set(count(job.world(), args)));
    System.exit(code.get());
  }

  private static int count(Communicator world, String[] args) {
    List<Path> files;
    List<String> words;
    String failure = null;
    try {
      files = files(args);
      words = wordsOf(files, world.rank(), world.size());
    } catch (IOException | UncheckedIOException e) {
      failure = e.getMessage();
      files = List.of();
      words = List.of();
    }
    int[] failed = {failure == null ? world.size() : world.rank()};
    world.allreduce(Data.of(failed), Op.MIN);
    if (failed[0] < world.size()) {
      if (failed[0] == world.rank()) { // one message is enough
        System.err.println("wordtable: a file cannot be read: " + failure);
      }
      return BAD_ARGUMENT;
    }
    Set<String> different = new HashSet<>(words);
    long bytes = different.stream().mapToLong(word -> utf8(word).length).sum();
    long[] all = {different.size()};
    world.allreduce(Data.of(all), Op.SUM);
    long places = 2 * all[0] / world.size() + 1; // half of them stay empty
    try (Window table = Window.allocate(world, places * PLACE_LONGS * Long.BYTES, Long.BYTES);
        Window texts = Window.allocate(world, bytes, 1)) {
      WordTable counts = new WordTable(table, texts);
      try (var _ = table.lockAll(); var _ = texts.lockAll()) {
        for (String word : words) {
          counts.add(word);
        }
        world.barrier(); // all have counted
        Map<String, Long> collected = world.rank() == 0 ? counts.collect() : Map.of();
        world.barrier(); // until then the others answer, where their memory is not reached directly
        return world.rank() == 0 ? report(collected, files) : 0;
      }
    }
  }

  private static List<Path> files(String[] args) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String name : args.length > 0 ? args : new String[] {"docs"}) {
      Path root = Path.of(name);
      if (Files.isDirectory(root)) {
        try (Stream<Path> all = Files.walk(root)) {
          all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).sorted().forEach(files::add);
        }
      } else {
        files.add(root);
      }
    }
    return files;
  }

  // Words of a part of each file

  private static List<String> wordsOf(List<Path> files, int part, int parts) throws IOException {
    List<String> words = new ArrayList<>();
    for (Path file : files) {
      try (FileChannel channel = FileChannel.open(file)) {
        long begin = cut(channel, channel.size() * part / parts);
        long end = cut(channel, channel.size() * (part + 1) / parts);
        addWords(words, StandardCharsets.UTF_8.decode(read(channel, begin, end)).toString());
      }
    }
    return words;
  }

  /** The first place from one on at which no word begins or goes on: every rank finds the same. */
  private static long cut(FileChannel channel, long from) throws IOException {
    if (from == 0) {
      return 0;
    }
    ByteBuffer bytes = ByteBuffer.allocate(4096);
    for (long at = from; channel.read(bytes.clear(), at) > 0; at += bytes.limit()) {
      bytes.flip();
      for (int i = 0; i < bytes.limit(); i++) {
        if (bytes.get(i) >= 0 && bytes.get(i) <= ' ') {
          return at + i;
        }
      }
    }
    return channel.size();
  }

  private static ByteBuffer read(FileChannel channel, long begin, long end) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(end - begin));
    while (bytes.hasRemaining() && channel.read(bytes, begin + bytes.position()) > 0) {
      // the next read goes on behind it
    }
    return bytes.flip();
  }

  private static void addWords(List<String> words, String text) {
    for (int begin = 0; begin < text.length();) {
      int end = begin;
      while (end < text.length() && Character.isLetter(text.charAt(end))) {
        end++;
      }
      if (end > begin && end - begin <= MOST_LETTERS) {
        words.add(text.substring(begin, end).toLowerCase(Locale.ROOT));
      }
      begin = end + 1;
    }
  }

  private static byte[] utf8(String word) {
    return word.getBytes(StandardCharsets.UTF_8);
  }

  // The table

  /** Counts a word once more, in the place that it has, or that this rank claims for it. */
  private void add(String word) {
    byte[] text = utf8(word);
    long hash = hash(text);
    long all = (long) places * table.size();
    long place = Long.remainderUnsigned(hash, all);
    while (!claims(place, text, hash)) {
      place = (place + 1) % all; // another word has it
    }
    table.fetchAndOp(1L, owner(place), displacement(place) + 1, Op.SUM);
  }

  private int owner(long place) {
    return (int) (place / places);
  }

  private long displacement(long place) {
    return place % places * PLACE_LONGS;
  }

  /** Whether a place has this word, by now at the latest. */
  private boolean claims(long place, byte[] text, long hash) {
    long found = table.fetchAndOp(0L, owner(place), displacement(place), Op.NO_OP);
    if (found == 0) {
      texts.put(Data.of(text), texts.rank(), used);
      texts.flush(texts.rank()); // a rank that sees the reference sees the text
      long reference = hash >>> HASH_SHIFT << HASH_SHIFT | (long) texts.rank() << RANK_SHIFT
          | (long) used << OFFSET_SHIFT | text.length;
      found = table.compareAndSwap(0L, reference, owner(place), displacement(place));
      if (found == 0) {
        used += text.length;
        return true;
      } // else another rank was faster, maybe with the same word
    }
    return found >>> HASH_SHIFT == hash >>> HASH_SHIFT && length(found) == text.length
        && Arrays.equals(text, 0, text.length, fetch(found), 0, text.length);
  }

  /** FNV-1a, and the upper half mixed into the lower one. */
  private static long hash(byte[] text) {
    long hash = 0xcbf29ce484222325L;
    for (byte letter : text) {
      hash = (hash ^ letter & 0xff) * 0x100000001b3L;
    }
    return hash ^ hash >>> Integer.SIZE;
  }

  private static int length(long reference) {
    return (int) reference & (1 << LENGTH_BITS) - 1;
  }

  /** Gets the text of a word, wherever it lies. */
  private byte[] fetch(long reference) {
    int rank = (int) (reference >>> RANK_SHIFT) & (1 << RANK_BITS) - 1;
    long offset = reference >>> OFFSET_SHIFT & (1L << OFFSET_BITS) - 1;
    texts.get(Data.of(other, 0, length(reference)), rank, offset);
    return other;
  }

  /** Gets all words with their counts. */
  private Map<String, Long> collect() {
    Map<String, Long> counts = new HashMap<>();
    long[] part = new long[places * PLACE_LONGS];
    for (int rank = 0; rank < table.size(); rank++) {
      table.get(Data.of(part), rank, 0);
      for (int at = 0; at < part.length; at += PLACE_LONGS) {
        if (part[at] != 0) {
          String word = new String(fetch(part[at]), 0, length(part[at]), StandardCharsets.UTF_8);
          counts.put(word, part[at + 1]); // a word that had two places would count too little
        }
      }
    }
    return counts;
  }

  // What comes out

  private static int report(Map<String, Long> counts, List<Path> files) {
    System.out.printf("%d words, %d different ones, in %d files%n",
        counts.values().stream().mapToLong(Long::longValue).sum(), counts.size(), files.size());
    Comparator<Map.Entry<String, Long>> mostFrequent = Map.Entry.comparingByValue(Comparator.reverseOrder());
    counts.entrySet().stream()
        .sorted(mostFrequent.thenComparing(Map.Entry.comparingByKey()))
        .limit(SHOWN)
        .forEach(entry -> System.out.printf("%8d %s%n", entry.getValue(), entry.getKey()));
    Map<String, Long> alone = new HashMap<>();
    try {
      wordsOf(files, 0, 1).forEach(word -> alone.merge(word, 1L, Long::sum));
    } catch (IOException e) {
      System.err.println("wordtable: cannot be read again: " + e.getMessage());
      return BAD_ARGUMENT;
    }
    if (!alone.equals(counts)) {
      System.err.println("wordtable: one rank alone counts other words, or counts them otherwise");
      return WRONG;
    }
    System.out.println("One rank alone counts the same.");
    return 0;
  }
}

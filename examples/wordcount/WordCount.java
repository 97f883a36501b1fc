import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Counts the words of all files below a directory, shared out among the ranks of a job, and prints the ten most
 * frequent. Shows how a program joins its job, and how a rank receives messages whose length it does not know:
 * {@code probe} tells it.
 *
 * <pre>
 * bin/adrastea run -n 4 -- java examples/wordcount/WordCount.java [DIRECTORY]
 * </pre>
 *
 * <p>
 * The directory is {@code legal} of the running JDK unless one is named. Any number of ranks gives the same output.
 * Links are not followed; bytes that are not UTF-8 end a word; a file that cannot be read is named on standard error
 * and left out. The exit code is 2 when there is no such directory.
 */
public final class WordCount {
  private static final int COUNTS_TAG = 1;
  private static final int SHOWN = 10;
  private static final int BAD_ARGUMENT = 2;

  private WordCount() {}

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args.length > 0 ? args[0] : System.getProperty("java.home") + "/legal");
    boolean good = args.length <= 1 && Files.isDirectory(root);
    AtomicInteger code = new AtomicInteger();
    Job.run(
        job -> {
          if (good) {
            count(job.world(), root.toRealPath());
          } else if (job.world().rank() == 0) { // one message is enough
            complain(args, root);
            code.set(BAD_ARGUMENT);
          }
        });
    System.exit(code.get());
  }

  private static void complain(String[] args, Path root) {
    System.err.println(
        args.length > 1
            ? "wordcount: one directory at most is counted, these are " + args.length
            : "wordcount: " + root + " is not a directory; name one that holds text files");
  }

  private static void count(Communicator world, Path root) throws IOException {
    List<Path> files = filesBelow(root);
    Map<String, Long> counts = new TreeMap<>();
    for (int i = world.rank(); i < files.size(); i += world.size()) {
      addFile(counts, files.get(i));
    }
    if (world.rank() != 0) {
      byte[] message = toBytes(counts);
      world.send(Data.of(message), 0, COUNTS_TAG);
      return;
    }
    for (int source = 1; source < world.size(); source++) {
      int length = Math.toIntExact(world.probe(source, COUNTS_TAG).bytes());
      byte[] message = new byte[length];
      world.recv(Data.of(message), source, COUNTS_TAG);
      addBytes(counts, message);
    }
    print(counts, files.size(), root);
  }

  /** In the same order for every rank. */
  private static List<Path> filesBelow(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    }
  }

  private static void addFile(Map<String, Long> counts, Path file) {
    try (Reader text =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      StringBuilder word = new StringBuilder();
      for (int c = text.read(); c >= 0; c = text.read()) {
        if (Character.isLetter(c)) {
          word.append((char) Character.toLowerCase(c));
        } else {
          addWord(counts, word);
        }
      }
      addWord(counts, word);
    } catch (IOException e) {
      System.err.println("wordcount: left out, cannot be read: " + e.getMessage());
    }
  }

  private static void addWord(Map<String, Long> counts, StringBuilder word) {
    if (!word.isEmpty()) {
      counts.merge(word.toString(), 1L, Long::sum);
      word.setLength(0);
    }
  }

  /** One line per word: the word, a space, its count. */
  private static byte[] toBytes(Map<String, Long> counts) {
    StringBuilder lines = new StringBuilder();
    counts.forEach((word, count) -> lines.append(word).append(' ').append(count).append('\n'));
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void addBytes(Map<String, Long> counts, byte[] message) {
    new String(message, StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.split(" "))
        .forEach(pair -> counts.merge(pair[0], Long.valueOf(pair[1]), Long::sum));
  }

  private static void print(Map<String, Long> counts, int files, Path root) {
    long words = counts.values().stream().mapToLong(Long::longValue).sum();
    System.out.printf("%d words in %d files below %s%n", words, files, root);
    Comparator<Map.Entry<String, Long>> mostFrequent =
        Map.Entry.comparingByValue(Comparator.reverseOrder());
    counts.entrySet().stream()
        .sorted(mostFrequent.thenComparing(Map.Entry.comparingByKey()))
        .limit(SHOWN)
        .forEach(entry -> System.out.printf("%8d %s%n", entry.getValue(), entry.getKey()));
  }
}

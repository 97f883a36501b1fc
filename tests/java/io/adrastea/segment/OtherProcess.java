package io.adrastea.segment;

import io.adrastea.atomic.Words;
import io.adrastea.launch.CommandedJvm;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A second JVM that does to a segment what the test tells it, a line at a time. */
final class OtherProcess implements AutoCloseable {
  static final long JOB = 0x77;
  static final Geometry GEOMETRY = new Geometry(2, 4, 64);
  private static final String ANSWER = "answer ";

  private final CommandedJvm process;

  OtherProcess(Path directory) {
    process = new CommandedJvm(true, classPath(), OtherProcess.class, directory.toString());
  }

  private static String classPath() {
    return Stream.of(Segment.class, OtherProcess.class)
        .map(type -> type.getProtectionDomain().getCodeSource())
        .map(CodeSource::getLocation)
        .map(location -> new File(location.getPath()).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Has one command done and gives its answer. */
  String tell(String command) {
    process.tell(command);
    StringBuilder seen = new StringBuilder();
    for (String line = process.answer(); line != null; line = process.answer()) {
      if (line.startsWith(ANSWER)) {
        return line.substring(ANSWER.length());
      }
      seen.append(line).append('\n');
    }
    throw new AssertionError("the other process ended in '" + command + "':\n" + seen);
  }

  /** Has a command begun that has no end, and kills the process in the middle of it, once it has got somewhere. */
  void killWithin(String command, BooleanSupplier gotSomewhere) {
    process.tell(command);
    while (!gotSomewhere.getAsBoolean() && process.isAlive()) {
      Thread.onSpinWait();
    }
    if (!process.isAlive()) {
      throw new AssertionError("the other process ended in '" + command + "'");
    }
    kill();
  }

  void kill() {
    process.kill();
  }

  @Override
  public void close() {
    kill();
  }

  /** The other process: answers each line of standard input until its end. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    Path path = SegmentFile.path(directory, JOB, 0);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Segment segment = null;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      List<String> words = List.of(line.split(" "));
      if (segment == null && !words.getFirst().equals("removeStale")) {
        segment =
            words.getFirst().equals("create")
                ? Segment.create(path, GEOMETRY, JOB)
                : Segment.attach(path, GEOMETRY.ranks(), JOB).orElseThrow();
      }
      System.out.println(ANSWER + answer(segment, directory, words));
      System.out.flush();
    }
  }

  private static Object answer(Segment segment, Path directory, List<String> words) {
    return switch (words.getFirst()) {
      case "create", "attach" -> "done";
      case "count" -> {
        segment.countAttached();
        yield "done";
      }
      case "store" -> {
        Words.storeLong(segment.memory(), number(words, 1), number(words, 2));
        yield "done";
      }
      case "load" -> Words.loadLong(segment.memory(), number(words, 1));
      case "addRegion" -> { // rank, bytes, a value for its first word
        int index = segment.regions().add((int) number(words, 1), RegionKind.HEAP, number(words, 2));
        Words.storeLong(memory(segment, index), 0, number(words, 3));
        yield index;
      }
      case "loadRegion" -> Words.loadLong(memory(segment, (int) number(words, 1)), 0);
      case "addRegions" -> { // rank, bytes: until the process is killed
        for (int i = 0;; i++) {
          int index = segment.regions().add((int) number(words, 1), RegionKind.HEAP, number(words, 2));
          if (i % 2 == 0) {
            segment.regions().giveBack((int) number(words, 1), index);
          }
        }
      }
      case "usePart" -> { // region, offset, bytes, a value for all of its bytes
        segment.regions().reserve((int) number(words, 1), number(words, 2), number(words, 3));
        part(segment, words).fill((byte) number(words, 4));
        yield "done";
      }
      case "countPart" -> { // region, offset, bytes, how often each of its words is raised
        MemorySegment part = part(segment, words);
        for (long round = 0; round < number(words, 4); round++) {
          for (long at = 0; at < part.byteSize(); at += Long.BYTES) {
            Words.storeLong(part, at, Words.loadLong(part, at) + 1);
          }
        }
        yield "done";
      }
      case "look" -> segment.checkPlace((int) number(words, 1));
      case "removeStale" -> {
        SegmentFile.removeStale(directory);
        yield "done";
      }
      default -> throw new IllegalArgumentException(words.toString());
    };
  }

  private static MemorySegment memory(Segment segment, int index) {
    return segment.regions().memory(segment.regions().get(index));
  }

  private static MemorySegment part(Segment segment, List<String> words) {
    return memory(segment, (int) number(words, 1)).asSlice(number(words, 2), number(words, 3));
  }

  private static long number(List<String> words, int index) {
    return Long.parseLong(words.get(index));
  }
}

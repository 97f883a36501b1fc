package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.accumulate.Accumulate;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes with cores of C and of Java, which accumulate at once in one mapped file. */
@Tag("loops")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class AccumulateProcessesTest {
  private static final int ROUNDS = 20_000;
  private static final int CAME = 64; // where each says that it is there
  private static final int COUNTER = 128;
  private static final int BYTES = 4096;

  private static MemorySegment map(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, Arena.global());
    }
  }

  /** Arguments: a core, the file, and how many processes there are. Prints what it has got of the counter. */
  static final class Adder {
    private final MemorySegment target;
    private final Spaces spaces;
    private final MemorySegment value = Arena.global().allocate(16, 8);

    private Adder(MemorySegment target, Spaces spaces) {
      this.target = target;
      this.spaces = spaces;
    }

    private long add(ElementKind kind, long at, long bits) {
      value.set(ValueLayout.JAVA_LONG, 0, bits);
      int status = spaces.accumulate(target, at, value, 0, value, 8, kind.bytes(), Operator.SUM.number(), kind.number(),
          false);
      if (status != 0) {
        throw new IllegalStateException("status " + status);
      }
      return value.get(ValueLayout.JAVA_LONG, 8);
    }

    public static void main(String[] words) throws IOException {
      Adder adder = new Adder(map(Path.of(words[1])), Cores.choose(words[0]).spaces());
      long all = Long.parseLong(words[2]);
      adder.add(ElementKind.INT64, CAME, 1);
      while (Accumulate.fetchAndOp(Operator.NO_OP, ElementKind.INT64, adder.target, CAME, 0) < all) {
        Thread.yield();
      }
      long[] got = new long[ROUNDS];
      for (int i = 0; i < ROUNDS; i++) {
        adder.add(ElementKind.INT8, i & 3, 1);
        adder.add(ElementKind.INT16, 4 + (i & 1) * 2, 1);
        adder.add(ElementKind.FLOAT, 8, Float.floatToRawIntBits(1));
        adder.add(ElementKind.DOUBLE, 16, Double.doubleToRawLongBits(1));
        got[i] = adder.add(ElementKind.INT64, COUNTER, 1);
      }
      System.out.println(LongStream.of(got).mapToObj(Long::toString).collect(Collectors.joining(" ")));
    }
  }

  private static String classPath() {
    return Stream.of(Accumulate.class, Adder.class)
        .map(type -> type.getProtectionDomain().getCodeSource())
        .map(CodeSource::getLocation)
        .map(location -> new File(location.getPath()).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Process start(String core, Path file, int all) throws IOException {
    return new ProcessBuilder(
        ProcessHandle.current().info().command().orElseThrow(), "-XX:+UseSerialGC",
        "--enable-native-access=ALL-UNNAMED", "-cp", classPath(), Adder.class.getName(), core, file.toString(),
        Integer.toString(all))
        .redirectErrorStream(true)
        .start();
  }

  private static long[] numbers(Process process) throws IOException, InterruptedException {
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return Stream.of(output.strip().split(" ")).mapToLong(Long::parseLong).toArray();
  }

  @Test
  void nothingIsLostAndTheCounterHasOneHistory(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("elements");
    MemorySegment target = map(file);
    // JNA's jar is not on the class path of the processes.
    List<String> cores = Cores.all().stream().map(CoreProvider::name).filter(name -> !name.equals("jna")).toList();
    assertTrue(cores.size() > 1, cores::toString);
    List<Process> processes = new ArrayList<>();
    try {
      for (String core : cores) {
        processes.add(start(core, file, cores.size()));
      }
      List<long[]> histories = new ArrayList<>();
      for (Process process : processes) {
        histories.add(numbers(process));
      }
      checkHistories(histories);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
    int sum = cores.size() * ROUNDS;
    for (int at = 0; at < 4; at++) {
      assertEquals((byte) (sum / 4), target.get(ValueLayout.JAVA_BYTE, at));
    }
    assertEquals((short) (sum / 2), target.get(ValueLayout.JAVA_SHORT, 4));
    assertEquals((short) (sum / 2), target.get(ValueLayout.JAVA_SHORT, 6));
    assertEquals(sum, target.get(ValueLayout.JAVA_FLOAT, 8));
    assertEquals(sum, target.get(ValueLayout.JAVA_DOUBLE, 16));
  }

  private static void checkHistories(List<long[]> histories) {
    for (long[] history : histories) {
      assertArrayEquals(LongStream.of(history).sorted().toArray(), history);
    }
    assertArrayEquals(LongStream.range(0, (long) histories.size() * ROUNDS).toArray(),
        histories.stream().flatMapToLong(LongStream::of).sorted().toArray());
  }
}

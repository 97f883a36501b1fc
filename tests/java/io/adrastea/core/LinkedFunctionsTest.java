package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.Communicator;
import io.adrastea.Job;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which functions of the C core a new JVM links: classes of handles that it loads. Each function of a new type is
 * milliseconds of a JVM's start, and work for its compilers when the first messages want them.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LinkedFunctionsTest {
  private static final Pattern LOADED = Pattern.compile("io\\.adrastea\\.core\\.ffm\\.(Native\\w*) ");

  /** A rank that sends a message to itself; with an argument it claims room for it. */
  static final class Rank {
    public static void main(String[] words) throws Exception {
      Job.run(job -> {
        Communicator world = job.world();
        if (words.length == 0) {
          world.send(Arena.global().allocate(8), 0, 1);
        } else {
          world.claim(0, 1, 8).commit();
        }
        MemorySegment received = Arena.global().allocate(8);
        world.recv(received, 0, 1);
      });
    }
  }

  private static String classPath() {
    return Stream.of(Job.class, Rank.class)
        .map(type -> type.getProtectionDomain().getCodeSource())
        .map(CodeSource::getLocation)
        .map(location -> new File(location.getPath()).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Set<String> loaded(Path directory, String... words) throws IOException, InterruptedException {
    Path log = directory.resolve("classes.log");
    Process process =
        new ProcessBuilder(
            Stream.concat(
                Stream.of(
                    ProcessHandle.current().info().command().orElseThrow(), "-XX:TieredStopAtLevel=1",
                    "-Xlog:class+load:file=" + log, "--enable-native-access=ALL-UNNAMED", "-Dadrastea.core=ffm",
                    "-Dadrastea.shm.dir=" + directory, "-cp", classPath(), Rank.class.getName()),
                Stream.of(words)).toList())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    Set<String> classes = new TreeSet<>();
    for (Matcher found = LOADED.matcher(Files.readString(log)); found.find();) {
      classes.add(found.group(1));
    }
    return classes;
  }

  @Test
  void aRankThatSendsAndReceivesLinksNoneForCollectivesLargeMessagesAndClaims(@TempDir Path directory)
      throws Exception {
    assertEquals(Set.of("Native"), loaded(directory));
  }

  @Test
  void aRankThatClaimsRoomLinksTheseToo(@TempDir Path directory) throws Exception {
    assertEquals(Set.of("Native", "NativeInPlace"), loaded(directory, "claims"));
  }
}

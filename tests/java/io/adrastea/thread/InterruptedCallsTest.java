package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Request;
import io.adrastea.Settings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of call with the interrupt of its thread pending: it does what it is to do, the interrupt stays, and so
 * does the lock by which others, in whatever PID namespace, see that the rank lives.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterruptedCallsTest {
  // The byte of rank 0, behind those of the file's creator, which is it too.
  private static final String PLACE = Long.toString(1L << 62);
  private static final String NAME = ".*/adrastea-[0-9]+-[0-9a-f]{16}-0 \\(deleted\\)";
  private static final int LARGE = 1 << 20;

  private static final Map<String, Consumer<Job>> CALLS = new LinkedHashMap<>();

  static {
    byte[] small = new byte[8];
    byte[] large = new byte[LARGE];
    CALLS.put("isend, recv", job -> sends(job, small));
    CALLS.put("isend, recv of a large message", job -> sends(job, large));
    CALLS.put("sendrecv", job -> job.world().sendrecv(Data.of(small, 0, 8), 0, 1, Data.of(new byte[8]), 0, 1));
    CALLS.put("irecv, cancel", job -> job.world().irecv(Data.of(small, 0, 8), 0, 2).cancel());
    CALLS.put("barrier", job -> job.world().barrier());
    CALLS.put("claim", job -> job.world().claim(0, 3, 8).abort());
    CALLS.put("allocate, shared, free", InterruptedCallsTest::shares);
    CALLS.put("allocate much", job -> job.allocate(3 * LARGE, 4096).fill((byte) 1));
    CALLS.put("failedRanks", Job::failedRanks);
    CALLS.put("acknowledgeFailedRanks", job -> job.world().acknowledgeFailedRanks());
    CALLS.put("topology", Job::topology);
  }

  private static void sends(Job job, byte[] bytes) {
    Request request = job.world().isend(Data.of(bytes), 0, 0);
    job.world().recv(Data.of(new byte[bytes.length]), 0, 0);
    request.await();
  }

  private static void shares(Job job) {
    MemorySegment memory = job.allocate(LARGE, 64);
    memory.setAtIndex(java.lang.foreign.ValueLayout.JAVA_LONG, 0, 42);
    MemorySegment same = job.shared(0, job.offset(memory), LARGE);
    assertEquals(42, same.getAtIndex(java.lang.foreign.ValueLayout.JAVA_LONG, 0));
    job.free(memory);
  }

  /** What the kernel knows the open file of the job by; its name is gone. */
  private static long file() throws IOException {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : open) {
        if (Files.isSymbolicLink(descriptor) && Files.readSymbolicLink(descriptor).toString().matches(NAME)) {
          return (long) Files.getAttribute(descriptor, "unix:ino");
        }
      }
    }
    throw new AssertionError("the job has no file open");
  }

  private static boolean isHeld(long file) throws IOException {
    String held = ":" + file + " 0 " + PLACE;
    return Files.readAllLines(Path.of("/proc/locks")).stream().anyMatch(line -> line.endsWith(held));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void theRankStaysAlive(String core) throws Exception {
    Settings.with(
        Map.of("adrastea.core", core, "adrastea.box.preallocate.ranks", "0", "adrastea.box.threshold", "1"),
        () -> {
          try (Job job = Job.join()) {
            long file = file();
            assertTrue(isHeld(file), "the lock can be seen");
            for (Map.Entry<String, Consumer<Job>> call : CALLS.entrySet()) {
              Thread.currentThread().interrupt();
              call.getValue().accept(job);
              assertTrue(Thread.interrupted(), call.getKey() + " keeps the interrupt");
              assertTrue(isHeld(file), call.getKey() + " keeps the lock");
            }
          }
          return null;
        });
  }
}

package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.launch.SecondCompiler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ranks killed in the middle of large messages: some fifty in all, more than a hundred with
 * {@code -Dadrastea.test.kills=1000}.
 */
class LargeFailureIT {
  private static final int SURVIVORS = 2;
  private static final int VICTIMS = Math.clamp(Integer.getInteger("adrastea.test.kills", 0) / 50, 8, 20); // of a job
  private static final int FEW = Math.clamp(Integer.getInteger("adrastea.test.kills", 0) / 100, 4, 6);
  private static final int HOT = 80; // messages, after which all that they need is compiled
  private static final String[] COMPILED = {SecondCompiler.LOOK, SecondCompiler.MOVE};

  private static final String[] WAYS = {
    "native-native", "array-array", "array-native", "shared-shared", "shared-place", "native-array"
  };

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  /** Cores of the ranks, in turn, and how large messages go. */
  @ParameterizedTest
  @CsvSource({"'ffm',auto", "'jni,jna',auto", "'java',auto", "'ffm,java,jni',auto", "'ffm',ring"})
  void leaveNothingHangingAndNothingWrong(String cores, String way) throws Exception {
    String[] core = cores.split(",");
    kill(VICTIMS, (rank, launch) -> launch.add(WAYS).set("core", core[rank % core.length]).set("lmt", way));
  }

  /**
   * Blocks with gaps, of other lengths at the two ends: a sender's memory is read by a receiver that dies meanwhile, or
   * that sees the sender die, and the reverse; by one copy where that is possible.
   */
  @ParameterizedTest
  @CsvSource({"'ffm',cma", "'jni,ffm',auto", "'java,ffm',shared"})
  void leaveNothingHangingAndNothingWrongBetweenTwoLayouts(String cores, String way) throws Exception {
    String[] core = cores.split(",");
    kill(
        FEW,
        (rank, launch) -> launch
            .add("blocks-blocks", "sharedblocks-sharedblocks", "blocks-native", "native-blocks")
            .set("core", core[rank % core.length])
            .set("lmt", way));
  }

  /** Each victim, and each survivor, runs what the second compiler made before the victim is killed. */
  @Test
  void leaveNothingHangingAndNothingWrongWithTheSecondCompiler() throws Exception {
    String[] core = {"ffm", "java", "jni"};
    kill(
        FEW,
        (rank, launch) -> launch
            .secondCompiler(log(rank))
            .flags("-Dadrastea.test.before=" + HOT)
            .add(WAYS)
            .set("core", core[rank % core.length]));
    for (int rank = 0; rank < SURVIVORS + FEW; rank++) {
      Path log = log(rank);
      assertTrue(SecondCompiler.hasCompiled(log, COMPILED), () -> log + ": " + SecondCompiler.compiled(log));
    }
  }

  private Path log(int rank) {
    return directory.resolve("rank" + rank + ".log");
  }

  /**
   * What is attached of a rank that was killed can still be read: a message that was complete, or the receive fails.
   */
  @Test
  void leaveNothingHangingAndNothingWrongThroughXpmem() throws Exception {
    String library = CProgram.xpmemStandIn().toString();
    kill(
        FEW,
        (rank, launch) -> launch
            .add("file-file", "file-array", "array-file")
            .set("core", "ffm")
            .set("lmt", "xpmem")
            .set("library", library));
  }

  private void kill(int victims, BiFunction<Integer, Launch, Launch> settings) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    int size = SURVIVORS + victims;
    List<Child> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank < size; rank++) {
        Launch launch = Launch.rank(shm, job, rank, size, "io.adrastea.it.DuelRank");
        ranks.add(settings.apply(rank, launch).start());
      }
      for (Child survivor : ranks.subList(0, SURVIVORS)) {
        Outcome outcome = survivor.await().exits(0).prints("survived " + victims + ", checked ");
        // A dead rank is no refusal.
        assertFalse(outcome.err().contains("is refused by the system"), outcome::toString);
      }
      for (Child victim : ranks.subList(SURVIVORS, size)) {
        victim.await().exits(137);
      }
    } finally {
      ranks.forEach(Child::close);
    }
  }
}

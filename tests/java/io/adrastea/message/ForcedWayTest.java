package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.Ranks;
import io.adrastea.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ways of large messages that are asked for by name, and are not there. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForcedWayTest {
  @ParameterizedTest
  @CsvSource({
    "cma,java,CMA: not from Java alone",
    "xpmem,java,XPMEM: not from Java alone",
    "xpmem,ffm,XPMEM: no /dev/xpmem",
    "xpmem,jni,XPMEM: no /dev/xpmem",
    "xpmem,jna,XPMEM: no /dev/xpmem"
  })
  void areRefusedWhereTheyAreNotThereRatherThanReplaced(String way, String core, String why) throws Exception {
    if (!core.equals("java") && Files.exists(Path.of("/dev/xpmem"))) {
      carries(way, core);
      return;
    }
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> carries(way, core));
    for (String part : new String[] {"adrastea.lmt is '" + way + "'", why, "allowed here are auto, shared",
      " and ring"}) {
      assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource({"cma,'ffm,java'", "cma,'java,ffm'", "xpmem,'ffm,java'"})
  void areRefusedByEachRankThatLacksThem(String way, String cores) {
    assertThrows(IllegalArgumentException.class, () -> carries(way, cores));
  }

  private static void carries(String way, String cores) throws Exception {
    Settings.with(
        Map.of("adrastea.lmt", way),
        () -> {
          Ranks.run(
              cores,
              2,
              job -> {
                byte[] message = Contents.of(100_000, 1);
                if (job.world().rank() == 0) {
                  job.world().send(Data.of(message), 1, 0);
                } else {
                  job.world().recv(Data.of(message), 0, 0);
                }
              });
          return null;
        });
  }
}

package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Settings;
import io.adrastea.error.JoinException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which rank a process is that is told where the ranks meet; the words are those of {@code bootstrap_test.c}. */
class RendezvousBootstrapTest {
  private static final String AT = "ADRASTEA_RENDEZVOUS=job-0.service:29950";
  private static final Map<String, String> TASK =
      Map.of("SLURM_STEP_ID", "0", "SLURM_PROCID", "2", "SLURM_NTASKS", "4");

  /** The way that is taken with these settings, where a name is left out, and variables. */
  private static Bootstraps.Found found(Map<String, String> variables, String... settings) throws Exception {
    Map<String, String> properties = new HashMap<>();
    for (String name : new String[] {"job", "rank", "size", "launcher", "rendezvous"}) {
      properties.put("adrastea." + name, null);
    }
    for (int i = 0; i < settings.length; i += 2) {
      properties.put("adrastea." + settings[i], settings[i + 1]);
    }
    return Settings.with(properties, () -> Bootstraps.choose("auto", variables).orElseThrow());
  }

  private static String refusal(Map<String, String> variables, String... settings) {
    return assertThrows(JoinException.class, () -> found(variables, settings)).getMessage();
  }

  private static Map<String, String> index(String index) {
    return Map.of("JOB_COMPLETION_INDEX", index);
  }

  @Test
  void aRankOfItsOwnCountsBeforeTheIndex() throws Exception {
    Bootstraps.Found own =
        found(index("2"), "rendezvous", "job-0.service:29950", "rank", "1", "size", "3");
    assertEquals("rendezvous", own.by().name());
    assertEquals(1, own.claim().rank());
    assertEquals(AT + ", ADRASTEA_RANK=1, ADRASTEA_SIZE=3", own.claim().words());
    Bootstraps.Found indexed = found(index("2"), "rendezvous", "job-0.service:29950", "size", "3");
    assertEquals(2, indexed.claim().rank());
    assertEquals(AT + ", JOB_COMPLETION_INDEX=2, ADRASTEA_SIZE=3", indexed.claim().words());
  }

  @Test
  void aJobOfOneMeetsNobody() throws Exception {
    Map<String, String> settings =
        Map.of("adrastea.rendezvous", "job-0.service:29950", "adrastea.rank", "0", "adrastea.size", "1");
    Membership first = Settings.with(settings, Bootstraps::find);
    Membership second = Settings.with(settings, Bootstraps::find);
    assertEquals(1, first.size());
    assertNotEquals(first.job(), second.job());
    assertFalse(first.ours());
    assertTrue(first.launcher().isEmpty());
  }

  @Test
  void aRankAndASizeAreNeeded() {
    String needs = AT + " needs ADRASTEA_RANK (or JOB_COMPLETION_INDEX) and ADRASTEA_SIZE too; missing: ";
    String at = "job-0.service:29950";
    assertEquals(needs + "ADRASTEA_RANK", refusal(Map.of(), "rendezvous", at, "size", "3"));
    assertEquals(needs + "ADRASTEA_RANK, ADRASTEA_SIZE", refusal(Map.of(), "rendezvous", at));
    assertEquals(needs + "ADRASTEA_SIZE", refusal(Map.of(), "rendezvous", at, "rank", "1"));
    assertEquals(needs + "ADRASTEA_SIZE", refusal(index("1"), "rendezvous", at));
  }

  @Test
  void wrongOnesAreRefusedByName() {
    String at = "job-0.service:29950";
    assertEquals("JOB_COMPLETION_INDEX=3, but ADRASTEA_SIZE=3: ranks are 0 to 2",
        refusal(index("3"), "rendezvous", at, "size", "3"));
    assertEquals("JOB_COMPLETION_INDEX is 'x'; allowed is a whole number from 0 to 2147483647 (rank)",
        refusal(index("x"), "rendezvous", at, "size", "3"));
    assertEquals("ADRASTEA_RANK=4, but ADRASTEA_SIZE=3: ranks are 0 to 2",
        refusal(index("1"), "rendezvous", at, "rank", "4", "size", "3"));
    assertEquals(
        "adrastea.rendezvous is '::1:29950' (from property); allowed is <host>:<port>, with IPv6 as [<address>]:<port>",
        refusal(index("1"), "rendezvous", "::1:29950", "size", "3"));
  }

  @Test
  void aRendezvousAndALauncherAgreeOrAreRefused() throws Exception {
    assertEquals("slurm", found(TASK, "rendezvous", "localhost:29950", "rank", "2", "size", "4").by().name());
    assertEquals(
        "two launchers disagree about this process: rank 2 of 4 by slurm (SLURM_STEP_ID=0, SLURM_PROCID=2, "
            + "SLURM_NTASKS=4), rank 2 of 3 by rendezvous (ADRASTEA_RENDEZVOUS=localhost:29950, ADRASTEA_RANK=2, "
            + "ADRASTEA_SIZE=3); choose one by adrastea.bootstrap=slurm or rendezvous",
        refusal(TASK, "rendezvous", "localhost:29950", "rank", "2", "size", "3"));
  }

  /** Whoever has a job's number needs no meeting. */
  @Test
  void ourOwnVariablesCountBeforeARendezvous() throws Exception {
    String at = "localhost:29950";
    assertEquals("adrastea",
        found(index("1"), "rendezvous", at, "job", "00112233aabbccdd", "rank", "1", "size", "3").by().name());
    assertEquals(
        "a job needs ADRASTEA_JOB, ADRASTEA_RANK and ADRASTEA_SIZE; missing: ADRASTEA_RANK (without any of them a "
            + "program is a job of one; 'adrastea run' sets all)",
        refusal(index("1"), "rendezvous", at, "job", "00112233aabbccdd", "size", "3"));
  }
}

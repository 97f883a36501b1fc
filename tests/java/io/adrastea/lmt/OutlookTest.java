package io.adrastea.lmt;

import static io.adrastea.lmt.Outlook.Memory.ARRAY;
import static io.adrastea.lmt.Outlook.Memory.NATIVE;
import static io.adrastea.lmt.Outlook.Memory.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What a large message uses, from where its buffers lie and what both ranks allow and can. */
class OutlookTest {
  private static final long SPLIT = 32 << 10;
  private static final int ALL = LmtSettings.mechanisms("auto");
  private static final int JAVA = Mechanism.SHARED.bit() | Mechanism.RING.bit();
  private static final int C = JAVA | Mechanism.CMA.bit();

  private static Outlook of(Outlook.Memory from, int fromCan, Outlook.Memory to, int toCan, long bytes) {
    return Outlook.of(new Outlook.End(from, ALL, fromCan), new Outlook.End(to, ALL, toCan), bytes, SPLIT);
  }

  private static Outlook receiver(Mechanism mechanism) {
    return new Outlook(mechanism, null);
  }

  private static Outlook sender(Mechanism mechanism) {
    return new Outlook(null, mechanism);
  }

  private static Outlook both(Mechanism mechanism) {
    return new Outlook(mechanism, mechanism);
  }

  @Test
  void theReceiverCopiesWhatItCanReach() {
    assertEquals(receiver(Mechanism.CMA), of(NATIVE, C, NATIVE, C, SPLIT - 1));
    assertEquals(receiver(Mechanism.CMA), of(NATIVE, C, ARRAY, C, SPLIT));
    assertEquals(receiver(Mechanism.SHARED), of(SHARED, C, NATIVE, C, SPLIT - 1));
    assertEquals(receiver(Mechanism.SHARED), of(SHARED, JAVA, ARRAY, JAVA, SPLIT));
  }

  @Test
  void bothCopyFromASizeOnWhatBothCanReach() {
    assertEquals(both(Mechanism.CMA), of(NATIVE, C, NATIVE, C, SPLIT));
    assertEquals(both(Mechanism.SHARED), of(SHARED, JAVA, SHARED, JAVA, Outlook.MOST_SPLIT_BYTES));
    assertEquals(new Outlook(Mechanism.SHARED, Mechanism.CMA), of(SHARED, C, NATIVE, C, SPLIT));
    assertEquals(new Outlook(Mechanism.CMA, Mechanism.SHARED), of(NATIVE, C, SHARED, C, SPLIT));
    assertEquals(receiver(Mechanism.CMA), of(NATIVE, C, NATIVE, C, Outlook.MOST_SPLIT_BYTES + 1));
    assertEquals(
        receiver(Mechanism.CMA),
        Outlook.of(new Outlook.End(NATIVE, ALL, C), new Outlook.End(NATIVE, ALL, C), SPLIT, 0));
  }

  @Test
  void theSenderCopiesWhereOnlyItCanReach() {
    assertEquals(sender(Mechanism.CMA), of(ARRAY, C, NATIVE, C, SPLIT));
    assertEquals(sender(Mechanism.CMA), of(NATIVE, C, NATIVE, JAVA, SPLIT));
    assertEquals(sender(Mechanism.SHARED), of(ARRAY, JAVA, SHARED, JAVA, SPLIT));
  }

  @Test
  void theRingIsForWhatNeitherCanReach() {
    assertEquals(both(Mechanism.RING), of(ARRAY, C, ARRAY, C, SPLIT));
    assertEquals(both(Mechanism.RING), of(NATIVE, JAVA, NATIVE, JAVA, SPLIT));
    assertEquals(both(Mechanism.RING), of(ARRAY, JAVA, NATIVE, C, SPLIT));
  }

  @Test
  void xpmemIsPreferredToCmaAndSharedAllocationsToBoth() {
    int all = C | Mechanism.XPMEM.bit();
    assertEquals(both(Mechanism.XPMEM), of(NATIVE, all, NATIVE, all, SPLIT));
    assertEquals(new Outlook(Mechanism.CMA, Mechanism.XPMEM), of(NATIVE, all, NATIVE, C, SPLIT));
    assertEquals(both(Mechanism.SHARED), of(SHARED, all, SHARED, all, SPLIT));
  }

  @Test
  void whatOneEndDoesNotAllowIsNotUsed() {
    Outlook.End any = new Outlook.End(NATIVE, ALL, C);
    Outlook.End ringOnly = new Outlook.End(NATIVE, LmtSettings.mechanisms("ring"), C);
    assertEquals(both(Mechanism.RING), Outlook.of(any, ringOnly, SPLIT, SPLIT));
    assertEquals(both(Mechanism.RING), Outlook.of(ringOnly, any, SPLIT, SPLIT));
    Outlook.End shared = new Outlook.End(SHARED, ALL, C);
    Outlook.End cmaOnly = new Outlook.End(NATIVE, LmtSettings.mechanisms("cma"), C);
    assertEquals(sender(Mechanism.CMA), Outlook.of(shared, cmaOnly, SPLIT, SPLIT));
    assertEquals(receiver(Mechanism.CMA), Outlook.of(cmaOnly, shared, SPLIT, SPLIT));
  }
}

package io.adrastea.transfer;

import static io.adrastea.transfer.Outlook.Memory.ARRAY;
import static io.adrastea.transfer.Outlook.Memory.NATIVE;
import static io.adrastea.transfer.Outlook.Memory.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What a large message uses, from where its buffers lie and what both ranks allow and can. */
class OutlookTest {
  private static final long SPLIT = 32 << 10;
  private static final int ALL = TransferSettings.paths("auto");
  private static final int JAVA = Path.SHARED.bit() | Path.RING.bit();
  private static final int C = JAVA | Path.CMA.bit();

  private static Outlook of(Outlook.Memory from, int fromCan, Outlook.Memory to, int toCan, long bytes) {
    return Outlook.of(new Outlook.End(from, ALL, fromCan), new Outlook.End(to, ALL, toCan), bytes, SPLIT);
  }

  private static Outlook receiver(Path path) {
    return new Outlook(path, null);
  }

  private static Outlook sender(Path path) {
    return new Outlook(null, path);
  }

  private static Outlook both(Path path) {
    return new Outlook(path, path);
  }

  @Test
  void theReceiverCopiesWhatItCanReach() {
    assertEquals(receiver(Path.CMA), of(NATIVE, C, NATIVE, C, SPLIT - 1));
    assertEquals(receiver(Path.CMA), of(NATIVE, C, ARRAY, C, SPLIT));
    assertEquals(receiver(Path.SHARED), of(SHARED, C, NATIVE, C, SPLIT - 1));
    assertEquals(receiver(Path.SHARED), of(SHARED, JAVA, ARRAY, JAVA, SPLIT));
  }

  @Test
  void bothCopyFromASizeOnWhatBothCanReach() {
    assertEquals(both(Path.CMA), of(NATIVE, C, NATIVE, C, SPLIT));
    assertEquals(both(Path.SHARED), of(SHARED, JAVA, SHARED, JAVA, Outlook.MOST_SPLIT_BYTES));
    assertEquals(new Outlook(Path.SHARED, Path.CMA), of(SHARED, C, NATIVE, C, SPLIT));
    assertEquals(new Outlook(Path.CMA, Path.SHARED), of(NATIVE, C, SHARED, C, SPLIT));
    assertEquals(receiver(Path.CMA), of(NATIVE, C, NATIVE, C, Outlook.MOST_SPLIT_BYTES + 1));
    assertEquals(
        receiver(Path.CMA),
        Outlook.of(new Outlook.End(NATIVE, ALL, C), new Outlook.End(NATIVE, ALL, C), SPLIT, 0));
  }

  @Test
  void theSenderCopiesWhereOnlyItCanReach() {
    assertEquals(sender(Path.CMA), of(ARRAY, C, NATIVE, C, SPLIT));
    assertEquals(sender(Path.CMA), of(NATIVE, C, NATIVE, JAVA, SPLIT));
    assertEquals(sender(Path.SHARED), of(ARRAY, JAVA, SHARED, JAVA, SPLIT));
  }

  @Test
  void theRingIsForWhatNeitherCanReach() {
    assertEquals(both(Path.RING), of(ARRAY, C, ARRAY, C, SPLIT));
    assertEquals(both(Path.RING), of(NATIVE, JAVA, NATIVE, JAVA, SPLIT));
    assertEquals(both(Path.RING), of(ARRAY, JAVA, NATIVE, C, SPLIT));
  }

  @Test
  void xpmemIsPreferredToCmaAndSharedAllocationsToBoth() {
    int all = C | Path.XPMEM.bit();
    assertEquals(both(Path.XPMEM), of(NATIVE, all, NATIVE, all, SPLIT));
    assertEquals(new Outlook(Path.CMA, Path.XPMEM), of(NATIVE, all, NATIVE, C, SPLIT));
    assertEquals(both(Path.SHARED), of(SHARED, all, SHARED, all, SPLIT));
  }

  @Test
  void whatOneEndDoesNotAllowIsNotUsed() {
    Outlook.End any = new Outlook.End(NATIVE, ALL, C);
    Outlook.End ringOnly = new Outlook.End(NATIVE, TransferSettings.paths("ring"), C);
    assertEquals(both(Path.RING), Outlook.of(any, ringOnly, SPLIT, SPLIT));
    assertEquals(both(Path.RING), Outlook.of(ringOnly, any, SPLIT, SPLIT));
    Outlook.End shared = new Outlook.End(SHARED, ALL, C);
    Outlook.End cmaOnly = new Outlook.End(NATIVE, TransferSettings.paths("cma"), C);
    assertEquals(sender(Path.CMA), Outlook.of(shared, cmaOnly, SPLIT, SPLIT));
    assertEquals(receiver(Path.CMA), Outlook.of(cmaOnly, shared, SPLIT, SPLIT));
  }
}

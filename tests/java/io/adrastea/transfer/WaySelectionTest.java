package io.adrastea.transfer;

import static io.adrastea.transfer.WaySelector.Memory.ARRAY;
import static io.adrastea.transfer.WaySelector.Memory.NATIVE;
import static io.adrastea.transfer.WaySelector.Memory.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.transfer.WaySelector.Selection;
import org.junit.jupiter.api.Test;

/** What a large message uses, from where its buffers lie and what both ranks allow and can. */
class WaySelectionTest {
  private static final long SPLIT = 32 << 10;
  private static final int ALL = TransferSettings.paths("auto");
  private static final int CMA = TransferSettings.paths("cma");
  private static final int JAVA = Path.SHARED.bit() | Path.RING.bit();
  private static final int C = JAVA | Path.CMA.bit();

  private static Selection of(WaySelector.Memory from, int fromCan, WaySelector.Memory to, int toCan, long bytes) {
    return of(ALL, from, fromCan, to, toCan, bytes);
  }

  private static Selection of(int allowed, WaySelector.Memory from, int fromCan, WaySelector.Memory to, int toCan,
      long bytes) {
    return WaySelector.select(new WaySelector.End(from, allowed, fromCan), new WaySelector.End(to, allowed, toCan),
        bytes, SPLIT);
  }

  private static Selection receiver(Path path) {
    return new Selection(path, null);
  }

  private static Selection sender(Path path) {
    return new Selection(null, path);
  }

  private static Selection both(Path path) {
    return new Selection(path, path);
  }

  @Test
  void otherChunksOfTheRingAreThoseOfWhichSeveralFit() {
    assertEquals(Way.RING_FINE.bit(), Way.variants(64 << 10, 1 << 20, 8192), "a message of few chunks");
    assertEquals(Way.RING_FINE.bit() | Way.RING_COARSE.bit(), Way.variants(128 << 10, 1 << 20, 8192));
    assertEquals(Way.RING_FINE.bit(), Way.variants(1 << 20, 64 << 10, 8192), "a small ring");
    assertEquals(Way.RING_COARSE.bit(), Way.variants(1 << 20, 1 << 20, 64), "the least chunk");
    assertEquals(2048, Way.RING_FINE.chunk(8192));
    assertEquals(8192, Way.RING.chunk(8192));
    assertEquals(32_768, Way.RING_COARSE.chunk(8192));
  }

  @Test
  void onlyWhatGoesRoundTheFrontOfARingMoreThanOnceMayGoThere() {
    assertTrue(Way.hasFront(512 << 10, 1 << 20));
    assertFalse(Way.hasFront(256 << 10, 1 << 20), "it takes no less room than in the whole ring");
    assertFalse(Way.hasFront(512 << 10, 256 << 10), "the front is all of the ring");
    assertEquals(8192, Way.RING_FRONT.chunk(8192));
  }

  @Test
  void theReceiverCopiesWhatItCanReach() {
    assertEquals(receiver(Path.CMA), of(CMA, NATIVE, C, NATIVE, C, SPLIT - 1));
    assertEquals(receiver(Path.CMA), of(CMA, NATIVE, C, ARRAY, C, SPLIT));
    assertEquals(receiver(Path.SHARED), of(SHARED, C, NATIVE, C, SPLIT - 1));
    assertEquals(receiver(Path.SHARED), of(SHARED, JAVA, ARRAY, JAVA, SPLIT));
  }

  @Test
  void bothCopyFromASizeOnWhatBothCanReach() {
    assertEquals(both(Path.CMA), of(CMA, NATIVE, C, NATIVE, C, SPLIT));
    assertEquals(both(Path.SHARED), of(SHARED, JAVA, SHARED, JAVA, Split.MOST_BYTES));
    assertEquals(new Selection(Path.SHARED, Path.CMA), of(SHARED, C, NATIVE, C, SPLIT));
    assertEquals(receiver(Path.CMA), of(CMA, NATIVE, C, NATIVE, C, Split.MOST_BYTES + 1));
    assertEquals(receiver(Path.SHARED), of(SHARED, C, NATIVE, C, Split.MOST_BYTES + 1));
    assertEquals(
        receiver(Path.SHARED),
        WaySelector.select(new WaySelector.End(SHARED, ALL, C), new WaySelector.End(NATIVE, ALL, C), SPLIT, 0));
  }

  @Test
  void theSenderCopiesWhereOnlyItCanReach() {
    assertEquals(sender(Path.CMA), of(CMA, ARRAY, C, NATIVE, C, SPLIT));
    assertEquals(sender(Path.CMA), of(CMA, NATIVE, C, NATIVE, JAVA, SPLIT));
    assertEquals(sender(Path.SHARED), of(ARRAY, JAVA, SHARED, JAVA, SPLIT));
  }

  @Test
  void theSenderCopiesWhereItReachesWhatIsMappedAndTheReceiverDoesNot() {
    assertEquals(sender(Path.SHARED), of(NATIVE, C, SHARED, C, SPLIT));
    assertEquals(sender(Path.XPMEM), of(NATIVE, C | Path.XPMEM.bit(), NATIVE, C, SPLIT));
  }

  @Test
  void theRingIsForWhatNeitherCanReach() {
    assertEquals(both(Path.RING), of(ARRAY, C, ARRAY, C, SPLIT));
    assertEquals(both(Path.RING), of(NATIVE, JAVA, NATIVE, JAVA, SPLIT));
    assertEquals(both(Path.RING), of(ARRAY, JAVA, NATIVE, C, SPLIT));
    assertEquals(both(Path.RING), of(CMA, ARRAY, C, ARRAY, C, SPLIT));
  }

  /** Nothing is known of the contents yet: of those that were just written, two copies that overlap are faster. */
  @Test
  void theRingIsAheadOfTheSystemsCopyWhereNothingWasMeasured() {
    assertEquals(both(Path.RING), of(NATIVE, C, NATIVE, C, SPLIT));
    assertEquals(both(Path.RING), of(ARRAY, C, NATIVE, C, SPLIT));
    assertEquals(both(Path.RING), of(NATIVE, C, NATIVE, C, 2048));
    assertEquals(receiver(Path.CMA), of(NATIVE, C, NATIVE, C, 2047));
  }

  @Test
  void xpmemIsPreferredToCmaAndSharedAllocationsToBoth() {
    int all = C | Path.XPMEM.bit();
    assertEquals(both(Path.XPMEM), of(NATIVE, all, NATIVE, all, SPLIT));
    assertEquals(new Selection(Path.XPMEM, Path.CMA), of(NATIVE, C, NATIVE, all, SPLIT));
    assertEquals(both(Path.SHARED), of(SHARED, all, SHARED, all, SPLIT));
  }

  @Test
  void whatOneEndDoesNotAllowIsNotUsed() {
    WaySelector.End any = new WaySelector.End(NATIVE, ALL, C);
    WaySelector.End ringOnly = new WaySelector.End(NATIVE, TransferSettings.paths("ring"), C);
    assertEquals(both(Path.RING), WaySelector.select(any, ringOnly, SPLIT, SPLIT));
    assertEquals(both(Path.RING), WaySelector.select(ringOnly, any, SPLIT, SPLIT));
    WaySelector.End shared = new WaySelector.End(SHARED, ALL, C);
    WaySelector.End cmaOnly = new WaySelector.End(NATIVE, TransferSettings.paths("cma"), C);
    assertEquals(sender(Path.CMA), WaySelector.select(shared, cmaOnly, SPLIT, SPLIT));
    assertEquals(receiver(Path.CMA), WaySelector.select(cmaOnly, shared, SPLIT, SPLIT));
  }
}

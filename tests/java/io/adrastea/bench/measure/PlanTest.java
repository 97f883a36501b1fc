package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PlanTest {
  @Test
  void makesBatchesOfAboutThirtyMicroseconds() {
    Plan plan = Plan.of(Kind.LATENCY, 8, 100, 0.03);
    assertEquals(300, plan.exchanges());
    assertEquals(1000, plan.batches());
    assertEquals("latency 8 " + (plan.lead() + 1000) + " 300", plan.order().command("latency"));
  }

  @Test
  void aLongExchangeIsABatchOfItsOwn() {
    assertEquals(1, Plan.of(Kind.LATENCY, 1 << 20, 1e6, 0.05).exchanges());
  }

  @Test
  void aStreamHasEnoughMessagesToHideItsAnswer() {
    assertEquals(16, Plan.of(Kind.BANDWIDTH, 1 << 20, 1e6, 0.05).exchanges());
  }

  @Test
  void hasSomeBatchesHoweverShortTheTime() {
    assertTrue(Plan.of(Kind.LATENCY, 1 << 30, 1e9, 0.001).batches() >= 3);
  }

  @Test
  void runsWhatTakesMuchLongerThanARoundOnceWhereThatIsAsked() {
    Variant.Order order = Plan.of(Kind.LATENCY, 8, 1e8, 0.005, true).order();
    assertEquals(1, order.batches());
    assertEquals(1, order.exchanges());
  }

  @Test
  void runsWhatFitsARoundAsOftenWhetherItIsBoundedOrNot() {
    assertEquals(Plan.of(Kind.LATENCY, 8, 100, 0.03), Plan.of(Kind.LATENCY, 8, 100, 0.03, true));
  }

  @Test
  void staysBoundedWhateverTheTrialSaw() {
    Plan plan = Plan.of(Kind.LATENCY, 0, 0, 3600);
    assertTrue(plan.exchanges() <= 1 << 20 && plan.batches() <= 100_000);
  }

  @Test
  void deadlineGrowsWithTheTimeAsked() {
    var order = Plan.of(Kind.LATENCY, 8, 100, 3.0).order();
    assertTrue(order.deadline().toSeconds() >= 60);
  }
}

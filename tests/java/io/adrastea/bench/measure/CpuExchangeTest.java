package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/** CPU time without polls that found nothing, of one rank and of both. */
class CpuExchangeTest {
  private static final int TURNS = 200_000;

  /** Computes, and counts what it was asked for. */
  private static final class Work implements Exchange {
    private int prepared;
    private int checks;
    private int verified;
    private double sum;

    @Override
    public void prepare(int bytes) {
      prepared = bytes;
    }

    @Override
    public void batch(int count) {
      for (int i = 0; i < count * TURNS; i++) {
        sum += Math.sqrt(i);
      }
    }

    @Override
    public void check() {
      checks++;
    }

    @Override
    public void verify() {
      verified++;
    }
  }

  @Test
  void pollsInVainCountFromTheFirstToTheLastOfAWait() {
    PollMeter meter = new PollMeter();
    meter.idle(5_000); // the step before it may have found something: nobody knows
    meter.idle(5_040);
    meter.idle(5_100);
    assertEquals(100, meter.inVain());
    meter.reset();
    meter.idle(5_400); // behind something that was found
    meter.idle(5_430);
    assertEquals(130, meter.inVain());
  }

  @Test
  void whatTakesLongerThanAPollIsNone() {
    PollMeter meter = new PollMeter();
    meter.idle(0);
    meter.idle(PollMeter.MOST_POLL_NANOS);
    assertEquals(0, meter.inVain());
    meter.idle(PollMeter.MOST_POLL_NANOS + 20);
    assertEquals(20, meter.inVain());
  }

  @Test
  void workIsCpuTimeAndPollsAreNot() {
    PollMeter meter = new PollMeter();
    Work work = new Work();
    work.batch(10); // compiles
    long begin = meter.now();
    work.batch(10);
    long worked = meter.since(begin);
    assertTrue(worked > 10L * TURNS / 20, "%d ns for %d square roots".formatted(worked, 10 * TURNS));
    meter.reset();
    long before = meter.inVain();
    for (int i = 0; i < 1000; i++) {
      meter.idle();
    }
    assertTrue(meter.inVain() > before);
  }

  @Test
  void theLowerRankTellsTheSumOfBoth() {
    AtomicLongArray told = new AtomicLongArray(2);
    Job.runThreads(2, job -> {
      int rank = job.world().rank();
      Work work = new Work();
      CpuExchange exchange = new CpuExchange(work, Side.of(job, Memory.NATIVE), new PollMeter());
      exchange.prepare(7);
      exchange.batch(20);
      told.set(rank, exchange.timed(rank == 0 ? 0 : 20, Clock.calibrated())); // the lower one has nothing to do
      exchange.check();
      exchange.verify();
      assertEquals(7 + 1 + 1, work.prepared + work.checks + work.verified);
    });
    assertTrue(told.get(1) > 20L * TURNS / 20, told.toString());
    assertTrue(told.get(0) - told.get(1) > -1_000, told.toString()); // its own part is about nothing
  }

  @Test
  void theCpuTimeOfAKindHasItsMessagesAndACommandOfItsOwn() {
    Kind cpu = Kind.LATENCY.cpu();
    assertEquals("latency-cpu", cpu.command());
    assertTrue(Kind.isCpu(cpu.command()) && !Kind.isCpu(Kind.LATENCY.command()) && cpu.isTime());
    assertEquals(Kind.LATENCY.command(), Kind.withoutCpu(cpu.command()));
    assertEquals(Kind.LATENCY.messagesPerExchange(), cpu.messagesPerExchange());
    assertEquals("metered", RankOptions.NONE.withMeter().words(0).get(1));
  }
}

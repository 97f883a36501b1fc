package io.adrastea.bench.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import io.adrastea.ThreadLevel;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Side;
import io.adrastea.bench.measure.Work;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LargeExchangesTest {
  @ParameterizedTest
  @EnumSource(Part.class)
  void everyPartRunsAndItsMessagesArrive(Part part) {
    Job.builder()
        .threads(ThreadLevel.MULTIPLE)
        .runThreads(
            2,
            job -> {
              Exchange exchange = new LargeExchanges().make(part.kind().command(), Side.of(job, Memory.NATIVE));
              for (int bytes : new int[] {1, 5000, 300_000, 5000}) {
                exchange.prepare(bytes);
                exchange.batch(3);
                exchange.verify();
              }
            });
  }

  @Test
  void theHelperEndsWithEachRun() {
    Job.builder()
        .threads(ThreadLevel.MULTIPLE)
        .runThreads(
            2,
            job -> {
              Exchange exchange = new LargeExchanges().make(Part.THREAD.kind().command(), Side.of(job, Memory.NATIVE));
              exchange.prepare(1000);
              exchange.verify();
            });
    assertTrue(Thread.getAllStackTraces().keySet().stream().noneMatch(one -> one.getName().contains("progress")));
  }

  @Test
  void noTwoPartsShareACommand() {
    assertEquals(
        Part.values().length,
        Arrays.stream(Part.values())
            .map(part -> part.kind().command())
            .collect(Collectors.toSet())
            .size());
  }

  @Test
  void moreTimeIsMoreSteps() {
    long few = new Work().stepsIn(1000);
    long many = new Work().stepsIn(1_000_000);
    assertTrue(few >= 1 && many > few, few + " and " + many);
  }
}

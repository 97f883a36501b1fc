package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Variant;
import java.util.List;
import java.util.Map;

/**
 * One way of meeting on one core. What elsewhere is the size of a message is the number of ranks here: there is a job
 * for each, which both ways share.
 */
final class BarrierVariant implements Variant {
  private final CorePair cores;
  private final Map<Integer, CoreVariant> jobs;
  private final Meeting meeting;

  /**
   * @param jobs by number of ranks
   */
  BarrierVariant(CorePair cores, Map<Integer, CoreVariant> jobs, Meeting meeting) {
    this.cores = cores;
    this.jobs = jobs;
    this.meeting = meeting;
  }

  @Override
  public String name() {
    return KindVariant.name(cores.name(), meeting.title());
  }

  @Override
  public boolean measures(Kind kind, int ranks) {
    return jobs.containsKey(ranks);
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    Order without =
        new Order(meeting.kind(), 0, order.batches(), order.exchanges(), order.expected());
    return jobs.get(order.bytes()).run(without);
  }

  @Override
  public long compilerNanos() throws BenchException, InterruptedException {
    long sum = 0;
    for (CoreVariant job : jobs.values()) {
      sum += job.compilerNanos();
    }
    return sum;
  }

  @Override
  public void close() {
    jobs.values().forEach(CoreVariant::close);
  }
}

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Op;
import java.util.Locale;

/**
 * Pi, as four times the area under a quarter of the circle: each rank adds up every size-th strip, and all know the sum
 * of all. Rank 0 tells how many strips there are, and prints what each rank has found. The digits are the same on every
 * run, since ranks are added in their order. {@code adrastea run -n 4 -- java Pi.java 10000000}
 */
public final class Pi {
  private static final long STRIPS = 10_000_000;

  public static void main(String[] args) throws Exception {
    Job.run(job -> {
      Communicator world = job.world();
      long[] strips = {world.rank() == 0 && args.length > 0 ? Long.parseLong(args[0]) : STRIPS};
      world.bcast(Data.of(strips), 0); // rank 0 is the one whose arguments count
      double part = area(world.rank(), world.size(), strips[0]);
      double pi = world.allreduce(part, Op.SUM);
      double[] parts = new double[world.size()];
      world.allgather(Data.of(new double[] {part}), Data.of(parts));
      if (world.rank() == 0) {
        for (int rank = 0; rank < parts.length; rank++) {
          System.out.printf(Locale.ROOT, "rank %d found %.12f%n", rank, parts[rank]);
        }
        System.out.printf(Locale.ROOT, "pi is about %.12f, by %d strips and %d ranks%n", pi, strips[0], world.size());
      }
    });
  }

  private static double area(int first, int step, long strips) {
    double sum = 0;
    for (long strip = first; strip < strips; strip += step) {
      double x = (strip + 0.5) / strips;
      sum += 4 / (1 + x * x);
    }
    return sum / strips;
  }
}

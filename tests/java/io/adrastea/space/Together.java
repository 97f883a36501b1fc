package io.adrastea.space;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that do the like at a time. */
final class Together {
  /** What one of them does. */
  interface Part {
    void run(int thread) throws Exception;
  }

  private Together() {}

  /** Runs so many parts, which begin together; the first failure of one is thrown. */
  static void run(int threads, Part part) throws Exception {
    CyclicBarrier begin = new CyclicBarrier(threads);
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        all.add(executor.submit(() -> {
          begin.await();
          part.run(thread);
          return null;
        }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }
}

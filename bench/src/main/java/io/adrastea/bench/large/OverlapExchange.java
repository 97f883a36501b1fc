package io.adrastea.bench.large;

import io.adrastea.Communicator;
import io.adrastea.Job;
import io.adrastea.ProgressThread;
import io.adrastea.Request;
import io.adrastea.bench.measure.Buffers;
import io.adrastea.bench.measure.Helper;
import io.adrastea.bench.measure.PairExchange;
import io.adrastea.bench.measure.Side;
import io.adrastea.bench.measure.Work;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The lower rank starts a send, the upper one a receive; both compute meanwhile, or do not, complete it, and the upper
 * one answers without a payload. How much they compute is measured once for a size, the same in all parts of a job:
 * about as long as the transfer takes alone.
 */
final class OverlapExchange extends PairExchange {
  private static final int TAG = 16;
  private static final int ANSWER_TAG = 17;
  private static final int STEPS_TAG = 18;

  /** Steps by size, of each rank. */
  private static final Map<Communicator, Map<Integer, Long>> STEPS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Job job;
  private final Part part;
  private final Buffers buffers = new Buffers();
  private final Work work = new Work();
  private MemorySegment message;
  private long steps;
  private ProgressThread helper;

  OverlapExchange(Side side, Part part) {
    super(side);
    this.job = side.job();
    this.part = part;
  }

  @Override
  public void prepare(int bytes) {
    message = buffers.take(bytes);
    if (part != Part.TRANSFER) {
      steps =
          STEPS
              .computeIfAbsent(world, key -> new HashMap<>())
              .computeIfAbsent(bytes, key -> agreedSteps());
    }
    if (part == Part.THREAD) {
      helper = Helper.start(job);
    }
  }

  /** The lower rank measures, the upper one is told. */
  private long agreedSteps() {
    double nanos = Work.nanosOf(message.byteSize(), () -> complete(start()));
    MemorySegment word = Arena.global().allocate(ValueLayout.JAVA_LONG);
    if (lower) {
      word.set(ValueLayout.JAVA_LONG, 0, work.stepsIn(nanos));
      world.send(word, peer, STEPS_TAG);
    } else {
      work.stepsIn(nanos); // compiles it
      world.recv(word, peer, STEPS_TAG);
    }
    return word.get(ValueLayout.JAVA_LONG, 0);
  }

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      switch (part) {
        case TRANSFER -> complete(start());
        case COMPUTE -> work.run(steps);
        default -> both();
      }
    }
  }

  /** No call of the library between the start and the wait. */
  private void both() {
    Request request = start();
    work.run(steps);
    complete(request);
  }

  private Request start() {
    return lower ? world.isend(message, peer, TAG) : world.irecv(message, peer, TAG);
  }

  private void complete(Request request) {
    request.await();
    answer(ANSWER_TAG);
  }

  @Override
  protected MemorySegment outgoing() {
    return lower ? message : null;
  }

  @Override
  protected MemorySegment incoming() {
    return lower ? null : message;
  }

  @Override
  protected void once() {
    complete(start());
  }

  /** The last call of a run: the helper ends here, since it would disturb what comes next. */
  @Override
  public void verify() {
    super.verify();
    if (helper != null) {
      helper.close();
      helper = null;
    }
  }
}

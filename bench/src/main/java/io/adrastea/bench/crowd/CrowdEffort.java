package io.adrastea.bench.crowd;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param rounds how often everything is gone through
 * @param seconds of each call of each variant beside each of what runs beside it, in a round
 * @param windowMillis about how long exchanges are timed together
 * @param warmUp uncounted seconds of each variant at most; it ends once the ranks' compilers are idle
 * @param steps of a job from its first message on
 */
record CrowdEffort(int rounds, double seconds, double windowMillis, double warmUp, int steps) {
  /** Messages of a step. */
  static final int STEP_MESSAGES = 5000;

  private static final double MOST_OF_A_SLICE = 0.25;
  private static final Duration SLACK = Duration.ofSeconds(60);
  private static final int FACTOR = 10;
  private static final long STEP_MILLIS = 200; // at 40 us a message, which is slow

  /** The command for one call in one round. */
  String round(Call call) {
    return windows(call, seconds);
  }

  /** The command for one call in one pass of the warm-up. */
  String slice(Call call) {
    return windows(call, sliceSeconds());
  }

  /** How often all calls are gone through in the warm-up, at most. */
  int passes(int calls) {
    return Math.max(1, (int) Math.round(warmUp / sliceSeconds() / Math.max(1, calls)));
  }

  private double sliceSeconds() {
    return Math.min(seconds, MOST_OF_A_SLICE);
  }

  private String windows(Call call, double duration) {
    return "%s%s %d %d %d".formatted(CrowdRank.WINDOWS, call.command(), call.bytes(),
        Math.max(1, Math.round(1000 * duration)), Math.max(1, Math.round(1000 * windowMillis)));
  }

  /** The command for a job's first messages. */
  String firstMessages() {
    Call call = Call.FIRST_MESSAGES;
    return "%s%s %d %d %d".formatted(
        CrowdRank.STEPS, call.command(), call.bytes(), steps, STEP_MESSAGES / call.messages());
  }

  /** A job that has not answered by then hangs. */
  Duration deadline() {
    return SLACK.plusMillis((long) (FACTOR * 1000 * Math.max(seconds, warmUp)) + STEP_MILLIS * steps);
  }
}

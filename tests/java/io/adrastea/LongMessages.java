package io.adrastea;

import java.util.Map;

/** The ways of messages longer than a cell, for tests that hold for both. */
public enum LongMessages {
  /** Piece by piece, before their receive is known. */
  IN_PIECES(Integer.toString(Integer.MAX_VALUE)),

  /** Once their receive is known, all that are longer than a cell. */
  BY_RENDEZVOUS(Integer.toString(Ranks.CELL_BYTES));

  private final String eagerBytes;

  LongMessages(String eagerBytes) {
    this.eagerBytes = eagerBytes;
  }

  /** {@link Ranks#run} with long messages of this way. */
  public void run(String cores, int ranks, Job.Body body) throws Exception {
    run(cores, ThreadLevel.SERIALIZED, ranks, body);
  }

  public void run(String cores, ThreadLevel level, int ranks, Job.Body body) throws Exception {
    Settings.with(
        Map.of("adrastea.eager.bytes", eagerBytes),
        () -> {
          Ranks.run(cores, level, ranks, body);
          return null;
        });
  }
}

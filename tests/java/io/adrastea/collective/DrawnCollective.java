package io.adrastea.collective;

import io.adrastea.Request;
import io.adrastea.message.Calls;

/** One collective of one rank, drawn by chance, which knows what is to come of it. */
public interface DrawnCollective {
  /** Calls the blocking one. */
  void run();

  Request start(Request mine);

  Request prepare();

  /** Fails unless what came is what was to come, and what is only read has stayed. */
  void check();
}

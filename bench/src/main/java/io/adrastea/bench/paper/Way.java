package io.adrastea.bench.paper;

/** How a small message gets from rank to rank, and what [Nemesis 2006] gained by each step. */
enum Way {
  PLAIN_QUEUE("queue without shadow head", Counted.PLAIN, "channel-queue", "-"), QUEUE("queue", Counted.PROGRAM,
      "channel-queue", "200"), FASTBOX("fastbox", Counted.PROGRAM, "channel-box", "500");

  private final String title;
  private final String program;
  private final String state;
  private final String gain;

  Way(String title, String program, String state, String gain) {
    this.title = title;
    this.program = program;
    this.state = state;
    this.gain = gain;
  }

  /** What tables call it. */
  String title() {
    return title;
  }

  Counted send() {
    return new Counted(program, state, "counted_send");
  }

  Counted receive() {
    return new Counted(program, state, "counted_receive");
  }

  /** Nanoseconds by which it was faster than the way before it, in [Nemesis 2006]. */
  String gain() {
    return gain;
  }
}

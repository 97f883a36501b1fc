package io.adrastea.cli.run;

import java.util.Optional;

/**
 * What a host tells the launcher of a job, in a line of its standard error that begins with a mark, between lines of
 * its ranks.
 *
 * @param kind of what it tells
 * @param rank that it tells of; -1: none
 * @param code an exit code; 0 where there is none
 * @param flag whether a rank aborts the job
 * @param text one line of words, may be empty
 */
record HostReport(Kind kind, int rank, int code, boolean flag, String text) {
  /** The byte that a report begins with, which stands in no line of text. */
  static final byte MARK = 1;

  private static final String BEGIN = (char) MARK + "adrastea ";
  private static final int WORDS = 5;

  /** Of what there are reports. */
  enum Kind {
    /** There is an Adrastea, with its version. */
    HELLO,
    /** All can be started; with where ranks are to meet, if the lowest rank is here. */
    READY,
    /** Nothing can be started, or not all: with a code and the reason. */
    REFUSED,
    /** A rank has ended, with its exit code and, if it has failed, what it said of that. */
    ENDED,
    /** What a rank waits for; or, without one, that those were all. */
    WAITS,
    /** A piece of standard input has been read. */
    READ,
    /** Words for the user. */
    SAY
  }

  /** A report of words alone. */
  static HostReport of(Kind kind, String text) {
    return new HostReport(kind, -1, 0, false, text);
  }

  /** The line, without its end. */
  String line() {
    return BEGIN + kind + " " + rank + " " + code + " " + flag + " " + text.replaceAll("\\R", " ");
  }

  /** Reads a line without its end; empty: it is no report. */
  static Optional<HostReport> read(String line) {
    if (!line.startsWith(BEGIN)) {
      return Optional.empty();
    }
    String[] words = line.substring(BEGIN.length()).split(" ", WORDS);
    try {
      return Optional.of(new HostReport(Kind.valueOf(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]),
          Boolean.parseBoolean(words[3]), words[4]));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }
}

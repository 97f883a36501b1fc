package io.adrastea.bootstrap;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines that ranks exchange where they meet. A rank sends
 *
 * <pre>
 * adrastea 1 rank=&lt;r&gt; size=&lt;n&gt; node=&lt;identity&gt;
 * </pre>
 *
 * where 1 is the version of this protocol, and rank 0 answers one of
 *
 * <pre>
 * job &lt;16 hex digits&gt;
 * refused &lt;words&gt;
 * </pre>
 *
 * each with a line feed at its end and at most 512 bytes with it. Twin of {@code bootstrap/adr_rendezvous_line.h}.
 */
final class RendezvousLine {
  static final int VERSION = 1;
  static final int MOST_BYTES = 512; // of a line, with its end
  static final int QUOTED = 64; // characters of it that messages quote

  private static final String GREETING = "adrastea ";
  private static final String JOB = "job ";
  private static final String REFUSED = "refused ";
  private static final int MOST_WORDS = 502; // so that the line, its end and the end of C's text have room

  private static final Pattern ANY_VERSION = Pattern.compile(GREETING + "([0-9]{1,9})( .*)?");
  private static final Pattern OUR_VERSION =
      Pattern.compile(GREETING + "[0-9]{1,9} rank=([0-9]{1,9}) size=([0-9]{1,9}) node=([!-~]{1,127})");
  private static final Pattern JOB_ANSWER = Pattern.compile(JOB + "([0-9a-f]{16})");

  private RendezvousLine() {}

  /**
   * What a rank says of itself.
   *
   * @param version of the protocol; of another one the rest is not read
   * @param rank its number
   * @param size ranks of its job
   * @param node what tells its node
   */
  record Hello(int version, int rank, int size, String node) {}

  /** What rank 0 answers. */
  sealed interface Answer {
    /** The number of the job. */
    record Job(long job) implements Answer {}

    /** Why there can be no job. */
    record Refused(String words) implements Answer {}

    /** A line that is no answer of a rank. */
    record Strange() implements Answer {}
  }

  /** A rank's line, with its end. */
  static String writeHello(Hello hello) {
    return GREETING + hello.version + " rank=" + hello.rank + " size=" + hello.size + " node=" + hello.node + "\n";
  }

  /** Whether this is a rank's line, or can become one: others speak another language. */
  static boolean mayBeHello(String text) {
    return text.length() < GREETING.length() ? GREETING.startsWith(text) : text.startsWith(GREETING);
  }

  /** Reads a rank's line, without its end; empty: it is malformed. */
  static Optional<Hello> readHello(String line) {
    Matcher any = ANY_VERSION.matcher(line);
    if (!any.matches()) {
      return Optional.empty();
    }
    int version = Integer.parseInt(any.group(1));
    if (version != VERSION) {
      return Optional.of(new Hello(version, 0, 0, ""));
    }
    Matcher ours = OUR_VERSION.matcher(line);
    return ours.matches()
        ? Optional
            .of(new Hello(version, Integer.parseInt(ours.group(1)), Integer.parseInt(ours.group(2)), ours.group(3)))
        : Optional.empty();
  }

  /** The answer that there is a job, with its end. */
  static String writeJob(long job) {
    String digits = Long.toHexString(job);
    return JOB + "0".repeat(16 - digits.length()) + digits + "\n";
  }

  /** The answer that there is no job, with its end. Words that are too long are cut off. */
  static String writeRefusal(String words) {
    return REFUSED + words.substring(0, Math.min(MOST_WORDS, words.length())) + "\n";
  }

  /** Reads an answer, without its end. */
  static Answer readAnswer(String line) {
    Matcher job = JOB_ANSWER.matcher(line);
    if (job.matches()) {
      return new Answer.Job(Long.parseUnsignedLong(job.group(1), 16));
    }
    boolean refused = line.startsWith(REFUSED) && line.length() > REFUSED.length();
    return refused ? new Answer.Refused(line.substring(REFUSED.length())) : new Answer.Strange();
  }

  /** The text up to the first line feed, if there is one, with question marks for what is not printable in ASCII. */
  static String plain(String text) {
    int end = text.indexOf('\n');
    return PlainText.ascii(end < 0 ? text : text.substring(0, end));
  }
}

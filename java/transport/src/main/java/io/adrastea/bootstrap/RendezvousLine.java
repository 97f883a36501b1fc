package io.adrastea.bootstrap;

import io.adrastea.config.Tunable;
import io.adrastea.peers.Nodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
 * where 1 is the version of this protocol, and behind it {@code links=<names>} where it has links to other nodes, and
 * {@code job=<16 hex digits>} where its launcher has told it the job: rank 0 of that job takes no other. Rank 0 answers
 * one of
 *
 * <pre>
 * job &lt;16 hex digits&gt;
 * refused &lt;words&gt;
 * </pre>
 *
 * each with a line feed at its end and at most 512 bytes with it. Twin of {@code bootstrap/adr_rendezvous_line.h}.
 *
 * <p>
 * Where ranks are on several nodes, the node of each stands behind the job, as {@code nodes=0*4,1*4}, and each sends a
 * second line once it has joined on its node, {@code card <word>}, to which rank 0 answers {@code cards <word> <word>
 * ...}, of all ranks, or refuses. C ranks are on one node.
 */
final class RendezvousLine {
  static final int VERSION = 1;
  static final int MOST_BYTES = 512; // of a line, with its end
  static final int QUOTED = 64; // characters of it that messages quote

  /** Most bytes of the line of a card, with its end. */
  static final int MOST_CARD_BYTES = CardExchange.MOST_BYTES + 6;

  private static final String CARD = "card ";
  private static final String CARDS = "cards ";
  private static final int RUN_BYTES = 16; // of a run of ranks on a node, at most
  private static final String GREETING = "adrastea ";
  private static final String JOB = "job ";
  private static final String REFUSED = "refused ";
  private static final int MOST_WORDS = 502; // so that the line, its end and the end of C's text have room

  private static final Pattern ANY_VERSION = Pattern.compile(GREETING + "([0-9]{1,9})( .*)?");
  private static final Pattern OUR_VERSION =
      Pattern.compile(GREETING + "[0-9]{1,9} rank=([0-9]{1,9}) size=([0-9]{1,9}) node=([!-~]{1,127})"
          + "(?: links=([!-~]{1,127}))?(?: job=([0-9a-f]{16}))?");
  private static final Pattern JOB_ANSWER =
      Pattern.compile(JOB + "([0-9a-f]{16})(?: nodes=([0-9]{1,9}\\*[0-9]{1,9}(?:,[0-9]{1,9}\\*[0-9]{1,9})*))?");
  private static final Pattern CARD_WORDS = Pattern.compile("[!-~]{1,%d}".formatted(CardExchange.MOST_BYTES));

  private RendezvousLine() {}

  /**
   * What a rank says of itself.
   *
   * @param version of the protocol; of another one the rest is not read
   * @param rank its number
   * @param size ranks of its job
   * @param node what tells its node
   * @param links names of its links to other nodes; empty: it has none
   * @param job the number that its launcher has told it, 16 hex digits; empty: none
   */
  record Hello(int version, int rank, int size, String node, String links, String job) {}

  /** What rank 0 answers. */
  sealed interface Answer {
    /**
     * There is a job.
     *
     * @param job its number
     * @param nodes by rank; empty: all are on one
     */
    record Job(long job, List<Integer> nodes) implements Answer {}

    /** Why there can be no job. */
    record Refused(String words) implements Answer {}

    /** A line that is no answer of a rank. */
    record Strange() implements Answer {}
  }

  /** A rank's line, with its end. */
  static String writeHello(Hello hello) {
    String links = hello.links.isEmpty() ? "" : " links=" + hello.links;
    String job = hello.job.isEmpty() ? "" : " job=" + hello.job;
    return GREETING + hello.version + " rank=" + hello.rank + " size=" + hello.size + " node=" + hello.node + links
        + job + "\n";
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
      return Optional.of(new Hello(version, 0, 0, "", "", ""));
    }
    Matcher ours = OUR_VERSION.matcher(line);
    if (!ours.matches()) {
      return Optional.empty();
    }
    String links = ours.group(4) == null ? "" : ours.group(4);
    String job = ours.group(5) == null ? "" : ours.group(5);
    return Optional.of(
        new Hello(version, Integer.parseInt(ours.group(1)), Integer.parseInt(ours.group(2)), ours.group(3), links,
            job));
  }

  /** The answer that there is a job, with its end. */
  static String writeJob(long job) {
    String digits = Long.toHexString(job);
    return JOB + "0".repeat(16 - digits.length()) + digits + "\n";
  }

  /** The answer that there is a job on these nodes, with its end. */
  static String writeJob(long job, Nodes nodes) {
    if (nodes.count() == 1) {
      return writeJob(job);
    }
    StringBuilder runs = new StringBuilder();
    int first = 0;
    for (int rank = 1; rank <= nodes.size(); rank++) {
      if (rank == nodes.size() || nodes.node(rank) != nodes.node(first)) {
        runs.append(runs.isEmpty() ? " nodes=" : ",").append(nodes.node(first)).append('*').append(rank - first);
        first = rank;
      }
    }
    return writeJob(job).replace("\n", runs + "\n");
  }

  /** Most bytes of an answer to so many ranks, with its end. */
  static int mostAnswerBytes(int ranks) {
    return MOST_BYTES + ranks * RUN_BYTES;
  }

  /** The line of a card, with its end. */
  static String writeCard(String words) {
    return CARD + words + "\n";
  }

  /** Reads a card, without the end of its line; empty: it is malformed. */
  static Optional<String> readCard(String line) {
    return Optional.of(line).filter(text -> text.startsWith(CARD)).map(text -> text.substring(CARD.length()))
        .filter(card -> CARD_WORDS.matcher(card).matches());
  }

  /** The cards of all ranks, with the end of their line. */
  static String writeCards(List<String> cards) {
    return CARDS + String.join(" ", cards) + "\n";
  }

  /** Reads the cards of so many ranks, without the end of their line; empty: there are not so many. */
  static Optional<List<String>> readCards(String line, int ranks) {
    List<String> cards = line.startsWith(CARDS) ? List.of(line.substring(CARDS.length()).split(" ", -1)) : List.of();
    boolean all = cards.size() == ranks && cards.stream().allMatch(card -> CARD_WORDS.matcher(card).matches());
    return all ? Optional.of(cards) : Optional.empty();
  }

  /** Most bytes of the line of all cards of so many ranks. */
  static int mostCardsBytes(int ranks) {
    return MOST_BYTES + ranks * (CardExchange.MOST_BYTES + 1);
  }

  /** The answer that there is no job, with its end. Words that are too long are cut off. */
  static String writeRefusal(String words) {
    return REFUSED + words.substring(0, Math.min(MOST_WORDS, words.length())) + "\n";
  }

  /** Reads an answer, without its end. */
  static Answer readAnswer(String line) {
    Matcher job = JOB_ANSWER.matcher(line);
    if (job.matches()) {
      List<Integer> nodes = new ArrayList<>();
      for (String run : job.group(2) == null ? new String[0] : job.group(2).split(",")) {
        String[] words = run.split("\\*");
        int count = Math.min(Integer.parseInt(words[1]), Tunable.SIZE.most() + 1 - nodes.size());
        nodes.addAll(Collections.nCopies(Math.max(count, 0), Integer.parseInt(words[0])));
      }
      return new Answer.Job(Long.parseUnsignedLong(job.group(1), 16), nodes);
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

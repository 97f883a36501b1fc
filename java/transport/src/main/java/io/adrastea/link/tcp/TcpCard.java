package io.adrastea.link.tcp;

import io.adrastea.error.JoinException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a rank tells all others of how it is reached.
 *
 * @param pid its process
 * @param key random bytes that the ranks of the job alone know
 * @param host where it is, for people
 * @param addresses at which it listens
 */
record TcpCard(long pid, byte[] key, String host, List<InetSocketAddress> addresses) {
  static final int VERSION = 1; // of the words, of the greeting and of frames
  static final int KEY_BYTES = 16;
  private static final int MOST_HOST = 64;
  private static final Pattern WORDS =
      Pattern.compile("([0-9]{1,4}),([0-9]{1,18}),([0-9a-f]{32}),([!-+\\--~]{1,64}),([!-~]+)");
  private static final Pattern ADDRESS = Pattern.compile("\\[?([0-9a-f.:]+?)\\]?:([0-9]{1,5})");

  /** The name of a host as a card tells it. */
  static String plain(String host) {
    String plain = host.replaceAll("[^0-9A-Za-z._-]", "_");
    return plain.isEmpty() ? "_" : plain.substring(0, Math.min(MOST_HOST, plain.length()));
  }

  String words() {
    return "%d,%d,%s,%s,%s".formatted(VERSION, pid, HexFormat.of().formatHex(key), host, list(addresses, ","));
  }

  /** Addresses for people, and for cards. */
  static String list(List<InetSocketAddress> addresses, String between) {
    return addresses.stream().map(TcpCard::text).collect(Collectors.joining(between));
  }

  static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /**
   * Reads what a rank has told.
   *
   * @throws JoinException when that is not what a rank of this version tells
   */
  static TcpCard read(int rank, String words) {
    Matcher card = WORDS.matcher(words);
    if (!card.matches() || !card.group(1).equals(Integer.toString(VERSION))) {
      throw new JoinException(
          ("rank %d tells '%.64s' of how it is reached by tcp, which version %d of that link cannot read; all ranks of "
              + "a job need the same version of Adrastea").formatted(rank, words, VERSION));
    }
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String text : card.group(5).split(",")) {
      addresses.add(address(rank, text));
    }
    return new TcpCard(Long.parseLong(card.group(2)), HexFormat.of().parseHex(card.group(3)), card.group(4), addresses);
  }

  private static InetSocketAddress address(int rank, String text) {
    Matcher address = ADDRESS.matcher(text);
    if (address.matches()) {
      try {
        return new InetSocketAddress(InetAddress.ofLiteral(address.group(1)), Integer.parseInt(address.group(2)));
      } catch (IllegalArgumentException e) {
        // as one that does not match
      }
    }
    throw new JoinException(
        "rank %d tells '%.64s' for an address at which tcp reaches it, and that cannot be read".formatted(rank, text));
  }
}

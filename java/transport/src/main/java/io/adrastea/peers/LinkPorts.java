package io.adrastea.peers;

import io.adrastea.error.JoinException;
import io.adrastea.link.LinkPort;
import io.adrastea.link.LinkProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the providers of links have opened for one rank of a job on several nodes, and what all ranks have told of
 * theirs. Used by the rank's own thread.
 */
public final class LinkPorts implements AutoCloseable {
  private final Map<String, LinkPort> open = new LinkedHashMap<>(); // by the name of the provider
  private List<Map<String, String>> told = List.of(); // by rank, words by the name of the provider

  /** No port is open yet, and none will be for a rank whose job is on one node. */
  public LinkPorts() {}

  void add(LinkProvider provider, LinkPort port) {
    if (port == null) {
      return;
    }
    open.put(provider.name(), port); // first, so that it is closed when it tells nonsense
    if (!port.words().matches("[!-:<-~]+")) {
      throw new JoinException(
          ("the provider of links '%s' tells '%s' of a rank; allowed is printable ASCII without blanks and semicolons: "
              + "mend it, or leave it out in adrastea.links").formatted(provider.name(), port.words()));
    }
  }

  /** What the others are to be told, as one word; empty: nothing. */
  public String words() {
    return open.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue().words())
        .collect(Collectors.joining(";"));
  }

  /** Takes what all ranks have told, by their numbers, each as {@link #words}. */
  public void hear(List<String> words) {
    told = words.stream().map(LinkPorts::byName).toList();
  }

  private static Map<String, String> byName(String words) {
    return Stream.of(words.split(";")).map(word -> word.split("=", 2)).filter(word -> word.length == 2)
        .collect(Collectors.toMap(word -> word[0], word -> word[1], (one, other) -> other));
  }

  String words(LinkProvider provider, int rank) {
    return told.isEmpty() ? "" : told.get(rank).getOrDefault(provider.name(), "");
  }

  LinkPort port(LinkProvider provider) {
    return open.get(provider.name());
  }

  /** The link of that provider closes its port from now on. */
  void handOver(LinkProvider provider) {
    open.remove(provider.name());
  }

  /** Closes those that have become the port of no link. */
  @Override
  public void close() {
    open.values().forEach(LinkPort::close);
    open.clear();
  }
}

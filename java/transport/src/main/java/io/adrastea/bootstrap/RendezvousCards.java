package io.adrastea.bootstrap;

import io.adrastea.error.JoinException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Rank 0 after the ranks of several nodes have met: it hears the card of each as soon as that has joined on its node,
 * and tells all cards to all, or why one is missing. The connections are those by which they met.
 */
final class RendezvousCards implements CardExchange {
  private static final int MOST_SELECT_MILLIS = 200; // then it is time to look whether the thread is interrupted
  private static final int GRACE_MILLIS = 1000; // for what is to be told at the deadline

  private final RendezvousMeeting meeting;
  private final LongSupplier clock;
  private final long deadline; // milliseconds
  private final SocketChannel[] channels; // by rank; null: rank 0, or one that is gone
  private final ByteBuffer[] lines; // by rank, as far as they have come
  private final String[] cards; // by rank; null: it has not come
  private boolean closed;

  /**
   * Goes on with the connections of a meeting, which are not blocking, and which this closes.
   *
   * @param channels by rank; null for rank 0
   * @param deadline milliseconds, by the clock
   * @param clock nanoseconds
   */
  RendezvousCards(RendezvousMeeting meeting, SocketChannel[] channels, long deadline, LongSupplier clock) {
    this.meeting = meeting;
    this.clock = clock;
    this.deadline = deadline;
    this.channels = channels;
    this.cards = new String[channels.length];
    this.lines = new ByteBuffer[channels.length];
    Arrays.setAll(lines, rank -> ByteBuffer.allocate(RendezvousLine.MOST_CARD_BYTES));
  }

  private long now() {
    return clock.getAsLong() / 1_000_000;
  }

  @Override
  public List<String> exchange(String card) {
    cards[0] = card;
    try (Selector selector = Selector.open()) {
      for (int rank = 1; rank < channels.length; rank++) {
        channels[rank].register(selector, SelectionKey.OP_READ, rank);
      }
      while (Arrays.stream(cards).anyMatch(Objects::isNull)) {
        if (now() > deadline) {
          throw refuse(("rank 0 waited %d ms for rank(s) %s of %d, which have met the others, and have not joined on "
              + "their nodes (ADRASTEA_JOIN_TIMEOUT)").formatted(meeting.timeoutMillis(), missing(), meeting.size()));
        }
        select(selector);
      }
      tell(RendezvousLine.writeCards(List.of(cards)));
    } catch (IOException e) {
      throw new JoinException("rank 0 cannot hear the ranks of other nodes: " + e.getMessage(), e);
    } finally {
      closeAll();
    }
    return List.of(cards);
  }

  private void select(Selector selector) throws IOException {
    selector.select(MOST_SELECT_MILLIS);
    if (Thread.currentThread().isInterrupted()) {
      throw refuse("rank 0 was interrupted while it joined");
    }
    for (SelectionKey key : selector.selectedKeys()) {
      hear((Integer) key.attachment());
    }
    selector.selectedKeys().clear();
  }

  private void hear(int rank) {
    ByteBuffer line = lines[rank];
    boolean ended;
    try {
      ended = channels[rank].read(line) < 0;
    } catch (IOException e) {
      ended = true;
    }
    String text = new String(line.array(), 0, line.position(), StandardCharsets.ISO_8859_1);
    if (text.indexOf('\n') >= 0 || !line.hasRemaining()) {
      String said = RendezvousLine.plain(text);
      cards[rank] = RendezvousLine.readCard(said)
          .orElseThrow(() -> refuse("rank %d has sent what is no card: '%.64s'".formatted(rank, said)));
    } else if (ended) {
      throw refuse("rank %d has ended, or given up, while it joined on its node".formatted(rank));
    }
  }

  private List<Integer> missing() {
    List<Integer> ranks = new ArrayList<>(IntStream.range(0, cards.length).filter(rank -> cards[rank] == null).boxed()
        .toList());
    return ranks.size() > RendezvousServer.LISTED ? ranks.subList(0, RendezvousServer.LISTED) : ranks;
  }

  private JoinException refuse(String words) {
    tell(RendezvousLine.writeRefusal(words));
    return new JoinException(words);
  }

  /** Tells all others, each of which reads; one that does not get it finds out by its own deadline. */
  private void tell(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
    long until = Math.max(deadline, now()) + GRACE_MILLIS;
    for (SocketChannel channel : channels) {
      try {
        if (channel != null) {
          write(channel, ByteBuffer.wrap(bytes), until);
        }
      } catch (IOException e) {
        // it has gone
      }
    }
  }

  private void write(SocketChannel channel, ByteBuffer bytes, long until) throws IOException {
    channel.write(bytes);
    if (!bytes.hasRemaining()) {
      return;
    }
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_WRITE);
      while (bytes.hasRemaining() && now() < until && !Thread.currentThread().isInterrupted()) {
        selector.select(MOST_SELECT_MILLIS);
        selector.selectedKeys().clear();
        channel.write(bytes);
      }
    }
  }

  @Override
  public void close() {
    if (!closed) {
      tell(RendezvousLine.writeRefusal("rank 0 has given up while it joined on its node, and tells why"));
      closeAll();
    }
  }

  private void closeAll() {
    closed = true;
    for (SocketChannel channel : channels) {
      try {
        if (channel != null) {
          channel.close();
        }
      } catch (IOException e) {
        // nothing more is asked of it
      }
    }
  }
}

package io.adrastea.bootstrap;

import io.adrastea.bootstrap.RendezvousLine.Answer;
import io.adrastea.bootstrap.RendezvousLine.Hello;
import io.adrastea.error.JoinException;
import io.adrastea.peers.Nodes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A rank other than 0 where the ranks of a job meet. Twin of {@code bootstrap/adr_rendezvous_client.h}.
 */
final class RendezvousClient {
  static final int FIRST_PAUSE_MILLIS = 10; // between two attempts; the next is twice as long, ...
  static final int MOST_PAUSE_MILLIS = 200; // ... up to this
  static final int CONNECT_MILLIS = 2000; // how long one attempt waits for a connection
  static final int GRACE_MILLIS = 1000; // how much longer a connected rank waits for what rank 0 says at the end

  private static final String CLOSED = "the connection was closed before rank 0 had answered";
  private static final int MOST_SELECT_MILLIS = 60_000;

  private final RendezvousMeeting meeting;
  private final LongSupplier clock;
  private final JoinNotice notice;
  private final long deadline;
  private String reason = ""; // why the last attempt failed

  private RendezvousClient(RendezvousMeeting meeting, LongSupplier clock) {
    this.meeting = meeting;
    this.clock = clock;
    this.notice = new JoinNotice(clock);
    this.deadline = now() + meeting.timeoutMillis();
  }

  private long now() {
    return clock.getAsLong() / 1_000_000; // milliseconds
  }

  /** An attempt that has failed. */
  private static final class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1L;

    NoAnswerException(String reason) {
      super(reason, null, false, false);
    }
  }

  /** Waits for an event until then; false: it has not come. */
  private boolean await(SocketChannel channel, int event, long until) throws IOException {
    try (Selector selector = Selector.open()) {
      channel.register(selector, event);
      for (long left = until - now(); left >= 0; left = until - now()) {
        if (selector.select(Math.min(left + 1, MOST_SELECT_MILLIS)) > 0) {
          return true;
        }
        requireNoInterrupt();
      }
      return false;
    }
  }

  private static void requireNoInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw new JoinException("interrupted while joining");
    }
  }

  private void connect(SocketChannel channel, InetSocketAddress address) throws IOException, NoAnswerException {
    if (!channel.connect(address)) {
      long until = Math.min(deadline + MOST_PAUSE_MILLIS, now() + CONNECT_MILLIS); // the last begins at the deadline
      if (!await(channel, SelectionKey.OP_CONNECT, until)) {
        throw new NoAnswerException("nobody answers there");
      }
      channel.finishConnect();
    }
    // A connection to a port of this host at which nobody listens can be given that very port, and then meets itself.
    if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
      throw new NoAnswerException("Connection refused");
    }
  }

  private void sendHello(SocketChannel channel) throws NoAnswerException {
    Hello hello = new Hello(RendezvousLine.VERSION, meeting.rank(), meeting.size(), meeting.node(),
        meeting.links(), meeting.job());
    try {
      // There is room for all of it, since it is the first that is sent.
      channel.write(ByteBuffer.wrap(RendezvousLine.writeHello(hello).getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException e) {
      throw new NoAnswerException(CLOSED);
    }
  }

  /** The line that comes, without its end. */
  private String readAnswer(SocketChannel channel, int mostBytes) throws IOException, NoAnswerException {
    long until = deadline + Math.min(meeting.timeoutMillis(), GRACE_MILLIS);
    ByteBuffer bytes = ByteBuffer.allocate(mostBytes);
    String text = "";
    while (bytes.hasRemaining() && text.indexOf('\n') < 0) {
      if (!await(channel, SelectionKey.OP_READ, until)) {
        throw new NoAnswerException("connected, but without an answer yet");
      }
      try {
        if (channel.read(bytes) < 0) {
          throw new NoAnswerException(CLOSED);
        }
      } catch (IOException e) {
        throw new NoAnswerException(CLOSED);
      }
      text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
    }
    return RendezvousLine.plain(text);
  }

  private Optional<RendezvousJob> ask(InetSocketAddress address) throws NoAnswerException {
    SocketChannel channel = null;
    Optional<RendezvousJob> job = Optional.empty();
    try {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      connect(channel, address);
      sendHello(channel);
      job = read(readAnswer(channel, RendezvousLine.mostAnswerBytes(meeting.size())), channel);
      return job;
    } catch (IOException e) {
      throw new NoAnswerException(e.getMessage());
    } finally {
      if (channel != null && job.filter(found -> found.cards() != null).isEmpty()) {
        close(channel);
      }
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // nothing more is asked of it
    }
  }

  /** Tries all addresses of the host; empty: there is no answer yet. */
  private Optional<RendezvousJob> attempt() {
    List<InetSocketAddress> found;
    try {
      found = meeting.address().resolve();
    } catch (UnknownHostException e) {
      reason = "its host is unknown";
      return Optional.empty();
    }
    for (InetSocketAddress address : found) {
      try {
        return ask(address);
      } catch (NoAnswerException e) {
        reason = e.getMessage();
      }
    }
    return Optional.empty();
  }

  private Optional<RendezvousJob> read(String line, SocketChannel channel) {
    return switch (RendezvousLine.readAnswer(line)) {
      case Answer.Job answer when answer.nodes().isEmpty() ->
        Optional.of(new RendezvousJob(answer.job(), Nodes.one(meeting.size()), null));
      case Answer.Job answer when answer.nodes().size() == meeting.size() ->
        Optional.of(
            new RendezvousJob(answer.job(), Nodes.of(answer.nodes().stream().mapToInt(Integer::intValue).toArray()),
                new Cards(channel)));
      case Answer.Refused answer -> throw new JoinException(answer.words());
      case Answer.Job _,Answer.Strange _ -> {
        reason = "what answers there is no rank of Adrastea: '%.64s'".formatted(line);
        yield Optional.empty();
      }
    };
  }

  /** What goes on with the connection where ranks are on several nodes. */
  private final class Cards implements CardExchange {
    private final SocketChannel channel;

    Cards(SocketChannel channel) {
      this.channel = channel;
    }

    @Override
    public List<String> exchange(String card) {
      try {
        channel.write(ByteBuffer.wrap(RendezvousLine.writeCard(card).getBytes(StandardCharsets.US_ASCII)));
        String line = readAnswer(channel, RendezvousLine.mostCardsBytes(meeting.size()));
        if (RendezvousLine.readAnswer(line) instanceof Answer.Refused refused) {
          throw new JoinException(refused.words());
        }
        return RendezvousLine.readCards(line, meeting.size()).orElseThrow(() -> new JoinException(
            "rank 0 answers rank %d with what are not the cards of %d ranks: '%.64s'".formatted(meeting.rank(),
                meeting.size(), line)));
      } catch (IOException | NoAnswerException e) {
        throw new JoinException(
            ("rank %d has joined on its node, and has not heard from rank 0 at %s whether all others have: %s "
                + "(ADRASTEA_JOIN_TIMEOUT)").formatted(meeting.rank(), meeting.address().words(), e.getMessage()),
            e);
      } finally {
        close();
      }
    }

    @Override
    public void close() {
      RendezvousClient.close(channel);
    }
  }

  /**
   * Connects to rank 0, again and again until the timeout, and asks it for the number of the job.
   *
   * @throws JoinException when rank 0 has refused, with its words, or has not answered
   */
  static RendezvousJob ask(RendezvousMeeting meeting) {
    return ask(meeting, System::nanoTime);
  }

  /** Does the same by a clock, of nanoseconds, that never goes back. */
  static RendezvousJob ask(RendezvousMeeting meeting, LongSupplier clock) {
    RendezvousClient client = new RendezvousClient(meeting, clock);
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      Optional<RendezvousJob> job = client.attempt();
      if (job.isPresent()) {
        return job.get();
      }
      long left = client.deadline - client.now();
      if (left < 0) {
        throw new JoinException(
            ("rank %d waited %d ms for rank 0 at %s: %s; is rank 0 running there, and were all ranks started? "
                + "(ADRASTEA_RENDEZVOUS, ADRASTEA_JOIN_TIMEOUT)")
                .formatted(meeting.rank(), meeting.timeoutMillis(), meeting.address().words(), client.reason));
      }
      client.notice.look(client::waiting);
      sleep(Math.min(pause, left + 1));
      pause = Math.min(2 * pause, MOST_PAUSE_MILLIS);
    }
  }

  private String waiting() {
    return "rank %d waits for rank 0 at %s, for at most %d ms (ADRASTEA_JOIN_TIMEOUT): %s".formatted(meeting.rank(),
        meeting.address().words(), meeting.timeoutMillis(), reason);
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JoinException("interrupted while joining", e);
    }
  }
}

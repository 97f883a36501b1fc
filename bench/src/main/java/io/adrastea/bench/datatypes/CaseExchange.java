package io.adrastea.bench.datatypes;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.bench.datatypes.Boxes.Box;
import io.adrastea.bench.datatypes.Case.Group;
import io.adrastea.bench.datatypes.RankMemory.Room;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.Side;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Messages of one case, by one way: to the upper rank and back. A message is written before it is sent and read after
 * it came, within the time, a word of each cache line that it has bytes in.
 */
final class CaseExchange implements Exchange {
  private static final int TAG = 20;

  private final Communicator world;
  private final int peer;
  private final boolean lower;
  private final Group group;
  private final Way way;
  private final RankMemory memory;
  private Case asked;
  private Room room;
  private MemorySegment[] messages; // of each turn, both those that are sent and those that come
  private Words words;
  private Datatype sent;
  private Datatype received;
  private Data[] outgoing; // by its datatype, of each turn
  private Data[] incoming;
  private MemorySegment[][] blocks; // of each turn, where messages are sent piecewise
  private int turn;
  private int written;
  private int read;
  private boolean wrong;
  private int seed;

  /**
   * @param memory which the other exchanges of this rank use, too
   */
  CaseExchange(Side side, Group group, Way way, RankMemory memory) {
    this.world = side.world();
    this.peer = side.peer();
    this.lower = side.lower();
    this.group = group;
    this.way = way;
    this.memory = memory;
  }

  /**
   * @param number of the case
   */
  @Override
  public void prepare(int number) {
    asked = Cases.of(group, number);
    room = memory.take(asked);
    messages = way == Way.CONTIGUOUS ? room.outgoing() : room.memories();
    words = way == Way.CONTIGUOUS ? Words.contiguous(asked.bytes()) : room.words();
    sent = asked.send().described().type();
    received = asked.receive().described().type();
    outgoing = typed(asked.send());
    incoming = typed(asked.receive());
    blocks = way == Way.PIECEWISE ? blocks() : null;
    turn = 0;
    written = 0;
    read = 0;
  }

  private Data[] typed(Layout layout) {
    return Arrays.stream(room.memories())
        .map(copy -> Data.of(copy, layout.origin(), 1, layout.described().type()))
        .toArray(Data[]::new);
  }

  private MemorySegment[][] blocks() {
    Box box = ((Boxes) asked.send().hand()).boxes().get(0);
    MemorySegment[][] all = new MemorySegment[room.memories().length][box.rows()];
    for (int copy = 0; copy < all.length; copy++) {
      for (int row = 0; row < box.rows(); row++) {
        all[copy][row] = room.memories()[copy].asSlice(box.at() + row * box.rowStride(), box.rowBytes());
      }
    }
    return all;
  }

  @Override
  public void batch(int count) {
    if (way.isAlone()) {
      packAlone(count);
      return;
    }
    for (int i = 0; i < count; i++) {
      turn = turn + 1 == room.memories().length ? 0 : turn + 1;
      if (lower) {
        writeAndSend();
      }
      receiveAndRead();
      if (!lower) {
        writeAndSend();
      }
    }
  }

  /** The lower rank alone. */
  private void packAlone(int count) {
    for (int i = 0; lower && i < count; i++) {
      turn = turn + 1 == room.memories().length ? 0 : turn + 1;
      pack();
    }
  }

  private void pack() {
    if (way == Way.HAND || way == Way.LOOP) {
      asked.send().hand().pack(room.memories()[turn], room.outgoing()[0]);
    } else {
      sent.pack(room.memories()[turn], asked.send().origin(), 1, room.outgoing()[0], 0);
    }
  }

  private void writeAndSend() {
    words.write(messages[turn], ++written);
    send();
  }

  private void send() {
    switch (way) {
      case CONTIGUOUS -> world.send(messages[turn], peer, TAG);
      case TYPE -> world.send(outgoing[turn], peer, TAG);
      case HAND, PACKED -> {
        pack();
        world.send(room.outgoing()[0], peer, TAG);
      }
      case PIECEWISE -> {
        for (MemorySegment block : blocks[turn]) {
          world.send(block, peer, TAG);
        }
      }
      default -> throw new IllegalStateException(way + " has no message");
    }
  }

  private void receiveAndRead() {
    receive();
    wrong |= !words.read(messages[turn], ++read);
  }

  private void receive() {
    switch (way) {
      case CONTIGUOUS -> world.recv(messages[turn], peer, TAG);
      case TYPE -> world.recv(incoming[turn], peer, TAG);
      case HAND -> {
        world.recv(room.incoming(), peer, TAG);
        asked.receive().hand().unpack(room.incoming(), room.memories()[turn]);
      }
      case PACKED -> {
        world.recv(room.incoming(), peer, TAG);
        received.unpack(room.incoming(), 0, room.memories()[turn], asked.receive().origin(), 1);
      }
      case PIECEWISE -> {
        for (MemorySegment block : blocks[turn]) {
          world.recv(block, peer, TAG);
        }
      }
      default -> throw new IllegalStateException(way + " has no message");
    }
  }

  @Override
  public void check() {
    if (wrong) {
      throw new IllegalStateException(
          "%s, %s: what arrived is not what was sent".formatted(asked.name(), way.title()));
    }
  }

  /** Every word of a message, once each way. */
  @Override
  public void verify() {
    seed += 2;
    if (way.isAlone()) {
      return; // the same loops are checked where there are messages
    }
    if (lower) {
      verifySend(seed);
    }
    verifyReceive(lower ? seed + 1 : seed);
    if (!lower) {
      verifySend(seed + 1);
    }
    check();
  }

  private void verifySend(int number) {
    turn = 0;
    words.fill(messages[0], number);
    send();
  }

  private void verifyReceive(int number) {
    turn = 0;
    receive();
    wrong |= !words.holds(messages[0], number);
  }
}

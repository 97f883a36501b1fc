package io.adrastea.engine.window;

import io.adrastea.engine.active.ActiveHandler;
import io.adrastea.engine.active.ActiveMessage;
import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.RankFailedException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Payload;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a rank asks other members of a window to do in their memory, where it does not reach that itself: active
 * messages that go out, and what comes back. It knows how many are not known to be done, and to which members.
 */
final class WindowMessages {
  /** What is asked for. The number stands in messages. */
  enum Call {
    PUT, GET, ACCUMULATE, GET_ACCUMULATE,
    /** About one element, for which the header has room. */
    FETCH_AND_OP, COMPARE_AND_SWAP, FLUSH,
    /** The answer to any of them. */
    REPLY;

    private static final Call[] ALL = values();

    static Call of(long number) {
      return number >= 0 && number < ALL.length ? ALL[(int) number] : null;
    }
  }

  // The words of a header
  static final int WHAT = 0; // the window in the lower half, the call in the upper one
  static final int AT = 1; // in bytes
  static final int BYTES = 2; // of data
  static final int OPERATOR = 3; // its number, and that of the kind of elements in bits 15-8
  static final int TAG = 4; // of the answer
  static final int BLOCKS = 5; // which head the payload; 0: the data is contiguous at AT
  static final int VALUES = 6; // up to two words: what is expected and desired, or what was there
  static final int WORDS = 8;

  private static final Contiguous NOTHING = new Contiguous();

  private final Gate gate;
  private final Waits waits;
  private final Liveness liveness;
  private final Movement movement;
  private final ActiveMessages active;
  private final Members members;
  private final int window;
  private final boolean mayAsk; // a member is reached by its handler, or by CMA
  private final boolean[] unflushed; // by member: something was sent that was not asked after; inside the gate
  private final List<Answer> answers = new ArrayList<>(); // by tag
  private final AnswerWait answerWait = new AnswerWait();

  /** What comes back for a call; reused. */
  static final class Answer {
    private final int tag;
    private final long[] values = new long[WORDS - VALUES];
    private int member;
    private Call call;
    private Payload to; // where the data goes; null: none comes
    private boolean taken;
    private boolean done;
    private RuntimeException failure;

    Answer(int tag) {
      this.tag = tag;
    }

    /** A word of what was there. */
    long value(int index) {
      return values[index];
    }

    @Override
    public String toString() {
      return "answer of rank %d to a %s".formatted(member, call.name().toLowerCase(Locale.ROOT));
    }
  }

  /** What has become of a message that went out. */
  private static final class Settled {
    private RuntimeException failure;

    void keep(Pending done) {
      failure = done.failure();
    }
  }

  WindowMessages(Resources resources, Waits waits, ActiveMessages active, Members members, int window,
      boolean mayAsk) {
    this.gate = resources.gate();
    this.waits = waits;
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.active = active;
    this.members = members;
    this.window = window;
    this.mayAsk = mayAsk;
    this.unflushed = new boolean[members.numbering().size()];
  }

  private int jobRank(int member) {
    return members.numbering().jobRank(member);
  }

  /** A header for a call, but for what it is about. */
  long[] header(Call call) {
    long[] header = new long[WORDS];
    header[WHAT] = Integer.toUnsignedLong(window) | (long) call.ordinal() << Integer.SIZE;
    return header;
  }

  /** Sends what nobody answers; the payload is free when this returns. */
  void send(int member, long[] header, Payload payload) {
    gate.enter();
    try {
      unflushed[member] = true;
    } finally {
      gate.exit();
    }
    start(member, header, payload);
  }

  private void start(int member, long[] header, Payload payload) {
    ActiveMessage message = active.start(members, jobRank(member), Windows.TYPE, header, payload);
    if (message != null) {
      Settled settled = new Settled(); // several threads may be here
      message.finish(Long.MAX_VALUE, Settled::keep, settled);
      if (settled.failure != null) {
        throw settled.failure;
      }
    }
  }

  /**
   * Sends what is answered, and waits for the answer, which is to be given back.
   *
   * @param to where the data of the answer goes; null: none comes
   */
  Answer ask(int member, Call call, long[] header, Payload payload, Payload to) {
    Answer answer = begin(member, call, header, payload, to);
    await(answer);
    return answer;
  }

  private Answer begin(int member, Call call, long[] header, Payload payload, Payload to) {
    gate.enter();
    Answer answer;
    try {
      answer = take();
      answer.member = member;
      answer.call = call;
      answer.to = to;
      answer.done = false;
      answer.failure = null;
    } finally {
      gate.exit();
    }
    header[TAG] = answer.tag;
    try {
      start(member, header, payload);
    } catch (RuntimeException | Error e) {
      give(answer);
      throw e;
    }
    return answer;
  }

  private Answer take() {
    for (Answer answer : answers) {
      if (!answer.taken) {
        answer.taken = true;
        return answer;
      }
    }
    Answer answer = new Answer(answers.size());
    answers.add(answer);
    answer.taken = true;
    return answer;
  }

  /** Ends the use of an answer. */
  void give(Answer answer) {
    gate.enterUnchecked(); // also where the job was left meanwhile
    try {
      giveInside(answer);
    } finally {
      gate.exit();
    }
  }

  private static void giveInside(Answer answer) {
    answer.to = null;
    answer.taken = false;
  }

  private void await(Answer answer) {
    gate.enter();
    try {
      if (!answer.done) {
        waits.await(answerWait, answer, waits.beginWait(jobRank(answer.member)));
      }
      if (answer.failure != null) {
        throw answer.failure;
      }
    } catch (RuntimeException | Error e) {
      giveInside(answer);
      throw e;
    } finally {
      gate.exit();
    }
  }

  /** Whether something was sent to a member since it was last asked, which it is now. */
  private boolean asks(int member) {
    gate.enter();
    try {
      boolean sent = unflushed[member];
      unflushed[member] = false; // also where the member is gone: it does nothing any more
      return sent;
    } finally {
      gate.exit();
    }
  }

  /** Waits until what was sent to a member is done there. */
  void flush(int member) {
    if (mayAsk && asks(member)) {
      give(ask(member, Call.FLUSH, header(Call.FLUSH), NOTHING, null));
    }
  }

  /** Waits until all that was sent is done, or its member is gone, which is thrown behind that. */
  void flushAll() {
    Answer[] flushes = null;
    RuntimeException failure = null;
    for (int member = 0; mayAsk && member < unflushed.length; member++) {
      if (asks(member)) {
        flushes = flushes == null ? new Answer[unflushed.length] : flushes;
        try {
          flushes[member] = begin(member, Call.FLUSH, header(Call.FLUSH), NOTHING, null);
        } catch (RankFailedException e) {
          failure = failure == null ? e : failure;
        }
      }
    }
    for (int member = 0; flushes != null && member < flushes.length; member++) {
      if (flushes[member] != null) {
        try {
          await(flushes[member]);
          give(flushes[member]);
        } catch (RankFailedException e) {
          failure = failure == null ? e : failure;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  // What comes back, inside the gate

  /** Where the data of an answer goes; null: nobody waits for it. */
  Payload answered(long[] header) {
    Answer answer = answer(header);
    return answer == null ? null : answer.to == null ? ActiveHandler.NO_MEMORY : answer.to;
  }

  private Answer answer(long[] header) {
    long tag = header[TAG];
    Answer answer = tag >= 0 && tag < answers.size() ? answers.get((int) tag) : null;
    return answer == null || !answer.taken || answer.done ? null : answer;
  }

  /** All of an answer is there, or it has failed. */
  void finished(long[] header, RuntimeException failure) {
    Answer answer = answer(header);
    if (answer != null) {
      System.arraycopy(header, VALUES, answer.values, 0, answer.values.length);
      answer.failure = failure;
      answer.done = true;
    }
  }

  /**
   * The wait for an answer. An interrupt does not end it: its memory is in use until then, and its tag, by which the
   * answer of a call that nobody waits for any more would be taken for that of the next one.
   */
  private final class AnswerWait implements Condition<Answer> {
    @Override
    public boolean isMet(Answer answer, int polls) {
      return answer.done;
    }

    @Override
    public int missing(Answer answer) {
      return liveness.missing(jobRank(answer.member));
    }

    @Override
    public void fail(Answer answer, int lost) {
      throw liveness.failure(members, lost, answer);
    }

    @Override
    public long moves(Answer answer) {
      return movement.ofMessages(Operation.ANY);
    }

    @Override
    public Waiting waiting(Answer answer) {
      return new Waiting(RankEntryDescriptor.IN_WINDOW, jobRank(answer.member), 0);
    }

    @Override
    public String words(Answer answer) {
      return "for the %s in %s".formatted(answer, members.label());
    }

    @Override
    public boolean endures(Answer answer) {
      return true;
    }
  }
}

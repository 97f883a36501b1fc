package io.adrastea.bootstrap;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.adrastea.error.JoinException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The space of keys of a job by PMIx: its client library, which is loaded where the ranks of a job are on several nodes
 * and at no other time. Layouts and numbers are those of the standard's ABI, the same since version 3.
 */
final class PmixSpace implements KeySpace {
  private static final String LIBRARY = "libpmix.so.2";

  private static final int SUCCESS = 0;
  private static final int TIMED_OUT = -24;
  private static final int NOT_FOUND = -46;
  private static final byte GLOBAL = 3; // a scope: all ranks of the job may read it
  private static final short BOOL = 1; // types of values
  private static final short STRING = 3;
  private static final short INT = 6;

  // pmix_proc_t: a name and a rank
  private static final long NAME_BYTES = 256;
  private static final long RANK_AT = NAME_BYTES;
  private static final long PROCESS_BYTES = RANK_AT + Integer.BYTES;

  // pmix_value_t: a type and a union of at most three words
  private static final long DATA_AT = 8;
  private static final long VALUE_BYTES = DATA_AT + 3 * Long.BYTES;

  // pmix_info_t: a key, flags and a value
  private static final long INFO_VALUE_AT = 512 + 8;
  private static final long INFO_BYTES = INFO_VALUE_AT + VALUE_BYTES;

  private static final MemoryLayout SIZE = JAVA_LONG; // size_t

  private final long deadline;
  private final MemorySegment self; // the process that this is
  private final MethodHandle put;
  private final MethodHandle commit;
  private final MethodHandle fence;
  private final MethodHandle get;
  private final MethodHandle finish;
  private final MethodHandle words;
  private final MethodHandle free;

  private PmixSpace(SymbolLookup library, long deadline) {
    this.deadline = deadline;
    this.self = Arena.ofAuto().allocate(PROCESS_BYTES, Integer.BYTES);
    put = bind(library, "PMIx_Put", FunctionDescriptor.of(JAVA_INT, JAVA_BYTE, ADDRESS, ADDRESS));
    commit = bind(library, "PMIx_Commit", FunctionDescriptor.of(JAVA_INT));
    fence = bind(library, "PMIx_Fence", FunctionDescriptor.of(JAVA_INT, ADDRESS, SIZE, ADDRESS, SIZE));
    get = bind(library, "PMIx_Get", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, SIZE, ADDRESS));
    finish = bind(library, "PMIx_Finalize", FunctionDescriptor.of(JAVA_INT, ADDRESS, SIZE));
    words = bind(library, "PMIx_Error_string", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    free = bind(Linker.nativeLinker().defaultLookup(), "free", FunctionDescriptor.ofVoid(ADDRESS));
  }

  /**
   * Begins the conversation with the server of this node.
   *
   * @param deadline of {@code System.nanoTime}
   * @throws JoinException when there is no such library, or the server does not answer
   */
  static PmixSpace open(long deadline) {
    PmixSpace space = new PmixSpace(library(), deadline);
    try {
      MethodHandle init = bind(library(), "PMIx_Init", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, SIZE));
      space.require("PMIx_Init", (int) init.invokeExact(space.self, MemorySegment.NULL, 0L));
      return space;
    } catch (Throwable e) {
      throw failed("PMIx_Init", e);
    }
  }

  private static SymbolLookup library() {
    try {
      return SymbolLookup.libraryLookup(LIBRARY, Arena.global());
    } catch (IllegalArgumentException e) {
      throw new JoinException(
          ("the launcher has ranks on several nodes, which meet by PMIx, and there is no %s here: install it "
              + "(libpmix2 of Debian), name its directory in LD_LIBRARY_PATH, or use adrastea run --hosts")
              .formatted(LIBRARY),
          e);
    }
  }

  private static MethodHandle bind(SymbolLookup library, String name, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(
        library.find(name).orElseThrow(() -> new JoinException("%s has no function %s".formatted(LIBRARY, name))),
        type);
  }

  @Override
  public void put(String key, String value) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment entry = call.allocate(VALUE_BYTES, Long.BYTES);
      entry.set(JAVA_SHORT, 0, STRING);
      entry.set(ADDRESS, DATA_AT, call.allocateFrom(value, StandardCharsets.US_ASCII));
      require("PMIx_Put", (int) put.invokeExact(GLOBAL, call.allocateFrom(key), entry));
      require("PMIx_Commit", (int) commit.invokeExact());
    } catch (Throwable e) {
      throw failed("PMIx_Put", e);
    }
  }

  @Override
  public void fence() {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment wishes = call.allocate(2 * INFO_BYTES, Long.BYTES);
      wishes.setString(0, "pmix.collect"); // with what all have put
      wishes.set(JAVA_SHORT, INFO_VALUE_AT, BOOL);
      wishes.set(JAVA_BOOLEAN, INFO_VALUE_AT + DATA_AT, true);
      wishTimeout(wishes.asSlice(INFO_BYTES));
      require("PMIx_Fence", (int) fence.invokeExact(MemorySegment.NULL, 0L, wishes, 2L));
    } catch (Throwable e) {
      throw failed("PMIx_Fence", e);
    }
  }

  private void wishTimeout(MemorySegment wish) {
    wish.setString(0, "pmix.timeout");
    wish.set(JAVA_SHORT, INFO_VALUE_AT, INT);
    wish.set(JAVA_INT, INFO_VALUE_AT + DATA_AT,
        (int) Math.max(1, Math.ceilDiv(deadline - System.nanoTime(), 1_000_000_000L))); // seconds
  }

  @Override
  public Optional<String> get(int rank, String key) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment process = call.allocate(PROCESS_BYTES, Integer.BYTES).copyFrom(self);
      process.set(JAVA_INT, RANK_AT, rank);
      MemorySegment wish = call.allocate(INFO_BYTES, Long.BYTES);
      wishTimeout(wish);
      MemorySegment found = call.allocate(ADDRESS);
      int status = (int) get.invokeExact(process, call.allocateFrom(key), wish, 1L, found);
      if (status == NOT_FOUND) {
        return Optional.empty();
      }
      require("PMIx_Get", status);
      return take(found.get(ADDRESS, 0).reinterpret(VALUE_BYTES));
    } catch (Throwable e) {
      throw failed("PMIx_Get", e);
    }
  }

  /** The text of a value that the library has allocated, which is freed; empty: it is no text. */
  private Optional<String> take(MemorySegment value) throws Throwable {
    Optional<String> text = Optional.empty();
    if (value.get(JAVA_SHORT, 0) == STRING) {
      MemorySegment characters = value.get(ADDRESS, DATA_AT);
      text = Optional.of(characters.reinterpret(CardExchange.MOST_BYTES + 1L).getString(0, StandardCharsets.US_ASCII));
      free.invokeExact(characters);
    }
    free.invokeExact(value);
    return text;
  }

  private void require(String call, int status) throws Throwable {
    if (status != SUCCESS) {
      String said = status == TIMED_OUT
          ? "other ranks have not come in time (adrastea.join.timeout)"
          : ((MemorySegment) words.invokeExact(status)).reinterpret(NAME_BYTES).getString(0);
      throw new JoinException("%s of the launcher's PMIx fails: %s (%d)".formatted(call, said, status));
    }
  }

  private static RuntimeException failed(String call, Throwable e) {
    return switch (e) {
      case RuntimeException unchecked -> unchecked;
      case Error error -> throw error;
      default -> new IllegalStateException(call, e);
    };
  }

  @Override
  public void finish() {
    try {
      require("PMIx_Finalize", (int) finish.invokeExact(MemorySegment.NULL, 0L));
    } catch (Throwable e) {
      throw failed("PMIx_Finalize", e);
    }
  }

  /**
   * A conversation that has not ended stays as it is: the launcher then takes the end of this process for a failure.
   */
  @Override
  public void close() {}
}

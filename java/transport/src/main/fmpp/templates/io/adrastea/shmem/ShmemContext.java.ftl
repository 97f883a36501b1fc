<#include "/@lib/head.ftl">
<@made />
<#assign narrow = {"byte": "Byte", "short": "Short"}>
<#assign words = {"int": "Int", "long": "Long"} reals = {"float": "Float", "double": "Double"}>
<#assign scalars = narrow + words + reals>
<#assign bytes = {"byte": 1, "short": 2, "int": 4, "long": 8, "float": 4, "double": 8}>
<#function toBits value>
  <#return isReal?then("${T}.${T?lower_case}ToRaw${word?cap_first}Bits(${value})", value)>
</#function>
<#function ofBits value>
  <#return isReal?then("${T}.${word}BitsTo${T}(${value})", value)>
</#function>
<#-- Names for the calls about an element by its bits, of which C and Words have two sizes. -->
<#macro bitsOf type Type>
  <#assign T = Type isReal = reals[type]??>
  <#assign bits = (bytes[type] == 8)?then("Long", "") word = (bytes[type] == 8)?then("long", "int")>
</#macro>
<#macro fails>
   * @throws IllegalArgumentException when there is no such PE, the offset is no multiple of the element's size, or the
   * object is of another heap
   * @throws IndexOutOfBoundsException when the element does not lie in the object
   * @throws IllegalStateException when the object was freed, or this context is closed
</#macro>
package io.adrastea.shmem;

import io.adrastea.Data;
import io.adrastea.atomic.Words;
import io.adrastea.comm.Buffers;
import io.adrastea.comm.Face;
import io.adrastea.comm.Placement;
import io.adrastea.core.Spaces;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.space.DirectCopy;
import io.adrastea.space.StridedExposed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Set;

/**
 * What a PE accesses symmetric memory by: puts, gets and atomic operations, and their order [OpenSHMEM over XPMEM 2011,
 * 4.2, 4.4]. A place is an object, an offset in it in bytes, and a PE. {@link Shmem#context} is the one that most
 * programs use; a further one ({@link Shmem#createContext}) is completed apart from it, and one of a team
 * ({@link Team#createContext}) names PEs by their numbers there. A context that is closed, as its team or its heap,
 * refuses all accesses.
 *
 * <p>
 * All calls, also those whose names end in {@code Nbi}, are over when they return: a source can be used again, and what
 * was asked for is there. When others see what was put is said by {@link #fence} and {@link #quiet}.
 *
 * <p>
 * Single elements lie at multiples of their size in the object. They are accessed whole, by one instruction, so that
 * atomic operations of Java and C PEs on one element are atomic among each other, and neither crosses into C nor enters
 * the engine. Any thread may call.
 */
public final class ShmemContext implements AutoCloseable {
<#list narrow as type, Type>
  private static final VarHandle ${type?upper_case} =
      ValueLayout.JAVA_${type?upper_case}.varHandle().withInvokeExactBehavior();
</#list>

  private final Shmem shmem;
  private final Team team;
  private final Set<ContextOption> options;
  private final StridedExposed parts; // of the PEs of the team
  private int reach; // PEs whose memory can be accessed: those of the team, and none once the context is closed
  private final MemorySegment whole;
  private final Face face;
  private final Spaces spaces;
  private final boolean multithreaded;

  ShmemContext(Shmem shmem, Team team, StridedExposed parts, ContextOption... options) {
    this.shmem = shmem;
    this.team = team;
    this.options = Set.copyOf(List.of(options));
    this.parts = parts;
    this.reach = parts.ranks();
    this.whole = parts.whole();
    this.face = shmem.face();
    this.spaces = shmem.communicator().engine().spaces();
    this.multithreaded = shmem.communicator().engine().isMultithreaded();
  }

  /** {@return the PEs that it accesses, by whose numbers it names them} */
  public Team team() {
    return team;
  }

  /** {@return what the program has promised of it} */
  public Set<ContextOption> options() {
    return options;
  }

  // Places

  /** Where bytes of an object at a PE lie among the parts of the team's. */
  long placeOf(String call, Symmetric object, long offset, long bytes, int pe) {
    if (object.shmem != shmem || !object.holds(offset, bytes) || pe < 0 || pe >= reach) {
      throw refusal(call, object, offset, bytes, pe);
    }
    return parts.place(pe, object.start() + offset);
  }

  /** Where one element lies that is accessed at once. */
  long placeOfElement(String call, Symmetric object, long offset, int bytes, int pe) {
    long place = placeOf(call, object, offset, bytes, pe);
    if ((offset & bytes - 1) != 0) {
      throw new ArgumentException(Reason.OTHER,
          ("%s at offset %d in %s of PE %d: an element of %d bytes is to lie at a multiple of them, since it is "
              + "accessed at once").formatted(call, offset, object, pe, bytes));
    }
    return place;
  }

  private RuntimeException refusal(String call, Symmetric object, long offset, long bytes, int pe) {
    if (object.shmem != shmem) {
      return new ArgumentException(Reason.BUFFER,
          "%s of %s, which is of another heap; allowed are objects of this one".formatted(call, object));
    }
    if (reach == 0) {
      return shmem.isOpen() ? new IllegalStateException("%s by %s, which is closed".formatted(call, this))
          : shmem.closed(call);
    }
    if (object.isFreed()) {
      return new IllegalStateException("%s of %s, which was freed".formatted(call, object));
    }
    if (pe < 0 || pe >= reach) {
      return new ArgumentException(Reason.RANK,
          "%s at offset %d in %s of PE %d; there are PEs 0 to %d".formatted(call, offset, object, pe, reach - 1));
    }
    return new IndexOutOfBoundsException(
        "%s of %d bytes at offset %d in %s of PE %d: they do not lie in it, and nothing was accessed"
            .formatted(call, bytes, offset, object, pe));
  }

  boolean isOpen() {
    return reach != 0;
  }

  /** Accesses nothing from now on. */
  void end() {
    reach = 0;
  }

  // Single elements

<#list scalars as type, Type>
<@bitsOf type Type />
  /**
   * Stores one element at a PE.
   *
   * @param object that it lies in
   * @param offset of the element there, in bytes
   * @param value what is stored
   * @param pe where
<@fails />
   */
  public void put${Type}(Symmetric object, long offset, ${type} value, int pe) {
    long at = placeOfElement("put${Type}", object, offset, ${bytes[type]}, pe);
<#if narrow[type]??>
    ${type?upper_case}.set(whole, at, value);
<#else>
    Words.storeRelaxed${bits}(whole, at, ${toBits("value")}); // a fence orders it
</#if>
  }

  /**
   * Loads one element of a PE.
   *
   * @param object that it lies in
   * @param offset of the element there, in bytes
   * @param pe where
   * @return the element
<@fails />
   */
  public ${type} get${Type}(Symmetric object, long offset, int pe) {
    long at = placeOfElement("get${Type}", object, offset, ${bytes[type]}, pe);
<#if narrow[type]??>
    return (${type}) ${type?upper_case}.get(whole, at);
<#else>
    return ${ofBits("Words.loadRelaxed" + bits + "(whole, at)")}; // likewise
</#if>
  }

</#list>
  // Blocks

  /**
   * Copies data to a PE.
   *
   * @param object where it goes
   * @param offset in it, in bytes
   * @param from what is copied
   * @param pe where
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such PE, or the object is of another heap
   * @throws IndexOutOfBoundsException when the object does not hold these bytes
   * @throws IllegalStateException when the object was freed, or this context is closed
   */
  public void put(Symmetric object, long offset, Data from, int pe) {
    if (face.isScattered(from)) {
      Placement near = face.placement(from, shmem.views());
      near.requireUsable(multithreaded);
      near.copyTo(spaces, whole, placeOf("put", object, offset, near.bytes(), pe));
    } else {
      put(object, offset, face.memory(from, shmem.views()), face.offset(from), face.bytes(from), pe);
    }
  }

  /**
   * Copies bytes to a PE.
   *
   * @param object where they go
   * @param offset in it, in bytes
   * @param from memory that is copied
   * @param fromOffset of the first byte there
   * @param bytes how many
   * @param pe where
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such PE, or the object is of another heap
   * @throws IndexOutOfBoundsException when the memory or the object does not hold these bytes
   * @throws IllegalStateException when the object was freed, or this context is closed
   */
  public void put(Symmetric object, long offset, MemorySegment from, long fromOffset, long bytes, int pe) {
    Buffers.requireRange(from, fromOffset, bytes);
    DirectCopy.put(from, fromOffset, whole, placeOf("put", object, offset, bytes, pe), bytes);
  }

  /**
   * Copies data from a PE.
   *
   * @param into where it goes
   * @param object where it lies
   * @param offset in it, in bytes
   * @param pe where
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such PE, the object is of another heap, or the data is read-only
   * @throws IndexOutOfBoundsException when the object does not hold these bytes
   * @throws IllegalStateException when the object was freed, or this context is closed
   */
  public void get(Data into, Symmetric object, long offset, int pe) {
    if (face.isScattered(into)) {
      Placement near = face.placement(into, shmem.views());
      near.requireReceivable(multithreaded);
      near.copyFrom(spaces, whole, placeOf("get", object, offset, near.bytes(), pe), near.bytes());
    } else {
      get(face.memory(into, shmem.views()), face.offset(into), face.bytes(into), object, offset, pe);
    }
  }

  /**
   * Copies bytes from a PE.
   *
   * @param into memory that they go to
   * @param intoOffset of the first byte there
   * @param bytes how many
   * @param object where they lie
   * @param offset in it, in bytes
   * @param pe where
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such PE, the object is of another heap, or the memory is
   * read-only
   * @throws IndexOutOfBoundsException when the memory or the object does not hold these bytes
   * @throws IllegalStateException when the object was freed, or this context is closed
   */
  public void get(MemorySegment into, long intoOffset, long bytes, Symmetric object, long offset, int pe) {
    Buffers.requireRange(into, intoOffset, bytes);
    DirectCopy.get(whole, placeOf("get", object, offset, bytes, pe), into, intoOffset, bytes);
  }

  /**
   * Starts what {@link #put(Symmetric, long, Data, int)} does; {@link #quiet} completes it.
   *
   * @param object where it goes
   * @param offset in it, in bytes
   * @param from what is copied; not to be changed before {@link #quiet}
   * @param pe where
   * @throws NullPointerException as {@link #put(Symmetric, long, Data, int)}
   * @throws IllegalArgumentException as {@link #put(Symmetric, long, Data, int)}
   * @throws IndexOutOfBoundsException as {@link #put(Symmetric, long, Data, int)}
   * @throws IllegalStateException as {@link #put(Symmetric, long, Data, int)}
   */
  public void putNbi(Symmetric object, long offset, Data from, int pe) {
    put(object, offset, from, pe);
  }

  /**
   * Starts what {@link #get(Data, Symmetric, long, int)} does; {@link #quiet} completes it.
   *
   * @param into where it goes; not to be read before {@link #quiet}
   * @param object where it lies
   * @param offset in it, in bytes
   * @param pe where
   * @throws NullPointerException as {@link #get(Data, Symmetric, long, int)}
   * @throws IllegalArgumentException as {@link #get(Data, Symmetric, long, int)}
   * @throws IndexOutOfBoundsException as {@link #get(Data, Symmetric, long, int)}
   * @throws IllegalStateException as {@link #get(Data, Symmetric, long, int)}
   */
  public void getNbi(Data into, Symmetric object, long offset, int pe) {
    get(into, object, offset, pe);
  }

  // Strided

  /** A run of blocks at equal distances, which may go backwards; where it begins and ends, in bytes from its offset. */
  private static long lowest(long stride, long count) {
    return count > 0 && stride < 0 ? Math.multiplyExact(stride, count - 1) : 0;
  }

  private static long highest(long stride, long blockBytes, long count) {
    return count == 0 ? 0 : (stride > 0 ? Math.multiplyExact(stride, count - 1) : 0) + blockBytes;
  }

  private long strided(String call, Symmetric object, long offset, long stride, MemorySegment near, long nearOffset,
      long nearStride, long blockBytes, long count, int pe) {
    if (blockBytes < 0 || count < 0) {
      throw new ArgumentException(Reason.COUNT,
          "%s of %d blocks of %d bytes; 0 or more are allowed".formatted(call, count, blockBytes));
    }
    try {
      long low = lowest(nearStride, count);
      Buffers.requireRange(near, nearOffset + low, highest(nearStride, blockBytes, count) - low);
      low = lowest(stride, count);
      return placeOf(call, object, offset + low, highest(stride, blockBytes, count) - low, pe) - low;
    } catch (ArithmeticException e) {
      throw (IndexOutOfBoundsException) new IndexOutOfBoundsException(
          "%s of %d blocks of %d bytes, %d and %d bytes from each other: no memory holds them".formatted(call, count,
              blockBytes, nearStride, stride)).initCause(e);
    }
  }

  /**
   * Copies blocks to a PE, at equal distances at both ends. With blocks of one element this is the strided put of
   * OpenSHMEM ({@code iput}), with longer ones the block strided put ({@code ibput}).
   *
   * @param object where they go
   * @param offset of the first block there, in bytes
   * @param stride from one block to the next there, in bytes
   * @param from memory that is copied
   * @param fromOffset of the first block, in bytes
   * @param fromStride from one block to the next, in bytes
   * @param blockBytes of each
   * @param count of blocks
   * @param pe where
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such PE, or the object is of another heap
   * @throws IndexOutOfBoundsException when the memory or the object does not hold all blocks
   * @throws IllegalStateException when the object was freed, or this context is closed
   */
  public void putStrided(Symmetric object, long offset, long stride, MemorySegment from, long fromOffset,
      long fromStride, long blockBytes, long count, int pe) {
    long at = strided("putStrided", object, offset, stride, from, fromOffset, fromStride, blockBytes, count, pe);
    DirectCopy.putStrided(from, fromOffset, fromStride, whole, at, stride, blockBytes, count);
  }

  /**
   * Copies blocks from a PE, at equal distances at both ends, as {@link #putStrided} does to one.
   *
   * @param into memory that they go to
   * @param intoOffset of the first block there, in bytes
   * @param intoStride from one block to the next there, in bytes
   * @param object where they lie
   * @param offset of the first block, in bytes
   * @param stride from one block to the next, in bytes
   * @param blockBytes of each
   * @param count of blocks
   * @param pe where
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such PE, the object is of another heap, or the memory is
   * read-only
   * @throws IndexOutOfBoundsException when the memory or the object does not hold all blocks
   * @throws IllegalStateException when the object was freed, or this context is closed
   */
  public void getStrided(MemorySegment into, long intoOffset, long intoStride, Symmetric object, long offset,
      long stride, long blockBytes, long count, int pe) {
    long at = strided("getStrided", object, offset, stride, into, intoOffset, intoStride, blockBytes, count, pe);
    DirectCopy.getStrided(whole, at, stride, into, intoOffset, intoStride, blockBytes, count);
  }

  // Put with signal

  /**
   * Copies data to a PE, and changes a signal there when the data can be seen. A PE that waits for the signal
   * ({@link ShmemWaits#waitUntilLong}) is woken.
   *
   * @param object where the data goes
   * @param offset in it, in bytes
   * @param from what is copied
   * @param signal a symmetric object with the signal, a long number
   * @param signalOffset of it there, in bytes
   * @param value what it is set to, or raised by
   * @param op which of both
   * @param pe where
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such PE, an object is of another heap, or the signal does not lie
   * at a multiple of 8 bytes
   * @throws IndexOutOfBoundsException when an object does not hold the data, or the signal
   * @throws IllegalStateException when an object was freed, or this context is closed
   */
  public void putSignal(Symmetric object, long offset, Data from, Symmetric signal, long signalOffset, long value,
      SignalOp op, int pe) {
    long at = placeOfElement("putSignal", signal, signalOffset, Long.BYTES, pe);
    put(object, offset, from, pe);
    switch (op) {
      // SYNC symmetric-word: release, pairs with a wait or fetch; the data comes before the signal.
      case SET -> Words.storeReleaseLong(whole, at, value);
      // SYNC symmetric-word: acq_rel, likewise.
      case ADD -> Words.addAcqRelLong(whole, at, value);
    }
    shmem.wordWaits().wake(team.number(pe));
  }

  /**
   * Starts what {@link #putSignal} does; {@link #quiet} completes it.
   *
   * @param object where the data goes
   * @param offset in it, in bytes
   * @param from what is copied; not to be changed before {@link #quiet}
   * @param signal a symmetric object with the signal, a long number
   * @param signalOffset of it there, in bytes
   * @param value what it is set to, or raised by
   * @param op which of both
   * @param pe where
   * @throws NullPointerException as {@link #putSignal}
   * @throws IllegalArgumentException as {@link #putSignal}
   * @throws IndexOutOfBoundsException as {@link #putSignal}
   * @throws IllegalStateException as {@link #putSignal}
   */
  public void putSignalNbi(Symmetric object, long offset, Data from, Symmetric signal, long signalOffset, long value,
      SignalOp op, int pe) {
    putSignal(object, offset, from, signal, signalOffset, value, op, pe);
  }

  // Atomic operations

<#macro atomicDocs does value=true fetches=true>
  /**
   * ${does}
   *
   * @param object that the element lies in
   * @param offset of it there, in bytes
<#if value>
   * @param value the operand
</#if>
   * @param pe where
<#if fetches>
   * @return what the element was before
</#if>
<@fails />
   */
</#macro>
<#macro nbi name type Type parameters>
  /**
   * Starts what {@link #${name}${Type}} does; {@link #quiet} completes it.
   *
   * @param result memory for what the element was before
   * @param resultOffset of that there, in bytes
   * @param object that the element lies in
   * @param offset of it there, in bytes
<#list parameters as parameter>
   * @param ${parameter} as there
</#list>
   * @param pe where
   * @throws NullPointerException when an argument is null
<@fails />
   */
  public void ${name}${Type}Nbi(MemorySegment result, long resultOffset, Symmetric object, long offset,
      <#list parameters as parameter>${type} ${parameter}, </#list>int pe) {
    Buffers.requireRange(result, resultOffset, ${bytes[type]});
    ${type} before = ${name}${Type}(object, offset, <#list parameters as parameter>${parameter}, </#list>pe);
    result.set(ValueLayout.JAVA_${type?upper_case}_UNALIGNED, resultOffset, before);
  }

</#macro>
<#list words + reals as type, Type>
<@bitsOf type Type />
<@atomicDocs does="Loads an element of a PE; behind it is seen what its writer did before it set or signalled it."
    value=false fetches=true />
  public ${type} fetch${Type}(Symmetric object, long offset, int pe) {
    long at = placeOfElement("fetch${Type}", object, offset, ${bytes[type]}, pe);
    // SYNC symmetric-word: acquire, pairs with set, putSignal and the read-modify-writes.
    return ${ofBits("Words.loadAcquire${bits}(whole, at)")};
  }

<@nbi name="fetch" type=type Type=Type parameters=[] />
<@atomicDocs "Stores an element at a PE, behind all that this PE has done before." true false />
  public void set${Type}(Symmetric object, long offset, ${type} value, int pe) {
    long at = placeOfElement("set${Type}", object, offset, ${bytes[type]}, pe);
    // SYNC symmetric-word: release, pairs with fetch and the waits.
    Words.storeRelease${bits}(whole, at, ${toBits("value")});
  }

<@atomicDocs "Stores an element at a PE, and tells what was there." />
  public ${type} swap${Type}(Symmetric object, long offset, ${type} value, int pe) {
    long at = placeOfElement("swap${Type}", object, offset, ${bytes[type]}, pe);
    // SYNC symmetric-word: acq_rel, pairs with fetch, set and the waits.
    return ${ofBits("Words.swapAcqRel${bits}(whole, at, ${toBits('value')})")};
  }

<@nbi name="swap" type=type Type=Type parameters=["value"] />
</#list>
<#list words as type, Type>
<#assign bits = (type == "long")?then("Long", "")>
  /**
   * Stores an element at a PE if the one there is the expected one, and tells what was there.
   *
   * @param object that the element lies in
   * @param offset of it there, in bytes
   * @param expected what is replaced
   * @param value what is stored
   * @param pe where
   * @return what the element was before: {@code expected} if {@code value} was stored
<@fails />
   */
  public ${type} compareSwap${Type}(Symmetric object, long offset, ${type} expected, ${type} value, int pe) {
    long at = placeOfElement("compareSwap${Type}", object, offset, ${bytes[type]}, pe);
    // SYNC symmetric-word: acq_rel, pairs with fetch, set and the waits.
    return Words.compareExchangeAcqRel${bits}(whole, at, expected, value);
  }

<@nbi name="compareSwap" type=type Type=Type parameters=["expected", "value"] />
<#list {"Add": "add", "And": "and", "Or": "or", "Xor": "xor"} as Name, name>
<#assign does = {
    "add": "Adds to an element of a PE",
    "and": "Leaves an element of a PE those of its bits that an operand has, too",
    "or": "Adds the bits of an operand to an element of a PE",
    "xor": "Turns those bits of an element of a PE that an operand has"}[name]>
<@atomicDocs does + ", and tells what was there." />
  public ${type} fetch${Name}${Type}(Symmetric object, long offset, ${type} value, int pe) {
    long at = placeOfElement("fetch${Name}${Type}", object, offset, ${bytes[type]}, pe);
    // SYNC symmetric-word: acq_rel, pairs with fetch, set and the waits.
    return Words.${name}AcqRel${bits}(whole, at, value);
  }

<@nbi name="fetch" + Name type=type Type=Type parameters=["value"] />
<@atomicDocs does + "." true false />
  public void ${name}${Type}(Symmetric object, long offset, ${type} value, int pe) {
    fetch${Name}${Type}(object, offset, value, pe);
  }

</#list>
<@atomicDocs "Adds 1 to an element of a PE, and tells what was there." false true />
  public ${type} fetchInc${Type}(Symmetric object, long offset, int pe) {
    return fetchAdd${Type}(object, offset, 1, pe);
  }

<@nbi name="fetchInc" type=type Type=Type parameters=[] />
<@atomicDocs "Adds 1 to an element of a PE." false false />
  public void inc${Type}(Symmetric object, long offset, int pe) {
    fetchAdd${Type}(object, offset, 1, pe);
  }

</#list>
  // Order

  /**
   * Orders puts, atomic operations and stores of this PE: those before it are seen at each PE before those behind it.
   * What is read is not ordered by it: gets, and loads of the program, come before what is behind a {@link #quiet}.
   */
  public void fence() {
    Words.storeFence(); // SYNC symmetric-fence: pairs with a wait or a fetch; what was put before it comes before
  }

  /**
   * Completes puts, atomic operations and stores of this PE: all PEs see them, and before what comes behind. Gets and
   * loads of this PE are ordered, too.
   */
  public void quiet() {
    Words.fullFence(); // SYNC symmetric-quiet: pairs with that of another PE; orders accesses to symmetric memory
  }

  /** Ends the context, behind a {@link #quiet}; that of {@link Shmem#context} ends with the heap alone. */
  @Override
  public void close() {
    quiet();
    if (this != shmem.context()) {
      end();
      shmem.forget(this);
    }
  }

  @Override
  public String toString() {
    return "a context of %s".formatted(team);
  }
}

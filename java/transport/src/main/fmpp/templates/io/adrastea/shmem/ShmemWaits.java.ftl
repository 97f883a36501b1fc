<#include "/@lib/head.ftl">
<@made />
package io.adrastea.shmem;

import io.adrastea.atomic.Words;
import io.adrastea.engine.symmetric.WordWaits;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.TimeLimitException;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;

/**
 * How a PE waits for words of its own part of a symmetric heap that other PEs change, and looks at them [OpenSHMEM over
 * XPMEM 2011, 4.5]. Behind a wait, or a test that has found something, this PE sees what the PE that changed the word
 * had done before its {@link ShmemContext#fence}, its signal or its atomic operation.
 *
 * <p>
 * A wait spins, then yields, then naps: nobody is told of a store. {@link ShmemContext#putSignal} wakes a PE that naps.
 * So a wait for a signal is prompt where more PEs than CPUs run, and one for any other word takes up to a few
 * milliseconds longer, the longer it has taken.
 *
 * <p>
 * Of several words those are looked at whose {@code status} is 0; with all of them set nothing is waited for. A wait
 * ends by a {@link RankFailedException} when a PE dies, unless the program has acknowledged that, or when all others
 * have left. So does one of the tests that a program calls again and again in place of a wait.
 */
public final class ShmemWaits {
  private static final ThreadLocal<Several> SEVERAL = ThreadLocal.withInitial(Several::new);
  private static final long NONE = -1;

  private final Shmem shmem;
  private final MemorySegment whole;

  ShmemWaits(Shmem shmem) {
    this.shmem = shmem;
    this.whole = shmem.whole();
  }

  /** How many of several words are to be as they are to be. */
  private enum Mode {
    ALL, ANY, SOME
  }

  /** Several words, or one, and what they are waited for. One for each thread, since a wait makes no object. */
  private static final class Several implements WordWaits.Words {
    private MemorySegment whole;
    private long at;
    private long offset; // of the first, in this PE's part
    private long count;
    private int size;
    private int[] status; // null: all are looked at
    private Comparison comparison;
    private long value; // where there is one for all
    private long[] longs; // values of each; null: there is one
    private int[] ints; // likewise
    private Mode mode;
    private int[] indices; // gets those that are found; null: nobody wants them
    private long found; // an index, or how many

    long word(long index) {
      return size == Long.BYTES ? longAt(whole, at + index * Long.BYTES) : intAt(whole, at + index * Integer.BYTES);
    }

    private boolean isLooked(long index) {
      return status == null || status[(int) index] == 0;
    }

    private long value(long index) {
      return longs != null ? longs[(int) index] : ints != null ? ints[(int) index] : value;
    }

    @Override
    public boolean areMet() {
      long looked = 0;
      long met = 0;
      long first = NONE;
      for (long index = 0; index < count; index++) {
        if (!isLooked(index)) {
          continue;
        }
        looked++;
        if (comparison.holds(word(index), value(index))) {
          if (indices != null) {
            indices[(int) met] = (int) index;
          }
          first = first == NONE ? index : first;
          met++;
          if (mode == Mode.ANY) {
            break;
          }
        } else if (mode == Mode.ALL) {
          return false;
        }
      }
      found = mode == Mode.ANY ? first : met;
      return mode == Mode.ALL || met > 0 || looked == 0;
    }

    @Override
    public String words() {
      String which = count == 1 ? "a word" : "%s of %d words".formatted(mode.name().toLowerCase(Locale.ROOT), count);
      return "%s of %d bytes at offset %d of symmetric memory to be %s %s".formatted(which, size, offset,
          comparison.words(), longs != null || ints != null ? "values of their own" : Long.toString(value));
    }
  }

<#list {"int": "", "long": "Long"} as type, Bits>
  private static ${type} ${type}At(MemorySegment whole, long at) {
    // SYNC symmetric-word: acquire, pairs with putSignal, set and the read-modify-writes.
    return Words.loadAcquire${Bits}(whole, at);
  }

</#list>
  private Several several(String call, Mode mode, Symmetric object, long offset, long count, int size, int[] status,
      Comparison comparison, int[] indices) {
    Objects.requireNonNull(comparison, "the comparison is null");
    if (count < 0 || count > Integer.MAX_VALUE) {
      throw new ArgumentException(Reason.COUNT, "%s of %d words; allowed are 0 to %d".formatted(call, count,
          Integer.MAX_VALUE));
    }
    if (status != null && status.length < count || indices != null && indices.length < count) {
      throw new ArgumentException(Reason.COUNT,
          "%s of %d words with an array of fewer elements; status and indices are to have one for each".formatted(call,
              count));
    }
    shmem.requireOpen(call);
    long at = count == 0 ? 0 : shmem.context().placeOfElement(call, object, offset, size, shmem.pe());
    shmem.context().placeOf(call, object, offset, count * size, shmem.pe());
    Several several = SEVERAL.get();
    several.whole = whole;
    several.at = at;
    several.offset = object.start() + offset;
    several.count = count;
    several.size = size;
    several.status = status;
    several.comparison = comparison;
    several.mode = mode;
    several.indices = indices;
    several.longs = null;
    several.ints = null;
    return several;
  }

  private static void requireValues(String call, int values, long count) {
    if (values != 1 && values != count) {
      throw new ArgumentException(Reason.COUNT,
          "%s of %d words with %d values; allowed is one for all, or one for each".formatted(call, count, values));
    }
  }

  private long await(Several several) {
    shmem.wordWaits().await(several);
    return several.found;
  }

<#macro fails>
   * @throws NullPointerException when the object or the comparison is null
   * @throws IllegalArgumentException when the words do not lie at multiples of their size, or the object is of another
   * heap
   * @throws IndexOutOfBoundsException when the object does not hold the words
   * @throws IllegalStateException when the object was freed, or the heap is closed
</#macro>
<#macro tells>
   * @throws RankFailedException when a PE died, or all others left, and the words are not so; once in a tenth of a
   * second of tests
</#macro>
<#macro ends>
   * @throws RankFailedException when a PE died, or all others left, and the words are not so
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws TimeLimitException when the limit of the caller's wait comes
</#macro>
<#list {"int": "Int", "long": "Long"} as type, Type>
<#assign size = (type == "long")?then("Long.BYTES", "Integer.BYTES")>
  /**
   * Waits until a word of this PE compares so with a value.
   *
   * @param object that it lies in
   * @param offset of it there, in bytes
   * @param comparison how
   * @param value with what
   * @return the word
<@fails />
<@ends />
   */
  public ${type} waitUntil${Type}(Symmetric object, long offset, Comparison comparison, ${type} value) {
    Objects.requireNonNull(comparison, "the comparison is null");
    long at = shmem.context().placeOfElement("waitUntil${Type}", object, offset, ${size}, shmem.pe());
    ${type} word = ${type}At(whole, at);
    return comparison.holds(word, value) ? word : await${Type}(object, offset, comparison, value);
  }

  private ${type} await${Type}(Symmetric object, long offset, Comparison comparison, ${type} value) {
    Several one = several("waitUntil${Type}", Mode.ALL, object, offset, 1, ${size}, null, comparison, null);
    one.value = value;
    await(one);
    return <#if type == "int">(int) </#if>one.word(0);
  }

  /**
   * Looks whether a word of this PE compares so with a value.
   *
   * @param object that it lies in
   * @param offset of it there, in bytes
   * @param comparison how
   * @param value with what
   * @return whether it does
<@fails />
<@tells />
   */
  public boolean test${Type}(Symmetric object, long offset, Comparison comparison, ${type} value) {
    Objects.requireNonNull(comparison, "the comparison is null");
    long at = shmem.context().placeOfElement("test${Type}", object, offset, ${size}, shmem.pe());
    return comparison.holds(${type}At(whole, at), value)
        || testAgain${Type}(object, offset, comparison, value);
  }

  private boolean testAgain${Type}(Symmetric object, long offset, Comparison comparison, ${type} value) {
    Several one = several("test${Type}", Mode.ALL, object, offset, 1, ${size}, null, comparison, null);
    one.value = value;
    return shmem.wordWaits().test(one);
  }

<#list ["All", "Any", "Some"] as Mode>
<#assign Which = {
    "All": "all words of this PE that are looked at compare",
    "Any": "one of several words of this PE compares",
    "Some": "at least one of several words of this PE compares"}[Mode]>
<#assign indices = (Mode == "Some")>
<#assign result = {
    "All": "",
    "Any": "its index; -1: none is looked at",
    "Some": "how many do; 0: none is looked at"}[Mode]>
  /**
   * Waits until ${Which} so with a value.
   *
   * @param object that they lie in
   * @param offset of the first there, in bytes; the others lie behind it
   * @param count of them
   * @param status null: all are looked at; else one for each, 0 for those that are
<#if indices>
   * @param indices gets those of the words that do; as long as there are words
</#if>
   * @param comparison how
   * @param values one for all, or one for each
<#if result != "">
   * @return ${result}
</#if>
<@fails />
<@ends />
   */
  public ${(Mode == "All")?then("void", "int")} waitUntil${Mode}${Type}(
      Symmetric object, long offset, int count, int[] status,<#if indices> int[] indices,</#if>
      Comparison comparison, ${type}... values) {
    requireValues("waitUntil${Mode}${Type}", values.length, count);
    Several several = several("waitUntil${Mode}${Type}", Mode.${Mode?upper_case}, object, offset, count, ${size},
        status, comparison, ${indices?then("indices", "null")});
    several.value = values[0];
    several.${type}s = values.length == 1 ? null : values;
    <#if Mode != "All">return (int) </#if>await(several);
  }

  /**
   * Looks whether ${Which} so with a value.
   *
   * @param object that they lie in
   * @param offset of the first there, in bytes; the others lie behind it
   * @param count of them
   * @param status null: all are looked at; else one for each, 0 for those that are
<#if indices>
   * @param indices gets those of the words that do; as long as there are words
</#if>
   * @param comparison how
   * @param values one for all, or one for each
   * @return ${{"All": "whether they do", "Any": "its index; -1: none does", "Some": "how many do"}[Mode]}
<@fails />
<@tells />
   */
  public ${(Mode == "All")?then("boolean", "int")} test${Mode}${Type}(
      Symmetric object, long offset, int count, int[] status,<#if indices> int[] indices,</#if>
      Comparison comparison, ${type}... values) {
    requireValues("test${Mode}${Type}", values.length, count);
    Several several = several("test${Mode}${Type}", Mode.${Mode?upper_case}, object, offset, count, ${size}, status,
        comparison, ${indices?then("indices", "null")});
    several.value = values[0];
    several.${type}s = values.length == 1 ? null : values;
    boolean met = shmem.wordWaits().test(several);
    return ${(Mode == "All")?then("met", "(int) several.found")};
  }

</#list>
</#list>
}

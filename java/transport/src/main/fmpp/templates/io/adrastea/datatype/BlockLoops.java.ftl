<#include "/@lib/head.ftl">
<@made />
package io.adrastea.datatype;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The loops of {@link BlockCopy}. A class of its own is made of this text for each pair of kinds of memory, which are
 * its class data: the JIT knows the classes of both segments then, whatever else the JVM has packed before. Were they
 * left to profiles, the loops would be up to fifty times slower as soon as three kinds of memory had been seen.
 *
 * <p>
 * {@link #PLACE} tells the JIT that a place is small and above 0, so that memory that is given by its address needs no
 * check of bounds at all. The loops end where the target does, which is no number of rounds to the JIT: it would unroll
 * them further, and then has not enough registers for the places.
 */
final class BlockLoops implements BlockCopy {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Places in memory lie below: no system gives programs addresses above, and no array is as long. */
  private static final long PLACE = (1L << 62) - 1;

  /** What an {@code int} stride may subtract from a place, and it is still above 0. */
  private static final long BELOW = 1L << 40;

  /** All memory, from {@code -BELOW} on. */
  private static final MemorySegment MEMORY = MemorySegment.ofAddress(-BELOW).reinterpret(Long.MAX_VALUE);

  /** Longer single blocks are copied by a call. */
  private static final int INLINE = 64;

  /** Longer blocks of a row are. */
  private static final int MOST_WORDS = 12;

  /** Blocks and rows of a loop; {@code int} counters are enough. */
  private static final int COUNTED = 1 << 20;

  /** The classes of both segments; null: memory that is given by its address. */
  private static final Class<?> TO = kind(0);

  private static final Class<?> FROM = kind(1);
  private static final long TO_BIAS = TO == null ? BELOW : 0;
  private static final long FROM_BIAS = FROM == null ? BELOW : 0;

  private static Class<?> kind(int end) {
    try {
      List<?> kinds = MethodHandles.classData(MethodHandles.lookup(), "_", List.class);
      return kinds == null || kinds.get(end) == Void.class ? null : (Class<?>) kinds.get(end);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a class cannot see its own class data", e);
    }
  }

  private static MemorySegment to(MemorySegment there) {
    return TO == null ? MEMORY : (MemorySegment) TO.cast(there);
  }

  private static MemorySegment from(MemorySegment here) {
    return FROM == null ? MEMORY : (MemorySegment) FROM.cast(here);
  }

  @Override
  public void block(MemorySegment there, long target, MemorySegment here, long source, long size) {
    copy(to(there), (target & PLACE) + TO_BIAS, from(here), (source & PLACE) + FROM_BIAS, size);
  }

  private static void copy(MemorySegment to, long a, MemorySegment from, long b, long size) {
    if (size > INLINE) {
      MemorySegment.copy(from, b, to, a, size);
    } else if (size >= 16) {
      copyPairs(to, a, from, b, (int) size);
    } else if (size >= 8) {
      copyEnds(to, a, from, b, (int) size - 8 & 7);
    } else {
      copyFew(to, a, from, b, (int) size);
    }
  }

  /** 16 to 64 bytes. */
  private static void copyPairs(MemorySegment to, long a, MemorySegment from, long b, int size) {
    int last = size - 16 & 63;
    copyEnds(to, a, from, b, 8);
    if (size > 32) {
      copyEnds(to, a + 16, from, b + 16, 8);
      copyEnds(to, a + (last - 16 & 63), from, b + (last - 16 & 63), 8);
    }
    copyEnds(to, a + last, from, b + last, 8);
  }

  /** A word at the front and one at the end. */
  private static void copyEnds(MemorySegment to, long a, MemorySegment from, long b, int last) {
    long first = from.get(LONG, b);
    long second = from.get(LONG, b + last);
    to.set(LONG, a, first);
    to.set(LONG, a + last, second);
  }

  /** Fewer than 8 bytes. */
  private static void copyFew(MemorySegment to, long a, MemorySegment from, long b, int size) {
    if (size >= 4) {
      int last = size - 4 & 3;
      to.set(INT, a, from.get(INT, b));
      to.set(INT, a + last, from.get(INT, b + last));
    } else if (size > 0) {
      int last = size - 1 & 3;
      to.set(BYTE, a, from.get(BYTE, b));
      to.set(BYTE, a + (last + 1 >> 1), from.get(BYTE, b + (last + 1 >> 1)));
      to.set(BYTE, a + last, from.get(BYTE, b + last));
    }
  }

  @Override
  public void rows(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    if (rows > COUNTED || blocks > COUNTED || targetInner == 0) {
      manyRows(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks, size);
    } else if (size <= 16 && (size & size - 1) == 0 && isNear(targetInner) && isNear(sourceInner)) {
      nearRows(to, target, targetOuter, (int) targetInner, from, source, sourceOuter, (int) sourceInner, (int) rows,
          (int) blocks, (int) size);
    } else {
      plainRows(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, (int) rows, (int) blocks,
          size);
    }
  }

  /** Whether four of a stride fit an {@code int}. */
  private static boolean isNear(long stride) {
    return stride >> 28 == stride >> 63;
  }

  /** More than a loop counts, or all at one place. */
  private void manyRows(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, long rows, long blocks, long size) {
    long most = targetInner == 0 ? 1 : COUNTED;
    for (long row = 0; row < rows; row++) {
      for (long done = 0; done < blocks; done += most) {
        plainRows(to, target + row * targetOuter + done * targetInner, 0, targetInner == 0 ? 1 : targetInner, from,
            source + row * sourceOuter + done * sourceInner, 0, sourceInner, 1, (int) Math.min(most, blocks - done),
            size);
      }
    }
  }

  /** Blocks of 1, 2, 4, 8 or 16 bytes, at strides that leave four of them near each other. */
  private static void nearRows(
      MemorySegment to, long target, long targetOuter, int targetInner, MemorySegment from, long source,
      long sourceOuter, int sourceInner, int rows, int blocks, int size) {
    if (size <= 4 && targetInner == size && sourceInner == 2 * size) {
      for (int row = 0; row < rows; row++) {
        halved(to, target + row * targetOuter, from, source + row * sourceOuter, blocks, size);
      }
      return;
    }
    switch (size) {
      case 4 -> ints(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks);
      case 8 -> words(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks);
      case 16 -> pairs(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks);
      default ->
        few(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks, size);
    }
  }

  /** The last word of a block may overlap the one before. */
  private static void plainRows(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, int rows, int blocks, long size) {
    int bytes = (int) size;
    switch ((int) (Math.min(size, MOST_WORDS * 8 + 1) + 7 >> 3)) {
      case 1 -> few(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks, bytes);
<#list 2..8 as most>
      case ${most} ->
        words${most}(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks, bytes);
</#list>
      case 9, 10, 11, 12 ->
        words12(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks, bytes);
      default ->
        longs(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks, size);
    }
  }

  /** Up to 8 bytes. */
  private static void few(
      MemorySegment to, long target, long targetOuter, long targetInner, MemorySegment from, long source,
      long sourceOuter, long sourceInner, int rows, int blocks, int size) {
    switch (size) {
      case 1 -> bytes(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks);
      case 2 -> shorts(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks);
      case 3 -> threes(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks);
      default ->
        ints2(to, target, targetOuter, targetInner, from, source, sourceOuter, sourceInner, rows, blocks, size);
    }
  }

  /** Every second block of contiguous ones, of 1, 2 or 4 bytes: 32 bytes at a time become 16. */
  private static void halved(
      MemorySegment there, long target, MemorySegment here, long source, int blocks, int size) {
    int bytes = blocks * size;
    int whole = bytes - 1 & -16; // behind the last block there may be nothing
    if (size == 1) {
      halvedBytes(there, target, here, source, whole);
    } else if (size == 2) {
      halvedShorts(there, target, here, source, whole);
    } else {
      halvedInts(there, target, here, source, whole);
    }
    MemorySegment to = to(there);
    MemorySegment from = from(here);
    for (int at = whole; at < bytes; at += size) {
      copyFew(to, (target + at & PLACE) + TO_BIAS, from, (source + 2L * at & PLACE) + FROM_BIAS, size);
    }
  }

<#macro halved kind>
  private static void halved${kind}s(MemorySegment there, long target, MemorySegment here, long source, int bytes) {
    MemorySegment to = to(there);
    MemorySegment from = from(here);
    long f = source;
    for (long t = target; t != target + bytes; t += 16) {
      long b = (f & PLACE) + FROM_BIAS;
      long a = (t & PLACE) + TO_BIAS;
<#nested>
      f += 32;
    }
  }

</#macro>
<#list ["Byte", "Short"] as kind>
<@halved kind>
      to.set(LONG, a, even${kind}s(from.get(LONG, b)) | even${kind}s(from.get(LONG, b + 8)) << 32);
      to.set(LONG, a + 8, even${kind}s(from.get(LONG, b + 16)) | even${kind}s(from.get(LONG, b + 24)) << 32);
</@halved>
</#list>
<@halved "Int">
      to.set(LONG, a, from.get(INT, b) & 0xFFFFFFFFL | from.get(LONG, b + 8) << 32);
      to.set(LONG, a + 8, from.get(INT, b + 16) & 0xFFFFFFFFL | from.get(LONG, b + 24) << 32);
</@halved>
  private static long evenBytes(long word) {
    long pairs = word & 0x00FF00FF00FF00FFL;
    return evenShorts(pairs | pairs >>> 8);
  }

  private static long evenShorts(long word) {
    return word & 0xFFFF | word >>> 16 & 0xFFFF0000L;
  }

<#-- The loop over blocks, one at a time: the body copies one from `b` to `a`. -->
<#macro loop name about="" size="" last="">
<#if about != "">
  /** Blocks ${about}. */
</#if>
  private static void ${name}(
      MemorySegment there, long target, long targetOuter, long targetInner, MemorySegment here, long source,
      long sourceOuter, long sourceInner, int rows, int blocks<#if size != "">, ${size} size</#if>) {
    MemorySegment to = to(there);
    MemorySegment from = from(here);
<#if last != "">
    int last = ${last};
</#if>
    for (int row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      for (long end = t + blocks * targetInner; t != end; t += targetInner) {
        long a = (t & PLACE) + TO_BIAS;
        long b = (f & PLACE) + FROM_BIAS;
<#nested>
        f += sourceInner;
      }
    }
  }

</#macro>
<#-- Words of a block, from number `first` on, that lie at these places in it: all are loaded, then all are stored. -->
<#macro copied places first=0 indent="        ">
<#list places as place>
${indent}long word${first + place?index} = from.get(LONG, b<#if place != "0"> + ${place}</#if>);
</#list>
<#list places as place>
${indent}to.set(LONG, a<#if place != "0"> + ${place}</#if>, word${first + place?index});
</#list>
</#macro>
<#-- The places of so many words, of which the last one ends where the block does. -->
<#function placesOf count>
  <#return (0..<count - 1)?map(word -> (8 * word)?c) + ["last"]>
</#function>
<#list ["byte", "short"] as kind>
<@loop name=kind + "s">
        to.set(${kind?upper_case}, a, from.get(${kind?upper_case}, b));
</@loop>
</#list>
<#-- The loop over four blocks at a time, and then over what is left: the body copies four, `rest` one. -->
<#macro fours name bytes rest>
  /** Blocks of ${bytes} bytes, four at a time. */
  private static void ${name}(
      MemorySegment there, long target, long targetOuter, int targetInner, MemorySegment here, long source,
      long sourceOuter, int sourceInner, int rows, int blocks) {
    MemorySegment to = to(there);
    MemorySegment from = from(here);
    long t2 = 2L * targetInner;
    long t3 = 3L * targetInner;
    long f2 = 2L * sourceInner;
    long f3 = 3L * sourceInner;
    for (int row = 0; row < rows; row++) {
      long t = target + row * targetOuter;
      long f = source + row * sourceOuter;
      long end = t + (long) blocks * targetInner;
      for (long fours = t + (long) (blocks & -4) * targetInner; t != fours; t += 4L * targetInner) {
        long a = (t & PLACE) + TO_BIAS;
        long b = (f & PLACE) + FROM_BIAS;
<#nested>
        f += 4L * sourceInner;
      }
      for (; t != end; t += targetInner) {
        long a = (t & PLACE) + TO_BIAS;
        long b = (f & PLACE) + FROM_BIAS;
<#list rest as line>
        ${line}
</#list>
        f += sourceInner;
      }
    }
  }

</#macro>
<#list [{"name": "ints", "bytes": 4, "type": "int"}, {"name": "words", "bytes": 8, "type": "long"}] as kind>
<#assign type = kind.type layout = kind.type?upper_case>
<@fours name=kind.name bytes=kind.bytes rest=["to.set(${layout}, a, from.get(${layout}, b));"]>
        ${type} first = from.get(${layout}, b);
        ${type} second = from.get(${layout}, b + sourceInner);
        ${type} third = from.get(${layout}, b + f2);
        ${type} fourth = from.get(${layout}, b + f3);
        to.set(${layout}, a, first);
        to.set(${layout}, a + targetInner, second);
        to.set(${layout}, a + t2, third);
        to.set(${layout}, a + t3, fourth);
</@fours>
</#list>
<@fours name="pairs" bytes=16
  rest=["to.set(LONG, a, from.get(LONG, b));", "to.set(LONG, a + 8, from.get(LONG, b + 8));"]>
        long first = from.get(LONG, b);
        long firstEnd = from.get(LONG, b + 8);
        long second = from.get(LONG, b + sourceInner);
        long secondEnd = from.get(LONG, b + sourceInner + 8);
        to.set(LONG, a, first);
        to.set(LONG, a + 8, firstEnd);
        to.set(LONG, a + targetInner, second);
        to.set(LONG, a + targetInner + 8, secondEnd);
        long third = from.get(LONG, b + f2);
        long thirdEnd = from.get(LONG, b + f2 + 8);
        long fourth = from.get(LONG, b + f3);
        long fourthEnd = from.get(LONG, b + f3 + 8);
        to.set(LONG, a + t2, third);
        to.set(LONG, a + t2 + 8, thirdEnd);
        to.set(LONG, a + t3, fourth);
        to.set(LONG, a + t3 + 8, fourthEnd);
</@fours>
<@loop name="threes" about="of 3 bytes">
        to.set(SHORT, a, from.get(SHORT, b));
        to.set(BYTE, a + 2, from.get(BYTE, b + 2));
</@loop>
<@loop name="ints2" about="of 4 to 8 bytes" size="int" last="size - 4 & 7">
        int first = from.get(INT, b);
        int second = from.get(INT, b + last);
        to.set(INT, a, first);
        to.set(INT, a + last, second);
</@loop>
<#list 2..8 as count>
<#assign least = (count == 2)?then(8, 8 * count - 7) mask = (count == 2)?then(15, 63)>
<@loop name="words${count}" about="of ${least} to ${8 * count} bytes" size="int" last="size - 8 & ${mask}">
<@copied places=placesOf(count) />
</@loop>
</#list>
<@loop name="words12" about="of 65 to 96 bytes" size="int" last="size - 32 & 127">
<@copied ["0", "8", "16", "24", "32", "40"] />
<@copied first=6 places=["48", "56", "last", "last + 8", "last + 16", "last + 24"] />
</@loop>
<@loop name="longs" about="that are copied by a call" size="long">
        MemorySegment.copy(from, b, to, a, size);
</@loop>
  @Override
  public void gather(
      MemorySegment there, long target, MemorySegment here, long origin, long[] table, int first, int blocks,
      long size) {
    MemorySegment to = to(there);
    MemorySegment from = from(here);
    long t = target;
    if (size == 8) {
      for (int i = first; i < first + blocks; i++) {
        to.set(LONG, (t & PLACE) + TO_BIAS, from.get(LONG, (origin + table[i] & PLACE) + FROM_BIAS));
        t += size;
      }
    } else if (size == 4) {
      for (int i = first; i < first + blocks; i++) {
        to.set(INT, (t & PLACE) + TO_BIAS, from.get(INT, (origin + table[i] & PLACE) + FROM_BIAS));
        t += size;
      }
    } else if (size > 8 && size <= 16) {
      listed2(there, target, 0, here, origin, -1, table, first, blocks, (int) size);
    } else if (size > 16 && size <= 24) {
      listed3(there, target, 0, here, origin, -1, table, first, blocks, (int) size);
    } else {
      for (int i = first; i < first + blocks; i++) {
        copy(to, (t & PLACE) + TO_BIAS, from, (origin + table[i] & PLACE) + FROM_BIAS, size);
        t += size;
      }
    }
  }

  @Override
  public void scatter(
      MemorySegment there, long origin, MemorySegment here, long source, long[] table, int first, int blocks,
      long size) {
    MemorySegment to = to(there);
    MemorySegment from = from(here);
    long f = source;
    if (size == 8) {
      for (int i = first; i < first + blocks; i++) {
        to.set(LONG, (origin + table[i] & PLACE) + TO_BIAS, from.get(LONG, (f & PLACE) + FROM_BIAS));
        f += size;
      }
    } else if (size == 4) {
      for (int i = first; i < first + blocks; i++) {
        to.set(INT, (origin + table[i] & PLACE) + TO_BIAS, from.get(INT, (f & PLACE) + FROM_BIAS));
        f += size;
      }
    } else if (size > 8 && size <= 16) {
      listed2(there, origin, -1, here, source, 0, table, first, blocks, (int) size);
    } else if (size > 16 && size <= 24) {
      listed3(there, origin, -1, here, source, 0, table, first, blocks, (int) size);
    } else {
      for (int i = first; i < first + blocks; i++) {
        copy(to, (origin + table[i] & PLACE) + TO_BIAS, from, (f & PLACE) + FROM_BIAS, size);
        f += size;
      }
    }
  }

<#list 2..3 as count>
<#if count == 2>
  /**
   * Blocks of 9 to 16 bytes. At the end whose mask is -1 the table tells where each lies, at the other one, whose mask
   * is 0, they lie one behind the other.
   */
<#else>
  /** Blocks of ${8 * count - 7} to ${8 * count} bytes, likewise. */
</#if>
  private static void listed${count}(
      MemorySegment there, long target, long toMask, MemorySegment here, long source, long fromMask, long[] table,
      int first, int blocks, int size) {
    MemorySegment to = to(there);
    MemorySegment from = from(here);
    int last = size - 8 & ${(count == 2)?then(15, 31)};
    long t = target;
    long f = source;
    for (int i = first; i < first + blocks; i++) {
      long a = (t + (table[i] & toMask) & PLACE) + TO_BIAS;
      long b = (f + (table[i] & fromMask) & PLACE) + FROM_BIAS;
<@copied places=placesOf(count) indent="      " />
      t += size & ~toMask;
      f += size & ~fromMask;
    }
  }
<#sep>

</#sep>
</#list>
}

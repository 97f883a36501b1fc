package io.adrastea;

import io.adrastea.datatype.Element;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.UnionLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Datatypes of memory layouts. */
final class LayoutDatatype {
  private LayoutDatatype() {}

  /** All that a layout has. */
  static Datatype of(MemoryLayout layout) {
    return of(layout, layout);
  }

  private static Datatype of(MemoryLayout layout, MemoryLayout whole) {
    return switch (layout) {
      case AddressLayout it -> throw refused(it, whole, "addresses mean nothing in another process");
      case ValueLayout it -> Datatype.of(element(it), it.order());
      case SequenceLayout it -> {
        Datatype element = of(it.elementLayout(), whole);
        yield sized(Datatype.contiguous(it.elementCount(), element), it);
      }
      case UnionLayout it ->
        throw refused(it, whole, "the bytes of a union have no one type; name one member by a path");
      case GroupLayout it -> ofStruct(it, whole);
      case PaddingLayout it -> nothing(it);
    };
  }

  private static Datatype nothing(MemoryLayout layout) {
    return sized(Datatype.contiguous(0, Datatype.BYTE), layout);
  }

  private static Datatype sized(Datatype type, MemoryLayout layout) {
    return type.extent() == layout.byteSize() && type.lowerBound() == 0 ? type : type.resized(0, layout.byteSize());
  }

  private static Datatype ofStruct(GroupLayout layout, MemoryLayout whole) {
    List<Datatype> parts = new ArrayList<>();
    List<Long> displacements = new ArrayList<>();
    long at = 0;
    for (MemoryLayout member : layout.memberLayouts()) {
      if (!(member instanceof PaddingLayout)) {
        parts.add(of(member, whole));
        displacements.add(at);
      }
      at += member.byteSize();
    }
    long[] ones = new long[parts.size()];
    Arrays.fill(ones, 1);
    long[] places = displacements.stream().mapToLong(Long::longValue).toArray();
    return sized(Datatype.struct(ones, places, parts.toArray(Datatype[]::new)), layout);
  }

  private static Element element(ValueLayout layout) {
    return switch (layout) {
      case ValueLayout.OfByte it -> Element.BYTE;
      case ValueLayout.OfBoolean it -> Element.BOOLEAN;
      case ValueLayout.OfShort it -> Element.SHORT;
      case ValueLayout.OfChar it -> Element.CHAR;
      case ValueLayout.OfInt it -> Element.INT;
      case ValueLayout.OfLong it -> Element.LONG;
      case ValueLayout.OfFloat it -> Element.FLOAT;
      case ValueLayout.OfDouble it -> Element.DOUBLE;
      case AddressLayout it -> throw new AssertionError(it);
    };
  }

  private static IllegalArgumentException refused(MemoryLayout part, MemoryLayout whole, String why) {
    return new ArgumentException(Reason.TYPE, "%s in %s cannot be sent: %s".formatted(part, whole, why));
  }

  /** What a path selects. Each open sequence element is a vector of what the rest of the path selects. */
  static Datatype of(MemoryLayout layout, PathElement... path) {
    long displacement = 0;
    MemoryLayout here = layout;
    List<long[]> loops = new ArrayList<>(); // count and stride, from the outermost on
    for (PathElement element : path) {
      MethodHandle offset = here.byteOffsetHandle(element); // (base, index if it is open) to bytes
      if (offset.type().parameterCount() > 1) {
        long count = count(offset, ((SequenceLayout) here).elementCount());
        long first = count > 0 ? offsetAt(offset, 0) : 0;
        displacement += first;
        loops.add(new long[] {count, count > 1 ? offsetAt(offset, 1) - first : 0});
      } else {
        displacement += offsetAt(offset);
      }
      here = here instanceof SequenceLayout it ? it.elementLayout() : here.select(element);
    }
    Datatype selected = of(here, layout);
    for (long[] loop : loops.reversed()) {
      selected = Datatype.hvector(loop[0], 1, loop[1], selected);
    }
    long[] one = {1};
    return sized(Datatype.hindexed(one, new long[] {displacement}, selected), layout);
  }

  /** How many elements an open path element selects of at most so many: the least index that is refused. */
  private static long count(MethodHandle offset, long most) {
    long low = 0;
    long high = most;
    if (most > 0 && isInside(offset, most - 1)) {
      return most;
    }
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (isInside(offset, middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static boolean isInside(MethodHandle offset, long index) {
    try {
      offsetAt(offset, index);
      return true;
    } catch (IndexOutOfBoundsException e) {
      return false;
    }
  }

  private static long offsetAt(MethodHandle offset, long... index) {
    try {
      return index.length == 0 ? (long) offset.invokeExact(0L) : (long) offset.invokeExact(0L, index[0]);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e); // a handle of an offset declares nothing else
    }
  }
}

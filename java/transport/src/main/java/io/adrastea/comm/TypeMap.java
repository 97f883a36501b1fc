package io.adrastea.comm;

import io.adrastea.coll.ElementKind;
import io.adrastea.datatype.Element;
import io.adrastea.datatype.Form;
import io.adrastea.datatype.Overlap;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.Signature;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.util.function.Supplier;

/**
 * The inside of a {@code Datatype}: which basic types its elements have and where these lie, what reductions take them
 * for, and whether anything can be received into them. What it describes does not change, and any thread may use it.
 */
public final class TypeMap {
  private final Object datatype; // handed to operators of the program; nothing here looks at it
  private final Supplier<String> label;
  private final Form form;
  private final long size;
  private final ElementKind kind;
  private final ElementKind pair;
  private Program program; // made when it is first asked for; several threads may make the same
  private long apartUpTo; // so many elements were found not to overlap
  private long overlapFrom = Long.MAX_VALUE; // so many were found to

  /**
   * Makes the inside of a datatype.
   *
   * @param kind of all elements, as reductions know it; null: they have none, or differ
   * @param pair the pair of a value and an index that all elements are; null: they are no such pair, or differ
   */
  public TypeMap(Object datatype, Supplier<String> label, Form form, ElementKind kind, ElementKind pair) {
    this.datatype = datatype;
    this.label = label;
    this.form = form;
    this.size = form.bounds().size();
    this.kind = kind;
    this.pair = pair;
  }

  /** The datatype of the program that this is the inside of. */
  public Object datatype() {
    return datatype;
  }

  /** Its name and numbers, without what it is made of. */
  public String label() {
    return label.get();
  }

  /** Where its bytes lie. */
  public Form form() {
    return form;
  }

  /** Counts the bytes of an element, without those between them. */
  public long size() {
    return size;
  }

  /** Its basic types without their places. */
  public Signature signature() {
    return form.signature();
  }

  /** The one basic type of all its elements, in the byte order of this CPU; null: it has none, or others. */
  public Element element() {
    return form.signature().element();
  }

  /** What reductions take all its elements for: that type, or complex numbers; null: they differ, or none. */
  public ElementKind kind() {
    return kind;
  }

  /** The pair of a value and an index that all its elements are, or null. */
  public ElementKind pair() {
    return pair;
  }

  /** What it was flattened to. */
  public Program program() {
    Program found = program;
    if (found == null) {
      found = Program.of(form.flat(), form.bounds());
      program = found;
    }
    return found;
  }

  /**
   * Refuses elements that have a byte of memory twice, so that nothing can be received into them. That is looked for at
   * the first time, and remembered. The caller has checked that they lie in some memory.
   */
  public void requireReceivable(long count) {
    if (count > apartUpTo) {
      findOverlap(count);
    }
  }

  private synchronized void findOverlap(long count) {
    if (count >= overlapFrom) {
      throw overlapping(count, Overlap.find(form.flat(), form.bounds(), overlapFrom));
    }
    long twice = Overlap.find(form.flat(), form.bounds(), count);
    if (twice != Long.MIN_VALUE) {
      overlapFrom = count;
      throw overlapping(count, twice);
    }
    apartUpTo = Math.max(apartUpTo, count);
  }

  private IllegalArgumentException overlapping(long count, long twice) {
    return new ArgumentException(Reason.TYPE,
        "%d element(s) of %s have byte %d twice, so that nothing can be received into them; they can be sent"
            .formatted(count, label.get(), twice));
  }
}

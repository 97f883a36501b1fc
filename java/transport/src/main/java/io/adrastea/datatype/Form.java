package io.adrastea.datatype;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * What a datatype is made of: its bounds, its flattened layout and its signature. All constructors of datatypes are
 * made of the few operations here. Each throws an {@link ArithmeticException}, which tells the numbers, for what does
 * not fit 64 bits.
 */
public record Form(Bounds bounds, Flat flat, Signature signature) {
  /** The form of nothing. */
  public static final Form EMPTY = new Form(Bounds.EMPTY, Flat.EMPTY, Signature.EMPTY);

  /** The form of one basic type, whose bytes lie in that order. */
  public static Form of(Element element, ByteOrder order) {
    return new Form(
        Bounds.of(element.bytes()), Flat.block(element.bytes()), Signature.of(element, order));
  }

  /** So many copies at a distance. */
  public Form repeat(long count, long stride) {
    return new Form(bounds.repeat(count, stride), flat.repeat(count, stride), signature.repeat(count));
  }

  /** So many copies, one behind the other. */
  public Form repeat(long count) {
    return repeat(count, bounds.extent());
  }

  /** This form elsewhere. */
  public Form at(long displacement) {
    return new Form(bounds.at(displacement), flat.at(displacement), signature);
  }

  /** These bytes with other bounds. */
  public Form resized(long lowerBound, long extent) {
    return new Form(bounds.resized(lowerBound, extent), flat, signature);
  }

  /**
   * Copies from each displacement on, one behind the other.
   *
   * @param displacements in bytes; they are not the caller's any more
   */
  public Form indexed(long[] displacements, Lengths lengths) {
    Bounds all = bounds.indexed(displacements, lengths);
    Flat listed = flat.indexed(displacements, lengths, bounds.extent());
    return new Form(all, listed, signature.repeat(lengths.total()));
  }

  /** These one after the other. */
  public static Form join(List<Form> forms) {
    Bounds bounds = Bounds.EMPTY;
    List<Signature> signatures = new ArrayList<>();
    for (Form form : forms) {
      bounds = bounds.and(form.bounds);
      signatures.add(form.signature);
    }
    Flat flat = Flat.join(forms.stream().map(Form::flat).toArray(Flat[]::new));
    return new Form(bounds, flat, Signature.join(signatures));
  }
}

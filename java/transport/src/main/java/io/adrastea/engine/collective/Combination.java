package io.adrastea.engine.collective;

import io.adrastea.coll.ElementKind;
import io.adrastea.core.SlotMember;

/**
 * An operator on elements of one kind, as a collective combines them.
 *
 * @param op its number
 * @param element number of the kind; 0: this rank has no elements
 * @param elementBytes of one element that the program's own operator combines; 0: it is one that the core knows
 * @param folding the program's own operator; null: it is one that the core knows
 */
public record Combination(int op, int element, int elementBytes, Folding folding) {
  /** Tells how many bytes one element has; 1 where this rank has none. */
  public int unit() {
    return elementBytes > 0 ? elementBytes : element == 0 ? 1 : ElementKind.of(element).bytes();
  }

  /** What a call has in the place of the root: of an allreduce the bytes of an element. */
  int inPlaceOfRoot(int kind, int root) {
    return kind == SlotMember.ALLREDUCE ? elementBytes : root;
  }

  /** What a call has in the place of the kind of elements: of all but an allreduce their bytes too. */
  int elements(int kind) {
    return kind == SlotMember.ALLREDUCE ? element : element | elementBytes << Byte.SIZE;
  }
}

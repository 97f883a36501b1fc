package io.adrastea.engine.collective;

import io.adrastea.coll.ElementKind;

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
}

/**
 * {@code adrastea bench guard}: measures the numbers that {@code docs/performance.md} promises, in short, and says
 * which fell. They stand once, in {@code promises.csv} beside these classes; the table in the document is what
 * {@code bench guard --list} prints.
 */
package io.adrastea.bench.guard;

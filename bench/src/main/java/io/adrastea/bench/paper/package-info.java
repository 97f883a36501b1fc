/**
 * {@code adrastea bench paper}: the experiments of the papers that Adrastea implements, with our figures in the papers'
 * own form and what the papers say beside them.
 *
 * <p>
 * An {@link io.adrastea.bench.paper.Experiment} says what to run and makes a {@link io.adrastea.bench.paper.Report} of
 * the results. Only what a paper's text states is quoted; values that stand in a drawing alone are not guessed.
 */
package io.adrastea.bench.paper;

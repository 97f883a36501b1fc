/**
 * A page with curves and a table, self-contained: {@code new Page(...).html()}. It knows nothing of benches; what is
 * drawn is a list of named curves.
 */
package io.adrastea.bench.page;

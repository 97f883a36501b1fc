/**
 * Ranks that are not alone on the machine: {@code bench crowd}, jobs that are started as users start them, beside other
 * processes that want the CPUs, and jobs from their first message on.
 */
package io.adrastea.bench.crowd;

/** What moves on between the polls of a rank, beside its messages: it registers itself, and every step asks it. */
package io.adrastea.engine.step;

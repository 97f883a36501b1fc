/** {@code adrastea info}: one section per class. */
package io.adrastea.cli.info;

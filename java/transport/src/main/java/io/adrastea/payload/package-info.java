/** What messages carry, wherever it lies, and how far an operation is in it. */
package io.adrastea.payload;

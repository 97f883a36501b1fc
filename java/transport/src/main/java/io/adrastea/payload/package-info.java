/**
 * What messages carry, wherever it lies ({@link io.adrastea.payload.Payload}), and how far an operation is in it
 * ({@link io.adrastea.payload.Cursor}).
 */
package io.adrastea.payload;

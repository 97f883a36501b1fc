/** Agrona's buffers over memory segments. */
package io.adrastea.agrona;

package io.adrastea.engine.collective;

/** How a program calls a collective. */
public enum Form {
  /** The call returns when this rank's part is done. */
  BLOCKING,

  /** The call begins it, and a request tells of its end. */
  STARTED,

  /** The call prepares it for a request, which starts it again and again. */
  PREPARED
}

package io.adrastea.link;

/**
 * What a {@link LinkProvider} has opened for one rank that joins a job on several nodes, such as a socket that listens,
 * and what others are told of it. The link that is opened from it closes it, when it no longer needs it; one from which
 * no link was opened is closed by whoever has asked for it.
 */
public interface LinkPort extends AutoCloseable {
  /**
   * What all other ranks of the job are told, as a part of the card that each has of each: addresses, a key. Providers
   * share some 950 bytes.
   *
   * @return printable ASCII without blanks and semicolons; not empty
   */
  String words();

  /** Closes it: nobody is reached through it any more. May be called again. */
  @Override
  void close();
}

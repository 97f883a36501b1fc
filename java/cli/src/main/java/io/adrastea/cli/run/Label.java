package io.adrastea.cli.run;

/** Whether lines of output carry their rank; the names are the words of the option. */
enum Label {
  /** With two ranks or more. */
  auto,
  /** On each line. */
  always,
  /** On none. */
  never;

  /** What holds for a job of so many ranks. */
  boolean of(int size) {
    return this == always || (this == auto && size > 1);
  }
}

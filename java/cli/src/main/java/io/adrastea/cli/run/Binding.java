package io.adrastea.cli.run;

/** Where ranks run; the names are the words of the option. */
enum Binding {
  /** Each on one CPU. */
  cpu,
  /** Where the system puts them. */
  none
}

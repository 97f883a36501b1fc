/** What the user has to mend. */
final class BadInput extends Exception {
  private static final long serialVersionUID = 1L;

  BadInput(String message) {
    super(message);
  }
}

package io.adrastea.engine.operation;

/**
 * A pending one that an owner moves on, which it asks whatever it is asked itself.
 *
 * @param <P> its kind
 */
public abstract class OwnedPending<P extends OwnedPending<P>> implements Pending {
  private final Owner<P> owner; // null: no request tells of it
  private int check; // number of the last check of liveness for it

  /** @param owner null: no request tells of it */
  protected OwnedPending(Owner<P> owner) {
    this.owner = owner;
  }

  /** This one, as its kind. */
  protected abstract P self();

  /** Whether it was not checked in the check of liveness of that number, which it is now. */
  public final boolean enterCheck(int number) {
    boolean isNew = check != number;
    check = number;
    return isNew;
  }

  @Override
  public final <T> void start(Outcome<T> outcome, T subject) {
    owner.start(self(), outcome, subject);
  }

  @Override
  public final <T> boolean poll(Outcome<T> outcome, T subject) {
    return owner.poll(self(), outcome, subject);
  }

  @Override
  public final <T> void finish(long nanos, Outcome<T> outcome, T subject) {
    owner.finish(self(), nanos, outcome, subject);
  }

  @Override
  public final <T> void finishOrWithdraw(long nanos, Outcome<T> outcome, T subject) {
    owner.finishOrWithdraw(self(), nanos, outcome, subject);
  }

  @Override
  public final boolean withdraw() {
    return owner.withdraw(self());
  }

  @Override
  public final int missing() {
    return owner.missing(self());
  }

  @Override
  public final void fail(int gone) {
    owner.fail(self(), gone);
  }

  @Override
  public final long moves() {
    return owner.moves(self());
  }
}

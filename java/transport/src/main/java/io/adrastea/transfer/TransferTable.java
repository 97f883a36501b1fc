package io.adrastea.transfer;

import java.util.Arrays;

/** Finds transfers by the numbers under which their peers know them, and keeps the spent ones for the next. */
final class TransferTable {
  private static final int SLOT_BITS = 20;
  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
  private static final int GENERATION_MASK = 0x7FF;
  private static final int PIECE_MASK = (1 << 23) - 1; // the slot, and the lowest bits of the generation

  private Transfer[] slots = new Transfer[16];
  private int[] generations = new int[16]; // so that a late message meets no other transfer
  private int[] free = new int[16]; // stack of slots that were used
  private int freeCount;
  private int used; // slots that were ever taken
  private Transfer idle;

  /** Takes memory now, so that neither the next {@link #take} needs any nor reading a cookie with so many entries. */
  void reserve(int entries) {
    if (idle == null) {
      idle = new Transfer();
    }
    idle.remote.vector().reserve(entries);
  }

  /** Takes a transfer, which has no number yet. */
  Transfer take() {
    Transfer transfer = idle == null ? new Transfer() : idle;
    idle = transfer.next;
    transfer.next = null;
    transfer.id = Transfer.NO_ID;
    return transfer;
  }

  boolean isFull() {
    return freeCount == 0 && used > SLOT_MASK;
  }

  /** Gives a transfer a number. */
  void enter(Transfer transfer) {
    if (freeCount == 0 && used == slots.length) {
      grow();
    }
    int slot = freeCount > 0 ? free[--freeCount] : used++;
    slots[slot] = transfer;
    transfer.id = generations[slot] << SLOT_BITS | slot;
  }

  private void grow() {
    Transfer[] more = Arrays.copyOf(slots, 2 * used);
    int[] moreGenerations = Arrays.copyOf(generations, 2 * used);
    free = Arrays.copyOf(free, 2 * used);
    generations = moreGenerations;
    slots = more;
  }

  /** Finds the transfer with this number; null: it is over. */
  Transfer find(int source, int id) {
    int slot = id & SLOT_MASK;
    Transfer transfer = id >= 0 && slot < used ? slots[slot] : null;
    return transfer != null && transfer.id == id && transfer.peer == source ? transfer : null;
  }

  /** The number of a transfer in the pieces that are sent to the end that knows it as {@code id}: it has 23 bits. */
  static int pieceNumber(int id) {
    return id & PIECE_MASK;
  }

  /** Finds the transfer whose pieces have this number; null: it is over. */
  Transfer findByPiece(int source, int number) {
    int slot = number & SLOT_MASK;
    Transfer transfer = slot < used ? slots[slot] : null;
    return transfer != null && pieceNumber(transfer.id) == number && transfer.peer == source ? transfer : null;
  }

  /** Takes back a transfer that is over, and whose number the peer was told or not. */
  void give(Transfer transfer, boolean known) {
    if (transfer.id != Transfer.NO_ID) {
      int slot = transfer.id & SLOT_MASK;
      slots[slot] = null;
      generations[slot] = generations[slot] + (known ? 1 : 0) & GENERATION_MASK;
      free[freeCount++] = slot;
    }
    transfer.owner = null;
    transfer.payload = null;
    transfer.next = idle;
    idle = transfer;
  }

  /** Counts the slots that {@link #at} may be asked for. */
  int size() {
    return used;
  }

  /** Tells the transfer in a slot; null: there is none. */
  Transfer at(int slot) {
    return slots[slot];
  }
}

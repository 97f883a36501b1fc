package io.adrastea.engine.operation;

/**
 * What waits in a list to be matched, found by source and tag: a hash table with a queue for each key, in the order in
 * which its entries were added [Flajslik 2016]. Each key that occurs takes one slot of an array, by linear probing.
 * Removal moves later keys back instead of leaving marks [Knuth 1998, The Art of Computer Programming 3, 6.4: algorithm
 * R]. Links lie in the entries, so that nothing is made per message once the array is large enough.
 *
 * <p>
 * A key is a source and a tag, each of which may be any; its kind says which of both are. Peers that choose tags so
 * that all of them belong to one slot make a search as long as that of the list.
 */
public final class MatchIndex<T> {
  /** How many kinds of keys there are. */
  public static final int KINDS = 4;

  /** Any source and any tag, the last of all kinds. */
  public static final int ANYTHING = 3;

  /** Lists of so few are searched without an index. */
  public static final int FEW = 4;

  private static final int ANY_SOURCE = 1;
  private static final int ANY_TAG = 2;
  private static final int LEAST_SLOTS = 64;
  private static final int MOST_KEPT_SLOTS = 1 << 16; // 256 KiB, for lists that grow long again and again

  /** An entry in the queue of its key. It belongs to what waits, and is used again with that. */
  public static final class Entry<T> {
    private final T owner;
    private long key;
    private long turn; // its number among all that were ever added
    private Entry<T> previous; // in a ring, in which the first follows the last
    private Entry<T> next;

    public Entry(T owner) {
      this.owner = owner;
    }

    public T owner() {
      return owner;
    }

    /** Whether it was added before another one, which may be null. */
    public boolean isBefore(Entry<T> other) {
      return other == null || turn < other.turn;
    }
  }

  private Entry<T>[] first; // of each key, at the slot of that; null: nothing is here
  private int keys;
  private int size;
  private long turns;

  /** Which of source and tag are any. */
  public static int kind(int source, int tag) {
    return (source == Operation.ANY ? ANY_SOURCE : 0) | (tag == Operation.ANY ? ANY_TAG : 0);
  }

  /** The key of that kind under which a message is found. */
  public static long key(int kind, int source, int tag) {
    int keySource = (kind & ANY_SOURCE) == 0 ? source : Operation.ANY;
    int keyTag = (kind & ANY_TAG) == 0 ? tag : Operation.ANY;
    return (long) keySource << 32 | keyTag & 0xFFFF_FFFFL;
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /**
   * Adds an entry behind all others of its key.
   *
   * @throws OutOfMemoryError when the array cannot grow; nothing has changed
   */
  public void add(long key, Entry<T> entry) {
    if (first == null) {
      first = slots(LEAST_SLOTS);
    } else if (2 * keys >= first.length) {
      grow();
    }
    entry.key = key;
    entry.turn = turns++;
    int at = slot(key);
    Entry<T> head = first[at];
    if (head == null) {
      first[at] = entry;
      entry.previous = entry;
      entry.next = entry;
      keys++;
    } else {
      entry.previous = head.previous;
      entry.next = head;
      head.previous.next = entry;
      head.previous = entry;
    }
    size++;
  }

  /** The entry of that key which was added first; null: there is none. */
  public Entry<T> first(long key) {
    return size == 0 ? null : first[slot(key)];
  }

  /** Takes out an entry, which is here. */
  public void remove(Entry<T> entry) {
    int at = slot(entry.key);
    if (entry.next == entry) {
      close(at);
    } else {
      entry.previous.next = entry.next;
      entry.next.previous = entry.previous;
      if (first[at] == entry) {
        first[at] = entry.next;
      }
    }
    entry.previous = null;
    entry.next = null;
    size--;
    if (size == 0 && first.length > MOST_KEPT_SLOTS) {
      first = null;
    }
  }

  /** Forgets all entries, which need not be taken out any more. */
  public void drop() {
    first = null;
    keys = 0;
    size = 0;
  }

  /** How many slots a search for that key looks at. */
  int looks(long key) {
    return (slot(key) - home(key) & first.length - 1) + 1;
  }

  /** Where that key is, or would be. */
  private int slot(long key) {
    int at = home(key);
    while (first[at] != null && first[at].key != key) {
      at = at + 1 & first.length - 1;
    }
    return at;
  }

  private int home(long key) {
    return (int) mix(key) & first.length - 1;
  }

  /** The finalizer of MurmurHash3 (Appleby 2011): each bit of the key changes about half of all bits. */
  private static long mix(long key) {
    long mixed = (key ^ key >>> 33) * 0xFF51_AFD7_ED55_8CCDL;
    mixed = (mixed ^ mixed >>> 33) * 0xC4CE_B9FE_1A85_EC53L;
    return mixed ^ mixed >>> 33;
  }

  /** Empties a slot; keys behind it that were put there for want of an earlier one move up. */
  private void close(int slot) {
    int mask = first.length - 1;
    int hole = slot;
    for (int at = hole + 1 & mask; first[at] != null; at = at + 1 & mask) {
      int away = at - home(first[at].key) & mask;
      if (away >= (at - hole & mask)) {
        first[hole] = first[at];
        hole = at;
      }
    }
    first[hole] = null;
    keys--;
  }

  private void grow() {
    Entry<T>[] before = first;
    first = slots(2 * before.length);
    for (Entry<T> head : before) {
      if (head != null) {
        first[slot(head.key)] = head;
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an index holds one kind
  private static <T> Entry<T>[] slots(int count) {
    return new Entry[count];
  }
}

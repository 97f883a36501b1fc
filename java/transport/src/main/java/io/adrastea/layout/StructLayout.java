package io.adrastea.layout;

import java.util.ArrayList;
import java.util.List;

/** Name, size and fields of one shared struct, as {@link LayoutDump} prints them. */
public final class StructLayout {
  private final String name;
  private final int bytes;
  private final List<String> lines = new ArrayList<>();
  private int end;

  StructLayout(String name, int bytes) {
    this.name = name;
    this.bytes = bytes;
    lines.add(name + " " + bytes);
  }

  /** Adds the next field; fields leave no gap, so that no byte is without a name. */
  StructLayout field(String field, int offset, int size) {
    if (offset != end) {
      throw new AssertionError(name + "." + field + " begins at " + offset + ", not at " + end);
    }
    lines.add(name + "." + field + " " + offset + " " + size);
    end = offset + size;
    return this;
  }

  List<String> lines() {
    if (end != bytes) {
      throw new AssertionError(name + " ends at " + end + ", not at " + bytes);
    }
    return lines;
  }
}

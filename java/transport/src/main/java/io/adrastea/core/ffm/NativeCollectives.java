package io.adrastea.core.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code adrastea/coll.h} as method handles. Those that begin a collective and step are critical
 * calls: they move 64 KiB at most, from and to heap arrays without a copy, and never wait.
 */
final class NativeCollectives {
  static final LateFunction OPEN =
      Native.late(
          "adr_coll_open",
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
  static final LateFunction CLOSE = Native.late("adr_coll_close", FunctionDescriptor.ofVoid(JAVA_LONG));
  static final LateFunction PARTS = Native.late("adr_coll_parts", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
  static final LateFunction REACH =
      Native.late("adr_coll_reach",
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  static final LateFunction WORDS =
      Native.late("adr_coll_words", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT));
  static final LateFunction STAGES_BYTES =
      Native.late("adr_coll_stages_bytes", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
  static final LateFunction STAGES_OFFSET =
      Native.late("adr_coll_stages_offset", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
  static final LateFunction PUBLISH_STAGES =
      Native.late("adr_coll_publish_stages", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  static final LateFunction STAGES =
      Native.late("adr_coll_stages", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  static final LateFunction BREAK_OFF = Native.late("adr_coll_break_off", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
  static final LateFunction CLOSE_STATE =
      Native.late("adr_coll_close_state", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
  static final LateFunction REVOKE = Native.late("adr_coll_revoke", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
  static final LateFunction STATE =
      Native.late("adr_coll_state", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

  static final MethodHandle BEGIN =
      Native.critical(
          "adr_coll_begin", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS,
          JAVA_LONG, JAVA_INT);
  static final MethodHandle BEGUN = Native.critical("adr_coll_begun", JAVA_LONG);
  static final MethodHandle STEP =
      Native.critical("adr_coll_step", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT);
  static final MethodHandle EXPOSE =
      Native.critical("adr_coll_expose", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT,
          JAVA_LONG);
  static final MethodHandle RELAY =
      Native.bind("adr_coll_relay", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
  static final MethodHandle OTHER = Native.critical("adr_coll_other", JAVA_LONG, JAVA_INT);
  static final MethodHandle BEGIN_WRITE = Native.critical("adr_coll_begin_write", JAVA_LONG, JAVA_INT);
  static final MethodHandle END_WRITE = Native.critical("adr_coll_end_write", JAVA_LONG);
  static final MethodHandle IS_WRITTEN_BY = Native.critical("adr_coll_is_written_by", JAVA_LONG, JAVA_INT);

  private NativeCollectives() {}
}

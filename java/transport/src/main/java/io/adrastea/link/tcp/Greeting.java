package io.adrastea.link.tcp;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What two ranks say before the first frame, and how each knows that the other is one of the job: by the keys of the
 * cards of both, which are sent nowhere. All numbers are big-endian.
 *
 * <pre>
 * caller   HELLO    name and version 8, job 8, from 4, to 4, nonce 16, code 32
 * called   ANSWER   name and version 8, nonce 16, code 32
 * caller   PROOF    code 32
 * called   WELCOME  code 32
 * </pre>
 *
 * Each code is HMAC-SHA256 of its number, of HELLO up to its code, and from ANSWER on of the nonce of that. Of another
 * version the first eight bytes are read alone. To a HELLO of the right form that does not prove its rank the answer is
 * zero behind the version, which proves nothing either. The caller is connected with WELCOME, behind which frames may
 * follow.
 */
final class Greeting {
  static final int NONCE_BYTES = 16;
  static final int CODE_BYTES = 32;
  static final int NAME_BYTES = Long.BYTES;
  static final int HELLO_BYTES = NAME_BYTES + 8 + 4 + 4 + NONCE_BYTES + CODE_BYTES;
  static final int ANSWER_BYTES = NAME_BYTES + NONCE_BYTES + CODE_BYTES;

  private static final long NAME = 0x6164_7261_7463_0000L; // "adratc", and the version behind it
  private static final long VERSION_MASK = 0xFFFF;

  /** Which code it is. */
  enum Step {
    HELLO, ANSWER, PROOF, WELCOME
  }

  private final byte[] key;
  private final byte[] hello; // without its code
  private final byte[] nonce = new byte[NONCE_BYTES]; // of the answer

  /**
   * The greeting of a pair of ranks.
   *
   * @param one key of the lower rank
   * @param other that of the higher
   * @param hello its first bytes, without the code
   */
  Greeting(byte[] one, byte[] other, byte... hello) {
    key = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, key, one.length, other.length);
    this.hello = hello;
  }

  /** The first bytes of a HELLO. */
  static byte[] hello(long job, int from, int to, byte... nonce) {
    return ByteBuffer.allocate(HELLO_BYTES - CODE_BYTES).putLong(name()).putLong(job).putInt(from).putInt(to).put(nonce)
        .array();
  }

  static long name() {
    return NAME | TcpCard.VERSION;
  }

  /** The version that these first eight bytes tell; below zero: they are none of a rank. */
  static int version(long name) {
    return (name & ~VERSION_MASK) == NAME ? (int) (name & VERSION_MASK) : -1;
  }

  void answered(byte... nonceOfAnswer) {
    System.arraycopy(nonceOfAnswer, 0, nonce, 0, NONCE_BYTES);
  }

  byte[] code(Step step) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update((byte) step.ordinal());
      mac.update(hello);
      return mac.doFinal(step == Step.HELLO ? new byte[0] : nonce);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM lacks HmacSHA256, which each has to have", e);
    }
  }

  boolean matches(Step step, byte... code) {
    return MessageDigest.isEqual(code(step), code);
  }
}

<#include "/@lib/head.ftl">
<@made />
package io.adrastea.atomic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Atomic words of shared memory, of 32 bits and, where the name ends in {@code Long}, of 64. Twin of
 * {@code base/adr_atomic.h}: the memory order is in the call's name, and read-modify-writes return what the word was
 * before. Java has no acquire-release form of read-modify-writes, and no relaxed form of all of them; the volatile
 * forms used here are stronger and cost the same on x86-64.
 *
 * <p>
 * A word lies at a multiple of its size in memory that is so aligned; anything else is an
 * {@link IllegalArgumentException}, as what lies outside the memory is an {@link IndexOutOfBoundsException}: no access
 * is ever made in two.
 *
 * <p>
 * Everywhere a {@link VarHandle} and never {@link MemorySegment#set}: HotSpot profiles what kind of memory the
 * arguments of a handle's call sites are. Behind the segment's own methods it knows all kinds that the JVM has seen,
 * and calls them virtually, four times for each access, once there have been two.
 */
public final class Words {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private Words() {}

  /** What comes before it in the program, loads and stores, is seen before what comes behind. */
  public static void fullFence() {
    VarHandle.fullFence();
  }

  /**
   * Stores that come before it in the program, also those of read-modify-writes, are seen before stores behind it;
   * loads may pass it. On x86-64 no instruction, on AArch64 {@code dmb ishst}.
   */
  public static void storeFence() {
    VarHandle.storeStoreFence();
  }

<#-- The orders of read-modify-writes, for which the handle has one and the same method. -->
<#assign orders = ["Relaxed", "AcqRel", "SeqCst"]>
<#list {"int": "", "long": "Long"} as type, long>
<#assign handle = type?upper_case isInt = type == "int">
<#if isInt>
  /**
   * Exactly one load, {@code adr_load_once}: what was checked is what is used, though a broken peer may write
   * meanwhile.
   */
<#else>
  /** Exactly one load, as {@link #load}. */
</#if>
  public static ${type} load${long}(MemorySegment memory, long offset) {
    return (${type}) ${handle}.getOpaque(memory, offset);
  }

<#if isInt>
  /** A plain store: the word is ordered by another one that shows it. */
</#if>
  public static void store${long}(MemorySegment memory, long offset, ${type} value) {
    ${handle}.set(memory, offset, value);
  }

<#list {"Relaxed": "Opaque", "Acquire": "Acquire", "SeqCst": "Volatile"} as order, mode>
  public static ${type} load${order}${long}(MemorySegment memory, long offset) {
    return (${type}) ${handle}.get${mode}(memory, offset);
  }

</#list>
<#list {"Relaxed": "Opaque", "Release": "Release", "SeqCst": "Volatile"} as order, mode>
  public static void store${order}${long}(MemorySegment memory, long offset, ${type} value) {
    ${handle}.set${mode}(memory, offset, value);
  }

</#list>
<#list {"add": "Add", "and": "BitwiseAnd", "or": "BitwiseOr", "xor": "BitwiseXor", "swap": "Set"} as name, operation>
<#assign operand = operation?starts_with("Bitwise")?then("bits", "value")>
<#list orders as order>
  public static ${type} ${name}${order}${long}(MemorySegment memory, long offset, ${type} ${operand}) {
    return (${type}) ${handle}.getAnd${operation}(memory, offset, ${operand});
  }

</#list>
</#list>
<#list orders as order>
<#if order == orders?first>
  /**
   * Stores the value if the word is {@code expected}; gives what it was, which is {@code expected} if it was stored.
   */
</#if>
<#assign method = "compareExchange" + order + long>
  public static ${type} ${method}(MemorySegment memory, long offset, ${type} expected, ${type} value) {
    return (${type}) ${handle}.compareAndExchange(memory, offset, expected, value);
  }

</#list>
<#list orders as order>
<#if order == orders?first>
  /** Stores the value if the word is {@code expected}, and tells whether it has. */
</#if>
  public static boolean cas${order}${long}(MemorySegment memory, long offset, ${type} expected, ${type} value) {
    return ${handle}.compareAndSet(memory, offset, expected, value);
  }
<#sep>

</#list>
<#sep>

</#list>
}

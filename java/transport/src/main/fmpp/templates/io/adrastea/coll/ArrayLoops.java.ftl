<#include "/@lib/head.ftl">
<@made />
<#assign integers = ["byte", "short", "char", "int", "long"] reals = ["float", "double"] types = integers + reals>
<#-- The class of objects that hold one. -->
<#function boxed type>
  <#return {"char": "Character", "int": "Integer"}[type]!type?cap_first>
</#function>
package io.adrastea.coll;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The loops of {@link Combine}, over arrays that operands are copied to, and results from. C2 makes vectors of loops
 * over arrays; of loops over two segments it does not, since they may overlap, and each kind of memory that such a loop
 * sees makes it slower. The copies are bulk copies inside the first level of the cache.
 */
final class ArrayLoops {
<#list types as type>
<#assign layout = type?upper_case unaligned = (type == "byte")?then("", "_UNALIGNED")>
  private static final ValueLayout.Of${type?cap_first} ${layout} = ValueLayout.JAVA_${layout}${unaligned};
</#list>

  private final int chunk;
  // pairs of arrays, made when they are first needed: an operand, which becomes the result, and the other operand
<#list types as type>
  private ${type}[] ${type}s;
  private ${type}[] other${type?cap_first}s;
</#list>
  private MemorySegment results; // a copy of those that go to an array; null: none have yet

  ArrayLoops(int chunk) {
    this.chunk = chunk;
  }

  /** At most a chunk, of which all bytes are of whole elements. */
  void combine(
      Operator op, ElementKind kind, MemorySegment target, long targetAt, MemorySegment left, long leftAt,
      MemorySegment right, long rightAt, int bytes) {
    switch (kind) {
      case BYTES, INT8, BOOL -> bytes(op, target, targetAt, left, leftAt, right, rightAt, bytes);
      case INT16 -> shorts(op, target, targetAt, left, leftAt, right, rightAt, bytes >> 1);
      case UINT16 -> chars(op, target, targetAt, left, leftAt, right, rightAt, bytes >> 1);
      case INT32 -> ints(op, target, targetAt, left, leftAt, right, rightAt, bytes >> 2);
      case INT64 -> longs(op, target, targetAt, left, leftAt, right, rightAt, bytes >> 3);
      case FLOAT -> floats(op, target, targetAt, left, leftAt, right, rightAt, bytes >> 2);
      case DOUBLE -> doubles(op, target, targetAt, left, leftAt, right, rightAt, bytes >> 3);
      default -> throw op.notOfJava(kind);
    }
  }

<#-- All that there is for elements of a type. -->
<#macro loops type operators>
<#assign layout = type?upper_case isReal = reals?seq_contains(type)>
  private void ${type}s(
      Operator op, MemorySegment target, long targetAt, MemorySegment left, long leftAt, MemorySegment right,
      long rightAt, int count) {
    if (${type}s == null) {
      ${type}s = new ${type}[chunk<#if type != "byte"> / ${boxed(type)}.BYTES</#if>];
      other${type?cap_first}s = new ${type}[${type}s.length];
    }
    ${type}[] a = ${type}s;
    ${type}[] b = other${type?cap_first}s;
    MemorySegment.copy(left, ${layout}, leftAt, a, 0, count);
    MemorySegment.copy(right, ${layout}, rightAt, b, 0, count);
    switch (op) {
<#list operators as operator, expression>
      case ${operator?upper_case} -> ${operator}(a, b, count);
</#list>
<#if isReal>
      default -> throw op.noMeaning(ElementKind.${layout});
    }
    give(a, target, targetAt, count);
  }

  /** Hands results out; one that is no number is the one NaN. */
  private void give(${type}[] a, MemorySegment target, long targetAt, int count) {
    MemorySegment.copy(a, 0, target, ${layout}, targetAt, count);
    boolean isNative = target.isNative();
    if (!isNative) {
      MemorySegment.copy(a, 0, results(), ${layout}, 0, count);
    }
    if (NanSearch.${type}s(isNative ? target : results, isNative ? targetAt : 0, count)) {
      for (int i = 0; i < count; i++) {
        a[i] = Elements.oneNan(a[i]);
      }
      MemorySegment.copy(a, 0, target, ${layout}, targetAt, count);
    }
  }
<#else>
    }
    MemorySegment.copy(a, 0, target, ${layout}, targetAt, count);
  }
</#if>

<#list operators as operator, expression>
  private static void ${operator}(${type}[] a, ${type}[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = ${narrowed(type, expression)};
    }
  }

</#list>
</#macro>
<#-- An expression of ints that becomes an element of this type again. -->
<#function narrowed type expression>
  <#if !["byte", "short", "char"]?seq_contains(type)>
    <#return expression>
  </#if>
  <#return "(" + type + ") " + expression?matches(r"\w+(\.\w+)?\([^()]*\)")?then(expression, "(" + expression + ")")>
</#function>
<#assign arithmetic = {
  "sum": "a[i] + b[i]",
  "prod": "a[i] * b[i]",
  "min": "Math.min(a[i], b[i])",
  "max": "Math.max(a[i], b[i])"}>
<#assign logic = {
  "land": "truth(a[i]) & truth(b[i])",
  "lor": "truth(a[i] | b[i])",
  "lxor": "truth(a[i]) ^ truth(b[i])",
  "band": "a[i] & b[i]",
  "bor": "a[i] | b[i]",
  "bxor": "a[i] ^ b[i]"}>
<#list integers as type>
<@loops type=type operators=arithmetic + logic />
</#list>
  private MemorySegment results() {
    if (results == null) {
      results = Arena.ofAuto().allocate(chunk, Double.BYTES);
    }
    return results;
  }

<#list reals as type>
<@loops type=type operators=arithmetic />
</#list>
  /** 1 for all but 0. */
  private static int truth(int value) {
    return (value | -value) >>> 31;
  }

  private static long truth(long value) {
    return (value | -value) >>> 63;
  }
}

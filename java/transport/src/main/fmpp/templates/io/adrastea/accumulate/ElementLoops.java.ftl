<#include "/@lib/head.ftl">
<@made />
<#assign numbers = ["SUM", "PROD", "MIN", "MAX"] truths = ["LAND", "LOR", "LXOR"] bits = ["BAND", "BOR", "BXOR"]>
<#assign moves = ["REPLACE", "NO_OP"]>
<#-- By kind: the type that has its bits, the method for one element, and the operators. -->
<#assign kinds = {
  "INT64": {"type": "long", "one": "fetchAndOpLong", "operators": numbers + truths + bits + moves},
  "DOUBLE": {"type": "long", "one": "fetchAndOpLong", "operators": numbers},
  "INT32": {"type": "int", "one": "fetchAndOpInt", "operators": numbers + truths + bits + moves},
  "FLOAT": {"type": "int", "one": "fetchAndOpInt", "operators": numbers},
  "INT16": {"type": "short", "one": "fetchAndOpWithin", "operators": numbers + truths + bits + moves},
  "UINT16": {"type": "short", "one": "fetchAndOpWithin", "operators": numbers + truths + bits},
  "INT8": {"type": "byte", "one": "fetchAndOpWithin", "operators": numbers + truths + bits + moves}}>
<#-- The kind whose elements are moved as those of this one. -->
<#assign moved = {"DOUBLE": "INT64", "FLOAT": "INT32", "UINT16": "INT16"}>
<#-- "UINT16" and "LAND" to uint16Land. -->
<#function named kind operator>
  <#return kind?lower_case + operator?lower_case?replace("_", " ")?capitalize?replace(" ", "")>
</#function>
package io.adrastea.accumulate;

import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The loops of {@link Accumulate}, one for each operator and kind of elements. In each of them the two are constants,
 * with which the JIT leaves of the method for one element its instruction, or its CAS. To choose again for each element
 * took as long as the instruction.
 */
final class ElementLoops {
<#list ["byte", "short", "int", "long"] as type>
<#assign layout = type?upper_case unaligned = (type == "byte")?then("", "_UNALIGNED")>
  private static final VarHandle ${layout} =
      ValueLayout.JAVA_${layout}${unaligned}.varHandle().withInvokeExactBehavior();
</#list>

  private ElementLoops() {}

  /**
   * Accumulates elements one after the other.
   *
   * @param origin null: the operator reads none
   * @param result null: nobody wants what was there
   * @param bytes of whole elements
   */
  static void accumulate(
      Operator op, ElementKind kind, MemorySegment target, long at, MemorySegment origin, long originAt,
      MemorySegment result, long resultAt, long bytes) {
    switch (kind) {
<#list kinds as kind, of>
      case <#if kind == "INT8">BYTES, BOOL, </#if>${kind} ->
        ${kind?lower_case}s(op, target, at, origin, originAt, result, resultAt, bytes);
</#list>
      default -> throw op.noMeaning(kind);
    }
  }

<#list kinds as kind, of>
<#assign boxed = (of.type == "int")?then("Integer", of.type?cap_first)>
<#assign type = of.type layout = type?upper_case narrow = ["short", "byte"]?seq_contains(type)>
  private static void ${kind?lower_case}s(
      Operator op, MemorySegment target, long at, MemorySegment origin, long originAt, MemorySegment result,
      long resultAt, long bytes) {
    switch (op) {
<#list of.operators as operator>
      case ${operator} ->
        ${named(kind, operator)}(target, at<#if operator != "NO_OP">, origin, originAt</#if>, result, resultAt, bytes);
</#list>
<#if moved[kind]??>
      case REPLACE, NO_OP ->
        ${moved[kind]?lower_case}s(op, target, at, origin, originAt, result, resultAt, bytes);
</#if>
      default -> throw op.noMeaning(ElementKind.${kind});
    }
  }

<#list of.operators as operator>
<#assign reads = operator != "NO_OP">
  private static void ${named(kind, operator)}(
      MemorySegment target, long at,<#if reads> MemorySegment origin, long originAt,</#if> MemorySegment result,
      long resultAt, long bytes) {
    for (long done = 0; done < bytes; done += ${boxed}.BYTES) {
<#if reads>
      ${type} operand = (${type}) ${layout}.get(origin, originAt + done);
<#else>
      ${type} operand = 0;
</#if>
      ${type} old = <#if narrow>(${type}) </#if>Accumulate.${of.one}(
          Operator.${operator}, ElementKind.${kind}, target, at + done, operand);
      if (result != null) {
        ${layout}.set(result, resultAt + done, old);
      }
    }
  }
<#if !(kind?is_last && operator?is_last)>

</#if>
</#list>
</#list>
}

<#-- The native methods of a class of a binding, by native/bindings.txt and the public headers, as
     cmake/AdrasteaBindings.cmake makes the functions of jni. -->
<#function read file>
  <#local text><#include file parse=false></#local>
  <#return text>
</#function>

<#function camel name>
  <#return name?split("_")?map(word -> word?cap_first)?join("")?uncap_first>
</#function>

<#-- How a type of C crosses. -->
<#function crossing type>
  <#if type?contains("*")>
    <#return "long">
  </#if>
  <#return {"void": "void", "int32_t": "int", "unsigned": "int", "int64_t": "long"}[type?trim]>
</#function>

<#-- A declaration of Java, broken before column 121. -->
<#function wrapped start words>
  <#if (start + words?join(", ") + ");")?length <= 120>
    <#return start + words?join(", ") + ");">
  </#if>
  <#local text = start line = "     ">
  <#list words as word>
    <#local next = " " + word + word?is_last?then(");", ",")>
    <#if (line + next)?length gt 120>
      <#local text = text + "\n" + line line = "     ">
    </#if>
    <#local line = line + next>
  </#list>
  <#return text + "\n" + line>
</#function>

<#-- `of`: Core, Spaces or SlotMember; `statics`: the methods that no abstract class asks for. -->
<#macro natives of statics=[]>
<#list read("/@native/bindings.txt")?split("\n") as line>
<#local words = line?split(" ")>
<#if words[0] == of>
<#local names = words[2..] isWithout = names?seq_contains("without")>
<#list read("/@headers/" + words[1])?matches(r"\nADR_API ([\w* ]+?)(adr_\w+)\(([^)]*)\);") as declaration>
<#local symbol = declaration?groups[2]>
<#if !names?has_content || names?seq_contains(symbol) != isWithout>
<#local method = camel(symbol?replace("^adr_(channel_|coll_)?", "", "r"))>
<#local arguments = declaration?groups[3]?replace(r"\s+", " ", "r")?split(", ")?filter(argument -> argument != "void")>
<#local parameters = arguments?map(each -> crossing(each?keep_before_last(each?contains("*")?then("*", " "))
    + each?contains("*")?then("*", "")) + " " + camel(each?keep_after_last(each?contains("*")?then("*", " "))))>
<#local modifiers = statics?seq_contains(method)?then("static", "protected")>
${wrapped("  " + modifiers + " native " + crossing(declaration?groups[1]) + " " + method + "(", parameters)}
</#if>
</#list>
</#if>
</#list>
</#macro>

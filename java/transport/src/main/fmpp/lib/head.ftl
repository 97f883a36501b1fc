<#-- The first line of each file says where it comes from. -->
<#macro made>
// Made of src/main/fmpp/templates/${pp.sourceFile}: edit that one.
</#macro>

/** How a process learns which rank of its job it is, and how it joins the others. */
package io.adrastea.bootstrap;

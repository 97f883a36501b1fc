/** How a process learns who it is in its job, and how it joins the others. */
package io.adrastea.bootstrap;

/** What the operating system says of this machine and its processes. */
package io.adrastea.cli.host;

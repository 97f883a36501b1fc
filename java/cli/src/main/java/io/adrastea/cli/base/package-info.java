/** What the commands share. */
package io.adrastea.cli.base;

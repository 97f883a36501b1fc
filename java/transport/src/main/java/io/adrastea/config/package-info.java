/** Settings, each declared once. */
package io.adrastea.config;

/** The record of what is allocated in a symmetric heap, which every PE keeps alike. */
package io.adrastea.symmetric;

/** Sends and receives on their way, the memory that their bytes come from or go to, and lists and pools of them. */
package io.adrastea.engine.operation;

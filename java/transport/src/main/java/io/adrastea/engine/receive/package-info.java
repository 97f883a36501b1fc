/** The receiving side of a rank: what comes, which receive it is for, and where its bytes go. */
package io.adrastea.engine.receive;

/* Twin of io.adrastea.layout.ControlType. */
#pragma once

/* What a control message says: the number of its type stands in bits 7-0 of its match word. Numbers that have no name
 * here are free. */
enum adr_control_type {
  ADR_CONTROL_CTS = 1,       /* receiver of a large message to its sender: do this */
  ADR_CONTROL_DONE = 2,      /* an end of a transfer to the other end: this one has copied all, or gives up */
  ADR_CONTROL_COOKIE = 3,    /* receiver of a large message to its sender: the rest goes another way */
  ADR_CONTROL_WITHDRAW = 4,  /* sender of a large message to its receiver: the offer does not stand any more */
  ADR_CONTROL_SIGNATURE = 5, /* sender to receiver: the types of the next message */
  ADR_CONTROL_ACTIVE = 6,    /* an active message: its own type is in bits 15-8, how many words head it in bits 23-16 */
  ADR_CONTROL_MEMBER = 7,    /* of a communicator: is the receiver out of it, or: the sender is */
  ADR_CONTROL_PIECE = 8,     /* bytes of a large message that go over a link, to which no rank in C is */
  ADR_CONTROL_COUNT = 256,   /* how many there can be: a type has 8 bits */
};

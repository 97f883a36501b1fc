package io.adrastea;

import io.adrastea.comm.Buffers;
import io.adrastea.comm.CommunicatorState;
import io.adrastea.comm.Face;
import io.adrastea.comm.OperatorMap;
import io.adrastea.comm.Placement;
import io.adrastea.comm.TypeMap;
import io.adrastea.engine.operation.Pending;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Tells packages of calls beside this one what they need to know of its objects. */
final class FaceAccess extends Face {
  @Override
  public CommunicatorState state(Object communicator) {
    return ((Communicator) Objects.requireNonNull(communicator, "the communicator is null")).state();
  }

  @Override
  public Buffers views(Object communicator) {
    return ((Communicator) communicator).views();
  }

  @Override
  public Placement placement(Object data, Buffers views) {
    if (data == Data.IN_PLACE) {
      throw new ArgumentException(Reason.BUFFER,
          "Data.IN_PLACE stands for memory of another argument of a collective, and is no memory of its own");
    }
    return Data.requireNonNull((Data) data).placement(views);
  }

  @Override
  public TypeMap typeOf(Object data) {
    Datatype type = ((Data) data).type();
    return type == null ? null : type.map();
  }

  @Override
  public boolean isScattered(Object data) {
    return Data.requireNonNull((Data) data).isScattered();
  }

  @Override
  public MemorySegment memory(Object data, Buffers views) {
    return ((Data) data).memory(views);
  }

  @Override
  public long offset(Object data) {
    return ((Data) data).offset();
  }

  @Override
  public long bytes(Object data) {
    return ((Data) data).contiguousBytes();
  }

  @Override
  public TypeMap type(Object datatype) {
    return ((Datatype) Objects.requireNonNull(datatype, "the datatype is null")).map();
  }

  @Override
  public OperatorMap operator(Object op) {
    return Op.map((Op) Objects.requireNonNull(op, "the operator is null"));
  }

  @Override
  public void requireFree(Object request) {
    Request.requireFree((Request) request);
  }

  @Override
  public Object begin(Object communicator, Object request, Pending pending) {
    return ((Request) request).begin((Communicator) communicator, pending);
  }
}

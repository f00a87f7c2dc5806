/// The fixes and rejections decoded from a chunk of bytes; reuse one to save allocations.
///
/// A decoder appends to it, and a ``FixFilter`` moves fixes that do not count to the rejections.
public struct FixBatch: Sendable {
  /// The fixes, in source order.
  public var fixes: [Fix] = []
  /// The rejections, in source order.
  public var rejections: [Rejection] = []

  /// Creates an empty batch.
  public init() {}

  /// Whether the batch has neither fixes nor rejections.
  package var isEmpty: Bool { fixes.isEmpty && rejections.isEmpty }

  /// Appends a fix.
  @inlinable
  public mutating func append(_ fix: Fix) { fixes.append(fix) }

  /// Appends a fix that ended on this line of the source, from 1.
  @inlinable
  package mutating func append(_ fix: consuming Fix, line: Int) {
    fix.line = Int32(clamping: line)
    append(fix)
  }

  /// Appends a rejection; see ``Rejection`` for its position.
  package mutating func reject(
    _ reason: Rejection.Reason, line: Int? = nil, byteOffset: Int? = nil, detail: String? = nil
  ) {
    rejections.append(Rejection(reason: reason, line: line, byteOffset: byteOffset, detail: detail))
  }

  /// Empties the batch; by default it keeps its memory.
  public mutating func removeAll(keepingCapacity: Bool = true) {
    fixes.removeAll(keepingCapacity: keepingCapacity)
    rejections.removeAll(keepingCapacity: keepingCapacity)
  }
}

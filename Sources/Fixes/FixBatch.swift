/// The fixes and rejections decoded from some bytes.
///
/// Callers empty and refill one batch, so that a fix needs no allocation.
public struct FixBatch: Sendable {
  /// The fixes, in the order of the source.
  public var fixes: [Fix] = []
  /// The rejections, in the order of the source.
  public var rejections: [Rejection] = []

  /// Makes an empty batch.
  public init() {}

  /// Whether there are no fixes and no rejections.
  public var isEmpty: Bool { fixes.isEmpty && rejections.isEmpty }

  /// Adds a fix.
  @inlinable
  public mutating func append(_ fix: Fix) { fixes.append(fix) }

  /// Adds a fix that ended on `line` of the source, from 1.
  @inlinable
  public mutating func append(_ fix: consuming Fix, line: Int) {
    fix.line = Int32(clamping: line)
    append(fix)
  }

  /// Adds a rejection.
  public mutating func reject(
    _ reason: Rejection.Reason, line: Int? = nil, byteOffset: Int? = nil, detail: String? = nil
  ) {
    rejections.append(
      Rejection(reason: reason, line: line, byteOffset: byteOffset, detail: detail))
  }

  /// Empties the batch, by default without giving up its memory.
  public mutating func removeAll(keepingCapacity: Bool = true) {
    fixes.removeAll(keepingCapacity: keepingCapacity)
    rejections.removeAll(keepingCapacity: keepingCapacity)
  }
}

/// What a decoder made of some bytes: fixes in the order of the source, and what it refused.
///
/// Handed on whole, emptied and filled again, so that no memory is asked for a fix.
public struct FixBatch: Sendable {
  /// The fixes, in the order of the source.
  public var fixes: [Fix] = []
  /// What was refused, in the order of the source.
  public var rejections: [Rejection] = []

  /// Makes an empty batch.
  public init() {}

  /// Whether there is neither a fix nor a rejection.
  public var isEmpty: Bool { fixes.isEmpty && rejections.isEmpty }

  /// Adds a fix.
  mutating func append(_ fix: Fix) { fixes.append(fix) }

  /// Adds a fix that ended on `line` of the source, from 1.
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

  /// Empties the batch; the memory stays for the next filling.
  public mutating func removeAll(keepingCapacity: Bool = true) {
    fixes.removeAll(keepingCapacity: keepingCapacity)
    rejections.removeAll(keepingCapacity: keepingCapacity)
  }
}

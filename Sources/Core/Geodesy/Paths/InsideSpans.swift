/// The parts of a segment that lie inside a circle, in order along it: none, one or two.
///
/// ``GeodesicSegment/insideSpans(of:)`` returns them. The path enters the circle where a part
/// starts after 0, and leaves it where a part ends before 1.
public struct InsideSpans: Hashable, Sendable {
  /// The number of parts, 0 … 2.
  public private(set) var count = 0
  @usableFromInline
  var bounds = SIMD4<Double>()

  /// Creates an empty list.
  @inlinable
  public init() {}

  @inline(__always)
  init(start: Double, end: Double) {
    count = 1
    bounds = SIMD4(start, end, 0, 0)
  }

  /// A part as fractions of the segment's length, `start <= end`; the index is below ``count``.
  @inlinable
  public subscript(index: Int) -> (start: Double, end: Double) {
    precondition(index >= 0 && index < count, "no such span")
    return index == 0 ? (bounds[0], bounds[1]) : (bounds[2], bounds[3])
  }

  /// Whether no part of the segment is inside.
  public var isEmpty: Bool { count == 0 }

  /// Appends a part, or extends the last of two over the gap.
  mutating func append(start: Double, end: Double) {
    switch count {
    case 0:
      bounds[0] = start
      bounds[1] = end
      count = 1
    case 1:
      bounds[2] = start
      bounds[3] = end
      count = 2
    default:
      bounds[3] = end
    }
  }
}

extension InsideSpans {
  /// The first start of a part after `fraction`; nil past the last.
  @inlinable
  public func firstStart(after fraction: Double) -> Double? {
    for index in 0..<count where self[index].start > fraction { return self[index].start }
    return nil
  }

  /// The first end of a part at or after `fraction`; nil past the last.
  @inlinable
  package func firstEnd(from fraction: Double) -> Double? {
    for index in 0..<count where self[index].end >= fraction { return self[index].end }
    return nil
  }
}

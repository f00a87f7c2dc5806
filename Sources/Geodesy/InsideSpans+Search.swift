/// Finding the next edge along the segment.
extension InsideSpans {
  /// The first start of a part after `fraction`, or nil when there is none.
  @inlinable
  public func firstStart(after fraction: Double) -> Double? {
    for index in 0..<count where self[index].start > fraction { return self[index].start }
    return nil
  }

  /// The first end of a part at or after `fraction`, or nil when there is none.
  @inlinable
  public func firstEnd(from fraction: Double) -> Double? {
    for index in 0..<count where self[index].end >= fraction { return self[index].end }
    return nil
  }
}

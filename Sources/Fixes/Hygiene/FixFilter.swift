import Geodesy

/// Decides which fixes of one source count.
///
/// Rejected are coordinates that are out of range or not finite (`coordinate`), latitude and longitude
/// both exactly 0 (`nullIsland`, unless they are kept), a repetition of the accepted fix before with
/// the same time and position (`duplicate`), and a fix older than the newest accepted one of the same
/// `trk` (`late`). Fixes of the same time at other positions count, and so do fixes without time,
/// which say nothing about the order: of these none is a duplicate either.
///
/// One wrong date must not make all that follows late. The newest time is therefore given up, and the
/// fix at hand accepted, when few fixes stand for it and the ones that come now tell another story:
///
/// - It leapt ahead by more than an hour, out of proportion to the pace of the fixes before, and the
///   next fix takes up where those had ended.
/// - It is more than a day ahead, not more than ``doubtfulCount`` fixes were accepted since it leapt
///   there, or since the `trk` began, and more late fixes than these and one more have come in order
///   and at a pace of their own.
///
/// Rejected meanwhile stays rejected.
public struct FixFilter: Sendable, Codable {
  /// How many fixes at most are given up for a longer run of late ones.
  public static var doubtfulCount: Int { 10 }

  /// A latitude and longitude that no fix has, and that JSON can hold.
  private static var nowhere: Double { 1000 }
  private static var leapMilliseconds: Int64 { 3_600_000 }
  private static var dayMilliseconds: Int64 { 86_400_000 }
  /// How many times as long as the pace of fixes a step must be to count as a leap.
  private static var leapFactor: Int64 { 20 }

  private let keepsNullIsland: Bool
  private var trackIndex: Int32 = -1
  /// The accepted fix before; its time is that of no fix where there is none.
  private var lastLatitudeDegrees = Self.nowhere
  private var lastLongitudeDegrees = Self.nowhere
  private var lastMilliseconds = Fix.noTime
  private var newestMilliseconds = Fix.noTime
  private var run = Run()
  private var lateRun = Run()
  /// The newest time before the last leap, if there was one.
  private var beforeLeapMilliseconds = Fix.noTime

  /// Fixes in order, one after the other.
  private struct Run: Codable {
    var count = 0
    var firstMilliseconds = Fix.noTime
    var lastMilliseconds = Fix.noTime

    mutating func append(_ milliseconds: Int64) {
      if count == 0 { firstMilliseconds = milliseconds }
      lastMilliseconds = milliseconds
      count &+= 1
    }

    /// Milliseconds from one fix to the next on average, nil while there is no next.
    var paceMilliseconds: Int64? {
      count < 2 ? nil : (lastMilliseconds &- firstMilliseconds) / Int64(count &- 1)
    }

    static func isLeap(_ milliseconds: Int64, pace: Int64) -> Bool {
      milliseconds > FixFilter.leapMilliseconds && milliseconds / FixFilter.leapFactor > pace
    }
  }

  /// Makes a filter for one source.
  ///
  /// - Parameter keepsNullIsland: Whether latitude and longitude 0 are a place like any other.
  public init(keepsNullIsland: Bool = false) {
    self.keepsNullIsland = keepsNullIsland
  }

  /// Judges the next fix of the source: why it is rejected, or nil when it counts.
  @inline(__always)
  public mutating func reject(_ fix: borrowing Fix) -> Rejection.Reason? {
    let coordinate = fix.coordinate
    guard coordinate.isValid else { return .coordinate }
    if coordinate.latitudeDegrees == 0, coordinate.longitudeDegrees == 0, !keepsNullIsland {
      return .nullIsland
    }
    if fix.trackIndex != trackIndex { beginTrack(fix.trackIndex) }
    let milliseconds = fix.rawTimeMilliseconds
    if milliseconds != Fix.noTime {
      if milliseconds == lastMilliseconds, repeats(coordinate) { return .duplicate }
      guard milliseconds >= newestMilliseconds else {
        return rejectLate(milliseconds, coordinate)
      }
      advance(to: milliseconds)
    }
    keep(coordinate)
    lastMilliseconds = milliseconds
    return nil
  }

  @inline(__always)
  private func repeats(_ coordinate: Coordinate) -> Bool {
    coordinate.latitudeDegrees == lastLatitudeDegrees
      && coordinate.longitudeDegrees == lastLongitudeDegrees
  }

  @inline(__always)
  private mutating func keep(_ coordinate: Coordinate) {
    lastLatitudeDegrees = coordinate.latitudeDegrees
    lastLongitudeDegrees = coordinate.longitudeDegrees
  }

  private mutating func beginTrack(_ index: Int32) {
    self = FixFilter(keepsNullIsland: keepsNullIsland)
    trackIndex = index
  }

  @inline(__always)
  private mutating func advance(to milliseconds: Int64) {
    let step = milliseconds &- newestMilliseconds
    if step > Self.leapMilliseconds, newestMilliseconds != Fix.noTime,
      let pace = run.paceMilliseconds, Run.isLeap(step, pace: pace)
    {
      beforeLeapMilliseconds = newestMilliseconds
      run = Run()
    }
    run.append(milliseconds)
    lateRun.count = 0
    newestMilliseconds = milliseconds
  }

  private mutating func rejectLate(
    _ milliseconds: Int64, _ coordinate: Coordinate
  ) -> Rejection.Reason? {
    let lead = newestMilliseconds &- milliseconds
    if lateRun.count > 0, milliseconds < lateRun.lastMilliseconds { lateRun = Run() }
    lateRun.append(milliseconds)
    guard takesUp(milliseconds, lead: lead) || outnumbers(lead: lead) else { return .late }
    run = lateRun
    lateRun = Run()
    beforeLeapMilliseconds = Fix.noTime
    newestMilliseconds = milliseconds
    keep(coordinate)
    lastMilliseconds = milliseconds
    return nil
  }

  /// Whether a late fix follows the fixes from before a leap that nothing has confirmed.
  private func takesUp(_ milliseconds: Int64, lead: Int64) -> Bool {
    guard run.count == 1, beforeLeapMilliseconds != Fix.noTime,
      milliseconds >= beforeLeapMilliseconds
    else { return false }
    return Run.isLeap(lead, pace: milliseconds &- beforeLeapMilliseconds)
  }

  /// Whether more late fixes than accepted ones tell the time.
  private func outnumbers(lead: Int64) -> Bool {
    guard run.count <= Self.doubtfulCount, lateRun.count > run.count + 1,
      lead > Self.dayMilliseconds, let pace = lateRun.paceMilliseconds
    else { return false }
    return Run.isLeap(lead, pace: pace)
  }
}

extension FixFilter {
  /// Takes the fixes that do not count out of a batch and adds their rejections.
  ///
  /// - Parameters:
  ///   - batch: What a decoder made of the source's next bytes.
  ///   - start: The index of the first fix not judged yet.
  public mutating func filter(_ batch: inout FixBatch, from start: Int = 0) {
    var end = start + passOrdinary(batch.fixes, from: start)
    for index in end..<batch.fixes.count {
      let fix = batch.fixes[index]
      if let reason = reject(fix) {
        batch.reject(reason, line: fix.line > 0 ? Int(fix.line) : nil)
      } else {
        if end < index { batch.fixes[end] = fix }
        end += 1
      }
    }
    batch.fixes.removeSubrange(end...)
  }

  /// Lets the first fixes pass that are beyond doubt, as ``reject(_:)`` does one by one: each has a
  /// place and a time, and comes not long after the one before.
  ///
  /// - Parameters:
  ///   - fixes: Some fixes.
  ///   - start: The first of them that was not judged.
  /// - Returns: How many passed.
  private mutating func passOrdinary(_ fixes: [Fix], from start: Int) -> Int {
    guard run.count > 0, newestMilliseconds != Fix.noTime else { return 0 }
    var newest = newestMilliseconds
    var end = start
    while end < fixes.count {
      let fix = fixes[end]
      // One comparison for later and no leap: what is not later comes out as a large number.
      let step = UInt64(bitPattern: fix.rawTimeMilliseconds &- newest &- 1)
      guard step < UInt64(Self.leapMilliseconds), fix.trackIndex == trackIndex,
        fix.coordinate.isValid, fix.coordinate.latitudeDegrees != 0
      else { break }
      newest = fix.rawTimeMilliseconds
      end += 1
    }
    guard end > start else { return 0 }
    let last = fixes[end - 1]
    keep(last.coordinate)
    lastMilliseconds = newest
    newestMilliseconds = newest
    run.lastMilliseconds = newest
    run.count &+= end - start
    lateRun.count = 0
    return end - start
  }
}

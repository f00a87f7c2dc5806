package import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostTime

/// Judges the fixes of one path, and counts what becomes of them.
///
/// A stream and a reader of files have one each, and a live session has one a device. It can be
/// saved to continue a path later.
package struct FixAccount: Codable, Sendable {
  private(set) var filter: FixFilter
  /// Adds times to a track without any; nil if not requested.
  private var clock: TravelClock?
  /// The number of accepted fixes.
  package private(set) var acceptedCount = 0
  /// The number of rejected fixes, sentences, rows or objects, by reason.
  package private(set) var rejectionCounts = RejectionCounts()

  /// Starts a path; in a file, which is whole, fixes that may be late can wait until its end.
  package init(_ options: FixStreamOptions, isWhole: Bool = false) {
    filter = options.filter
    filter.isWhole = isWhole
    clock = TravelClock(options)
  }

  /// Continues a path of which only these parts are known.
  package init(filter: FixFilter, rejected: RejectionCounts) {
    self.filter = filter
    rejectionCounts = rejected
  }

  /// The rejections that would follow if the source ended now: the held fixes are late.
  package var heldRejections: [Rejection] { filter.heldRejections }

  /// How many fixes would be late, and how late, if the source ended now.
  package var finalLateness: Lateness { filter.finalLateness }

  /// The number of fixes held until it is known whether they are late.
  package var heldCount: Int { filter.heldCount }

  /// The number of fixes waiting to be sorted.
  package var waitingCount: Int { filter.waiting.count }

  /// The current run of fixes rejected because an earlier fix is trusted; nil outside a run.
  package var refusedRun: RefusedRun? { filter.refusedRun }

  /// Filters the fixes of a batch and counts the results.
  package mutating func judge(_ batch: inout FixBatch) {
    judge(&batch, from: (0, 0), isLast: false)
  }

  /// Filters new fixes and counts the results; `isLast` also ends the filter.
  mutating func judge(_ batch: inout FixBatch, from start: FixBatch.Counts, isLast: Bool) {
    filter.filter(&batch, from: start.fixes)
    clock?.date(&batch.fixes, from: start.fixes)
    if isLast { filter.finish(into: &batch) }
    count(batch, from: start)
  }

  /// Rejects the held fixes, because nothing more can confirm them.
  package mutating func finish(into batch: inout FixBatch) {
    judge(&batch, from: batch.counts, isLast: true)
  }

  /// Appends the fixes waiting to be sorted, because the source has ended or is idle.
  package mutating func release(into batch: inout FixBatch) {
    let start = batch.counts
    filter.release(into: &batch)
    count(batch, from: start)
  }

  /// Counts what a batch has from an index on.
  mutating func count(_ batch: borrowing FixBatch, from start: FixBatch.Counts) {
    acceptedCount += batch.fixes.count - start.fixes
    for index in start.rejections..<batch.rejections.count { count(batch.rejections[index]) }
  }

  /// Counts what was rejected before it became a fix.
  package mutating func count(_ rejection: Rejection) { rejectionCounts.add(rejection.reason) }

  /// Continues with other options and without line numbers, which start over after a restart.
  package mutating func resume(_ options: FixStreamOptions) {
    filter.reorder(withinMilliseconds: options.reorderMilliseconds)
    filter.forgetLines()
    filter.maxAccuracyMeters = options.maxAccuracyMeters
    clock = clock ?? TravelClock(options)
  }

  /// Counts from zero, as under other rules; the filter keeps what it knows.
  package mutating func countAnew() {
    filter.countAnew()
    acceptedCount = 0
    rejectionCounts = RejectionCounts()
  }
}

/// Counts fixes so inaccurate that they may enter circles far away.
///
/// A notice tells the user how to leave them out.
struct CoarseFixes: Sendable {
  /// Cell towers place a phone as badly.
  private static let leastMeters: Float = 1000

  /// How many there are, and the worst accuracy in meters.
  private var count = 0
  private var worstMeters: Float = 0

  /// Counts a fix by its accuracy in meters; NaN counts as none.
  mutating func add(_ accuracyMeters: Float) {
    guard accuracyMeters >= Self.leastMeters else { return }
    count += 1
    worstMeters = max(worstMeters, accuracyMeters)
  }

  /// A warning without a final period; nil if there are no such fixes.
  var notice: String? {
    guard count > 0 else { return nil }
    let kilometers = Quantity.shortest((Double(worstMeters) / 100).rounded() / 10)
    let fixes = count == 1 ? "1 fix states an accuracy" : "\(count) fixes state accuracies"
    return "\(fixes) of 1 km or worse, up to \(kilometers) km; to leave out such fixes: "
      + "--max-accuracy 500m"
  }
}

extension FixBatch {
  /// How many fixes and rejections a batch has.
  typealias Counts = (fixes: Int, rejections: Int)

  /// The sizes now, from which a later step finds what it has added.
  var counts: Counts { (fixes.count, rejections.count) }
}

/// Adds times to a track without any, as if traveled at constant speed without stops.
///
/// The first fix with its own time stops the clock for good.
private struct TravelClock: Codable, Sendable {
  /// The speed of the journey, above 0.
  private let metersPerSecond: Double
  /// When it begins: midnight UTC of the start date.
  private let startMilliseconds: Int64
  private var last: Coordinate?
  private var traveledMeters = 0.0
  private var hasStopped = false

  /// Creates the clock that the options ask for, or nil.
  init?(_ options: FixStreamOptions) {
    guard let speed = options.travelSpeedMetersPerSecond else { return nil }
    metersPerSecond = speed
    startMilliseconds = Int64(options.startDate?.daysSince1970 ?? 0) * 86_400_000
  }

  /// Sets the times of the fixes from an index on.
  mutating func date(_ fixes: inout [Fix], from first: Int) {
    for index in first..<fixes.count where !hasStopped {
      guard fixes[index].timeMilliseconds == nil else { return hasStopped = true }
      let here = fixes[index].coordinate
      if let last { traveledMeters += Geodesic.distanceMeters(last, here) }
      last = here
      // Computed from the total length, so that rounding errors do not add up.
      let milliseconds = (traveledMeters / metersPerSecond * 1000).rounded()
      // At a speed near 0, the time can be too late to represent.
      guard milliseconds < Double(Int64.max / 2) else { continue }
      fixes[index].timeMilliseconds = startMilliseconds + Int64(milliseconds)
    }
  }
}

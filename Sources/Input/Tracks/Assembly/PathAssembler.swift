import FencepostFixes
import FencepostGeodesy

/// Chooses which positions in a file form its path, and numbers tracks and segments.
///
/// A file may hold the same journey several times: as a timed track, a line without times, or
/// visited places. Each kind of position has a rank; 0 is best. Positions of rank 0 are passed on
/// at once. Others are held until the end of the file. Then the best rank present is the path,
/// unless another has more than twice as many positions: one timed marker is not a track. With
/// strict ranks, the best rank with any position wins, readable or not.
///
/// Decoders of GPX, KML, GeoJSON and Google's exports hand every position to it with its rank.
struct PathAssembler: Sendable {
  /// About 15 MB.
  static var maximumHeldPoints: Int { 1 << 18 }

  /// The positions of one rank.
  private struct Kind: Sendable {
    var held = FixBatch()
    var count = 0
    /// The numbers of the last fix in what is delivered, from 0; −1 before the first.
    var trackIndex: Int32 = -1
    var segmentIndex: Int32 = -1
    /// The track and segment of the last fix, counted like `tracksBegun` and `segmentsBegun`.
    var track = 0
    var segment = 0
  }

  /// How many positions and rejections may wait, of all ranks together.
  private let mostHeld: Int
  private let ranksAreStrict: Bool
  private var kinds: [Kind] = []
  /// Includes tracks and segments without fixes.
  private var tracksBegun = 1
  private var segmentsBegun = 1
  private var heldCount = 0

  /// Creates an assembler.
  ///
  /// With `ranksAreStrict`, a rank counts only if better ones have no positions.
  init(mostHeld: Int = PathAssembler.maximumHeldPoints, ranksAreStrict: Bool = false) {
    (self.mostHeld, self.ranksAreStrict) = (mostHeld, ranksAreStrict)
  }

  /// Begins a track; it gets a number with its first fix, so empty tracks get none.
  mutating func beginTrack() {
    tracksBegun += 1
    beginSegment()
  }

  /// Begins a segment; it gets a number with its first fix.
  mutating func beginSegment() { segmentsBegun += 1 }

  /// The number of positions of a rank so far, held or passed on.
  ///
  /// With strict ranks, rejected ones count, too.
  func count(rank: Int) -> Int { rank < kinds.count ? kinds[rank].count : 0 }

  /// Whether no position was added or rejected.
  var isEmpty: Bool { kinds.isEmpty }

  /// Whether the path is certain, because there is a position of rank 0.
  private var hasBest: Bool { count(rank: 0) > 0 }

  /// Whether positions of a rank can no longer be the path.
  private func isBeaten(_ rank: Int) -> Bool {
    hasBest || (ranksAreStrict && (0..<rank).contains { count(rank: $0) > 0 })
  }

  /// Adds a position that ends at `position`.
  ///
  /// With `continues`, it stays in the segment of the last position of its rank, even if a new
  /// segment has begun. Throws if too many positions are held; `batch` then has the path among
  /// them.
  mutating func add(
    _ fix: Fix, rank: Int, continues: Bool = false, _ position: SourcePosition,
    into batch: inout FixBatch
  ) throws(DecodeError) {
    makeKind(rank)
    kinds[rank].count += 1
    if !continues || kinds[rank].segmentIndex < 0, kinds[rank].segment != segmentsBegun {
      if kinds[rank].track != tracksBegun { kinds[rank].trackIndex += 1 }
      kinds[rank].segmentIndex += 1
      (kinds[rank].track, kinds[rank].segment) = (tracksBegun, segmentsBegun)
    }
    var fix = fix
    fix.trackIndex = kinds[rank].trackIndex
    fix.segmentIndex = kinds[rank].segmentIndex
    fix.line = Int32(clamping: position.line ?? 0)
    guard rank > 0 else {
      if heldCount > 0 { forgetHeld() }
      return batch.append(fix)
    }
    guard !isBeaten(rank) else { return }
    try noteHeld(position, into: &batch)
    // Doubling the memory of so many would need three times as much for a moment.
    if kinds[rank].held.fixes.count == 1 << 16 { kinds[rank].held.fixes.reserveCapacity(mostHeld) }
    kinds[rank].held.append(fix)
  }

  /// Adds a position, or rejects it if its coordinate is invalid.
  ///
  /// With `hasTimeFault`, the fix is kept without a time and the fault is reported.
  mutating func add(
    _ fix: Fix, hasTimeFault: Bool, rank: Int, continues: Bool = false,
    _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    guard fix.coordinate.isValid else {
      return try reject(position.rejection(.coordinate), rank: rank, into: &batch)
    }
    if hasTimeFault {
      let fault = position.rejection(.time, "invalid time; the fix is kept without a time")
      try reject(fault, rank: rank, into: &batch)
    }
    try add(fix, rank: rank, continues: continues, position, into: &batch)
  }

  /// Rejects a position, or reports a fault in one that is kept.
  mutating func reject(
    _ rejection: Rejection, rank: Int, into batch: inout FixBatch
  ) throws(DecodeError) {
    makeKind(rank)
    if ranksAreStrict { kinds[rank].count += 1 }
    guard rank > 0 else { return batch.rejections.append(rejection) }
    guard !isBeaten(rank) else { return }
    let position = SourcePosition(line: rejection.line, byteOffset: rejection.byteOffset)
    try noteHeld(position, into: &batch)
    kinds[rank].held.rejections.append(rejection)
  }

  /// Promotes the held positions of a rank to rank 0, as the beginning of the path.
  mutating func accept(heldOf rank: Int, into batch: inout FixBatch) {
    guard !hasBest, count(rank: rank) > 0 else { return }
    kinds[0] = kinds[rank]
    kinds[rank] = Kind()
    deliver(0, into: &batch)
  }

  /// Ends the file, complete or not, and appends the path if it was held.
  mutating func finish(into batch: inout FixBatch) {
    guard !hasBest else { return }
    var best = ranksAreStrict ? kinds.firstIndex { $0.count > 0 } : nil
    for rank in kinds.indices where !ranksAreStrict && !kinds[rank].held.fixes.isEmpty {
      guard let chosen = best else {
        best = rank
        continue
      }
      if kinds[rank].count > 2 * kinds[chosen].count { best = rank }
    }
    if let best {
      deliver(best, into: &batch)
    } else {
      for rank in kinds.indices { batch.rejections += kinds[rank].held.rejections }
    }
    forgetHeld()
  }

  private mutating func makeKind(_ rank: Int) {
    while kinds.count <= rank { kinds.append(Kind()) }
  }

  /// Counts a position that waits; at the limit, delivers the path so far and throws.
  private mutating func noteHeld(
    _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    heldCount += 1
    guard heldCount > mostHeld else { return }
    finish(into: &batch)
    throw DecodeError(
      ranksAreStrict
        ? "more than \(mostHeld) waypoints come before any track point"
        : "more than \(mostHeld) positions come before it is clear which form the track",
      line: position.line, byteOffset: position.byteOffset)
  }

  /// Appends the positions of a rank that wait.
  private mutating func deliver(_ rank: Int, into batch: inout FixBatch) {
    var held = FixBatch()
    swap(&held, &kinds[rank].held)
    // If the batch is empty, moves the fixes instead of copying them.
    if batch.isEmpty { return swap(&batch, &held) }
    batch.fixes += held.fixes
    batch.rejections += held.rejections
  }

  /// Drops what waits, because it is not part of the path.
  private mutating func forgetHeld() {
    heldCount = 0
    for rank in kinds.indices { kinds[rank].held = FixBatch() }
  }
}

/// Where in a source something was read, for messages.
///
/// Text has lines, binary formats only bytes.
struct SourcePosition: Sendable {
  /// The line, from 1; nil in formats without lines.
  var line: Int?
  /// The byte offset in the decompressed source, from 0; nil if unknown.
  var byteOffset: Int?

  func rejection(_ reason: Rejection.Reason, _ detail: String? = nil) -> Rejection {
    Rejection(reason: reason, line: line, byteOffset: byteOffset, detail: detail)
  }
}

extension Fix {
  /// A fix whose position is still unknown, and invalid if it stays so.
  static var unplaced: Fix {
    Fix(coordinate: Coordinate(latitudeDegrees: .nan, longitudeDegrees: .nan))
  }

  /// Sets the accuracy in meters; ignores negative and non-finite values.
  mutating func setAccuracy(_ meters: Double) {
    if meters.isFinite, meters >= 0 { accuracyMeters = Float(meters) }
  }

  /// Sets the speed in meters per second; ignores negative and non-finite values.
  mutating func setSpeed(_ metersPerSecond: Double) {
    if metersPerSecond.isFinite, metersPerSecond >= 0 {
      speedMetersPerSecond = Float(metersPerSecond)
    }
  }

  /// Sets the course in degrees, with 360 as 0; ignores values out of range.
  mutating func setCourse(_ degrees: Double) {
    guard 0...360 ~= degrees else { return }
    courseDegrees = degrees == 360 ? 0 : Float(degrees)
    if courseDegrees == 360 { courseDegrees = 0 }
  }
}

import FencepostFixes
import FencepostGeodesy

/// Chooses which of a file's positions make up its path, and numbers tracks and segments.
///
/// A file may hold the same journey more than once: as a track with times, as a line without, as places visited.
/// Each kind of position has a rank, 0 the best. If the file has positions of rank 0, they are the path and are handed on
/// as they come. The others are held back until the file ends; then the path is the best rank that the file has, unless
/// another has more than twice as many positions: a single marker with a time is not the track. Where ranks are strict,
/// it is the best of which there is a position at all, readable or not.
struct PathAssembler: Sendable {
  /// The most positions held back: a quarter of a million, about 15 MB.
  static var maximumHeldPoints: Int { 1 << 18 }

  /// The positions of one rank, numbered by themselves.
  private struct Kind: Sendable {
    var held = FixBatch()
    var count = 0
    var trackIndex: Int32 = -1
    var segmentIndex: Int32 = -1
    /// Which of the tracks and segments begun had the last fix.
    var track = 0
    var segment = 0
  }

  private let mostHeld: Int
  private let ranksAreStrict: Bool
  private var kinds: [Kind] = []
  /// How many tracks and segments have begun, with or without fixes.
  private var tracksBegun = 1
  private var segmentsBegun = 1
  private var heldCount = 0

  /// - Parameters:
  ///   - mostHeld: The most positions held back.
  ///   - ranksAreStrict: Whether a rank counts only where the better ones have no positions.
  init(mostHeld: Int = PathAssembler.maximumHeldPoints, ranksAreStrict: Bool = false) {
    (self.mostHeld, self.ranksAreStrict) = (mostHeld, ranksAreStrict)
  }

  /// Begins a track, which gets a number with its first fix: an empty one gets none.
  mutating func beginTrack() {
    tracksBegun += 1
    beginSegment()
  }

  /// Begins a segment, which gets a number with its first fix.
  mutating func beginSegment() { segmentsBegun += 1 }

  /// How many positions of a rank there have been.
  func count(rank: Int) -> Int { rank < kinds.count ? kinds[rank].count : 0 }

  private var hasBest: Bool { count(rank: 0) > 0 }

  /// Whether positions of a rank are certainly not the path.
  private func isBeaten(_ rank: Int) -> Bool {
    hasBest || (ranksAreStrict && (0..<rank).contains { count(rank: $0) > 0 })
  }

  /// Adds a position of a rank.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - rank: The rank of its kind.
  ///   - continues: Whether it belongs to the segment of the last position of its rank, whatever began since.
  ///   - position: Where it ends.
  ///   - batch: Receives it, now or later.
  /// - Throws: `DecodeError` if too many would have to be held back; the path among them is then in `batch`.
  mutating func add(
    _ fix: Fix, rank: Int, continues: Bool = false, _ position: SourcePosition,
    into batch: inout FixBatch
  ) throws(DecodeError) {
    makeKind(rank)
    kinds[rank].count += 1
    var fix = number(fix, rank, continues)
    fix.line = Int32(clamping: position.line ?? 0)
    guard rank > 0 else {
      if heldCount > 0 { forgetHeld() }
      return batch.append(fix)
    }
    guard !isBeaten(rank) else { return }
    try noteHeld(position, into: &batch)
    kinds[rank].held.append(fix)
  }

  /// Adds a position of a document, or rejects it where it is none.
  ///
  /// - Parameters:
  ///   - fix: The fix; its coordinate may be invalid.
  ///   - hasTimeFault: Whether it states a time that is none; it is then kept without.
  ///   - rank: The rank of its kind.
  ///   - continues: As ``add(_:rank:continues:_:into:)``.
  ///   - position: Where it ends.
  ///   - batch: Receives it or its rejection.
  /// - Throws: As ``add(_:rank:continues:_:into:)``.
  mutating func add(
    _ fix: Fix, hasTimeFault: Bool, rank: Int, continues: Bool = false,
    _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    guard fix.coordinate.isValid else {
      return try reject(position.rejection(.coordinate), rank: rank, into: &batch)
    }
    if hasTimeFault {
      let fault = position.rejection(.time, "the time is none; the fix is kept without it")
      try reject(fault, rank: rank, into: &batch)
    }
    try add(fix, rank: rank, continues: continues, position, into: &batch)
  }

  /// Rejects a position of a rank, or states a fault of one that is kept.
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

  /// Makes the positions of a rank that are held back the beginning of the path, as if they were of rank 0.
  mutating func accept(heldOf rank: Int, into batch: inout FixBatch) {
    guard !hasBest, count(rank: rank) > 0 else { return }
    kinds[0] = kinds[rank]
    kinds[rank] = Kind()
    deliver(0, into: &batch)
  }

  /// Ends the file, complete or not: appends what was held back and is the path.
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

  private mutating func number(_ fix: Fix, _ rank: Int, _ continues: Bool) -> Fix {
    let hasSegment = continues && kinds[rank].segmentIndex >= 0
    if !hasSegment, kinds[rank].segment != segmentsBegun {
      if kinds[rank].track != tracksBegun { kinds[rank].trackIndex += 1 }
      kinds[rank].segmentIndex += 1
      (kinds[rank].track, kinds[rank].segment) = (tracksBegun, segmentsBegun)
    }
    var fix = fix
    fix.trackIndex = kinds[rank].trackIndex
    fix.segmentIndex = kinds[rank].segmentIndex
    return fix
  }

  private mutating func noteHeld(
    _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    heldCount += 1
    guard heldCount > mostHeld else { return }
    finish(into: &batch)
    throw DecodeError(
      ranksAreStrict
        ? "more than \(mostHeld) waypoints come before any track point"
        : "more than \(mostHeld) positions come before it is clear which of them are the track",
      line: position.line, byteOffset: position.byteOffset)
  }

  private mutating func deliver(_ rank: Int, into batch: inout FixBatch) {
    var held = FixBatch()
    swap(&held, &kinds[rank].held)
    // Moved rather than copied if the batch is empty.
    if batch.isEmpty { return swap(&batch, &held) }
    batch.fixes += held.fixes
    batch.rejections += held.rejections
  }

  private mutating func forgetHeld() {
    heldCount = 0
    for rank in kinds.indices { kinds[rank].held = FixBatch() }
  }
}

/// Where something ends in a source.
struct SourcePosition: Sendable {
  /// From 1; nil in formats without lines.
  var line: Int?
  /// From 0; nil if unknown.
  var byteOffset: Int?

  /// A rejection at this position.
  func rejection(_ reason: Rejection.Reason, _ detail: String? = nil) -> Rejection {
    Rejection(reason: reason, line: line, byteOffset: byteOffset, detail: detail)
  }
}

extension Fix {
  /// Sets the accuracy in metres, unless it is negative or not a number.
  mutating func setAccuracy(_ meters: Double) {
    if meters.isFinite, meters >= 0 { accuracyMeters = Float(meters) }
  }

  /// Sets the speed in metres a second, unless it is negative or not a number.
  mutating func setSpeed(_ metersPerSecond: Double) {
    if metersPerSecond.isFinite, metersPerSecond >= 0 {
      speedMetersPerSecond = Float(metersPerSecond)
    }
  }

  /// Sets the course in degrees, unless it is out of range; 360 becomes 0.
  mutating func setCourse(_ degrees: Double) {
    guard 0...360 ~= degrees else { return }
    courseDegrees = degrees == 360 ? 0 : Float(degrees)
    if courseDegrees == 360 { courseDegrees = 0 }
  }
}

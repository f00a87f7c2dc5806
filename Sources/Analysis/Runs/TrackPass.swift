import FencepostTracks
import FencepostFiles
import Fencepost
import FencepostFixes
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications

/// A track to follow: its file, its bytes, or its fixes.
enum TrackInput: Sendable {
  /// A file, `-` for standard input.
  case file(String)
  /// A track of a stream.
  case frame(TrackFrame)
  /// A track in memory, of which all fixes are followed.
  case recorded(RecordedTrack)

  var path: String {
    switch self {
    case .file(let path): path
    case .frame(let frame): frame.track
    case .recorded(let track): track.name
    }
  }

  /// Opens a track that has not been read; nil for one in memory.
  ///
  /// - Throws: ``TrackFailure`` if it does not exist, cannot be opened, or the sender does not have it.
  fileprivate func open(_ options: FixStream.Options) throws(TrackFailure) -> FixReader? {
    switch self {
    case .recorded: return nil
    case .file(let path):
      do throws(FixSourceError) {
        return try FixReader(path: path, options: options)
      } catch {
        throw TrackFailure(path: path, kind: .fixes(error))
      }
    case .frame(let frame):
      switch frame.contents {
      case .unread(let sentence): throw TrackFailure(path: frame.track, kind: .unread(sentence))
      case .bytes(let bytes):
        return FixReader(
          ByteSource(bytes: bytes, name: frame.track.shownFileName), options: options)
      }
    }
  }
}

/// One pass over a track: the oracle follows it, and so does a device for each rule.
struct TrackPass {
  private(set) var oracle: OracleRun
  private(set) var devices: [DeviceRun]
  /// The crossings of one story where they happen, whether or not they are confirmed; nil if not wanted.
  private(set) var unconfirmed: UnconfirmedCrossings?
  /// The numbers of the track's fixes and path after ``follow(_:onVertex:)``, without those of a device.
  private(set) var account: TrackAccount

  private let track: TrackInput
  private var batch: PathBatch
  private var selector: FixSelector
  private var clock = TravelClock()

  /// Begins a track.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - index: All places.
  ///   - source: Finds the near places for the engines.
  ///   - rule: The rule of the oracle, apart from its limit.
  ///   - devices: The devices, each with its rule.
  ///   - unconfirmed: Follows one story's crossings where they happen.
  ///   - oracleState: What the oracle's policy remembers of earlier tracks.
  ///   - selection: Which fixes are followed.
  init(
    _ track: TrackInput, _ index: StoryIndex, source: any PlaceSource,
    rule: TrackSession.Options, devices: [DeviceRun], unconfirmed: UnconfirmedCrossings? = nil,
    oracleState: AlertPolicy.State = AlertPolicy.State(),
    selection: TrackSelection = TrackSelection()
  ) {
    self.track = track
    self.devices = devices
    self.unconfirmed = unconfirmed
    selector = FixSelector(selection)
    oracle = OracleRun(index, source: source, options: rule, state: oracleState)
    account = TrackAccount(track: track.path == "-" ? "stdin" : track.path.shownFileName)
    batch = PathBatch(watchesSpeed: rule.alerts.maxAlertSpeedMetersPerSecond != nil)
  }

  /// Follows the track to its end, a batch at a time.
  ///
  /// - Parameters:
  ///   - options: How bytes become fixes.
  ///   - onVertex: Called for each vertex of the path and whether it is joined to the one before.
  /// - Returns: False if the task was cancelled before the end.
  /// - Throws: ``TrackFailure`` if the track cannot be read to its end or has no fix, or the store fails.
  mutating func follow(
    _ options: FixStream.Options = FixStream.Options(), onVertex: (PathPoint, Bool) -> Void
  ) throws(TrackFailure) -> Bool {
    if case .recorded(let recorded) = track {
      account = recorded.account
      let isWhole = recorded.forEachPiece { fixes in
        take(fixes, onVertex: onVertex)
        return !Task.isCancelled
      }
      guard isWhole else { return false }
    } else if let reader = try track.open(options) {
      guard try read(reader, onVertex: onVertex) else { return false }
    }
    try finish()
    return true
  }

  private mutating func read(
    _ reader: consuming FixReader, onVertex: (PathPoint, Bool) -> Void
  ) throws(TrackFailure) -> Bool {
    do throws(FixSourceError) {
      var reader = reader
      var fixes = FixBatch()
      while try reader.read(into: &fixes) {
        if Task.isCancelled { return false }
        take(selector.select(fixes.fixes), onVertex: onVertex)
      }
      account.note(reader)
    } catch {
      if error.isInterruption { return false }
      throw TrackFailure(path: track.path, kind: .fixes(error))
    }
    if account.fixes == 0 {
      throw TrackFailure(path: track.path, kind: .empty(rejected: account.rejectedByReason))
    }
    if selector.leftOut == account.fixes {
      throw TrackFailure(path: track.path, kind: .outside(fixes: account.fixes))
    }
    account.fixesOutside = selector.leftOut
    account.fixes -= selector.leftOut
    return true
  }

  private mutating func take(_ fixes: [Fix], onVertex: (PathPoint, Bool) -> Void) {
    account.extent.take(fixes)
    batch.prepare(fixes)
    oracle.take(batch) { point, isJoined in
      clock.take(point.timeMilliseconds, isJoined: isJoined)
      onVertex(point, isJoined)
    }
    for index in devices.indices { devices[index].take(batch, meetings: oracle.meetings) }
    unconfirmed?.take(batch)
  }

  private mutating func finish() throws(TrackFailure) {
    oracle.finish()
    for index in devices.indices { devices[index].finish() }
    if let failure = oracle.failure {
      throw TrackFailure(path: track.path, kind: .store(failure))
    }
    if oracle.lacksTimesToHold { account.notices.append(TrackSession.untimedNotice) }
    account.lengthMillimeters = Int((oracle.lengthMeters * 1000).rounded())
    account.mostCircles = oracle.overlaps.mostCircles
    account.firstMilliseconds = clock.firstMilliseconds
    account.lastMilliseconds = clock.lastMilliseconds
    account.travelMilliseconds = clock.travelMilliseconds
  }
}

extension TrackAccount {
  mutating func note(_ reader: borrowing FixReader) {
    notices = reader.notices
    numbers.fixes = reader.acceptedCount
    numbers.rejected = reader.rejectionCounts.total
    numbers.rejectedByReason = reader.rejectionCounts.byName
  }
}

/// Adds up the time between joined fixes.
private struct TravelClock {
  private(set) var firstMilliseconds: Int64?
  private(set) var lastMilliseconds: Int64?
  private(set) var travelMilliseconds = 0
  private var previous: Int64?

  mutating func take(_ time: Int64?, isJoined: Bool) {
    defer { previous = time }
    guard let time else { return }
    firstMilliseconds = min(firstMilliseconds ?? time, time)
    lastMilliseconds = max(lastMilliseconds ?? time, time)
    if isJoined, let previous { travelMilliseconds += max(0, Int(time - previous)) }
  }
}

/// Hands fixes on in the order of their times, although they arrive late or shuffled.
///
/// A fix is held until one arrives that is more than the window newer than it. Of fixes none of which is
/// handed over later than the window, those handed on are therefore sorted by time; fixes of one time keep the
/// order in which they arrived. There is no clock: time moves with the fixes alone. So a queue that a device sends
/// newest first, however long the device was out of reach, is held until a fix follows it, and handed on sorted.
///
/// A fix older than one that was handed on is too late to be put in order and is handed on at once, as is a fix
/// without a time, after all that were held before it. When full, the window hands on the oldest. Each `trk` is sorted by
/// itself.
public struct ReorderWindow: Sendable {
  /// The most fixes that are held, unless stated otherwise.
  public static var defaultCapacity: Int { 20_000 }
  /// The version of the saved form.
  static var version: Int { 1 }

  /// How much later than a newer one a fix may arrive, in milliseconds; 0 hands everything on at once.
  public var windowMilliseconds: Int64
  /// The most fixes that are held; at least 1.
  public let capacity: Int
  /// The newest time that was handed on, in milliseconds since 1970, or ``Fix/noTime``.
  public private(set) var releasedMilliseconds = Fix.noTime
  /// How many fixes have arrived.
  public private(set) var arrivedCount = 0
  private var trackIndex: Int32 = -1
  private var held = TimeHeap()

  /// Makes an empty window.
  ///
  /// - Parameters:
  ///   - windowMilliseconds: How much later than a newer one a fix may arrive; 0 or more.
  ///   - capacity: The most fixes that are held; at least 1.
  public init(windowMilliseconds: Int64, capacity: Int = ReorderWindow.defaultCapacity) {
    self.windowMilliseconds = max(0, windowMilliseconds)
    self.capacity = max(1, capacity)
  }

  /// How many fixes are held.
  public var heldCount: Int { held.count }

  /// Takes the next fix of the source; O(log *n*) for each fix, where *n* are held.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - released: Receives the fixes that are handed on now.
  public mutating func take(_ fix: Fix, into released: inout [Fix]) {
    if fix.trackIndex != trackIndex {
      finish(into: &released)
      trackIndex = fix.trackIndex
      releasedMilliseconds = Fix.noTime
    }
    arrivedCount &+= 1
    guard let time = fix.timeMilliseconds else {
      finish(into: &released)
      released.append(fix)
      return
    }
    let (edge, isBeforeAll) = time.subtractingReportingOverflow(windowMilliseconds)
    while !isBeforeAll, let oldest = held.first, oldest.fix.rawTimeMilliseconds < edge {
      releaseOldest(into: &released)
    }
    guard time >= releasedMilliseconds else {
      released.append(fix)
      return
    }
    held.insert(HeldFixes.Member(fix: fix, arrival: arrivedCount))
    if windowMilliseconds == 0 {
      finish(into: &released)
    } else if held.count > capacity {
      releaseOldest(into: &released)
    }
  }

  /// Hands on all that is held, in order; call when the source is over, or has been idle for the window's length.
  ///
  /// - Parameter released: Receives the fixes.
  public mutating func finish(into released: inout [Fix]) {
    while held.count > 0 { releaseOldest(into: &released) }
  }

  /// Notes that times later than this one were wrong, so that fixes behind it are in time again.
  ///
  /// - Parameter milliseconds: The newest time that is believed, in milliseconds since 1970, or ``Fix/noTime``.
  public mutating func takeBack(to milliseconds: Int64) {
    releasedMilliseconds = min(releasedMilliseconds, milliseconds)
  }

  /// Forgets on which lines of the source the held fixes ended, as after a restart.
  mutating func forgetLines() { held.forgetLines() }

  private mutating func releaseOldest(into released: inout [Fix]) {
    guard let oldest = held.removeFirst() else { return }
    releasedMilliseconds = max(releasedMilliseconds, oldest.fix.rawTimeMilliseconds)
    released.append(oldest.fix)
  }
}

extension ReorderWindow: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, windowMilliseconds, capacity, releasedMilliseconds, arrivedCount, trackIndex, held
  }

  /// Reads what ``encode(to:)`` wrote.
  ///
  /// - Throws: `DecodingError` if it is damaged or of a newer version.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let version = try values.decode(Int.self, forKey: .version)
    guard version <= Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: values,
        debugDescription: "the reorder window was written by a newer version of Fencepost")
    }
    self.init(
      windowMilliseconds: try values.decode(Int64.self, forKey: .windowMilliseconds),
      capacity: try values.decode(Int.self, forKey: .capacity))
    releasedMilliseconds = try values.decode(Int64.self, forKey: .releasedMilliseconds)
    arrivedCount = try values.decode(Int.self, forKey: .arrivedCount)
    trackIndex = try values.decode(Int32.self, forKey: .trackIndex)
    for member in try values.decode([HeldFixes.Member].self, forKey: .held) { held.insert(member) }
  }

  /// Writes the whole state.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(windowMilliseconds, forKey: .windowMilliseconds)
    try values.encode(capacity, forKey: .capacity)
    try values.encode(releasedMilliseconds, forKey: .releasedMilliseconds)
    try values.encode(arrivedCount, forKey: .arrivedCount)
    try values.encode(trackIndex, forKey: .trackIndex)
    try values.encode(held.members, forKey: .held)
  }
}

/// Fixes with the oldest first, and of those of one time the one that arrived first: a binary heap.
private struct TimeHeap: Sendable {
  /// In the heap's order: each is no later than the two at twice its index, plus 1 and 2.
  private(set) var members: [HeldFixes.Member] = []

  var count: Int { members.count }
  var first: HeldFixes.Member? { members.first }

  mutating func insert(_ member: HeldFixes.Member) {
    members.append(member)
    var index = members.count - 1
    while index > 0, isBefore(index, (index - 1) / 2) {
      members.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeFirst() -> HeldFixes.Member? {
    guard !members.isEmpty else { return nil }
    members.swapAt(0, members.count - 1)
    defer { sink() }
    return members.removeLast()
  }

  mutating func forgetLines() {
    for index in members.indices { members[index].fix.line = 0 }
  }

  /// Moves the first down to where it belongs.
  private mutating func sink() {
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < members.count && isBefore(child, least) {
        least = child
      }
      guard least != index else { return }
      members.swapAt(index, least)
      index = least
    }
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (members[one], members[other])
    let (time, otherTime) = (one.fix.rawTimeMilliseconds, other.fix.rawTimeMilliseconds)
    return time == otherTime ? one.arrival < other.arrival : time < otherTime
  }
}

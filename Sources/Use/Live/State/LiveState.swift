#if Command
import FencepostSession
import FencepostFixes
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications
import FencepostReporting
import FencepostStateDatabase
package import FencepostStateFile
import FencepostTracks
import FoundationEssentials
import Synchronization

/// The state of a live session in a file that survives even a kill.
///
/// Input is saved, and its events are saved as owed, before an event goes out. An owed event is
/// removed after its sink has taken it, and goes out again after a restart. So no alert is lost,
/// and one repeats only if the program was killed between the two. The sessions are saved from time
/// to time. After a restart the input since then is processed again, without repeating its events.
///
/// Kinds of documents: `live` (identity, checkpoint, browser), `input` (bytes by offset), `session` (by
/// device, empty for the stream), `told` (by device), `owed/…` (by number).
///
/// If the disk is too full to create the file, each change tries again.
package final class LiveState: Sendable {
  /// The open file, and the claim that keeps other sessions from it.
  private struct Opened: Sendable {
    let file: StateDatabase
    // Declared after the file to be released after it.
    let claim: FileClaim
  }

  private let path: String
  private let opened: Mutex<Opened?>
  private let isClosed = Mutex(false)

  /// Opens or creates the file.
  ///
  /// - Throws: `StateFileError`; a damaged file, another program's, or one in use by another
  ///   session is left untouched. A full disk is not an error yet.
  package init(path: String) throws(StateFileError) {
    self.path = path
    do throws(StateFileError) {
      opened = Mutex(try Self.open(path))
    } catch {
      guard error.code == .diskFull else { throw error }
      opened = Mutex(nil)
    }
  }

  /// Closes the file, after which changes fail.
  package func close() throws(StateFileError) {
    isClosed.withLock { $0 = true }
    let last = opened.withLock { opened in
      defer { opened = nil }
      return opened
    }
    try last?.file.close()
  }

  /// The file, created now if the disk was full before.
  private func file() throws -> StateDatabase {
    if let present { return present }
    guard !isClosed.withLock({ $0 }) else {
      throw StateFileError(code: .inputOutput, subject: path, detail: "it is closed")
    }
    let late = try Self.open(path)
    guard try late.file.update({ try $0.kinds() }).isEmpty else {
      throw StateFileError(
        code: .otherUse, subject: path, detail: "an earlier session, which could not be read")
    }
    opened.withLock { $0 = late }
    return late.file
  }

  private var present: StateDatabase? { opened.withLock { $0?.file } }

  /// Opens the file, waiting for a program that is reading it.
  private static func open(_ path: String) throws(StateFileError) -> Opened {
    let file = try StateDatabase(
      path: path, waitSeconds: 5, durability: .crash, opensOnFullDisk: true)
    return Opened(file: file, claim: try FileClaim(path: path, waitMilliseconds: 1000))
  }

  // MARK: Documents

  /// What a saved session is: its version, its name for receivers of alerts, and its options.
  struct Identity: Codable, Equatable {
    /// The version of the documents that this program writes.
    static let newest = 4
    /// The oldest version that is read; its input of posts is lines of JSON.
    static let oldest = 3

    var version = newest
    /// Distinguishes this state's alerts from those of any other.
    var instance: String
    var settings: [LiveSetting]
  }

  /// Where the input was saved, and what a decoder needs to go on from there.
  struct Checkpoint: Codable {
    /// The offset of the first byte of the decoder's context, from 0.
    var contextStart: Int
    var header = Data()
    /// The offset after the last byte that the sessions have seen.
    var position: Int
    /// The day of the context's first fix in days since 1970, if the context has no date.
    var startDay: Int?
    /// Whether the last epoch's fix was emitted before the next epoch began.
    var isEpochHandedOn = false
    /// The format, if the context is too short to recognize it.
    var format: String?
    /// The receiver that is followed, if the source has several.
    var receiver: String?
    /// What the state of one device had of earlier versions, which kept it apart from the session.
    var account: FixAccount?
    /// Rejections of what names no device.
    var unattributed: RejectionCounts?
    /// Whether the source has many devices; earlier versions counted rejections only for these.
    var hasDevices: Bool?
    /// How long the session has run, over restarts; earlier versions did not count.
    var runMilliseconds: Int64?

    private enum CodingKeys: String, CodingKey {
      case contextStart, header, position, startDay, isEpochHandedOn, format, receiver
      case unattributed, hasDevices, runMilliseconds
      // As earlier versions called it.
      case account = "hygiene"
    }
  }

  /// The saved state of one device.
  struct Session: Codable {
    var session: TrackSession.Snapshot
    /// Nil without reminders.
    var reminders: ReminderWatch.Snapshot?
    var account: FixAccount?
    /// Its rank among the devices; earlier versions had none.
    var rank: DeviceRoster.Standing?

    private enum CodingKeys: String, CodingKey {
      case session, reminders, rank
      // As earlier versions called it.
      case account = "hygiene"
    }
  }

  private struct Version: Codable { var version: Int }

  private struct FilterParts: Codable {
    var filter: FixFilter?
    var rejected: RejectionCounts?
  }

  /// Everything in the file; all empty in a new one.
  struct Contents {
    var identity: Identity?
    var checkpoint: Checkpoint?
    var input: [(offset: Int, bytes: [UInt8])] = []
    var sessions: [String: Session] = [:]
    /// For each device, how many fixes since its saved session were fully reported to the user.
    var told: [String: Int] = [:]
    var owed: [OwedDelivery] = []
    var nextSequence = 0
  }

  /// Reads everything; throws if the file is foreign, of another version or kind of stream.
  func load(hasDevices: Bool) throws -> Contents {
    guard let present else { return Contents() }
    do {
      let saved = try present.update { try contents($0) }
      guard let checkpoint = saved.checkpoint,
        (checkpoint.hasDevices ?? (checkpoint.unattributed != nil)) != hasDevices
      else {
        return saved
      }
      throw StateFileError(
        code: .otherUse, subject: path,
        detail: hasDevices ? "a session of one device" : "a session of many devices")
    } catch let error where error is NewerVersionError || error is DecodingError {
      throw StateFileError(
        decoding: error, path: path, detail: "its contents cannot be understood")
    }
  }

  private func contents(_ file: StateTransaction) throws -> Contents {
    let version = try file.value(Version.self, kind: "live", id: "identity")?.version
    if let version, version > Identity.newest {
      throw StateFileError(code: .newerVersion, subject: path, detail: "version \(version)")
    }
    if let version, version < Identity.oldest {
      throw StateFileError(
        code: .otherUse, subject: path,
        detail: "a session of an older version; use another --state file")
    }
    let isOwn: (String) -> Bool = {
      ["live", "input", "session", "told"].contains($0) || $0.hasPrefix("owed/")
    }
    if version == nil, try !file.kinds().allSatisfy(isOwn) {
      throw StateFileError(code: .otherUse, subject: path)
    }
    var contents = Contents()
    contents.identity = try file.value(Identity.self, kind: "live", id: "identity")
    contents.checkpoint = try file.value(Checkpoint.self, kind: "live", id: "checkpoint")
    contents.nextSequence = try file.value(Int.self, kind: "live", id: "sequence") ?? 0
    for id in try file.ids(kind: "input") {
      guard let offset = Int(id), let body = try file.body(kind: "input", id: id) else { continue }
      contents.input.append((offset, Array(body)))
    }
    for id in try file.ids(kind: "session") {
      contents.sessions[id] = try file.value(Session.self, kind: "session", id: id)
      // Earlier versions saved the parts of a device's account.
      if contents.sessions[id]?.account == nil,
        let parts = try file.value(FilterParts.self, kind: "session", id: id),
        let filter = parts.filter
      {
        contents.sessions[id]?.account = FixAccount(
          filter: filter, rejected: parts.rejected ?? RejectionCounts())
      }
    }
    for id in try file.ids(kind: "told") {
      contents.told[id] = try file.value(Int.self, kind: "told", id: id)
    }
    for sink in LiveSinkKind.allCases {
      for id in try file.ids(kind: Self.owed(sink)) {
        guard let one = try file.value(OwedDelivery.self, kind: Self.owed(sink), id: id) else {
          continue
        }
        contents.owed.append(one)
      }
    }
    contents.owed.sort { $0.sequence < $1.sequence }
    return contents
  }

  /// What browsers that were signed in send in place of a token, so that a restart signs none out.
  ///
  /// - Parameters:
  ///   - token: The token of the server.
  ///   - new: What to keep if there is nothing yet, or the token has changed.
  /// - Returns: What the state keeps.
  /// - Throws: If the file cannot be read or written.
  package func browserSecret(for token: String, new: String) throws -> String {
    struct Saved: Codable {
      var secret: String
      /// Tells another token, without telling this one.
      var tokenChecksum: UInt32
    }
    let checksum = StateFile.checksum(of: Array(token.utf8))
    return try file().update { file in
      let version = try file.value(Version.self, kind: "live", id: "identity")?.version
      // Another program's file is left as it is.
      let isOurs = version.map { Identity.oldest...Identity.newest ~= $0 }
      guard try isOurs ?? file.kinds().allSatisfy({ $0 == "live" }) else { return new }
      if let saved = try file.value(Saved.self, kind: "live", id: "browser"),
        saved.tokenChecksum == checksum
      {
        return saved.secret
      }
      let saved = Saved(secret: new, tokenChecksum: checksum)
      try file.put(kind: "live", id: "browser", value: saved)
      return new
    }
  }

  // MARK: Changes

  /// What one transaction writes; what is nil or empty stays as it is.
  struct Change {
    var identity: Identity?
    var input: (offset: Int, bytes: [UInt8])?
    var owed: [OwedDelivery] = []
    var nextSequence: Int?
    var told: [String: Int] = [:]
    /// With a checkpoint, ``devices`` names all whose sessions changed since the previous one.
    var checkpoint: Checkpoint?
    var devices: [String] = []
    /// Devices that are removed with their sessions, before any is saved.
    var forgotten: Set<String> = []
    /// Makes the session of a device when it is written, because all together take much memory.
    var session: (String) -> Session? = { _ in nil }
    /// Sinks whose deliveries are removed first, along with all input; nil keeps everything.
    var replacedSinks: [LiveSinkKind]?
  }

  func apply(_ change: Change) throws {
    try file().update { file in
      if let sinks = change.replacedSinks {
        for kind in ["input"] + sinks.map(Self.owed) { try file.removeAll(kind: kind) }
      }
      if let identity = change.identity {
        try file.put(kind: "live", id: "identity", value: identity)
      }
      if let (offset, bytes) = change.input {
        try file.put(kind: "input", id: Self.id(offset), body: Data(bytes))
      }
      if let checkpoint = change.checkpoint {
        try file.put(kind: "live", id: "checkpoint", value: checkpoint)
        try file.removeAll(kind: "told")
        let pieces = try file.ids(kind: "input")
        for (piece, next) in zip(pieces, pieces.dropFirst())
        where Int(next) ?? 0 <= checkpoint.contextStart {
          try file.remove(kind: "input", id: piece)
        }
      }
      for device in change.forgotten { try file.remove(kind: "session", id: device) }
      // In the order of their keys, neighbors share pages of the file.
      for device in change.devices.sorted() {
        guard let session = change.session(device) else { continue }
        let body = Data(try StateEncoder.bytes(of: session))
        try file.put(kind: "session", id: device, body: body)
      }
      for (device, count) in change.told { try file.put(kind: "told", id: device, value: count) }
      if let next = change.nextSequence { try file.put(kind: "live", id: "sequence", value: next) }
      for one in change.owed {
        try file.put(kind: Self.owed(one.sink), id: Self.id(one.sequence), value: one)
      }
    }
  }

  /// Removes deliveries that a sink has taken, or that were given up.
  func remove(_ sequences: [Int], of sink: LiveSinkKind) throws {
    // Without a file there is nothing to remove.
    try present?.update { file in
      for sequence in sequences { try file.remove(kind: Self.owed(sink), id: Self.id(sequence)) }
    }
  }

  private static func owed(_ sink: LiveSinkKind) -> String { "owed/\(sink.rawValue)" }

  /// A number as an ID that sorts as text.
  private static func id(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 19 - digits.count)) + digits
  }
}

/// An option that affects what a session finds or counts, saved with the session's state.
///
/// If it differs at the next start, the user is told, and what it voids begins anew.
struct LiveSetting: Codable, Equatable {
  var name: String
  var value: String
}

extension LiveOptions {
  var settings: [LiveSetting] {
    var settings = Rules.table.map {
      LiveSetting(name: "--\($0.name)", value: Self.text(of: $0, in: session))
    }
    settings.insert(LiveSetting(name: "places", value: placesName), at: 0)
    settings.append(LiveSetting(name: "--device-field", value: deviceField ?? "none"))
    settings.append(LiveSetting(name: Self.remindersName, value: remindersText))
    return settings
  }

  static let remindersName = "--reminders"

  /// The value of a setting in states that were saved before there was such a setting.
  fileprivate static func formerValue(of name: String) -> String? {
    if name == remindersName { return "none" }
    return Rules.table.first { $0.isLater && "--\($0.name)" == name }
      .map { text(of: $0, in: TrackSessionOptions()) }
  }

  /// The text in a state.
  ///
  /// A change of its form would look like a change of the rule.
  private static func text(of rule: Rule, in session: TrackSessionOptions) -> String {
    let value = rule.value(session)
    return switch (rule.kind, value) {
    case (.meters, .number(let meters)): "\(Quantity.shortest(meters)) m"
    case (.metersPerSecond, .number(let speed)): "\(Quantity.shortest(speed)) m/s"
    case (.milliseconds, .whole(let milliseconds)): duration(milliseconds)
    case (_, .flag(let isOn)): isOn ? "on" : "off"
    case (_, .cooldown(.seconds(let seconds))): duration(seconds * 1000)
    case (_, .quietHours(let hours)):
      "\(clock(hours.start))-\(clock(hours.end)) \(hours.zone.identifier)"
    case (_, .dates(.day(_, let zone))): "\(rule.argument(for: value)) \(zone.identifier)"
    default: rule.argument(for: value)
    }
  }

  private static func clock(_ time: TimeOfDay) -> String { String(time.description.prefix(5)) }

  /// A duration in its largest whole unit.
  private static func duration(_ milliseconds: Int64) -> String {
    let units: [(String, Int64)] = [
      ("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000),
    ]
    let unit = units.first { milliseconds > 0 && milliseconds % $0.1 == 0 } ?? ("ms", 1)
    return milliseconds == 0 ? "0s" : "\(milliseconds / unit.1)\(unit.0)"
  }
}

extension LiveState.Identity {
  /// How the options differ from those of the saved session.
  struct Change {
    /// Whether the monitored set and all counts are void.
    var isRule = false
    var isPlaces = false
    /// The changed settings and the effect; nil without a change.
    var what: String?
  }

  /// Settings that do not affect the monitored set, which stays when they change.
  private static let harmless = Set(
    ["places"] + Rules.table.filter(\.keepsWatched).map { "--\($0.name)" })

  func change(to now: LiveState.Identity) -> Change {
    let changed = now.settings.compactMap { setting in
      let saved = settings.first { $0.name == setting.name }?.value
      let before = saved ?? LiveOptions.formerValue(of: setting.name)
      return before == setting.value ? nil : (setting.name, setting.value, before ?? "unknown")
    }
    guard !changed.isEmpty else { return Change() }
    let isRule = changed.contains { !Self.harmless.contains($0.0) }
    let list = changed.map { "\($0.0) \($0.1) (before: \($0.2))" }.joined(separator: ", ")
    let effect =
      isRule
      ? "the watched stories are looked up again, the summary restarts, and cooldowns are kept"
      : "the summary covers both"
    return Change(
      isRule: isRule, isPlaces: changed.contains { $0.0 == "places" },
      what: "\(list); \(effect)")
  }
}
#endif

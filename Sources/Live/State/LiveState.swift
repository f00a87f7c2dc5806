import FencepostMonitoring
import Foundation
import FencepostStateDatabase
public import FencepostStateFile
import Synchronization

/// The state of a live session in a file that survives even a kill.
///
/// Input is saved before it is processed. Events are saved as owed, together with the sessions after
/// them, before they go out, and are removed when their sink has taken them. What is owed goes out after
/// a restart: no alert is lost, and only one that was killed between going out and being removed repeats.
///
/// Kinds of documents: `live` (identity and checkpoint), `input` (bytes by offset), `session` (by
/// device, empty for the stream), `owed/…` (by number).
///
/// If the disk is too full to create the file, each change tries again.
public final class LiveState: Sendable {
  private struct Opened: Sendable {
    let file: StateDatabase
    // Declared after the file to be released after it.
    let claim: FileClaim
  }

  private let path: String
  private let opened: Mutex<Opened?>
  private let isClosed = Mutex(false)

  /// Opens the file, or creates it.
  ///
  /// - Throws: `StateFileError`; a damaged file, one of another program, or one in use by another
  ///   session is left untouched. A full disk is not an error yet.
  public init(path: String) throws(StateFileError) {
    self.path = path
    do throws(StateFileError) {
      opened = Mutex(try Self.open(path))
    } catch {
      guard error.code == .diskFull else { throw error }
      opened = Mutex(nil)
    }
  }

  /// Closes the file; later changes fail.
  ///
  /// - Throws: `StateFileError`
  public func close() throws(StateFileError) {
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
    let kinds = try late.file.update { try $0.kinds() }
    guard kinds.isEmpty else {
      throw StateFileError(
        code: .otherUse, subject: path, detail: "an earlier session, which could not be read")
    }
    opened.withLock { $0 = late }
    return late.file
  }

  private var present: StateDatabase? { opened.withLock { $0?.file } }

  private static func open(_ path: String) throws(StateFileError) -> Opened {
    let file = try openFile(path)
    return Opened(file: file, claim: try FileClaim(path: path, waitMilliseconds: 1000))
  }

  /// Opens the file, waiting for a program that is reading it.
  private static func openFile(_ path: String) throws(StateFileError) -> StateDatabase {
    let end = SystemTime.monotonicMilliseconds + lockWaitMilliseconds
    while true {
      do throws(StateFileError) {
        return try StateDatabase(path: path, durability: .crash, opensOnFullDisk: true)
      } catch {
        guard error.code == .locked, SystemTime.monotonicMilliseconds < end else { throw error }
        usleep(20_000)
      }
    }
  }

  private static var lockWaitMilliseconds: Int64 { 5000 }

  /// Everything in the file.
  struct Contents {
    var identity: LiveDocument.Identity?
    var checkpoint: LiveDocument.Checkpoint?
    var input: [(offset: Int, bytes: [UInt8])] = []
    var sessions: [String: LiveDocument.Session] = [:]
    var owed: [OwedDelivery] = []
    var nextSequence = 0
  }

  /// Reads everything.
  ///
  /// - Parameter hasDevices: Whether the session that goes on has a stream of several devices.
  /// - Returns: What is in it; nothing if there is no file yet.
  /// - Throws: `StateFileError` if the file holds something else, the state of a stream of the other kind, or a
  ///   newer version's state.
  func load(hasDevices: Bool) throws -> Contents {
    guard let present else { return Contents() }
    do {
      let saved = try present.update { try contents($0) }
      guard let checkpoint = saved.checkpoint, checkpoint.hasDevices != hasDevices else {
        return saved
      }
      throw StateFileError(
        code: .otherUse, subject: path,
        detail: checkpoint.hasDevices ? "a session of many devices" : "a session of one device")
    } catch let error where error is NewerVersionError || error is DecodingError {
      throw StateFileError(
        decoding: error, path: path, detail: "what is in it cannot be understood")
    }
  }

  private func contents(_ transaction: StateTransaction) throws -> Contents {
    var contents = Contents()
    contents.identity = try transaction.value(
      LiveDocument.Identity.self, kind: "live", id: "identity")
    if let version = contents.identity?.version, version > LiveDocument.Identity.newest {
      throw StateFileError(
        code: .newerVersion, subject: path, detail: "version \(version)")
    }
    if contents.identity == nil, try transaction.kinds().contains(where: { !Self.isOwn($0) }) {
      throw StateFileError(code: .otherUse, subject: path)
    }
    contents.checkpoint = try transaction.value(
      LiveDocument.Checkpoint.self, kind: "live", id: "checkpoint")
    contents.nextSequence =
      try transaction.value(Int.self, kind: "live", id: "sequence") ?? 0
    for id in try transaction.ids(kind: "input") {
      guard let offset = Int(id), let body = try transaction.body(kind: "input", id: id) else {
        continue
      }
      contents.input.append((offset, Array(body)))
    }
    for id in try transaction.ids(kind: "session") {
      contents.sessions[id] = try transaction.value(
        LiveDocument.Session.self, kind: "session", id: id)
    }
    for sink in LiveSinkKind.allCases {
      for id in try transaction.ids(kind: Self.owed(sink)) {
        if let one = try transaction.value(
          OwedDelivery.self, kind: Self.owed(sink), id: id)
        {
          contents.owed.append(one)
        }
      }
    }
    contents.owed.sort { $0.sequence < $1.sequence }
    return contents
  }

  private static func isOwn(_ kind: String) -> Bool {
    ["live", "input", "session"].contains(kind) || kind.hasPrefix("owed/")
  }

  /// The changes of one transaction.
  struct Change {
    var identity: LiveDocument.Identity?
    var checkpoint: LiveDocument.Checkpoint?
    /// The offsets of input to remove.
    var obsoleteInput: [Int] = []
    var input: [(offset: Int, bytes: [UInt8])] = []
    var sessions: [(device: String, session: LiveDocument.Session)] = []
    var owed: [OwedDelivery] = []
    /// The number of the next delivery.
    var nextSequence: Int?
    /// Whether to remove all input in the file, and all that is owed to `sinks`, first.
    var replacesAll = false
    var sinks: [LiveSinkKind] = []
  }

  /// Makes a change in one transaction.
  func apply(_ change: Change) throws {
    try file().update { transaction in
      if change.replacesAll {
        for kind in ["input"] + change.sinks.map(Self.owed) {
          for id in try transaction.ids(kind: kind) { try transaction.remove(kind: kind, id: id) }
        }
      }
      if let identity = change.identity {
        try transaction.put(kind: "live", id: "identity", value: identity)
      }
      if let checkpoint = change.checkpoint {
        try transaction.put(kind: "live", id: "checkpoint", value: checkpoint)
      }
      for offset in change.obsoleteInput {
        try transaction.remove(kind: "input", id: Self.id(offset))
      }
      for (offset, bytes) in change.input {
        try transaction.put(kind: "input", id: Self.id(offset), body: Data(bytes))
      }
      for (device, session) in change.sessions {
        try transaction.put(kind: "session", id: device, value: session)
      }
      if let next = change.nextSequence {
        try transaction.put(kind: "live", id: "sequence", value: next)
      }
      for one in change.owed {
        try transaction.put(kind: Self.owed(one.sink), id: Self.id(one.sequence), value: one)
      }
    }
  }

  /// Removes deliveries that a sink has taken, or that were given up.
  func remove(_ sequences: [Int], of sink: LiveSinkKind) throws {
    // Without a file there is nothing to remove.
    try present?.update { transaction in
      for sequence in sequences {
        try transaction.remove(kind: Self.owed(sink), id: Self.id(sequence))
      }
    }
  }

  private static func owed(_ sink: LiveSinkKind) -> String { "owed/\(sink.rawValue)" }

  /// A number as an id that sorts as text.
  private static func id(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 19 - digits.count)) + digits
  }
}

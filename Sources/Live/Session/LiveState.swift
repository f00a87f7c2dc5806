import Foundation
public import StateFile
import Synchronization

/// The state of a live session in a file that survives the session, whatever ends it.
///
/// Every byte of input is in the file before anything comes of it. Events, and the sessions that they
/// left behind, are in the file before they go out, as owed; when a sink has taken one it is struck
/// out. What was owed when the program was killed goes out after the restart: no alert is lost, and
/// one that was killed between going out and being struck out comes twice.
///
/// Kinds of documents: `live` (identity and checkpoint), `input` (bytes by offset), `session` (by
/// device, empty for the stream), `owed/…` (by number).
///
/// A file that cannot be made because the disk is full is tried again with each change.
public final class LiveState: Sendable {
  private struct Opened: Sendable {
    let file: StateFile
    // Behind the file, so that it is let go of after it.
    let claim: FileClaim
  }

  private let path: String
  private let opened: Mutex<Opened?>
  private let isClosed = Mutex(false)

  /// Opens the file, or makes one.
  ///
  /// - Throws: `StateFileError`; a file that is damaged, of another program or used by another
  ///   session is left as it is. That the disk is full is no error yet.
  public init(path: String) throws(StateFileError) {
    self.path = path
    do throws(StateFileError) {
      opened = Mutex(try Self.open(path))
    } catch {
      guard error.code == .diskFull else { throw error }
      opened = Mutex(nil)
    }
  }

  /// Closes the file; what is done with it afterwards fails.
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

  /// The file, made now where there was no room for it before.
  private func file() throws -> StateFile {
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

  private var present: StateFile? { opened.withLock { $0?.file } }

  private static func open(_ path: String) throws(StateFileError) -> Opened {
    let file = try openFile(path)
    return Opened(file: file, claim: try FileClaim(path: path, waitMilliseconds: 1000))
  }

  /// Opens the file; whoever reads it at this moment is waited for.
  private static func openFile(_ path: String) throws(StateFileError) -> StateFile {
    let end = MonotonicClock.milliseconds + lockWaitMilliseconds
    while true {
      do throws(StateFileError) {
        return try StateFile(path: path, durability: .crash, opensOnFullDisk: true)
      } catch {
        guard error.code == .locked, MonotonicClock.milliseconds < end else { throw error }
        usleep(20_000)
      }
    }
  }

  private static var lockWaitMilliseconds: Int64 { 5000 }

  /// Everything that was saved.
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
  /// - Throws: `StateFileError`, where the file holds something else, or what another version wrote.
  func load() throws -> Contents {
    guard let present else { return Contents() }
    do {
      return try present.update { try contents($0) }
    } catch is DecodingError {
      throw StateFileError(
        code: .damaged, subject: path, detail: "what is in it cannot be understood")
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

  /// What a transaction changes.
  struct Change {
    var identity: LiveDocument.Identity?
    var checkpoint: LiveDocument.Checkpoint?
    /// Input before this offset is given up.
    var obsoleteInput: [Int] = []
    var input: [(offset: Int, bytes: [UInt8])] = []
    var sessions: [(device: String, session: LiveDocument.Session)] = []
    var owed: [OwedDelivery] = []
    /// The number of the next thing owed.
    var nextSequence: Int?
    /// Whether all sessions and all input there may be in the file are replaced, and what is owed to
    /// `sinks`.
    var replacesAll = false
    var sinks: [LiveSinkKind] = []
  }

  /// Makes a change, all of it or nothing.
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

  /// Strikes out what a sink has taken, or what was given up.
  func strikeOut(_ sequences: [Int], of sink: LiveSinkKind) throws {
    // What is not in a file need not be struck out of it.
    try present?.update { transaction in
      for sequence in sequences {
        try transaction.remove(kind: Self.owed(sink), id: Self.id(sequence))
      }
    }
  }

  private static func owed(_ sink: LiveSinkKind) -> String { "owed/\(sink.rawValue)" }

  /// Numbers as ids that are in order as text too.
  private static func id(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 19 - digits.count)) + digits
  }
}

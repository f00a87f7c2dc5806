import FencepostCZlib

/// A small file that survives crashes and power failures, without a database.
///
/// It holds one document of bytes, which only the owner can read or write. A write replaces the
/// file at once, so readers see the old document or the new one. A checksum detects other damage.
///
/// The first line is text: `fencepost-state`, the format version, the CRC-32 of the document in
/// hexadecimal, and its length in bytes.
public struct StateFile: Sendable {
  /// The path passed to the initializer.
  public let path: String

  private static let mark = "fencepost-state"
  private static let version = 1
  /// An upper bound on the length of the first line in bytes.
  private static let greatestHeaderLength = 80

  /// Refers to a file; it and its directory are created when it is first written.
  public init(path: String) { self.path = path }

  /// Reads the document, or returns nil if the file is missing or empty.
  public func read() throws(StateFileError) -> [UInt8]? {
    guard FileDescriptor.exists(path) else { return nil }
    let bytes = try FileDescriptor(path: path, for: .reading).readAll(path: path)
    return bytes.isEmpty ? nil : try document(in: bytes)
  }

  /// Replaces the document and waits until the new one is on disk.
  ///
  /// If this fails, the old document is kept. A file that ``read()`` rejects is never overwritten.
  public func write(_ document: [UInt8]) throws(StateFileError) {
    try stage(document)
    try adopt()
  }

  /// Renames the file, even a damaged one; the next ``write(_:)`` creates a new one.
  package func moveAside(to other: String) throws(StateFileError) {
    try FileDescriptor.move(path, to: other)
  }

  /// Writes the new document durably to `NAME-new`, which no reader opens.
  package func stage(_ document: [UInt8]) throws(StateFileError) {
    _ = try read()
    let checksum = String(Self.checksum(of: document), radix: 16)
    let header = "\(Self.mark) \(Self.version) \(checksum) \(document.count)\n"
    try FileDescriptor.createDirectory(of: path)
    let file = try FileDescriptor(path: path + "-new", for: .replacing)
    try file.writeDurably(Array(header.utf8) + document, path: path)
  }

  /// Replaces the document with the one that ``stage(_:)`` wrote, in one step.
  package func adopt() throws(StateFileError) {
    try FileDescriptor.move(path + "-new", to: path)
    // Some file systems cannot sync a directory; the rename is then as durable as they make it.
    _ = try? FileDescriptor(path: directory, for: .reading).synchronize()
  }

  private var directory: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func document(in bytes: [UInt8]) throws(StateFileError) -> [UInt8] {
    guard bytes.starts(with: Self.mark.utf8) || Self.mark.utf8.starts(with: bytes) else {
      throw failure(.notStateFile)
    }
    let end = bytes.prefix(Self.greatestHeaderLength).firstIndex(of: UInt8(ascii: "\n"))
    let fields = String(decoding: bytes[..<(end ?? 0)], as: UTF8.self).split(separator: " ")
    guard let end, fields.count >= 2, let version = Int(fields[1]) else {
      throw failure(.damaged, "its first line is incomplete")
    }
    guard version <= Self.version else { throw failure(.newerVersion, "version \(version)") }
    let document = Array(bytes[(end + 1)...])
    guard fields.count == 4, Int(fields[3]) == document.count else {
      throw failure(.damaged, "its length is wrong")
    }
    guard UInt32(fields[2], radix: 16) == Self.checksum(of: document) else {
      throw failure(.damaged, "its checksum is wrong")
    }
    return document
  }

  private func failure(_ code: StateFileError.Code, _ detail: String = "") -> StateFileError {
    StateFileError(code: code, subject: path, detail: detail)
  }

  /// The CRC-32 of RFC 1952, section 8.
  package static func checksum(of bytes: [UInt8]) -> UInt32 {
    // zlib reads the bytes during the call only.
    unsafe bytes.withUnsafeBufferPointer { storage in
      UInt32(truncatingIfNeeded: unsafe crc32(0, storage.baseAddress, UInt32(storage.count)))
    }
  }
}

/// A small file that survives crashes and power failures, without a database.
///
/// It holds one document of bytes. A write goes to a new file next to it, `NAME-new`, which then takes its
/// place: other programs, and the next start, see the old document or the new one, never a part. A checksum
/// finds a file that was damaged otherwise. Only its owner may read or write it. It works wherever there is a
/// POSIX system: Apple's, Linux and Android.
///
/// The file begins with a line of text: `fencepost-state`, the version of the format, the CRC-32 of the
/// document in hexadecimal and its length in bytes.
public struct StateFile: Sendable {
  /// The path as given.
  public let path: String

  private static let mark = "fencepost-state"
  /// The version of the format that this program writes.
  private static let version = 1
  /// A header has fewer bytes than this.
  private static let greatestHeaderLength = 80

  /// Names a file, which need not exist.
  ///
  /// - Parameter path: Where the file is or will be; its directory must exist.
  public init(path: String) {
    self.path = path
  }

  /// Reads the document, nil if there is no file or it is empty.
  ///
  /// - Throws: ``StateFileError``; `.damaged`, `.notStateFile` and `.newerVersion` leave the file as it is.
  public func read() throws(StateFileError) -> [UInt8]? {
    guard FileDescriptor.exists(path) else {
      guard FileDescriptor.exists(directory) else { throw failure(.missingDirectory) }
      return nil
    }
    let bytes = try FileDescriptor(path: path, for: .reading).readAll(path: path)
    return bytes.isEmpty ? nil : try document(in: bytes)
  }

  /// Replaces the document; when this returns, the new one is on the disk.
  ///
  /// - Throws: ``StateFileError``; the old document is still there then. A file that ``read()`` refuses is
  ///   not written to.
  public func write(_ document: [UInt8]) throws(StateFileError) {
    try stage(document)
    try adopt()
  }

  /// Renames the file, whatever it holds, in place of another; the next ``write(_:)`` makes a new one.
  ///
  /// - Throws: ``StateFileError``; the file has its name then.
  public func moveAside(to other: String) throws(StateFileError) {
    try FileDescriptor.move(path, to: other)
  }

  /// Writes the new document durably to the file `NAME-new`, which nobody reads.
  package func stage(_ document: [UInt8]) throws(StateFileError) {
    _ = try read()
    let checksum = String(Self.checksum(of: document), radix: 16)
    let header = "\(Self.mark) \(Self.version) \(checksum) \(document.count)\n"
    let file = try FileDescriptor(path: path + "-new", for: .replacing)
    try file.writeDurably(Array(header.utf8) + document, path: path)
  }

  /// Puts what ``stage(_:)`` wrote in the document's place, in one step.
  package func adopt() throws(StateFileError) {
    try FileDescriptor.move(path + "-new", to: path)
    // Some file systems cannot do this for a directory; then the new name is as durable as they make it.
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

  /// The CRC-32 of bytes: RFC 1952, section 8, the polynomial 0xEDB88320, reflected.
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { checksum, byte in
      remainders[Int((checksum ^ UInt32(byte)) & 0xFF)] ^ checksum >> 8
    }
  }

  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { remainder, _ in
      remainder & 1 == 0 ? remainder >> 1 : remainder >> 1 ^ 0xEDB8_8320
    }
  }
}

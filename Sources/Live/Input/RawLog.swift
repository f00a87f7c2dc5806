import FencepostFiles
import FencepostTime
import Glibc

/// Writes what a source sends, byte for byte, to one file per UTC day.
///
/// The file changes at the first line that begins on a new day, so no line is split. Existing files
/// are appended to.
package final class RawLog {
  private let stem: String
  private let suffix: String
  private let say: (String) -> Void
  private var descriptor: Int32 = -1
  private var openDay: Int64?
  private var isAtLineStart = true
  private var isFailing = false

  package init(path: String, say: @escaping (String) -> Void) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let dot = name.dropFirst().lastIndex(of: ".") ?? path.endIndex
    stem = String(path[..<dot])
    suffix = String(path[dot...])
    self.say = say
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package func path(ofDay day: Int64) -> String {
    let date = ISO8601.string(milliseconds: day * Self.dayMilliseconds).prefix { $0 != "T" }
    return "\(stem)-\(date)\(suffix)"
  }

  package func append(_ bytes: [UInt8], epochMilliseconds: Int64) {
    let day = epochMilliseconds / Self.dayMilliseconds
    var rest = bytes[...]
    if day != openDay, descriptor >= 0, !isAtLineStart {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      write(rest[..<end])
      rest = rest[end...]
    }
    guard !rest.isEmpty else { return }
    if day != openDay || descriptor < 0 { open(day) }
    if descriptor >= 0 { write(rest) }
  }

  package func endLine() {
    if descriptor >= 0, !isAtLineStart { write([UInt8(ascii: "\n")]) }
  }

  private func open(_ day: Int64) {
    if descriptor >= 0 { close(descriptor) }
    openDay = day
    let path = path(ofDay: day)
    // The path is valid until the call returns. A track reveals where someone was, so only its
    // owner may read the file.
    descriptor = unsafe Glibc.open(
      path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return fail(path) }
    var last: UInt8 = 0
    let size = lseek(descriptor, 0, SEEK_END)
    // The call reads one byte into one byte.
    let count = size > 0 ? unsafe pread(descriptor, &last, 1, size - 1) : 0
    isAtLineStart = count < 1 || last == UInt8(ascii: "\n")
    // An earlier session may have been killed in the middle of a line.
    endLine()
  }

  private func write(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      // The bytes are valid until the closure returns.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return fail(path(ofDay: openDay ?? 0)) }
      isAtLineStart = rest[rest.startIndex + count - 1] == UInt8(ascii: "\n")
      rest = rest.dropFirst(count)
    }
    if isFailing { say("\(path(ofDay: openDay ?? 0)): writing the log again") }
    isFailing = false
  }

  /// Reports a failure once; the next bytes try again.
  private func fail(_ path: String) {
    let reason = SystemError(errno).sentence
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    guard !isFailing else { return }
    isFailing = true
    say("\(path): cannot be written (\(reason)). The session continues without the log.")
  }

  private static var dayMilliseconds: Int64 { 86_400_000 }
}

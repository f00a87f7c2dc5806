import Glibc

package struct OutputFailure: Error, CustomStringConvertible, Equatable {
  /// The file as the user named it, or `standard output`.
  package var path: String
  /// The error number of the system (`errno`).
  package var code: Int32

  package init(path: String, code: Int32) {
    self.path = path
    self.code = code
  }

  /// Whether the reader closed the pipe, which is not an error.
  package var isBrokenPipe: Bool { code == EPIPE }

  package var description: String { "\(path): cannot write: \(Self.reason(code))" }

  private static func reason(_ code: Int32) -> String {
    // `strerror` may share its memory between threads.
    var memory = [CChar](repeating: 0, count: 256)
    // The C library writes at most `count` bytes, the last of them a null.
    return unsafe memory.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, unsafe strerror_r(code, start, buffer.count) == 0 else {
        return "error \(code)"
      }
      return unsafe String(cString: start)
    }
  }
}

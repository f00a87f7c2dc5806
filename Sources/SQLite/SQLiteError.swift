import FencepostCSpatiaLite

/// A failure that SQLite reported.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The extended result code.
  package var extendedCode: Int32
  /// SQLite's message, or what the code means.
  package var message: String

  /// Creates an error.
  package init(extendedCode: Int32, message: String) {
    self.extendedCode = extendedCode
    self.message = message
  }

  /// The primary result code, such as `SQLITE_BUSY`.
  package var code: Int32 { extendedCode & 0xff }

  /// Whether the disk had no room for the memory that connections share.
  package var ranOutOfSharedMemory: Bool { extendedCode == SQLITE_IOERR | 19 << 8 }

  package var description: String { message }
}

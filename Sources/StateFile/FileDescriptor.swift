#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file, which is closed when the value goes; the only place of this module that calls the system.
struct FileDescriptor: ~Copyable {
  private let number: Int32

  /// What a file is opened for.
  struct Use {
    fileprivate let flags: Int32

    static let reading = Use(flags: O_RDONLY)
    /// Empties the file, or makes it.
    static let replacing = Use(flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
    /// Makes the file if it does not exist, and locks it.
    static let locking = Use(flags: O_RDWR | O_CREAT)
  }

  /// Opens a file; one that is made here is its owner's alone.
  ///
  /// - Throws: ``StateFileError``, nothing else than its path in it.
  init(path: String, for use: Use) throws(StateFileError) {
    // The path outlives the call.
    number = unsafe open(path, use.flags | O_CLOEXEC, 0o600)
    if number < 0 { throw Self.failure(path) }
  }

  deinit { close(number) }

  /// Takes the lock on the file that one program at a time can hold and that ends with it.
  ///
  /// - Returns: False if another has it; true also on a file system without such locks.
  func tryLock() -> Bool {
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      return errno != EWOULDBLOCK
    }
    return true
  }

  /// Reads the whole file.
  func readAll(path: String) throws(StateFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      // The buffer has as many bytes as are asked for.
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe read(number, $0.baseAddress, $0.count)
      }
      if count == 0 { return bytes }
      if count > 0 {
        bytes += chunk[..<count]
      } else if errno != EINTR {
        throw Self.failure(path)
      }
    }
  }

  /// Writes bytes and waits until they are on the disk.
  func writeDurably(_ bytes: [UInt8], path: String) throws(StateFileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // The slice has as many bytes as are handed over.
      let count = unsafe rest.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw Self.failure(path)
      }
    }
    if !synchronize() { throw Self.failure(path) }
  }

  /// Waits until what was written is on the disk.
  @discardableResult
  func synchronize() -> Bool {
    #if canImport(Darwin)
      // There `fsync` leaves data in the drive's cache.
      if fcntl(number, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(number) == 0
  }

  /// Puts a file in the place of another, which programs see either whole or not at all.
  static func move(_ path: String, to target: String) throws(StateFileError) {
    // Both names outlive the call.
    if unsafe rename(path, target) != 0 { throw failure(target) }
  }

  /// The error of the last call that failed.
  private static func failure(_ path: String) -> StateFileError {
    let number = errno
    let code: StateFileError.Code =
      switch number {
      case ENOENT, ENOTDIR: .missingDirectory
      case EISDIR: .isDirectory
      case EACCES, EPERM, EROFS: .readOnly
      case ENOSPC, EDQUOT: .diskFull
      default: .inputOutput
      }
    guard code == .inputOutput else { return StateFileError(code: code, subject: path) }
    // The C library's sentence is copied at once.
    let detail = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    return StateFileError(code: code, subject: path, detail: detail)
  }

  /// Whether there is a file at a path.
  static func exists(_ path: String) -> Bool {
    // The path outlives the call.
    unsafe access(path, F_OK) == 0
  }

  /// Blocks the thread for some time.
  static func sleep(milliseconds: UInt32) {
    usleep(milliseconds * 1000)
  }
}

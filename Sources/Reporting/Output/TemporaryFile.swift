import Formats
import Glibc
import Synchronization

/// A file under a temporary name, beside the one whose name it takes when it is complete.
struct TemporaryFile: Sendable {
  /// Open for writing.
  let descriptor: Int32

  /// The file as the user named it, for messages.
  private let path: String
  /// The same with symbolic links followed, so that a link is not replaced by a file.
  private let target: String
  private let temporaryPath: String

  /// Creates the temporary file with the rights that the final one will have.
  init(for path: String) throws(OutputFailure) {
    self.path = path
    guard let target = Self.resolved(path) else { throw OutputFailure(path: path, code: ELOOP) }
    self.target = target
    let (directory, base) = Self.split(target)
    var template = "\(directory).\(base).XXXXXX".fileNameBytes
    // `mkstemp` writes the name it found over the six X.
    self.descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return -1 }
      return unsafe mkstemp(start)
    }
    guard descriptor >= 0 else { throw OutputFailure(path: path, code: errno) }
    self.temporaryPath = String(fileName: template.dropLast().map(UInt8.init(bitPattern:)))
    Self.unfinished.withLock { [temporaryPath] in _ = $0.insert(temporaryPath) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    fchmod(descriptor, Self.permissions(of: target))
  }

  /// Whether the path names something that exists and is no regular file.
  static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe stat(path.fileNameBytes, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG
  }

  /// Makes the content durable and gives it the final name.
  func takeName() throws(OutputFailure) {
    // Both paths are there until the call returns.
    guard fsync(descriptor) == 0,
      unsafe rename(temporaryPath.fileNameBytes, target.fileNameBytes) == 0
    else {
      throw OutputFailure(path: path, code: errno)
    }
    Self.unfinished.withLock { [temporaryPath] in _ = $0.remove(temporaryPath) }
    // The new name is durable once its directory is. Some file systems cannot sync a directory;
    // the content is safe all the same, so that is no failure.
    let (directory, _) = Self.split(target)
    // The path is there until the call returns.
    let directoryDescriptor = unsafe open(
      (directory.isEmpty ? "." : directory).fileNameBytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directoryDescriptor >= 0 {
      fsync(directoryDescriptor)
      close(directoryDescriptor)
    }
  }

  /// Removes the file while it has its temporary name.
  func remove() {
    // The path is there until the call returns.
    unsafe unlink(temporaryPath.fileNameBytes)
    Self.unfinished.withLock { [temporaryPath] in _ = $0.remove(temporaryPath) }
  }

  /// Removes all files that still have their temporary names.
  static func removeAll() {
    unfinished.withLock { paths in
      // Each path is there until the call returns.
      for path in paths { unsafe unlink(path.fileNameBytes) }
      paths = []
    }
  }

  /// The temporary names in use.
  private static let unfinished = Mutex<Set<String>>([])

  /// The directory with its slash, empty for the current one, and the last component.
  static func split(_ path: String) -> (directory: String, base: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }

  /// The path with symbolic links followed, also one to a file that is not there yet; nil where links
  /// lead in a circle.
  static func resolved(_ path: String) -> String? {
    var path = path
    // As many links as the system itself follows.
    for _ in 0..<40 {
      // Returns memory that is ours to free, or nil where there is no such file yet.
      if let real = unsafe realpath(path.fileNameBytes, nil) {
        defer { unsafe free(real) }
        return unsafe String(fileNameAt: real)
      }
      guard let target = linkTarget(path) else { return path }
      path = target.hasPrefix("/") ? target : split(path).directory + target
    }
    return nil
  }

  /// What a symbolic link says; nil where the path is none.
  private static func linkTarget(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    // The system writes at most as much as it is told there is.
    let count = unsafe readlink(path.fileNameBytes, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(fileName: bytes.prefix(count).map { UInt8(bitPattern: $0) })
  }

  /// The rights of the file that is replaced, or what a new file gets.
  private static func permissions(of path: String) -> mode_t {
    var status = stat()
    // `status` is ours and of the size the system expects.
    if unsafe stat(path.fileNameBytes, &status) == 0 { return status.st_mode & 0o777 }
    // The only way to read the mask is to set it; nothing else here creates files meanwhile.
    let mask = umask(0)
    umask(mask)
    return 0o666 & ~mask
  }
}

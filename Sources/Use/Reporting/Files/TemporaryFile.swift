import FencepostFiles
import FencepostFormats
import Glibc
import Synchronization

/// A file that gets its final name only once it is complete.
///
/// ``OutputFile`` writes to it, so that other programs never see half a file. It lies in the folder
/// of the final file, since only within a file system can a rename replace a file in one step.
struct TemporaryFile: Sendable {
  /// Open for writing; the owner closes it.
  let descriptor: Int32

  /// The file as the user named it, for messages.
  private let path: String
  /// The path with symbolic links followed, so that no link is replaced by a file.
  private let target: String
  /// The hidden name until then: a dot, the final name and six random characters.
  private let temporaryPath: String

  /// Creates the file with the permissions of the final one.
  ///
  /// - Throws: ``OutputFailure`` if links form a loop or the folder cannot be written to.
  init(for path: String) throws(OutputFailure) {
    self.path = path
    guard let target = Self.resolved(path) else { throw OutputFailure(path: path, code: ELOOP) }
    self.target = target
    let (directory, base) = Self.split(target)
    var template = "\(directory).\(base).XXXXXX".fileNameBytes
    // `mkstemp` replaces the six X in place.
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

  /// Whether the path names something other than a regular file.
  static func isSpecial(_ path: String) -> Bool {
    fileStatus(path).map { $0.st_mode & S_IFMT != S_IFREG } ?? false
  }

  /// Syncs the file to disk and gives it the final name.
  ///
  /// Readers of the old file keep it; whoever opens the name from now on gets the new one.
  ///
  /// - Throws: ``OutputFailure``, with the old file in place.
  func takeName() throws(OutputFailure) {
    // Both paths outlive the call.
    guard fsync(descriptor) == 0,
      unsafe rename(temporaryPath.fileNameBytes, target.fileNameBytes) == 0
    else { throw OutputFailure(path: path, code: errno) }
    Self.unfinished.withLock { [temporaryPath] in _ = $0.remove(temporaryPath) }
    // The new name is durable once its directory is. Some file systems cannot sync a directory, but
    // the content is safe.
    let (directory, _) = Self.split(target)
    // The path outlives the call.
    let directoryDescriptor = unsafe open(
      (directory.isEmpty ? "." : directory).fileNameBytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directoryDescriptor >= 0 {
      fsync(directoryDescriptor)
      close(directoryDescriptor)
    }
  }

  /// Deletes the file, which the owner no longer wants.
  func remove() {
    // The path outlives the call.
    unsafe unlink(temporaryPath.fileNameBytes)
    Self.unfinished.withLock { [temporaryPath] in _ = $0.remove(temporaryPath) }
  }

  /// Deletes all files that have not got their final names, as when the program is interrupted.
  static func removeAll() {
    unfinished.withLock { paths in
      // Each path outlives the call.
      for path in paths { unsafe unlink(path.fileNameBytes) }
      paths = []
    }
  }

  /// The temporary paths of all files that have not got their final names.
  private static let unfinished = Mutex<Set<String>>([])

  /// The directory with its slash, or empty for the current one, and the last component.
  static func split(_ path: String) -> (directory: String, base: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }

  /// The path with symbolic links followed, even to a missing file; nil if links form a loop.
  static func resolved(_ path: String) -> String? {
    var path = path
    // As many links as the system itself follows.
    for _ in 0..<40 {
      // Returns memory that the caller must free, or nil if the file does not exist yet.
      if let real = unsafe realpath(path.fileNameBytes, nil) {
        defer { unsafe free(real) }
        return unsafe String(fileNameAt: real)
      }
      var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
      // The system writes at most `count` bytes.
      let count = unsafe readlink(path.fileNameBytes, &bytes, bytes.count)
      guard count > 0 else { return path }
      let target = String(fileName: bytes.prefix(count).map { UInt8(bitPattern: $0) })
      path = target.hasPrefix("/") ? target : split(path).directory + target
    }
    return nil
  }

  /// The permissions of the file to replace, or those of a new file.
  private static func permissions(of path: String) -> mode_t {
    if let status = fileStatus(path) { return status.st_mode & 0o777 }
    // The only way to read the mask is to set it. Nothing else here creates files meanwhile.
    let mask = umask(0)
    umask(mask)
    return 0o666 & ~mask
  }
}

/// Identifies a regular file, whatever path or descriptor leads to it.
///
/// All names of a file, including symbolic and hard links, have the same identity. Devices, pipes,
/// sockets and folders have none, because reading and writing one at once is harmless or
/// impossible.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let inode: UInt
  /// For a file that does not exist yet: its name in the folder that the numbers identify.
  private let name: String

  /// Returns nil if the path has no regular file.
  package init?(reading path: String) {
    guard let status = fileStatus(path) else { return nil }
    self.init(status)
  }

  /// The file that an output would write, even if it does not exist yet; nil if not regular.
  package init?(writing path: String) {
    if let existing = FileIdentity(reading: path) {
      self = existing
      return
    }
    guard !TemporaryFile.isSpecial(path), let target = TemporaryFile.resolved(path) else {
      return nil
    }
    let (folder, name) = TemporaryFile.split(target)
    guard let status = fileStatus(folder.isEmpty ? "." : folder) else { return nil }
    self.init(device: UInt(status.st_dev), inode: UInt(status.st_ino), name: name)
  }

  /// Returns nil if the descriptor is not of a regular file.
  package init?(descriptor: Int32) {
    var status = stat()
    // `status` is a local of the size that the system expects.
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(device: UInt(status.st_dev), inode: UInt(status.st_ino), name: "")
  }

  private init(device: UInt, inode: UInt, name: String) {
    (self.device, self.inode, self.name) = (device, inode, name)
  }
}

/// The status of what a path names, with links followed; nil if there is nothing.
private func fileStatus(_ path: String) -> stat? {
  var status = stat()
  // `status` is a local of the size that the system expects.
  return unsafe stat(path.fileNameBytes, &status) == 0 ? status : nil
}

import FencepostFiles
import FencepostFormats
import Glibc

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
    var status = stat()
    // `status` is a local of the size that the system expects.
    guard unsafe stat(path.fileNameBytes, &status) == 0 else { return nil }
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
    var status = stat()
    // `status` is a local of the size that the system expects.
    let code = unsafe stat((folder.isEmpty ? "." : folder).fileNameBytes, &status)
    guard code == 0 else { return nil }
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

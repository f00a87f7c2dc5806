import Formats
import Glibc

/// Which file a path or a descriptor stands for, whatever it is called there.
///
/// Two names of one regular file (another spelling, a symbolic or a hard link) have the same identity.
/// Devices, pipes, sockets and folders have none: they can be read and written at once, or not at all.
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let inode: UInt
  /// The name within the folder that the numbers stand for, where there is no file yet.
  private let name: String

  /// The file at a path; nil where there is none that could be read.
  public init?(reading path: String) {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe stat(path.fileNameBytes, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file that an output to a path would write, also where it is not there yet; nil where the path
  /// stands for no regular file, or for nothing.
  public init?(writing path: String) {
    if let existing = FileIdentity(reading: path) {
      self = existing
      return
    }
    guard !TemporaryFile.isSpecial(path), let target = TemporaryFile.resolved(path) else {
      return nil
    }
    let (folder, name) = TemporaryFile.split(target)
    var status = stat()
    // `status` is ours and of the size the system expects.
    let code = unsafe stat((folder.isEmpty ? "." : folder).fileNameBytes, &status)
    guard code == 0 else { return nil }
    self.init(device: UInt(status.st_dev), inode: UInt(status.st_ino), name: name)
  }

  /// The file that a descriptor is open for; nil where that is no regular file.
  public init?(descriptor: Int32) {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(device: UInt(status.st_dev), inode: UInt(status.st_ino), name: "")
  }

  private init(device: UInt, inode: UInt, name: String) {
    self.device = device
    self.inode = inode
    self.name = name
  }
}

import Formats
import Glibc

/// Which file stands at a path, and in what state: a sign that it is worth trying to open again.
public struct StoreFileStamp: Equatable, Sendable {
  private var device: UInt64
  private var inode: UInt64
  private var byteCount: Int64
  private var changeSeconds: Int
  private var changeNanoseconds: Int

  /// Looks at the file at a path, nil where there is none; a symbolic link is followed.
  init?(path: String) {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe stat(path.fileNameBytes, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int64(status.st_size)
    changeSeconds = Int(status.st_mtim.tv_sec)
    changeNanoseconds = Int(status.st_mtim.tv_nsec)
  }

  /// Whether both are the same file, whatever has been written to it.
  func isSameFile(as other: StoreFileStamp) -> Bool {
    device == other.device && inode == other.inode
  }
}

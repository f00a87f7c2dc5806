import FencepostFiles
import FencepostFormats
import Glibc

/// The identity and state of the file at a path, to notice changes.
package struct StoreFileStamp: Equatable, Sendable {
  private var device: UInt64
  private var inode: UInt64
  private(set) var byteCount: Int
  private var changeSeconds: Int
  private var changeNanoseconds: Int

  /// Follows symbolic links; nil if there is no file.
  package init?(path: String) {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe stat(path.fileNameBytes, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int(status.st_size)
    changeSeconds = Int(status.st_mtim.tv_sec)
    changeNanoseconds = Int(status.st_mtim.tv_nsec)
  }

  /// Whether both are the same file, whatever its contents.
  func isSameFile(as other: StoreFileStamp) -> Bool {
    device == other.device && inode == other.inode
  }
}

extension PlaceReader {
  struct Origin {
    var store: PlaceStore
    var stamp: StoreFileStamp
    var lockWaitMilliseconds: Int
  }

  package var path: String { connection.path }

  /// The file now at the path; nil if the file is gone or the store is in memory.
  package var fileStamp: StoreFileStamp? { origin.flatMap { StoreFileStamp(path: $0.store.path) } }

  /// Whether the path now leads to another file than the one being read, or to none.
  ///
  /// Do not query then: SQLite could mistake the other file's journal for its own.
  package var isDisplaced: Bool {
    guard let origin else { return false }
    return fileStamp?.isSameFile(as: origin.stamp) != true
  }

  /// Opens the file now at the path, without waiting for a lock; this reader stays usable.
  package func reopened() throws(PlaceStoreError) -> PlaceReader {
    guard let origin else { throw PlaceStoreError(code: .missing, path: connection.path) }
    return try PlaceStore(path: origin.store.path, lockWaitMilliseconds: 0)
      .makeReader(lockWaitMilliseconds: origin.lockWaitMilliseconds)
  }
}

import FencepostFiles
import FencepostFormats
import Glibc

/// The file at a path and its state: after a change, opening it again may succeed.
package struct StoreFileStamp: Equatable, Sendable {
  private var device: UInt64
  private var inode: UInt64
  private var byteCount: Int64
  private var changeSeconds: Int
  private var changeNanoseconds: Int

  /// Stamps the file at a path, following symbolic links; nil if there is none.
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

/// When another file replaces the store's, such as a new import that is moved over it.
extension PlaceReader {
  /// Where a reader was opened.
  struct Origin {
    var store: PlaceStore
    var stamp: StoreFileStamp
    var lockWaitMilliseconds: Int
  }

  /// The path of the store, for messages.
  package var path: String { connection.path }

  /// The file at the store's path now; nil if there is none, or for a store in memory.
  package var fileStamp: StoreFileStamp? { origin.flatMap { StoreFileStamp(path: $0.store.path) } }

  /// Whether the store's path now has another file than the one being read, or none.
  ///
  /// Make no query then: SQLite could mistake a journal beside the path, which belongs to the other
  /// file, for the journal of the one it reads.
  package var isDisplaced: Bool {
    guard let origin else { return false }
    return fileStamp?.isSameFile(as: origin.stamp) != true
  }

  /// Opens the file at the store's path now, without waiting for a lock.
  ///
  /// - Returns: A reader of it.
  /// - Throws: ``PlaceStoreError``; this reader is unchanged then.
  package func reopened() throws(PlaceStoreError) -> PlaceReader {
    guard let origin else { throw PlaceStoreError(code: .missing, path: connection.path) }
    return try PlaceStore(path: origin.store.path, lockWaitMilliseconds: 0)
      .makeReader(lockWaitMilliseconds: origin.lockWaitMilliseconds)
  }
}

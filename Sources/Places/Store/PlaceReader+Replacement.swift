/// When another file takes the place of the store's, as a new import that is moved over it.
extension PlaceReader {
  /// Where a reader was opened.
  struct Origin {
    var store: PlaceStore
    var stamp: StoreFileStamp
    var lockWaitMilliseconds: Int
  }

  /// The path of the store, for messages.
  public var path: String { connection.path }

  /// What stands at the store's path now, nil where nothing does; nil for a store in memory.
  public var fileStamp: StoreFileStamp? { origin.flatMap { StoreFileStamp(path: $0.store.path) } }

  /// Whether another file, or none, stands at the store's path than that which is read.
  ///
  /// No question should be asked then: beside the path may stand the journal of the other file, which
  /// SQLite would take for that of the one it reads.
  public var isDisplaced: Bool {
    guard let origin else { return false }
    return fileStamp?.isSameFile(as: origin.stamp) != true
  }

  /// Opens the file that stands at the store's path now, at once or not at all.
  ///
  /// - Returns: A reader of it.
  /// - Throws: ``PlaceStoreError``; this reader is as it was then.
  public func reopened() throws(PlaceStoreError) -> PlaceReader {
    guard let origin else { throw PlaceStoreError(code: .missing, path: connection.path) }
    return try PlaceStore(path: origin.store.path, lockWaitMilliseconds: 0)
      .makeReader(lockWaitMilliseconds: origin.lockWaitMilliseconds)
  }
}

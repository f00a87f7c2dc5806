import Foundation

/// Who may read a state file: its owner alone, for it tells where somebody was.
enum FilePermissions {
  /// Makes an empty file that is its owner's alone, where there is none.
  ///
  /// SQLite would make one with the permissions that the umask leaves; what it puts beside the file has
  /// those of the file. Nothing is opened: the system forgets a program's locks of a file when any of its
  /// descriptors is closed. Where it fails SQLite says why.
  static func makePrivate(_ path: String) {
    // The path is there until the call returns.
    _ = unsafe mknod(path, S_IFREG | S_IRUSR | S_IWUSR, 0)
  }

  /// Takes from others what they may do with the file, and with what stands beside it.
  ///
  /// Where it belongs to somebody else it stays as it is.
  static func narrow(_ path: String) {
    let whole = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    for name in [whole] + ["-wal", "-shm", "-journal"].map({ whole + $0 }) {
      var status = stat()
      // `status` is ours and of the size the system expects; the name is there until the calls return.
      guard unsafe stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_mode & (S_IRWXG | S_IRWXO) != 0
      else { continue }
      _ = unsafe chmod(name, status.st_mode & S_IRWXU)
    }
  }
}

import FencepostFiles
import FencepostFormats
import FencepostSQLite
import Glibc

extension PlaceStore {
  /// Imports files of places into a store, which is created if necessary.
  ///
  /// CSV, GeoJSON, Overpass JSON, KML, KMZ, GPX waypoints (zipped or not), RSS and Atom are
  /// recognized by content and may be gzip-compressed. All files are one transaction: if the import
  /// fails or is killed, the store is unchanged and no new one appears.
  ///
  /// - Parameters:
  ///   - files: Paths, or `-` for standard input.
  ///   - path: The store's path.
  ///   - options: How to treat faults.
  /// - Returns: What was imported and refused.
  /// - Throws: ``PlaceImportError``.
  public static func importPlaces(
    from files: [String], into path: String, options: ImportOptions = ImportOptions()
  ) throws(PlaceImportError) -> ImportReport {
    switch fileState(path) {
    case .directory:
      throw .store(PlaceStoreError(code: .inputOutput, path: path, detail: "it is a directory"))
    case .filled:
      let connection = try PlaceImportError.ofStore {
        // Fail early; reading the files may take long.
        _ = try PlaceStore(path: path)
        return try StoreConnection(writing: path)
      }
      return try load(files, into: connection, isNew: false, options: options)
    case .absent, .empty: return try create(path, from: files, options: options)
    }
  }

  /// Creates a store in memory from files of places.
  ///
  /// - Parameters:
  ///   - files: Paths, or `-` for standard input.
  ///   - options: How to treat faults.
  /// - Returns: The store, and what was imported and refused.
  /// - Throws: ``PlaceImportError``.
  public static func inMemory(
    from files: [String], options: ImportOptions = ImportOptions()
  ) throws(PlaceImportError) -> (store: PlaceStore, report: ImportReport) {
    let name = files.joined(separator: ", ")
    let memory = try PlaceImportError.ofStore { try MemoryDatabase(path: name) }
    let staging = try stage(files, on: memory.anchor, options: options)
    var report = staging.report
    try PlaceImportError.ofStore { try memory.load(staging.places, into: &report) }
    return (PlaceStore(memory: memory, path: name), report)
  }

  private static func stage(
    _ files: [String], on connection: StoreConnection, options: ImportOptions
  ) throws(PlaceImportError) -> PlaceStaging {
    let staging = try PlaceImportError.ofStore {
      try PlaceStaging(options: options, on: connection)
    }
    // One transaction for all rows. It touches only temporary tables, so it locks nobody out.
    let reading = try PlaceImportError.ofStore {
      try connection.run { database in
        try database.execute("BEGIN")
        let reading = Result { () throws(PlaceImportError) in
          for file in files { try PlaceFiles.read(path: file, into: staging) }
          try staging.finish()
        }
        try database.execute("COMMIT")
        return reading
      }
    }
    try reading.get()
    return staging
  }

  /// Builds the store under another name, so that it appears whole or not at all.
  private static func create(
    _ path: String, from files: [String], options: ImportOptions
  ) throws(PlaceImportError) -> ImportReport {
    // SQLite would only report that it cannot open the file. The name lives until the call returns.
    guard unsafe access(folder(of: path).fileNameBytes, W_OK) == 0 else {
      throw .store(PlaceStoreError(systemCode: errno, path: path))
    }
    removeAbandoned(path)
    let scratch = "\(path).creating-\(getpid())"
    // The names live until the calls return.
    unsafe _ = unlink(scratch.fileNameBytes)
    do throws(PlaceImportError) {
      let connection = try PlaceImportError.ofStore {
        try StoreConnection(writing: scratch, named: path, isScratch: true)
      }
      let report = try load(files, into: connection, isNew: true, options: options)
      guard synchronize(scratch), unsafe rename(scratch.fileNameBytes, path.fileNameBytes) == 0
      else { throw .store(PlaceStoreError(systemCode: errno, path: path)) }
      return report
    } catch {
      unsafe _ = unlink(scratch.fileNameBytes)
      throw error
    }
  }

  private static func load(
    _ files: [String], into connection: StoreConnection, isNew: Bool, options: ImportOptions
  ) throws(PlaceImportError) -> ImportReport {
    let staging = try stage(files, on: connection, options: options)
    var report = staging.report
    try PlaceImportError.ofStore {
      try connection.write { database in
        if isNew {
          try PlaceSchema.create(on: database)
        } else {
          try PlaceSchema.verifySpatial(database)
          // Earlier versions created stores without it.
          try PlaceCount.create(on: database)
        }
        try PlaceLoader(database: database).load(staging.places.rows, into: &report)
      }
      // Already committed. Without the stored number, the next reader counts.
      try? connection.write { try PlaceCount.note(on: $0) }
    }
    return report
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Removes files of killed imports beside a new store.
  private static func removeAbandoned(_ path: String) {
    let slash = path.lastIndex(of: "/")
    let folder = folder(of: path)
    let prefix = (slash.map { String(path[path.index(after: $0)...]) } ?? path) + ".creating-"
    // The directory stays open until closed below, and each entry is read before the next.
    guard let directory = unsafe opendir(folder.fileNameBytes) else { return }
    defer { unsafe _ = closedir(directory) }
    while let entry = unsafe readdir(directory) {
      // The name is a C string within the entry.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let number = name.dropFirst(prefix.count).prefix { $0.isNumber }
      guard name.hasPrefix(prefix), let process = pid_t(number) else { continue }
      if process != getpid(), kill(process, 0) != 0, errno == ESRCH {
        unsafe _ = unlink("\(folder)/\(name)".fileNameBytes)
      }
    }
  }

  /// Flushes a file to disk, or returns false and sets `errno`.
  private static func synchronize(_ path: String) -> Bool {
    // The path lives until the call returns.
    let descriptor = unsafe open(path.fileNameBytes, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    let code = fsync(descriptor) == 0 ? 0 : errno
    close(descriptor)
    errno = code
    return code == 0
  }
}

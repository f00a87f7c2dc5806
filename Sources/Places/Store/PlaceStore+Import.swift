import FencepostFiles
import FencepostFormats
import Glibc

extension PlaceStore {
  /// Imports files of places into a store, and creates the store if necessary.
  ///
  /// CSV, GeoJSON, Overpass's JSON, KML and KMZ, GPX waypoints (also in a zip archive), RSS and Atom are recognised by content and may be
  /// gzip-compressed.
  /// All files are one transaction: if the program is killed or the import fails, the store is
  /// unchanged and a new one does not exist.
  ///
  /// - Parameters:
  ///   - files: The files' paths; `-` is standard input.
  ///   - path: The store's path.
  ///   - options: How to treat faults.
  /// - Returns: What was done, including refused rows.
  /// - Throws: ``PlaceImportError``.
  public static func importPlaces(
    from files: [String], into path: String, options: ImportOptions = ImportOptions()
  ) throws(PlaceImportError) -> ImportReport {
    let state = fileState(path)
    if state == .directory {
      throw .store(PlaceStoreError(code: .inputOutput, path: path, detail: "a directory"))
    }
    if state == .filled {
      // Before the files are read, which may take long.
      do throws(PlaceStoreError) { _ = try PlaceStore(path: path) } catch { throw .store(error) }
    }
    var staging: PlaceStaging
    do {
      staging = try stage(files, options: options, spoolPath: scratchPath(path) + "-texts")
    } catch .store(let error) {
      throw .store(PlaceStoreError(code: error.code, path: path, detail: error.detail))
    }
    var report = staging.report
    do throws(PlaceStoreError) {
      if state == .filled {
        try write(&staging.places, to: path, isScratch: false, report: &report)
      } else {
        try create(path, with: &staging.places, report: &report)
      }
    } catch {
      throw .store(error)
    }
    return report
  }

  /// Makes a store in memory from files of places.
  ///
  /// - Parameters:
  ///   - files: The files' paths; `-` is standard input.
  ///   - options: How to treat faults.
  /// - Returns: The store, and what was done.
  /// - Throws: ``PlaceImportError``.
  public static func inMemory(
    from files: [String], options: ImportOptions = ImportOptions()
  ) throws(PlaceImportError) -> (store: PlaceStore, report: ImportReport) {
    var staging = try stage(files, options: options, spoolPath: nil)
    var report = staging.report
    let name = files.joined(separator: ", ")
    do throws(PlaceStoreError) {
      return (try inMemory(loading: &staging.places, path: name, into: &report), report)
    } catch {
      throw .store(error)
    }
  }

  private static func stage(
    _ files: [String], options: ImportOptions, spoolPath: String?
  ) throws(PlaceImportError) -> PlaceStaging {
    var staging = PlaceStaging(options: options, spoolPath: spoolPath)
    for file in files { try PlaceFiles.read(path: file, into: &staging) }
    try staging.finish()
    return staging
  }

  /// Makes a store under another name first, so that it appears whole or not at all.
  private static func create(
    _ path: String, with places: inout StagedPlaces, report: inout ImportReport
  ) throws(PlaceStoreError) {
    let folder = folder(of: path)
    // SQLite would report only that it cannot open the file. The name is there until the call returns.
    guard unsafe access(folder.fileNameBytes, W_OK) == 0 else {
      throw PlaceStoreError(systemCode: errno, path: path)
    }
    removeAbandoned(path)
    let scratch = scratchPath(path)
    // Names are there until the calls return.
    unsafe _ = unlink(scratch.fileNameBytes)
    do throws(PlaceStoreError) {
      try write(&places, to: scratch, isScratch: true, report: &report)
      try synchronize(scratch)
      guard unsafe rename(scratch.fileNameBytes, path.fileNameBytes) == 0 else {
        throw PlaceStoreError(systemCode: errno, path: path)
      }
    } catch {
      unsafe _ = unlink(scratch.fileNameBytes)
      throw PlaceStoreError(code: error.code, path: path, detail: error.detail)
    }
  }

  private static func write(
    _ places: inout StagedPlaces, to path: String, isScratch: Bool, report: inout ImportReport
  ) throws(PlaceStoreError) {
    let connection = try StoreConnection(writing: path, isScratch: isScratch)
    try connection.write { database in
      if isScratch {
        try PlaceSchema.create(on: database)
      } else {
        try PlaceSchema.verifySpatial(database)
        // Earlier versions made stores without it.
        try PlaceCount.create(on: database)
      }
      try PlaceLoader(database: database).load(&places, into: &report)
    }
    // The places are committed; without the note the next reader counts them.
    try? connection.write { try PlaceCount.note(on: $0) }
  }

  /// The name of a new store until it is whole.
  private static func scratchPath(_ path: String) -> String { "\(path).creating-\(getpid())" }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Removes what killed imports have left beside a new store.
  private static func removeAbandoned(_ path: String) {
    let slash = path.lastIndex(of: "/")
    let folder = folder(of: path)
    let prefix = (slash.map { String(path[path.index(after: $0)...]) } ?? path) + ".creating-"
    // The directory is open until it is closed below, and an entry is read before the next is asked for.
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

  /// Flushes a file to the disk.
  private static func synchronize(_ path: String) throws(PlaceStoreError) {
    // The path is there until the call returns.
    let descriptor = unsafe open(path.fileNameBytes, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw PlaceStoreError(systemCode: errno, path: path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw PlaceStoreError(systemCode: errno, path: path) }
  }
}

import FencepostCSpatiaLite
import FencepostFiles
import FencepostFormats
import FencepostPlaceList
import FencepostSQLite
import Glibc

extension PlaceStore {
  /// Imports files of places into a store, which is created if necessary.
  ///
  /// CSV, GeoJSON, KML, KMZ, GPX waypoints (zipped or not), RSS and Atom are
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
        // Fails early; reading the files may take long.
        try StoreConnection(editing: path)
      }
      return try merge(files, into: connection, options: options)
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
    let memory = try PlaceImportError.ofStore { try StoreConnection(inMemory: name) }
    try PlaceImportError.ofStore { try memory.write { try PlaceSchema.createBare(on: $0) } }
    let report = try stage(files, .new, on: memory, options: options).report
    return (try PlaceImportError.ofStore { try PlaceStore(memory: memory) }, report)
  }

  /// Reads all files and writes their rows into a table.
  private static func stage(
    _ files: [String], _ table: PlaceRows.Table, on connection: StoreConnection,
    options: ImportOptions
  ) throws(PlaceImportError) -> PlaceStaging {
    let rows = try PlaceImportError.ofStore { try PlaceRows(table, on: connection) }
    let staging = PlaceStaging(rows, options: options)
    // One transaction for all rows. On a store with places, it touches only the temporary table.
    let reading = try PlaceImportError.ofStore {
      try connection.run { database in
        try database.execute("BEGIN")
        let reading = Result { () throws(PlaceImportError) in
          for file in files { try PlaceFiles.read(path: file, into: staging, rows) }
          do throws(PlaceListError) { try staging.finish() } catch { throw PlaceImportError(error) }
          try PlaceImportError.ofStore { try rows.check() }
        }
        guard case .success = reading else {
          // Nothing of it is needed, and a full disk may have ended it already.
          if database.isInTransaction { try? database.execute("ROLLBACK") }
          return reading
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
        try StoreConnection(creating: scratch, named: path)
      }
      let report = try fill(connection, from: files, options: options)
      guard synchronize(scratch), unsafe rename(scratch.fileNameBytes, path.fileNameBytes) == 0
      else { throw .store(PlaceStoreError(systemCode: errno, path: path)) }
      return report
    } catch {
      unsafe _ = unlink(scratch.fileNameBytes)
      throw error
    }
  }

  /// Fills a new store.
  private static func fill(
    _ connection: StoreConnection, from files: [String], options: ImportOptions
  ) throws(PlaceImportError) -> ImportReport {
    try PlaceImportError.ofStore { try connection.write { try PlaceSchema.create(on: $0) } }
    let (report, cells) = try filled(connection, from: files, options: options)
    try PlaceImportError.ofStore {
      try connection.write { database in
        try PackedTree(PlaceSchema.spatialIndex, on: database).write(cells)
        try database.execute(PlaceSchema.uniqueID)
        try PlaceSchema.noteChange(database)
      }
    }
    noteCount(connection)
    return report
  }

  /// Fills the table of a new store, and returns the cells of the spatial index.
  private static func filled(
    _ connection: StoreConnection, from files: [String], options: ImportOptions
  ) throws(PlaceImportError) -> (ImportReport, [PackedTree.Cell]) {
    let staging = try stage(files, .new, on: connection, options: options)
    let cells = staging.places.rows.enumerated().map { index, row in
      PackedTree.Cell(row: Int64(index + 1), point: row.coordinate)
    }
    return (staging.report, cells)
  }

  /// Adds files to a store that exists.
  private static func merge(
    _ files: [String], into connection: StoreConnection, options: ImportOptions
  ) throws(PlaceImportError) -> ImportReport {
    let staging = try stage(files, .waiting, on: connection, options: options)
    var report = staging.report
    try PlaceImportError.ofStore {
      try connection.write { database in
        try PlaceSchema.verifySpatial(database)
        try PlaceSchema.upgrade(database)
        // The first versions created stores without it.
        try PlaceCount.create(on: database)
        let inserted = try PlaceLoader(database: database).merge(report.imported)
        try PlaceSchema.noteChange(database)
        report.updated = report.imported - inserted
        report.imported = inserted
      }
    }
    noteCount(connection)
    return report
  }

  /// Stores the number of places in a transaction of its own.
  private static func noteCount(_ connection: StoreConnection) {
    // Already committed. Without the stored number, the next reader counts.
    try? connection.write { try PlaceCount.note(on: $0) }
  }

  /// The folder of a path; the current one if it names none.
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

/// Writes many places at once into the tables of a store, within the caller's transaction.
///
/// The rows wait in a temporary table. Few of them update the spatial index one by one; many of
/// them have the whole index written anew.
struct PlaceLoader {
  /// From this many rows on, rebuild the index rather than update it row by row.
  private static let bulkRows = 2000
  /// But not if the store already holds more than this many times as many rows.
  private static let bulkShare = 20

  private static let columns = PlaceRows.columns.joined(separator: ", ")
  private static let upsert =
    "INSERT INTO places (\(columns)) SELECT \(columns) FROM temp.staged WHERE true"
    + " ORDER BY number ON CONFLICT (id) DO UPDATE SET "
    + PlaceRows.columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

  let database: Database

  /// Writes so many waiting rows, each of which replaces a stored place with the same id.
  ///
  /// - Returns: How many places the store has gained.
  func merge(_ rowCount: Int) throws -> Int {
    let present = try database.number("SELECT count(*) FROM places")
    try database.execute(PlaceLoader.upsert)
    if rowCount >= max(PlaceLoader.bulkRows, present / PlaceLoader.bulkShare) {
      try rebuildTree()
    } else {
      try updateTree()
    }
    return try database.number("SELECT count(*) FROM places") - present
  }

  /// Puts the waiting rows into the spatial index.
  private func updateTree() throws {
    let index = try SpatialIndex(on: database)
    let rows = try Statement(
      "SELECT p.key, p.geometry FROM temp.staged AS s JOIN main.places AS p ON p.id = s.id",
      on: database)
    while try rows.step() {
      guard let point = rows.withBlob(1, PointBlob.decode) else { continue }
      try index.put(rows.integer(0), at: point)
    }
  }

  /// Writes the spatial index of all places anew.
  private func rebuildTree() throws {
    var cells: [PackedTree.Cell] = []
    let rows = try Statement("SELECT key, geometry FROM places ORDER BY key", on: database)
    while try rows.step() {
      guard let point = rows.withBlob(1, PointBlob.decode) else { continue }
      cells.append(PackedTree.Cell(row: rows.integer(0), point: point))
    }
    // SQLite defends the tables behind a virtual table. No statement here is the file's own.
    database.configure(SQLITE_DBCONFIG_DEFENSIVE, isOn: false)
    defer { database.configure(SQLITE_DBCONFIG_DEFENSIVE, isOn: true) }
    try PackedTree(PlaceSchema.spatialIndex, on: database).write(cells)
  }
}

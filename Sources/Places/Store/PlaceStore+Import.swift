import FencepostFiles
import FencepostFormats
import FencepostGeodesy
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
    let memory = try PlaceImportError.ofStore { try StoreConnection(inMemory: name) }
    let staging = try stage(files, on: memory, options: options)
    var report = staging.report
    let store = try PlaceImportError.ofStore {
      try PlaceStore(memory: memory, staging.places, into: &report)
    }
    return (store, report)
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

/// Writes staged places into the tables of a store, within the caller's transaction.
struct PlaceLoader {
  /// From this many rows on, rebuild the indexes rather than update them row by row.
  private static let bulkRows = 2000
  /// But not if the store already holds more than this many times as many rows.
  private static let bulkShare = 20

  /// How much of the staged rows' file SQLite may map.
  private static let mappedBytes = 1 << 31

  private static let columns = StagedPlaces.columns.joined(separator: ", ")
  private static let upsert =
    "INSERT INTO places (\(columns)) SELECT \(columns) FROM temp.staged WHERE true"
    + " ORDER BY number ON CONFLICT (id) DO UPDATE SET "
    + StagedPlaces.columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

  let database: Database

  /// Writes all rows; each replaces a stored place with the same id.
  func load(_ rows: [StagedPlaces.Row], into report: inout ImportReport) throws {
    let present = try database.number("SELECT count(*) FROM places")
    let isBulk =
      present == 0 || rows.count >= max(PlaceLoader.bulkRows, present / PlaceLoader.bulkShare)
    let triggers = isBulk ? try dropTriggers() : []
    if present == 0 {
      try database.execute("DROP INDEX IF EXISTS places_id")
      // In tree order, neighbors get neighboring keys.
      let (order, groups) = try order(rows.map { ($0.coordinate, $0.radiusMeters) })
      try insert(inOrder: order)
      try database.execute(PlaceSchema.uniqueID)
      let first = Int64(try database.number("SELECT ifnull(min(key), 0) FROM places"))
      let cells = order.enumerated().map { index, row in
        PackedTree.Cell(
          row: first + Int64(index), center: rows[row].coordinate,
          radiusMeters: rows[row].radiusMeters)
      }
      try writeTrees(cells, groups)
    } else {
      try database.execute(PlaceLoader.upsert)
      if isBulk { try rebuildTrees() }
    }
    if isBulk { try restore(triggers) }
    let inserted = try database.number("SELECT count(*) FROM places") - present
    report.imported += inserted
    report.updated += rows.count - inserted
  }

  /// Copies the staged rows by one statement, since a run for each costs more than the row.
  private func insert(inOrder order: [Int]) throws {
    try database.execute("CREATE TEMP TABLE arranged (place INTEGER PRIMARY KEY, number INTEGER)")
    let numbers = try Statement(
      "INSERT INTO temp.arranged (number) SELECT value FROM json_each(?1)", on: database)
    for start in stride(from: 0, to: order.count, by: 1000) {
      let rows = order[start..<min(order.count, start + 1000)]
      numbers.bind("[\(rows.map(String.init).joined(separator: ","))]", at: 1)
      try numbers.run()
    }
    // The rows are all over the temporary file, and a system call for each would double the time.
    try database.execute(
      """
      PRAGMA temp.mmap_size = \(Self.mappedBytes);
      INSERT INTO places (\(Self.columns)) SELECT \(Self.columns)
      FROM temp.arranged AS a CROSS JOIN temp.staged AS s ON s.number = a.number ORDER BY a.place;
      DROP TABLE temp.arranged
      """)
    try database.requireTransaction()
  }

  private func order(
    _ circles: [(center: Coordinate, radiusMeters: Double)]
  ) throws -> (order: [Int], groups: [Range<Int>]) {
    let tree = try PackedTree(PlaceSchema.reachTree, dimensions: 3, on: database)
    return TreeOrder.order(circles, capacity: tree.capacity)
  }

  // MARK: Triggers

  private func dropTriggers() throws -> [String] {
    let filter = "FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'places'"
    let definitions = try database.all("SELECT sql \(filter) ORDER BY rowid") { $0.string(0) }
    for name in try database.all("SELECT name \(filter)", [], { $0.string(0) }) {
      // The name comes from the file, which may be hostile.
      try database.execute("DROP TRIGGER \"\(name.replacing("\"", with: "\"\""))\"")
    }
    return definitions
  }

  private func restore(_ triggers: [String]) throws {
    for sql in triggers { try database.execute(sql) }
    // SpatiaLite's own trigger would have recorded this for each row.
    guard !triggers.isEmpty else { return }
    try database.execute(
      """
      UPDATE geometry_columns_time SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      WHERE f_table_name = 'places'
      """)
  }

  // MARK: Trees

  private func rebuildTrees() throws {
    var keys: [Int64] = []
    var circles: [(center: Coordinate, radiusMeters: Double)] = []
    let rows = try Statement("SELECT key, geometry, radius FROM places ORDER BY key", on: database)
    while try rows.step() {
      guard let center = rows.withBlob(1, PointBlob.decode) else { continue }
      keys.append(rows.integer(0))
      circles.append((center, rows.double(2)))
    }
    let (order, groups) = try order(circles)
    let cells = order.map {
      PackedTree.Cell(
        row: keys[$0], center: circles[$0].center, radiusMeters: circles[$0].radiusMeters)
    }
    try writeTrees(cells, groups)
  }

  /// Writes the trees that the store has; a store in memory has no spatial index.
  private func writeTrees(_ cells: [PackedTree.Cell], _ groups: [Range<Int>]) throws {
    let circles = try PackedTree(PlaceSchema.reachTree, dimensions: 3, on: database)
    try circles.write(cells, groups: groups)
    guard try database.hasObject(PlaceSchema.spatialIndex) else { return }
    try PackedTree(PlaceSchema.spatialIndex, dimensions: 2, on: database)
      .write(cells, groups: groups, twin: circles)
  }
}

import FencepostMonitoring
import FencepostSQLite

/// The tables of a store, in SQL.
///
/// SpatiaLite's index holds only points. `places_reach`, an R*Tree over longitude, latitude and
/// radius, covers their circles. Triggers keep it up to date, also after edits by QGIS or the
/// `spatialite` shell.
enum PlaceSchema {
  /// "FNCP", the SQLite application id of a store.
  static let applicationID = 0x464E_4350
  /// The version of these tables, stored as SQLite's user version.
  static let version = 1
  /// SpatiaLite's name for its index.
  static let spatialIndex = "idx_places_geometry"
  static let reachTree = "places_reach"
  /// Scales radii to roughly degrees of latitude, so that all three dimensions weigh the same.
  static let metersPerReachUnit = 100_000.0
  /// Gives every cell a volume, because the tree compares volumes.
  static let reachThickness = 0.001

  // Every candidate's position and radius are read, so they precede the long texts.
  static let table = """
    CREATE TABLE places (
      key INTEGER PRIMARY KEY NOT NULL,
      id TEXT NOT NULL CHECK (length(id) > 0),
      geometry POINT NOT NULL,
      radius DOUBLE NOT NULL DEFAULT 100 CHECK (radius > 0 AND radius <= 20000000),
      title TEXT DEFAULT '',
      category TEXT DEFAULT '',
      priority INTEGER DEFAULT 0,
      published DATETIME,
      expires DATETIME,
      url TEXT DEFAULT '',
      blurb TEXT DEFAULT ''
    )
    """

  static let reach = """
    CREATE VIRTUAL TABLE places_reach USING rtree(
      key, lon_min, lon_max, lat_min, lat_max, reach_min, reach_max)
    """

  static let uniqueID = "CREATE UNIQUE INDEX places_id ON places (id)"

  /// Run after creating the table, with SpatiaLite attached.
  static let registration = [
    ("SELECT RecoverGeometryColumn('places', 'geometry', 4326, 'POINT', 'XY')", "geometry column"),
    ("SELECT CreateSpatialIndex('places', 'geometry')", "spatial index"),
  ]

  static let triggers = [
    """
    CREATE TRIGGER places_reach_insert AFTER INSERT ON places BEGIN
      \(refuseOutOfRange)
      DELETE FROM places_reach WHERE key = NEW.key;
      \(insertReach)
    END
    """,
    """
    CREATE TRIGGER places_reach_update AFTER UPDATE OF key, geometry, radius ON places BEGIN
      \(refuseOutOfRange)
      DELETE FROM places_reach WHERE key IN (OLD.key, NEW.key);
      \(insertReach)
    END
    """,
    // SpatiaLite's own triggers handle only changes of the geometry.
    """
    CREATE TRIGGER places_key_update AFTER UPDATE OF key ON places WHEN OLD.key <> NEW.key BEGIN
      DELETE FROM \(spatialIndex) WHERE pkid IN (OLD.key, NEW.key);
      SELECT RTreeAlign('\(spatialIndex)', NEW.key, NEW.geometry);
    END
    """,
    """
    CREATE TRIGGER places_reach_delete AFTER DELETE ON places BEGIN
      DELETE FROM places_reach WHERE key = OLD.key;
    END
    """,
  ]

  private static let refuseOutOfRange = """
    SELECT RAISE(ABORT, 'a place needs a longitude of -180 to 180 and a latitude of -90 to 90')
      WHERE coalesce(abs(ST_X(NEW.geometry)) <= 180 AND abs(ST_Y(NEW.geometry)) <= 90, 0) = 0;
    """

  private static let insertReach = """
    INSERT INTO places_reach VALUES (NEW.key,
        ST_X(NEW.geometry), ST_X(NEW.geometry), ST_Y(NEW.geometry), ST_Y(NEW.geometry),
        NEW.radius / \(metersPerReachUnit),
        NEW.radius / \(metersPerReachUnit) + \(reachThickness));
    """

  static func createBare(on database: Database) throws {
    try database.execute(table)
    try database.execute(reach)
    try database.execute(
      "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
  }

  static func create(on database: Database) throws {
    // 0 stays within the caller's transaction; WGS84 takes a third of a megabyte instead of seven.
    try succeed("SELECT InitSpatialMetaData(0, 'WGS84')", "metadata", on: database)
    try createBare(on: database)
    for (sql, name) in registration { try succeed(sql, name, on: database) }
    for sql in triggers { try database.execute(sql) }
    try database.execute(uniqueID)
    try PlaceCount.create(on: database)
  }

  private static func succeed(_ sql: String, _ name: String, on database: Database) throws {
    guard try database.number(sql) == 1 else {
      throw PlaceStoreError(
        code: .statement, path: database.name, detail: "SpatiaLite did not create the \(name)")
    }
  }

  static func verifySpatial(_ database: Database) throws {
    for table in ["geometry_columns", "geometry_columns_time", "spatial_ref_sys"]
    where try !database.hasObject(table) {
      throw PlaceStoreError(
        code: .damaged, path: database.name, detail: "its spatial metadata is missing")
    }
  }

  static func verify(_ database: Database) throws {
    guard try database.number("PRAGMA application_id") == applicationID else {
      throw PlaceStoreError(code: .notAStore, path: database.name)
    }
    let version = try database.number("PRAGMA user_version")
    guard version <= PlaceSchema.version else {
      throw PlaceStoreError(
        code: .newerVersion, path: database.name,
        detail: "store version \(version), supported up to \(PlaceSchema.version)")
    }
    guard try database.hasObject("places"), try database.hasObject(reachTree) else {
      throw PlaceStoreError(code: .damaged, path: database.name, detail: "a table is missing")
    }
    // Fails as `.replaced` if a column is missing.
    _ = try Statement(Place.select + " LIMIT 0", on: database)
  }
}

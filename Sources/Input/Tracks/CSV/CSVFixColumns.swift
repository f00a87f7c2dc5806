import FencepostFormats

/// Finds the columns of a table that hold the values of a fix.
///
/// Names are compared without case, spaces and punctuation. If several columns qualify, the name
/// that comes first in the lists below wins, then the first column.
///
/// - The time of the fix precedes those of the device and the server (Traccar's `fixTime`,
///   `deviceTime`, `serverTime`). UTC comes first, local time last.
/// - A time of day, such as `time` or `utc_t`, is combined with a date, such as `date` or `utc_d`.
///   Without a time column, a date column is used.
/// - `lat` and `lon` precede `y` and `x`, which hold projected coordinates in many tables.
/// - A row with positions of a start and an end makes two fixes.
/// - Names may have a prefix, as in `location/latitude` or `OSD.latitude`, if only one is possible.
/// - Columns of year, month and day make a date, and those of hour and minute a time of day.
struct CSVFixColumns: Sendable {
  /// The columns of one fix, as indices from 0; nil for a value that the table lacks.
  struct Fields: Sendable {
    /// The column with the time, or with the date and time.
    var time: Int?
    /// The date column, if the time column may hold only a time of day.
    var date: Int?
    /// The column with the UTC offset of local times.
    var offset: Int?
    /// A column with time zones, which are not read.
    var zone: Int?
    /// The columns with year, month and day.
    var calendar: Parts?
    /// The columns with hour, minute and, if there is one, second.
    var clock: Parts?
    /// The column with the latitude, or with the whole position.
    var latitude: Int
    /// The column with the longitude; the same as ``latitude`` for well-known text.
    var longitude: Int
    /// The column with N or S, for latitudes without a sign.
    var latitudeHemisphere: Int?
    /// The column with E or W, for longitudes without a sign.
    var longitudeHemisphere: Int?
    var positions = Positions.degrees
    /// The accuracy column, in meters.
    var accuracy: Int?
    /// The speed column, in meters per second.
    var speed: Int?
    /// The course column, in degrees from north.
    var course: Int?

    /// The columns of a date or a time of day in parts, greatest first.
    ///
    /// They are no array, so that passing the fields of a row on costs nothing.
    struct Parts: Sendable {
      var first: Int
      var second: Int
      var third: Int?

      var columns: [Int] { [first, second] + (third.map { [$0] } ?? []) }
    }

    /// Whether rows have a time in any form.
    var hasTime: Bool { time != nil || calendar != nil }

    /// Whether the position is in the same columns.
    func isAlike(_ other: Self) -> Bool {
      latitude == other.latitude && longitude == other.longitude
    }

    /// Whether a column holds a part of the position or the time.
    func uses(_ column: Int) -> Bool {
      time == column || date == column || latitude == column || longitude == column
        || latitudeHemisphere == column || longitudeHemisphere == column
        || [calendar, clock].contains { $0?.columns.contains(column) ?? false }
    }
  }

  /// The columns of a row's only or first fix.
  private(set) var fields: Fields
  /// The columns of a row's second fix; nil if rows have one fix.
  private(set) var endFields: Fields?
  /// The columns in which rows say whether they are fixes.
  private(set) var states: [CSVFixState]
  let titles: [String]
  /// The names without case, spaces, punctuation and prefix.
  let names: [String]
  /// What `O` means beside a longitude in the header's language; nil if that is unknown.
  private(set) var meaningOfO: CSVHemisphere?
  /// The title of the time column, or of the year; empty without times.
  private(set) var timeName = ""
  /// The title of the date column; empty without one.
  private(set) var dateName = ""
  /// Whether the names suggest dates, which Excel may export as numbers.
  private(set) var namesDate = false
  /// Whether the time column's name suggests local time in an unknown zone.
  var isLocalTime: Bool { Self.isLocal(timeName.lowercased()) }
  /// Whether a name of the time's columns says that times are in UTC.
  var isUTC: Bool {
    [timeName, dateName].contains { name in
      let name = name.lowercased()
      return name.contains("utc") || name.contains("gmt")
    }
  }

  /// How a table writes positions.
  enum Positions: Sendable {
    /// Decimal degrees, optionally with a hemisphere.
    case degrees
    /// Integers in units of 10⁻⁷ degrees.
    case e7
    /// Well-known text in one column: `POINT (-75.15 39.95)`.
    case wellKnownText
  }

  /// Whether a name says that times are those of a local clock.
  private static func isLocal(_ name: String) -> Bool {
    name.contains("local") || name.contains("lcl")
  }

  private static let timeNames = [
    "fixtime", "gpstime", "gpsdatetime", "gpstimestamp", "utc", "utctime", "timeutc", "utct",
    "utcdatetime", "datetimeutc", "utctimestamp", "timestamputc", "datetime", "dateandtime",
    "timestamp", "time", "isotime", "timeiso", "timeiso8601", "iso8601", "isodatetime", "t", "ts",
    "tst", "timeunix", "unixtime", "unixtimestamp", "unix", "epoch", "epochtime", "epochseconds",
    "epochms", "timems", "timestampms", "timestampmillis", "timeexcel", "exceltime", "exceldate",
    "when", "recordedat", "zeitstempel", "zeit", "uhrzeit", "datumuhrzeit", "heure", "hora",
    "fechahora", "horodatage", "devicetime", "localdatetime", "localtime", "timelocal",
    "lcltime", "updatetimelocal", "updatetime", "servertime", "starttime", "startdatetime",
    "starttimestamp", "startedat",
  ]
  /// Names of columns that may hold only a time of day.
  private static let timeOfDayNames: Set<String> = [
    "time", "utc", "utctime", "timeutc", "utct", "gpstime", "fixtime", "zeit", "uhrzeit", "heure",
    "hora", "localtime", "timelocal", "lcltime", "updatetimelocal", "updatetime", "starttime", "t",
  ]
  private static let dateNames = [
    "date", "datum", "fecha", "data", "jour", "day", "gpsdate", "utcdate", "dateutc", "utcd",
    "fixdate", "localdate", "datelocal", "lcldate", "startdate",
  ]
  /// The preferred date columns for each time-of-day column.
  private static let partners = [
    "utct": ["utcd"], "utctime": ["utcdate", "dateutc"], "timeutc": ["dateutc", "utcdate"],
    "utc": ["utcdate", "dateutc"], "gpstime": ["gpsdate"], "fixtime": ["fixdate"],
    "localtime": ["localdate"], "timelocal": ["datelocal"], "lcltime": ["lcldate"],
    "starttime": ["startdate"],
  ]
  private static let offsetNames = ["utcofst", "utcoffset", "utcoffsethhmm", "gmtoffset"]
  private static let zoneNames = [
    "zone", "timezone", "tz", "tzoffset", "timezoneoffset", "zeitzone",
  ]
  private static let endTimeNames = ["endtime", "enddatetime", "endtimestamp", "endedat"]
  private static let latitudeNames = [
    "lat", "latitude", "latitudedeg", "latitudedegrees", "latdeg", "latitudens", "gpslat",
    "gpslatitude", "latwgs84", "latitudewgs84", "breite", "breitengrad", "latitud", "latitudine",
    "y", "startlat", "startlatitude", "latitudee7", "late7",
  ]
  private static let longitudeNames = [
    "lon", "lng", "long", "longitude", "longitudedeg", "longitudedegrees", "londeg", "lngdeg",
    "longitudeew", "gpslon", "gpslng", "gpslong", "gpslongitude", "lonwgs84", "longitudewgs84",
    "länge", "laenge", "längengrad", "laengengrad", "longitud", "longitudine", "x",
    "startlon", "startlng", "startlong", "startlongitude", "longitudee7", "lone7", "lnge7",
  ]
  private static let wellKnownTextNames = [
    "wkt", "geom", "geometry", "thegeom", "wktgeom", "geomwkt", "point", "geopoint",
  ]
  private static let accuracyNames = [
    "accuracy", "acc", "horizontalaccuracy", "accuracyhorizontal", "hacc", "haccuracy",
    "accuracymeters", "accuracym",
  ]
  /// Only names that state the unit; other columns may hold km/h or knots.
  private static let speedNames = [
    "speedmps", "speedms", "speedmeterspersecond", "speedmetersecond", "velocitymps", "velocityms",
  ]
  private static let courseNames = [
    "course", "heading", "bearing", "coursedegrees", "headingdegrees", "bearingdegrees",
    "coursedeg", "headingdeg", "bearingdeg",
  ]

  private static let calendarNames = [
    ["year", "yyyy", "jahr", "annee", "année", "ano", "año", "anno", "utcyear", "gpsyear"],
    ["month", "mm", "monat", "mois", "mes", "mese", "utcmonth", "gpsmonth"],
    ["day", "dd", "tag", "jour", "dia", "día", "giorno", "dayofmonth", "utcday", "gpsday"],
  ]
  private static let clockNames = [
    ["hour", "hours", "hh", "hr", "stunde", "heure", "hora", "ora", "utchour", "gpshour"],
    ["minute", "minutes", "min", "mi", "minuto", "utcminute", "gpsminute"],
    ["second", "seconds", "sec", "ss", "sekunde", "seconde", "segundo", "utcsecond", "gpssecond"],
  ]

  /// Parses the current record as a header; nil if it lacks latitude or longitude.
  init?(header reader: borrowing CSVReader) {
    var titles: [String] = []
    for index in 0..<reader.fieldCount { titles.append(reader.string(index)) }
    var names = CSVColumnPrefix.names(
      titles, latitudes: Self.latitudeNames, longitudes: Self.longitudeNames)
    CSVColumnPrefix.dropPrefix(of: Self.timeNames, in: titles, from: &names)
    CSVColumnPrefix.dropPrefix(of: Self.dateNames, in: titles, from: &names)
    func column(_ known: [String]) -> Int? {
      for name in known {
        if let index = names.firstIndex(of: name) { return index }
      }
      return nil
    }
    // A single column may be a title that happens to match.
    let text = names.count > 1 ? column(Self.wellKnownTextNames) : nil
    guard let latitude = column(Self.latitudeNames) ?? text,
      let longitude = column(Self.longitudeNames) ?? text
    else { return nil }
    (self.titles, self.names) = (titles, names)
    fields = Fields(latitude: latitude, longitude: longitude)
    if names[latitude].hasSuffix("e7") { fields.positions = .e7 }
    if latitude == longitude { fields.positions = .wellKnownText }
    fields.accuracy = column(Self.accuracyNames)
    fields.speed = column(Self.speedNames)
    fields.course = column(Self.courseNames)
    fields.time =
      column(Self.timeNames) ?? names.firstIndex { $0.hasSuffix("epoch") || $0.hasPrefix("epoch") }
    if let time = fields.time, Self.timeOfDayNames.contains(names[time]) {
      fields.date = column((Self.partners[names[time]] ?? []) + Self.dateNames)
    } else if fields.time == nil {
      fields.time = column(Self.dateNames)
    }
    if let time = fields.time, Self.isLocal(names[time]) {
      fields.offset = column(Self.offsetNames)
    }
    if fields.offset == nil { fields.zone = column(Self.zoneNames + Self.offsetNames) }
    fields.findParts(of: Self.calendarNames.map(column), Self.clockNames.map(column)) {
      Self.timeOfDayNames.contains(names[$0])
    }
    states = []
    timeName = fields.time.map { titles[$0] } ?? (fields.calendar?.first).map { titles[$0] } ?? ""
    dateName = fields.date.map { titles[$0] } ?? ""
    namesDate = [fields.time, fields.date].compactMap(\.self).contains { column in
      ["date", "datum", "fecha", "excel"].contains { names[column].contains($0) }
    }
    findHemispheres()
    if names[latitude].hasPrefix("start"), names[longitude].hasPrefix("start"),
      let endLatitude = column(["endlat", "endlatitude"]),
      let endLongitude = column(["endlon", "endlng", "endlong", "endlongitude"])
    {
      var end = fields
      end.time = column(Self.endTimeNames)
      (end.latitude, end.longitude) = (endLatitude, endLongitude)
      endFields = end
    }
    let (used, end) = (fields, endFields)
    states = CSVFixState.columns(titles: titles, names: names) {
      used.uses($0) || end?.uses($0) ?? false
    }
  }

  // MARK: Hemispheres

  /// Finds columns of hemispheres by their names, and the language that tells what `O` means.
  private mutating func findHemispheres() {
    guard fields.positions == .degrees else { return }
    let used = fields
    func column(_ axis: CSVAxis) -> Int? {
      names.indices.first { !used.uses($0) && axis.namesHemisphere(names[$0]) }
    }
    var (latitude, longitude) = (column(.latitude), column(.longitude))
    // Alone, two letters may mean anything: `ns` nanoseconds, `we` the weekend.
    func isShort(_ column: Int?) -> Bool { column.map { names[$0].count == 2 } ?? false }
    if longitude == nil, isShort(latitude) { latitude = nil }
    if latitude == nil, isShort(longitude) { longitude = nil }
    (fields.latitudeHemisphere, fields.longitudeHemisphere) = (latitude, longitude)
    let isGerman = names.contains { $0.hasPrefix("breite") || $0.contains("uhrzeit") }
    let isRomance = names.contains { name in
      ["latitudine", "longitudine", "fecha", "hora", "heure", "horodatage", "jour"].contains(name)
        || name.hasSuffix("latitud") || name.hasSuffix("longitud")
    }
    if isGerman != isRomance { meaningOfO = isGerman ? .east : .west }
  }

  /// Takes columns of hemispheres that were found by their cells.
  mutating func take(hemispheres found: (latitude: Int?, longitude: Int?)) {
    (fields.latitudeHemisphere, fields.longitudeHemisphere) = found
  }

  // MARK: States

  /// The title of the column in which the row says itself that it is not a fix; nil without one.
  mutating func voidColumn(in reader: borrowing CSVReader) -> String? {
    for index in states.indices where states[index].column < reader.fieldCount {
      let isVoid = reader.withTrimmedField(states[index].column) { states[index].isVoid($0) }
      if isVoid { return states[index].title }
    }
    return nil
  }
}

extension CSVFixColumns.Fields {
  /// Finds the parts of dates and times of day, unless a column has the whole.
  fileprivate mutating func findParts(
    of calendar: [Int?], _ clock: [Int?], isTimeOfDay: (Int) -> Bool
  ) {
    let days = calendar.compactMap(\.self)
    guard days.count == 3 else { return }
    let (hour, minute) = (clock[0], clock[1])
    let isPart = time.map { days.contains($0) || clock.contains($0) } ?? true
    guard isPart || time.map(isTimeOfDay) ?? false, date.map(days.contains) ?? true else { return }
    self.calendar = Parts(first: days[0], second: days[1], third: days[2])
    date = nil
    guard isPart else { return }
    time = nil
    if let hour, let minute { self.clock = Parts(first: hour, second: minute, third: clock[2]) }
  }
}

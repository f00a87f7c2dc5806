import FencepostFormats

/// Which columns of a header hold what a fix needs.
///
/// Names are compared without regard to case, blanks and punctuation. Where several columns could hold
/// the same, the one whose name stands first in the list below counts, and of equal names the first:
///
/// - Times of the fix itself precede those of the device, and these the server's: Traccar's
///   `fixTime`, `deviceTime`, `serverTime`. Names that say UTC precede those that do not, and names
///   that say local time come after them.
/// - A column of the time of day, such as `time` or `utc_t`, belongs to the column of the date, such as
///   `date` or `utc_d`; where there is no other, a column of dates holds the times.
/// - `lat` and `lon` precede `y` and `x`, which are projected coordinates in many tables.
struct CSVFixColumns: Sendable {
  var time: Int?
  /// The column of the date, where that of the time has only the time of day.
  var date: Int?
  var latitude: Int
  var longitude: Int
  /// Columns that say N or S, and E or W, for numbers without a sign.
  var latitudeHemisphere: Int?
  var longitudeHemisphere: Int?
  var accuracy: Int?
  /// How many columns there are.
  var count: Int
  /// The names of the columns of times as the header has them.
  var timeName = ""
  var dateName = ""
  /// Whether the columns' names say that they hold dates, which Excel may have written as numbers.
  var namesDate = false
  /// Whether the column of times says that it holds the local time of an unknown zone.
  var isLocalTime: Bool { timeName.lowercased().contains("local") }

  private static let timeNames = [
    "fixtime", "gpstime", "gpsdatetime", "gpstimestamp", "utc", "utctime", "timeutc", "utct",
    "utcdatetime", "datetimeutc", "utctimestamp", "timestamputc", "datetime", "dateandtime",
    "timestamp", "time", "isotime", "timeiso", "timeiso8601", "iso8601", "isodatetime", "t", "ts",
    "tst", "timeunix", "unixtime", "unixtimestamp", "unix", "epoch", "epochtime", "epochseconds",
    "epochms", "timems", "timestampms", "timestampmillis", "timeexcel", "exceltime", "exceldate",
    "when", "recordedat", "zeitstempel", "zeit", "uhrzeit", "datumuhrzeit", "heure", "hora",
    "fechahora", "horodatage", "devicetime", "localdatetime", "localtime", "timelocal",
    "servertime",
  ]
  /// Those that may hold the time of day alone.
  private static let timeOfDayNames: Set<String> = [
    "time", "utc", "utctime", "timeutc", "utct", "gpstime", "fixtime", "zeit", "uhrzeit", "heure",
    "hora", "localtime", "timelocal", "t",
  ]
  private static let dateNames = [
    "date", "datum", "fecha", "data", "jour", "day", "gpsdate", "utcdate", "dateutc", "utcd",
    "fixdate", "localdate", "datelocal",
  ]
  /// The dates that are preferred beside a time of day of this name.
  private static let partners = [
    "utct": ["utcd"], "utctime": ["utcdate", "dateutc"], "timeutc": ["dateutc", "utcdate"],
    "utc": ["utcdate", "dateutc"], "gpstime": ["gpsdate"], "fixtime": ["fixdate"],
    "localtime": ["localdate"], "timelocal": ["datelocal"],
  ]
  private static let latitudeNames = [
    "lat", "latitude", "latitudedeg", "latitudedegrees", "latdeg", "latitudens", "gpslat",
    "gpslatitude", "latwgs84", "latitudewgs84", "breite", "breitengrad", "latitud", "latitudine",
    "y",
  ]
  private static let longitudeNames = [
    "lon", "lng", "long", "longitude", "longitudedeg", "longitudedegrees", "londeg", "lngdeg",
    "longitudeew", "gpslon", "gpslng", "gpslong", "gpslongitude", "lonwgs84", "longitudewgs84",
    "länge", "laenge", "längengrad", "laengengrad", "longitud", "longitudine", "x",
  ]
  private static let accuracyNames = [
    "accuracy", "acc", "horizontalaccuracy", "accuracyhorizontal", "hacc", "haccuracy",
    "accuracymeters", "accuracym",
  ]

  /// Reads the current record as a header; nil when it names no latitude and longitude.
  init?(header reader: borrowing CSVReader) {
    var titles: [String] = []
    for index in 0..<reader.fieldCount { titles.append(reader.string(index)) }
    let names = titles.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
    func column(_ known: [String]) -> Int? {
      for name in known {
        if let index = names.firstIndex(of: name) { return index }
      }
      return nil
    }
    guard let latitude = column(Self.latitudeNames), let longitude = column(Self.longitudeNames)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    latitudeHemisphere = column(["ns", "northsouth", "latns", "latref", "latituderef"])
    longitudeHemisphere = column(["ew", "eastwest", "lonew", "lonref", "longituderef"])
    accuracy = column(Self.accuracyNames)
    count = names.count
    time = column(Self.timeNames)
    if let time, Self.timeOfDayNames.contains(names[time]) {
      date = column((Self.partners[names[time]] ?? []) + Self.dateNames)
    } else if time == nil {
      time = column(Self.dateNames)
    }
    timeName = time.map { titles[$0] } ?? ""
    dateName = date.map { titles[$0] } ?? ""
    namesDate = [time, date].compactMap(\.self).contains { column in
      ["date", "datum", "fecha", "excel"].contains { names[column].contains($0) }
    }
  }

  /// Whether a column holds a position or a time.
  func isUsed(_ column: Int) -> Bool {
    [time, date, latitude, longitude].contains(column)
  }
}

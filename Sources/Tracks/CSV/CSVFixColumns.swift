import FencepostFormats

/// The columns of a table that contain the values of a fix.
///
/// Names are compared regardless of case, blanks and punctuation. If several columns qualify, the one whose
/// name comes first in the lists below is used, and of equal names the first column:
///
/// - The fix's own time precedes the device's, and that the server's: Traccar's `fixTime`, `deviceTime`,
///   `serverTime`. Names with UTC come before those without, and names with local time last.
/// - A time of day, such as `time` or `utc_t`, is combined with a date, such as `date` or `utc_d`. Without a
///   column of times, a column of dates is used.
/// - `lat` and `lon` precede `y` and `x`, which are projected coordinates in many tables.
struct CSVFixColumns: Sendable {
  var time: Int?
  /// The column of the date, if that of the time may contain only the time of day.
  var date: Int?
  var latitude: Int
  var longitude: Int
  /// The column with N or S, for latitudes without a sign.
  var latitudeHemisphere: Int?
  /// The column with E or W, for longitudes without a sign.
  var longitudeHemisphere: Int?
  var accuracy: Int?
  /// The column of the speed in metres a second.
  var speed: Int?
  var course: Int?
  /// How many columns there are.
  var count: Int
  /// The names of the time and date columns, as in the header.
  var timeName = ""
  var dateName = ""
  /// Whether the names suggest dates, which Excel may have written as numbers.
  var namesDate = false
  /// Whether the name of the time column suggests the local time of an unknown zone.
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
  /// Those that may contain the time of day alone.
  private static let timeOfDayNames: Set<String> = [
    "time", "utc", "utctime", "timeutc", "utct", "gpstime", "fixtime", "zeit", "uhrzeit", "heure",
    "hora", "localtime", "timelocal", "t",
  ]
  private static let dateNames = [
    "date", "datum", "fecha", "data", "jour", "day", "gpsdate", "utcdate", "dateutc", "utcd",
    "fixdate", "localdate", "datelocal",
  ]
  /// The date columns preferred for a time of day of this name.
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
  /// Only those that state the unit: other columns may contain km/h or knots.
  private static let speedNames = [
    "speedmps", "speedms", "speedmeterspersecond", "speedmetersecond", "velocitymps", "velocityms",
  ]
  private static let courseNames = [
    "course", "heading", "bearing", "coursedegrees", "headingdegrees", "bearingdegrees",
    "coursedeg", "headingdeg", "bearingdeg",
  ]

  /// Reads the current record as a header; nil if it does not name latitude and longitude.
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
    speed = column(Self.speedNames)
    course = column(Self.courseNames)
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

  /// Whether a column contains a position or a time.
  func isUsed(_ column: Int) -> Bool {
    [time, date, latitude, longitude].contains(column)
  }
}

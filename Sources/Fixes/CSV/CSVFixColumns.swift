import Formats

/// Which columns of a header hold what a fix needs.
///
/// Names are compared without regard to case, blanks, `-` and `_`. The first column of a kind counts.
struct CSVFixColumns: Sendable {
  var time: Int?
  var latitude: Int
  var longitude: Int
  var accuracy: Int?

  private static let timeNames = [
    "time", "timestamp", "datetime", "utc", "utctime", "gpstime", "timeutc",
  ]
  private static let latitudeNames = ["lat", "latitude", "latitudedeg", "latitudedegrees", "y"]
  private static let longitudeNames = [
    "lon", "lng", "long", "longitude", "longitudedeg", "longitudedegrees", "x",
  ]
  private static let accuracyNames = [
    "accuracy", "acc", "horizontalaccuracy", "hacc", "haccuracy", "accuracymeters", "accuracym",
  ]

  /// Reads the current record as a header; nil when it names no latitude and longitude.
  init?(header reader: CSVReader) {
    let names = (0..<reader.fieldCount).map { index in
      reader.string(index).lowercased().filter { $0.isLetter || $0.isNumber }
    }
    func column(_ known: [String]) -> Int? { names.firstIndex { known.contains($0) } }
    guard let latitude = column(Self.latitudeNames), let longitude = column(Self.longitudeNames)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    time = column(Self.timeNames)
    accuracy = column(Self.accuracyNames)
  }
}

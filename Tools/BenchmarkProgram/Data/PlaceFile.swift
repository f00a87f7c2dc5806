/// The CSV file of ``WorldPlaces``, with words as long as those of real stories' rows.
enum PlaceFile {
  private static let categories: [StaticString] = ["history", "food", "art", "news"]

  static func write(_ places: WorldPlaces, to path: String) throws(BenchmarkFailure) {
    var sink = try TextSink(path: path)
    sink.append("id,title,lat,lon,radius,blurb,url,category,priority\n")
    for index in 0..<places.count {
      append(places[index], index: index, to: &sink)
      try sink.flushIfFull()
    }
    try sink.flush()
  }

  private static func append(
    _ place: WorldPlaces.Place, index: Int, to sink: inout TextSink
  ) {
    sink.append("s")
    sink.append(index, digits: 7)
    sink.append(",Story ")
    sink.append(index)
    sink.append(" of town ")
    sink.append(place.city)
    sink.append(",")
    sink.append(place.point.latitudeMicrodegrees, decimals: 6)
    sink.append(",")
    sink.append(place.point.longitudeMicrodegrees, decimals: 6)
    sink.append(",")
    sink.append(place.radiusMeters)
    sink.append(",What happened here and why it still matters.,https://example.org/s/")
    sink.append(index)
    sink.append(",")
    sink.append(categories[index % categories.count])
    sink.append(",")
    sink.append(index % 4)
    sink.append("\n")
  }
}

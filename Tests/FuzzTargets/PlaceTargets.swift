import FencepostMonitoring
import FencepostFiles
import FencepostFormats
import FencepostGeodesy
import FencepostPlaces

/// The importers of places, into a store in memory.
enum PlaceTargets {
  enum Form { case csv, geoJSON, features, stories, feed, waypoints, kml, kmz }

  static func check(_ bytes: [UInt8], as form: Form) throws(Finding) {
    guard bytes.count <= PipedFile.mostBytes else { return }
    let whole = try demandSame(bytes, difference: { "\($1.words)\nwhole:\n\($0.words)" }) {
      pieces in
      read(bytes, in: pieces)
    }
    try check(whole, of: bytes)
    try checkNothingIsLost(whole, bytes, form)
  }

  private struct Reading: Equatable {
    var places: [Place] = []
    var report: ImportReport?
    /// What the import said, without the path, which is another each time.
    var words = ""
    /// What the store itself said; there should be nothing.
    var storeError: PlaceStoreError?

    static func == (a: Reading, b: Reading) -> Bool {
      a.places == b.places && a.words == b.words && a.storeError == b.storeError
        && a.report?.refusedByReason == b.report?.refusedByReason
    }
  }

  private static func read(_ bytes: [UInt8], in pieces: [Range<Int>]) -> Reading {
    var reading = Reading()
    guard let file = PipedFile(bytes, in: pieces) else { return reading }
    let path = file.path
    do throws(PlaceImportError) {
      let options = ImportOptions(shapes: bytes.count % 2 == 0 ? .refuse : .centroid)
      let (store, report) = try PlaceStore.inMemory(from: [path], options: options)
      reading.report = report
      reading.words = "\(report.imported) \(report.refusals) \(report.warnings)"
        .replacing(path, with: "")
      do throws(PlaceStoreError) {
        let reader = try store.makeReader()
        try reader.list { place in
          reading.places.append(place)
          return true
        }
        try checkFound(&reading, reader)
      } catch {
        reading.storeError = error
      }
    } catch {
      reading.words = "\(error)".replacing(path, with: "")
    }
    return reading
  }

  /// Each place must be the nearest to itself.
  private static func checkFound(
    _ reading: inout Reading, _ reader: PlaceReader
  ) throws(PlaceStoreError) {
    for place in reading.places.prefix(3) {
      let found = try reader.nearest(to: place.coordinate, count: 1, rank: .center)
      let isFound = found.first.map { $0.centerDistanceMeters < 1e-6 } ?? false
      let hasID = try reader.place(withID: place.id)?.key == place.key
      guard isFound, hasID else {
        throw PlaceStoreError(code: .damaged, path: "memory", detail: "\(place.id) is not found")
      }
    }
  }

  private static func check(_ reading: Reading, of bytes: [UInt8]) throws(Finding) {
    try demand(reading.storeError == nil, "\(String(describing: reading.storeError))")
    guard let report = reading.report else { return }
    try demand(
      reading.places.count == report.imported && report.updated == 0,
      "\(report.imported) imported, \(reading.places.count) in the store")
    try demand(
      report.refused == report.refusedByReason.values.reduce(0, +), "refusals do not add up")
    for place in reading.places {
      try demand(place.coordinate.isValid, "a place lies at \(place.coordinate)")
      let radius = place.radiusMeters
      try demand(radius > 0 && radius <= Circle.greatestRadiusMeters, "a radius is \(radius) m")
      try demand(!place.id.isEmpty, "a place has no id")
    }
    try demand(Set(reading.places.map(\.id)).count == reading.places.count, "an id is there twice")
    // In other encodings lines are more than bytes tell.
    guard !bytes.contains(0) else { return }
    for refusal in report.refusals {
      try FixRules.check(line: refusal.line, byteOffset: nil, of: bytes)
    }
  }

  // MARK: Nothing is lost

  private static func checkNothingIsLost(
    _ reading: Reading, _ bytes: [UInt8], _ form: Form
  ) throws(Finding) {
    guard let report = reading.report, let records = records(in: bytes, form) else { return }
    var told = report.imported + report.refused
    for case .repeatedRow(let rows, _, _) in report.warnings { told += rows }
    try demand(told == records, "of \(records) records \(told) were imported or refused")
  }

  /// How many records there are by another way to count; nil where it cannot tell.
  private static func records(in bytes: [UInt8], _ form: Form) -> Int? {
    switch form {
    case .csv where bytes.first { $0 > 0x20 }.map { !"{[<".utf8.contains($0) } ?? false:
      rows(bytes)
    case .geoJSON: features(bytes)
    case .stories: stories(bytes)
    // A record that is no feature, a network link and more than one point change the count.
    case .features, .kml, .kmz: nil
    case .feed: elements(bytes, ["item", "entry"], roots: ["rss", "feed", "rdf"])
    case .waypoints: elements(bytes, ["wpt"], roots: ["gpx"])
    case .csv: nil
    }
  }

  private static func rows(_ bytes: [UInt8]) -> Int? {
    guard !Gunzip.isGzip(bytes.span), !ZipReader.isZip(bytes.span) else { return nil }
    let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
    // Zeros are UTF-16.
    guard text == bytes, !text.contains(0) else { return nil }
    // Only plain tables are counted here: other separators and comments are another reading's matter.
    guard !text.contains(where: { ";\t|#=".utf8.contains($0) }) else { return nil }
    var reader = CSVReader()
    reader.push(text.span)
    reader.finish()
    var rows = -1
    while true {
      do throws(CSVError) {
        guard try reader.next() else { return rows }
      } catch {
        rows += 1
        continue
      }
      let isBlank = (0..<reader.fieldCount).allSatisfy { index in
        reader.bytes[reader.fieldRange(index)].allSatisfy { $0 <= 0x20 }
      }
      if rows < 0 || !isBlank { rows += 1 }
    }
  }

  private static func features(_ bytes: [UInt8]) -> Int? {
    // What is read again must be no more than once in the document, and end where it does.
    guard case .object(let members)? = try? JSONValue(parsing: bytes.span),
      let features = members.first(where: { $0.key == "features" })?.value.array,
      // Without a type in front, other arrays may be of an app's objects.
      members[0].key == "type", members[0].value == .string("FeatureCollection")
    else { return nil }
    return features.reduce(0) { count, feature in
      let geometry = feature["geometry"]
      let isMany = geometry?["type"] == .string("MultiPoint")
      return count + max(1, isMany ? geometry?["coordinates"]?.array?.count ?? 1 : 1)
    }
  }

  /// The elements of a document that is an array of objects with positions of their own.
  private static func stories(_ bytes: [UInt8]) -> Int? {
    guard let elements = (try? JSONValue(parsing: bytes.span))?.array,
      elements.contains(where: { $0["lat"]?.double != nil && $0["lon"]?.double != nil }),
      !elements.contains(where: { $0["type"] == .string("Feature") })
    else { return nil }
    return elements.count
  }

  /// Counts elements that are not within another of these.
  private static func elements(
    _ bytes: [UInt8], _ names: Set<String>, roots: Set<String>
  ) -> Int? {
    guard !Gunzip.isGzip(bytes.span) else { return nil }
    var reader = XMLReader()
    reader.push(bytes.span)
    reader.finish()
    var elements = ElementCount(names)
    let error = reader.read(&elements)
    let isKnown = elements.root.map { roots.contains($0.lowercased()) } ?? true
    return error == nil && isKnown ? elements.count : nil
  }
}

/// Counts the elements of some names that are not within another of these.
struct ElementCount: XMLHandler {
  private(set) var root: String?
  private(set) var count = 0
  private let names: Set<String>
  private var depth = 0
  private var openDepth: Int?

  init(_ names: Set<String>) { self.names = names }

  mutating func start(_ name: Span<UInt8>, _ tag: borrowing XMLStartTag) {
    let name = String(utf8: name)
    root = root ?? name
    depth += 1
    guard openDepth == nil, names.contains(name) else { return }
    openDepth = depth
    count += 1
  }

  mutating func text(_ text: Span<UInt8>, line: Int) {}

  mutating func end(line: Int) {
    if depth == openDepth { openDepth = nil }
    depth -= 1
  }
}

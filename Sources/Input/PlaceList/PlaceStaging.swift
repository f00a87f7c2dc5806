import FencepostTime
import FencepostFormats
import FencepostGeodesy

/// Checks drafts, stages the valid ones and reports the others.
///
/// One staging serves all files of an import: it finds ids that repeat across files, derives
/// missing ones, and gathers the warnings. Nothing is in the store before all files are read.
package final class PlaceStaging {
  /// How to treat faults and missing values.
  package let options: ImportOptions
  /// The name of the file being read, or of the archive and its entry.
  package var file = ""
  /// The accepted rows.
  package private(set) var places: StagedPlaces
  /// What was accepted and refused so far; complete after ``finish()``.
  package private(set) var report = ImportReport()
  private var derivedIDs = 0
  private var repeatedRows = 0
  private var firstRepeat: (row: ImportReport.Position, earlier: ImportReport.Position)?
  private var numberedIDs = 0
  /// The ids derived from a title and position that several rows share.
  private var sharedIDs: [String: SharedID] = [:]
  private var smallRadii = 0
  private var tinyRadii = Tally()
  private var atZero = Tally()
  private var derivedInTables = 0
  private var longRows = Tally()
  private var priorityWords = 0
  private var htmlBlurbs = 0
  private var expiringTooEarly = Tally()
  private var files: [(name: String, isTable: Bool)] = []

  private static let mostNamed = 5

  /// Smaller radii are below a receiver's error and probably a mistake.
  private static let tinyRadiusMeters = 10.0

  /// A number of rows, and where the first of them are.
  private struct Tally {
    var count = 0
    var first: [ImportReport.Position] = []

    mutating func add(_ position: ImportReport.Position) {
      count += 1
      if first.count < PlaceStaging.mostNamed { first.append(position) }
    }
  }

  /// Creates an empty staging that writes its rows into a table.
  package init(_ table: any PlaceTable, options: ImportOptions) {
    self.options = options
    places = StagedPlaces(table)
  }

  /// The rows of one derived id; all but the first get a number.
  private struct SharedID {
    /// The rows kept, by the hash of their other fields.
    var kept: [UInt64: StagedPlaces.Origin]
    var number = 2
  }

  private struct Fault: Error {
    var reason: PlaceRefusal.Reason
    var sentence: String

    init(_ reason: PlaceRefusal.Reason, _ sentence: String) {
      (self.reason, self.sentence) = (reason, sentence)
    }
  }

  /// What became of a valid row.
  private enum Verdict {
    case kept, duplicate
    case repeated(StagedPlaces.Origin)
  }

  /// Checks a draft, normalizes its fields and stages it if it is valid.
  package func add(_ draft: inout PlaceDraft) throws(PlaceListError) {
    guard places.rows.count < options.placeLimit else {
      throw fault(
        "an import can have at most \(options.placeLimit) stories; split the files",
        line: draft.line)
    }
    if files.last?.name != file { files.append((file, draft.row != nil)) }
    let circle: (center: Coordinate, radiusMeters: Double)
    do throws(Fault) {
      circle = try check(&draft)
    } catch {
      return try refuse(error.reason, error.sentence, draft: draft)
    }
    switch keep(&draft, circle.center, circle.radiusMeters) {
    case .kept:
      if circle.radiusMeters < 100 { smallRadii += 1 }
      if circle.radiusMeters < Self.tinyRadiusMeters { tinyRadii.add(position(of: draft)) }
      if !draft.isEmpty(.published), !draft.isEmpty(.expires) { checkDates(of: draft) }
      if circle.center.latitudeDegrees == 0, circle.center.longitudeDegrees == 0 {
        atZero.add(position(of: draft))
      }
    case .repeated(let earlier):
      repeatedRows += 1
      firstRepeat = firstRepeat ?? (position(of: draft), position(earlier))
    case .duplicate:
      try refuse(
        .duplicateID, "the id “\(draft.text(.id))” is already taken by an earlier story",
        draft: draft)
    }
  }

  /// Counts a row that expires before it is published.
  private func checkDates(of draft: PlaceDraft) {
    let times = [PlaceDraft.Field.published, .expires].compactMap {
      ISO8601.milliseconds(parsing: draft.bytes.span.extracting(draft.range($0)))
    }
    guard times.count == 2, times[1] <= times[0] else { return }
    var position = position(of: draft)
    if position.title.isEmpty { position.title = draft.text(.id) }
    expiringTooEarly.add(position)
  }

  private func removeHTML(from draft: inout PlaceDraft) {
    let bytes = draft.bytes[draft.range(.blurb)]
    guard !draft.isPlainText,
      bytes.contains(UInt8(ascii: "<")) || bytes.contains(UInt8(ascii: "&")),
      let blurb = HTMLText.removed(from: draft.text(.blurb))
    else { return }
    draft.set(.blurb, blurb)
    htmlBlurbs += 1
  }

  private func origin(of draft: PlaceDraft) -> StagedPlaces.Origin {
    StagedPlaces.Origin(
      file: UInt32(clamping: files.count - 1), line: UInt32(clamping: draft.row ?? draft.line))
  }

  private func position(of draft: PlaceDraft) -> ImportReport.Position {
    position(origin(of: draft), title: draft.text(.title))
  }

  private func position(_ origin: StagedPlaces.Origin, title: String = "") -> ImportReport.Position
  {
    let file = files[Int(origin.file)]
    return ImportReport.Position(
      file: file.name, line: Int(origin.line), isRow: file.isTable, title: title)
  }

  private func positions(ofRows rows: [Int]) -> [ImportReport.Position] {
    rows.map { withoutOnlyFile(position(places.rows[$0].origin, title: places.title(ofRow: $0))) }
  }

  private func withoutOnlyFile(_ position: ImportReport.Position) -> ImportReport.Position {
    var position = position
    if files.count == 1 { position.file = "" }
    return position
  }

  /// Stages a valid draft.
  ///
  /// Derives a missing id from title and position, and appends a number if an earlier row has the
  /// same id but differs in another field.
  private func keep(
    _ draft: inout PlaceDraft, _ coordinate: Coordinate, _ radius: Double
  ) -> Verdict {
    let origin = origin(of: draft)
    guard draft.isEmpty(.id) else {
      removeHTML(from: &draft)
      let addition = places.add(
        draft, coordinate: coordinate, radiusMeters: radius, origin: origin)
      return addition == .kept ? .kept : .duplicate
    }
    // The id depends on the title as written; earlier versions did the same.
    deriveID(of: &draft, coordinate)
    removeHTML(from: &draft)
    let contents = contents(of: draft, radius)
    let id = draft.text(.id)
    switch places.add(
      draft, coordinate: coordinate, radiusMeters: radius, origin: origin, contents: contents)
    {
    case .kept: break
    case .hasOwnID: return .duplicate
    case .isDerived(let firstContents, let first):
      var shared = sharedIDs[id] ?? SharedID(kept: [firstContents: first])
      if let earlier = shared.kept[contents] { return .repeated(earlier) }
      shared.kept[contents] = origin
      repeat {
        draft.set(.id, "\(id)-\(shared.number)")
        shared.number += 1
      } while places.add(
        draft, coordinate: coordinate, radiusMeters: radius, origin: origin, contents: contents)
        != .kept
      sharedIDs[id] = shared
      numberedIDs += 1
    }
    derivedIDs += 1
    if draft.row != nil { derivedInTables += 1 }
    return .kept
  }

  /// A hash of everything in a row except its id, title and position.
  private func contents(of draft: PlaceDraft, _ radius: Double) -> UInt64 {
    var bytes: [UInt8] = Array("\(radius)".utf8)
    for field in [PlaceDraft.Field.blurb, .url, .category, .priority, .published, .expires] {
      bytes.append(0)
      bytes += draft.bytes[draft.range(field)]
    }
    return Self.hash(bytes)
  }

  /// A hash with its high bits folded into the low ones.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    let hash = StableHash(bytes).value
    return hash ^ (hash >> 29)
  }

  /// Adds a refusal of what begins on a line; throws it if the import is strict.
  package func refuse(
    _ reason: PlaceRefusal.Reason, _ sentence: String, line: Int
  ) throws(PlaceListError) {
    try refuse(PlaceRefusal(file: file, line: line, reason: reason, sentence: sentence))
  }

  /// Adds a refusal to the report.
  ///
  /// - Throws: The refusal, if the import is strict.
  package func refuse(_ refusal: PlaceRefusal) throws(PlaceListError) {
    if options.isStrict { throw .refused(refusal) }
    report.add(refusal)
  }

  /// Reports a row; composes the sentence only if somebody will read it.
  package func refuse(
    _ reason: PlaceRefusal.Reason, _ sentence: @autoclosure () -> String, draft: PlaceDraft
  ) throws(PlaceListError) {
    guard options.isStrict || report.keepsRefusals else { return report.count(reason) }
    try refuse(PlaceRefusal(draft, file: file, reason: reason, sentence: sentence()))
  }

  /// Reports an area or line, which is imported only if the user asked for centroids.
  package func refuseShape(_ name: String, line: Int) throws(PlaceListError) {
    try refuse(
      .badGeometry,
      "the geometry is a \(name), not a point; use its center with --polygons centroid", line: line)
  }

  /// Reports a violation of the file format; throws if nothing before it could be read.
  package func refuseMalformed(_ sentence: String, line: Int, isWholeFile: Bool)
    throws(PlaceListError)
  {
    if isWholeFile { throw fault(sentence, line: line) }
    try refuse(.malformed, sentence, line: line)
  }

  /// The error for a file in the wrong format.
  package func fault(_ sentence: String, line: Int = 1) -> PlaceListError {
    .format(file: file, line: line, sentence: sentence)
  }

  /// The error for a file that is a recorded track, whose kind is `name`.
  package func track(_ name: String, line: Int) -> PlaceListError {
    fault(
      "this looks like a walk (\(name)), not a list of stories. To replay it: fencepost replay \(file)"
        + " --store stories.sqlite", line: line)
  }

  /// The error for a file of OpenStreetMap, with the command that converts it.
  package func openStreetMap(line: Int) -> PlaceListError {
    fault(
      "files of OpenStreetMap cannot be read. Convert OSM XML: ogr2ogr -f GeoJSON stories.geojson"
        + " FILE points", line: line)
  }

  /// Counts a row of a table that has more cells than its header.
  package func noteLongRow(_ draft: PlaceDraft) {
    longRows.add(
      ImportReport.Position(
        file: file, line: draft.row ?? draft.line, isRow: draft.row != nil,
        title: draft.text(.title)))
  }

  /// Adds a warning to the report; nil adds none.
  package func warn(_ warning: ImportReport.Warning?) {
    if let warning { report.warnings.append(warning) }
  }

  /// Completes the report after the last file, with the warnings about all rows together.
  package func finish() throws(PlaceListError) {
    places.endAdding()
    report.imported = places.rows.count
    warnOfPositions()
    if smallRadii > 0 { warn(.smallRadius(places: smallRadii, total: places.rows.count)) }
    warn(tinyRadii.first.first.map { .tinyRadius(places: tinyRadii.count, first: $0) })
    warn(atZero.first.first.map { .atZero(places: atZero.count, first: $0) })
    if expiringTooEarly.count > 0 {
      warn(
        .expiresTooEarly(
          places: expiringTooEarly.count, first: expiringTooEarly.first.map(withoutOnlyFile)))
    }
    warn(longRows.first.first.map { .longRow(rows: longRows.count, first: $0) })
    if htmlBlurbs > 0 { warn(.htmlRemoved(blurbs: htmlBlurbs)) }
    if priorityWords > 0 { warn(.priorityWords(places: priorityWords)) }
    if derivedIDs > 0 {
      warn(.derivedID(places: derivedIDs, isTable: derivedInTables == derivedIDs))
    }
    if numberedIDs > 0 { warn(.numberedID(places: numberedIDs)) }
    warn(firstRepeat.map { .repeatedRow(rows: repeatedRows, first: $0.row, earlier: $0.earlier) })
  }

  private func warnOfPositions() {
    if let swapped = SwappedCoordinates(in: places.rows.map(\.coordinate)) {
      warn(
        .swapped(
          places: swapped.count, first: positions(ofRows: swapped.first),
          distanceMeters: swapped.distanceMeters))
    }
    let shared = places.sharedPositions()
    guard shared.places > 0 else { return }
    let first = shared.first.map { position in
      ImportReport.SharedPosition(
        stories: positions(ofRows: position.rows), more: position.count - position.rows.count)
    }
    warn(.samePosition(places: shared.places, positions: shared.positions, first: first))
  }

  // MARK: Fields

  private func check(
    _ draft: inout PlaceDraft
  ) throws(Fault) -> (center: Coordinate, radiusMeters: Double) {
    let coordinate = try coordinate(of: &draft)
    let radius = try radius(of: &draft)
    try normalizePriority(of: &draft)
    try normalizeTime(.published, of: &draft)
    try normalizeTime(.expires, of: &draft)
    draft.trim(.id)
    return (coordinate, radius)
  }

  private func coordinate(of draft: inout PlaceDraft) throws(Fault) -> Coordinate {
    draft.trim(.latitude)
    draft.trim(.longitude)
    guard !draft.isEmpty(.latitude), !draft.isEmpty(.longitude) else {
      let part = draft.isEmpty(.latitude) ? "latitude" : "longitude"
      let isBoth = draft.isEmpty(.latitude) && draft.isEmpty(.longitude)
      throw Fault(.missingPosition, "no \(isBoth ? "coordinates" : part)")
    }
    guard let latitude = number(.latitude, of: draft), abs(latitude) <= 90 else {
      let other = number(.longitude, of: draft).map { abs($0) <= 90 } ?? false
      let isSwapped = other && number(.latitude, of: draft).map { abs($0) <= 180 } ?? false
      throw Fault(
        .badLatitude,
        "the latitude “\(draft.text(.latitude))” is not a number from -90 to 90"
          + (isSwapped ? ". Latitude and longitude may be swapped" : ""))
    }
    guard let longitude = number(.longitude, of: draft), abs(longitude) <= 180 else {
      throw Fault(
        .badLongitude, "the longitude “\(draft.text(.longitude))” is not a number from -180 to 180")
    }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private func radius(of draft: inout PlaceDraft) throws(Fault) -> Double {
    draft.trim(.radius)
    if draft.isEmpty(.radius) { return options.defaultRadiusMeters }
    let unit = draft.isNormal(.radius) ? 1 : draft.radiusUnitMeters
    let written = draft.bytes.span.extracting(draft.range(.radius))
    let number = DecimalNumber.double(parsing: written)
    let text = number == nil ? RadiusText(written, bareUnitMeters: unit) : nil
    if let text, text.isAmbiguous {
      throw Fault(.badRadius, text.doubt(about: draft.text(.radius)))
    }
    guard let radius = number.map({ $0 * unit }) ?? text?.meters, radius > 0,
      radius <= Circle.greatestRadiusMeters
    else {
      throw Fault(
        .badRadius,
        "the radius “\(draft.text(.radius))” must be above 0 and at most 20,000,000 m;"
          + " write it with m, km, ft, yd, mi, nmi or no unit")
    }
    return radius
  }

  private func number(_ field: PlaceDraft.Field, of draft: PlaceDraft) -> Double? {
    DecimalNumber.double(parsing: draft.bytes.span.extracting(draft.range(field)))
  }

  /// Priorities in words; a story without a priority has 0.
  private static let priorities: [String: Int] = [
    "high": -1, "hoch": -1, "haute": -1, "alta": -1, "medium": 0, "normal": 0, "mittel": 0,
    "moyenne": 0, "media": 0, "low": 1, "niedrig": 1, "gering": 1, "basse": 1, "baja": 1,
    "bassa": 1,
  ]

  private func normalizePriority(of draft: inout PlaceDraft) throws(Fault) {
    draft.trim(.priority)
    let text = draft.range(.priority)
    if text.isEmpty { return }
    // A single digit is already normal.
    if text.count == 1, draft.bytes[text.lowerBound] &- UInt8(ascii: "0") <= 9 { return }
    if let word = Self.priorities[draft.text(.priority).lowercased()] {
      priorityWords += 1
      return draft.set(.priority, String(word))
    }
    guard let number = number(.priority, of: draft), let priority = Int32(exactly: number) else {
      throw Fault(
        .badPriority,
        "the priority “\(draft.text(.priority))” must be a whole number, or high, normal or low")
    }
    draft.set(.priority, String(priority))
  }

  private func normalizeTime(_ field: PlaceDraft.Field, of draft: inout PlaceDraft) throws(Fault) {
    if draft.isNormal(field) { return }
    draft.trim(field)
    if draft.isEmpty(field) { return }
    guard
      let instant = ISO8601.milliseconds(parsing: draft.bytes.span.extracting(draft.range(field)))
        ?? MailDate.milliseconds(parsing: draft.text(field))
    else {
      throw Fault(
        .badTime,
        "the date “\(draft.text(field))” cannot be read; write it as 2026-03-04 or"
          + " 2026-03-04T17:00:00Z")
    }
    draft.set(field, written: instant, in: options.zone)
  }

  /// Hashes title and position into an id, so that importing a row again finds its place.
  private func deriveID(of draft: inout PlaceDraft, _ coordinate: Coordinate) {
    var bytes = Array(draft.bytes[draft.range(.title)])
    for value in [coordinate.latitudeDegrees, coordinate.longitudeDegrees] {
      bytes.append(0)
      // 1e-7 degrees is 1 cm. Programs that rewrite a file change less than that.
      bytes += Array(String(Int64((value * 1e7).rounded())).utf8)
    }
    let digits = String(Self.hash(bytes), radix: 16)
    draft.set(.id, "p-" + String(repeating: "0", count: 16 - digits.count) + digits)
  }
}

import FencepostTime
import FencepostFormats
import FencepostGeodesy

/// Checks drafts one by one, stages the good ones and reports the others.
struct PlaceStaging {
  let options: ImportOptions
  var places: StagedPlaces
  private(set) var report = ImportReport()
  private var derivedIDs = 0
  private var repeatedRows = 0
  /// The first row that repeats another, and that one.
  private var firstRepeat: (row: ImportReport.Position, earlier: ImportReport.Position)?
  private var numberedIDs = 0
  /// The ids, derived from title and position, that several rows share.
  private var sharedIDs: [String: SharedID] = [:]
  private var smallRadii = 0
  private var tinyRadii = 0
  private var firstTinyRadius: ImportReport.Position?
  /// How many places lie at 0,0.
  private var atZero = 0
  private var firstAtZero: ImportReport.Position?
  /// The files of the rows, in the order in which they came.
  private var files: [String] = []

  /// Radii below it are smaller than a receiver's error, and hardly meant.
  private static let tinyRadiusMeters = 10.0

  /// Makes an empty staging.
  ///
  /// - Parameters:
  ///   - options: How to treat faults.
  ///   - spoolPath: A name for a temporary file of texts; nil keeps them in memory.
  init(options: ImportOptions, spoolPath: String?) {
    self.options = options
    places = StagedPlaces(spoolPath: spoolPath)
  }

  /// Rows without an id that have one title and position.
  private struct SharedID {
    /// The rows that were kept, by the hashes of their contents.
    var kept: [UInt64: IDTable.Origin]
    /// The number that is appended to the next id.
    var number = 2
  }

  /// A fault in a field.
  private struct Fault: Error {
    var reason: PlaceRefusal.Reason
    var sentence: String
  }

  private enum Verdict {
    case kept, duplicate
    case repeated(IDTable.Origin)
  }

  /// Checks a draft, normalizes its fields and stages it if it is good.
  mutating func add(_ draft: inout PlaceDraft, file: String) throws(PlaceImportError) {
    guard places.rows.count < options.placeLimit else {
      throw .format(
        file: file, line: draft.line,
        sentence: "an import has at most \(options.placeLimit) places; divide the files")
    }
    let circle: (center: Coordinate, radiusMeters: Double)
    do throws(Fault) {
      circle = try check(&draft)
    } catch {
      return try refuse(error.reason, error.sentence, draft: draft, file: file)
    }
    if files.last != file { files.append(file) }
    let verdict: Verdict
    do throws(PlaceStoreError) {
      verdict = try keep(&draft, circle.center, circle.radiusMeters)
    } catch {
      throw .store(error)
    }
    switch verdict {
    case .kept:
      if circle.radiusMeters < 100 { countSmall(circle.radiusMeters, draft.line) }
      if circle.center.latitudeDegrees == 0, circle.center.longitudeDegrees == 0 {
        atZero += 1
        firstAtZero = firstAtZero ?? ImportReport.Position(file: file, line: draft.line)
      }
    case .repeated(let earlier):
      repeatedRows += 1
      firstRepeat = firstRepeat ?? (position(origin(of: draft)), position(earlier))
    case .duplicate:
      try refuse(
        .duplicateID, "an earlier row has the id “\(draft.text(.id))” too", draft: draft,
        file: file)
    }
  }

  private mutating func countSmall(_ radiusMeters: Double, _ line: Int) {
    smallRadii += 1
    guard radiusMeters < Self.tinyRadiusMeters else { return }
    tinyRadii += 1
    firstTinyRadius =
      firstTinyRadius ?? ImportReport.Position(file: files.last ?? "", line: line)
  }

  private func origin(of draft: PlaceDraft) -> IDTable.Origin {
    IDTable.Origin(
      file: UInt32(clamping: files.count - 1), line: UInt32(clamping: draft.line))
  }

  private func position(_ origin: IDTable.Origin) -> ImportReport.Position {
    ImportReport.Position(file: files[Int(origin.file)], line: Int(origin.line))
  }

  /// Stages a good draft; without an id it gets one made of its title and position.
  ///
  /// If earlier rows have these too and it differs in anything else, a number is appended to its id.
  private mutating func keep(
    _ draft: inout PlaceDraft, _ coordinate: Coordinate, _ radius: Double
  ) throws(PlaceStoreError) -> Verdict {
    guard draft.isEmpty(.id) else {
      let addition = try places.add(draft, coordinate: coordinate, radiusMeters: radius)
      return addition == .kept ? .kept : .duplicate
    }
    deriveID(of: &draft, coordinate)
    let derived = IDTable.Derived(contents: contents(of: draft, radius), origin: origin(of: draft))
    let id = draft.text(.id)
    switch try places.add(
      draft, coordinate: coordinate, radiusMeters: radius, derived: derived)
    {
    case .kept: break
    case .hasOwnID: return .duplicate
    case .isDerived(let first):
      var shared = sharedIDs[id] ?? SharedID(kept: [first.contents: first.origin])
      if let earlier = shared.kept[derived.contents] { return .repeated(earlier) }
      shared.kept[derived.contents] = derived.origin
      repeat {
        draft.set(.id, "\(id)-\(shared.number)")
        shared.number += 1
      } while try places.add(
        draft, coordinate: coordinate, radiusMeters: radius, derived: derived) != .kept
      sharedIDs[id] = shared
      numberedIDs += 1
    }
    derivedIDs += 1
    return .kept
  }

  /// A hash of everything in a row except its id, title and position.
  private func contents(of draft: PlaceDraft, _ radius: Double) -> UInt64 {
    var bytes: [UInt8] = Array("\(radius)".utf8)
    for field in [PlaceDraft.Field.blurb, .url, .category, .priority, .published, .expires] {
      bytes.append(0)
      bytes += draft.bytes[draft.range(field)]
    }
    return IDTable.hash(bytes.span)
  }

  /// Reports a row that becomes no place.
  mutating func refuse(
    _ reason: PlaceRefusal.Reason, _ sentence: String, file: String, line: Int
  ) throws(PlaceImportError) {
    let refusal = PlaceRefusal(file: file, line: line, reason: reason, sentence: sentence)
    if options.isStrict { throw .refused(refusal) }
    report.add(refusal)
  }

  /// Reports a draft that becomes no place.
  mutating func refuse(
    _ reason: PlaceRefusal.Reason, _ sentence: String, draft: PlaceDraft, file: String
  ) throws(PlaceImportError) {
    try refuse(reason, draft.located(sentence), file: file, line: draft.line)
  }

  /// Reports an area or a line, which is a place only where the user wants its centroid.
  mutating func refuseShape(
    _ name: String, file: String, line: Int
  ) throws(PlaceImportError) {
    try refuse(
      .badGeometry, "the geometry is a \(name), not a point; --polygons centroid takes its centre",
      file: file, line: line)
  }

  /// Reports a violation of a file's format; throws if nothing before it could be read.
  mutating func refuseMalformed(
    _ sentence: String, file: String, line: Int, isWholeFile: Bool
  ) throws(PlaceImportError) {
    if isWholeFile { throw .format(file: file, line: line, sentence: sentence) }
    try refuse(.malformed, sentence, file: file, line: line)
  }

  /// Reports something about rows that were accepted.
  mutating func warn(_ warning: ImportReport.Warning) {
    report.warnings.append(warning)
  }

  /// Ends the staging: adds the warnings about all rows together.
  mutating func finish() {
    let shared = places.sharedSpots()
    if shared.places > 0 {
      warn(.sameSpot(places: shared.places, largestGroup: shared.largestGroup))
    }
    if smallRadii > 0 { warn(.smallRadius(places: smallRadii)) }
    if let firstTinyRadius { warn(.tinyRadius(places: tinyRadii, first: firstTinyRadius)) }
    if let firstAtZero { warn(.atZero(places: atZero, first: firstAtZero)) }
    if derivedIDs > 0 { warn(.derivedID(places: derivedIDs)) }
    if numberedIDs > 0 { warn(.numberedID(places: numberedIDs)) }
    if let firstRepeat {
      warn(
        .repeatedRow(rows: repeatedRows, first: firstRepeat.row, earlier: firstRepeat.earlier))
    }
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
      throw Fault(reason: .missingPosition, sentence: "there is no \(part)")
    }
    guard let latitude = number(.latitude, of: draft), abs(latitude) <= 90 else {
      throw Fault(
        reason: .badLatitude,
        sentence: "the latitude “\(draft.text(.latitude))” is not a number of -90 to 90")
    }
    guard let longitude = number(.longitude, of: draft), abs(longitude) <= 180 else {
      throw Fault(
        reason: .badLongitude,
        sentence: "the longitude “\(draft.text(.longitude))” is not a number of -180 to 180")
    }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private func radius(of draft: inout PlaceDraft) throws(Fault) -> Double {
    draft.trim(.radius)
    if draft.isEmpty(.radius) { return options.defaultRadiusMeters }
    let written = draft.bytes.span.extracting(draft.range(.radius))
    let number = DecimalNumber.double(parsing: written)
    let text = number == nil ? RadiusText(written) : nil
    if let text, text.isAmbiguous {
      throw Fault(reason: .badRadius, sentence: text.doubt(about: draft.text(.radius)))
    }
    guard let radius = number ?? text?.meters, radius > 0, radius <= Circle.greatestRadiusMeters
    else {
      throw Fault(
        reason: .badRadius,
        sentence: "the radius “\(draft.text(.radius))” is not a number above 0, up to 20000000,"
          + " with m, km, ft, mi or no unit")
    }
    return radius
  }

  private func number(_ field: PlaceDraft.Field, of draft: PlaceDraft) -> Double? {
    DecimalNumber.double(parsing: draft.bytes.span.extracting(draft.range(field)))
  }

  private func normalizePriority(of draft: inout PlaceDraft) throws(Fault) {
    draft.trim(.priority)
    let text = draft.range(.priority)
    if text.isEmpty { return }
    // A single digit is normal already.
    if text.count == 1, draft.bytes[text.lowerBound] &- UInt8(ascii: "0") <= 9 { return }
    guard let number = number(.priority, of: draft), let priority = Int32(exactly: number) else {
      throw Fault(
        reason: .badPriority,
        sentence: "the priority “\(draft.text(.priority))” is not a whole number")
    }
    draft.set(.priority, String(priority))
  }

  private func normalizeTime(
    _ field: PlaceDraft.Field, of draft: inout PlaceDraft
  ) throws(Fault) {
    if draft.isNormal(field) { return }
    draft.trim(field)
    if draft.isEmpty(field) { return }
    guard
      let instant = ISO8601.milliseconds(
        parsing: draft.bytes.span.extracting(draft.range(field)))
        ?? MailDate.milliseconds(parsing: draft.text(field))
    else {
      throw Fault(
        reason: .badTime,
        sentence: "“\(draft.text(field))” is not a date that can be read, such as 2026-03-04 or"
          + " 2026-03-04T17:00:00Z")
    }
    var text: [UInt8] = []
    ISO8601.append(milliseconds: instant, to: &text)
    draft.set(field, text.indices, of: text)
  }

  /// Makes an id: `p-` and 16 hexadecimal digits of the FNV-1a hash of title and position, so that
  /// importing the same row again finds the same place.
  private func deriveID(of draft: inout PlaceDraft, _ coordinate: Coordinate) {
    var bytes = Array(draft.bytes[draft.range(.title)])
    for value in [coordinate.latitudeDegrees, coordinate.longitudeDegrees] {
      bytes.append(0)
      // 1e-7 degrees is 1 cm; programs that rewrite a file change less.
      bytes += Array(String(Int64((value * 1e7).rounded())).utf8)
    }
    let digits = String(IDTable.hash(bytes.span), radix: 16)
    draft.set(.id, "p-" + String(repeating: "0", count: 16 - digits.count) + digits)
  }
}

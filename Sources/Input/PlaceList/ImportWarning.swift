extension ImportReport {
  /// Stories with exactly the same position, which are easily a mistake of copying.
  ///
  /// The alert rules may group such stories, so that only one of them is shown.
  package struct SharedPosition: Equatable, Sendable {
    /// Where the first of the stories are, at most three.
    package var stories: [Position]
    /// The number of stories at the position that ``stories`` leaves out.
    package var more: Int
  }

  /// A problem in accepted rows that the owner of the file should know about.
  ///
  /// The rows were imported all the same. A warning counts the rows that it concerns, and names the
  /// first.
  package enum Warning: Equatable, Sendable, CustomStringConvertible {
    /// Places at exactly the same position as another, the number of such positions, and the first.
    case samePosition(places: Int, positions: Int, first: [SharedPosition])
    /// Circles under 100 m, too small for phones to notice reliably.
    case smallRadius(places: Int, total: Int)
    /// Circles under 10 m, smaller than the error of a receiver; perhaps meant in kilometers.
    case tinyRadius(places: Int, first: Position)
    /// Places that got an id derived from title and position, and whether they are table rows.
    case derivedID(places: Int, isTable: Bool)
    /// Places without an id that share title and position with another; their ids end in -2, -3, …
    case numberedID(places: Int)
    /// Rows without an id that repeat an earlier row in every imported field, and count once.
    case repeatedRow(rows: Int, first: Position, earlier: Position)
    /// Rows with more cells than the header, whose last cells are ignored, and the first such row.
    case longRow(rows: Int, first: Position)
    /// Table columns that were ignored, and whether one of them seems to hold the radii.
    case unusedColumns(file: String, names: [String], hasRadius: Bool)
    /// Members of JSON objects that were ignored, in the order in which they appeared.
    case unusedFields(file: String, names: [String])
    /// A column or member read as priority, although its greatest number may be the most important.
    case importance(file: String, name: String)
    /// Priorities written as words, such as `high`.
    case priorityWords(places: Int)
    /// Blurbs from which tags or entities were removed.
    case htmlRemoved(blurbs: Int)
    /// Places that expire before they are published, and the first of them.
    case expiresTooEarly(places: Int, first: [Position])
    /// Places far from all others that would be near them with latitude and longitude swapped.
    ///
    /// Includes the first of them and the distance to the nearest other place, in meters.
    case swapped(places: Int, first: [Position], distanceMeters: Double)
    /// Arrays in one document that were read, and whether a position around them was ignored.
    case arrays(file: String, names: [String], hasOwnPosition: Bool)
    /// Places at latitude and longitude 0, which programs write for an unknown position.
    case atZero(places: Int, first: Position)
    /// Bytes read as Windows-1252, and whether the text also has UTF-8 characters.
    case notUTF8(file: String, line: Int, bytes: Int, isMixed: Bool)

    /// The warning in one or more sentences, with what the owner can do about it.
    package var description: String {
      switch self {
      case .samePosition(let places, let positions, let first):
        Self.samePosition(places, positions, first)
      case .smallRadius(let places, let total):
        "\(places) of \(total) \(total == 1 ? "story" : "stories") \(places == 1 ? "has" : "have")"
          + " a radius below 100 m."
          + " Phones often react too late to circles that small."
      case .tinyRadius(let places, let first):
        "\(first): the radius is below 10 m, which is less than the usual GPS error."
          + (places == 1
            ? "" : " So are the radii of \(places - 1) more \(places == 2 ? "story" : "stories").")
          + " A number without a unit is in meters."
      case .derivedID(let places, let isTable): Self.derivedID(places, isTable)
      case .numberedID(let places):
        places == 1
          ? "1 story has the same title and position as another but differs otherwise. Its id ends in -2."
          : "\(places) stories have the same title and position as another but differ otherwise. Their ids end in -2, -3, …"
      case .repeatedRow(let rows, let first, let earlier):
        "\(first) repeats \(Self.short(earlier, beside: first)) in every imported field."
          + (rows == 1 ? "" : " \(rows - 1) more repeat earlier ones.")
          + " Repeats are imported once."
      case .longRow(let rows, let first):
        "\(first) has more cells than the header, so the last ones were ignored."
          + (rows == 1 ? "" : " So \(rows == 2 ? "has 1 more row" : "have \(rows - 1) more rows").")
          + " Put texts that contain the separator in quotes."
      case .unusedColumns(let file, let names, let hasRadius):
        "Ignored \(names.count == 1 ? "column" : "columns") in \(file): \(names.joined(separator: ", "))."
          + (hasRadius ? " To use the radius, rename the column to Radius and write 300 ft." : "")
      case .unusedFields(let file, let names):
        "Ignored \(names.count == 1 ? "field" : "fields") in \(file): \(names.joined(separator: ", "))."
      case .importance(let file, let name):
        "\(file): “\(name)” is used as the priority. The lowest number matters most, so 1 comes before 5."
      case .priorityWords(let places):
        "Read \(places) \(places == 1 ? "priority" : "priorities") written in words: high is -1, normal 0, low 1."
          + " The lowest number matters most."
      case .htmlRemoved(let blurbs):
        "Removed HTML tags and entities from \(blurbs) \(blurbs == 1 ? "teaser" : "teasers")."
      case .expiresTooEarly(let places, let first):
        (places == 1
          ? "1 story expires before it is published and can never alert: "
          : "\(places) stories expire before they are published and can never alert: ")
          + Self.list(first, of: places) + "."
      case .swapped(let places, let first, let meters): Self.swapped(places, first, meters)
      case .arrays(let file, let names, let hasOwnPosition):
        "\(file): stories were read from \(names.joined(separator: ", "))."
          + (hasOwnPosition
            ? " The object around them has a position too, but was not imported." : "")
      case .atZero(let places, let first):
        "\(first): "
          + (places == 1 ? "the story is" : "the story, and \(places - 1) more in this import, are")
          + " at latitude and longitude 0, in the sea off Africa. Is the position unknown?"
      case .notUTF8(let file, let line, let bytes, let isMixed):
        "\(file) is not \(isMixed ? "entirely " : "")UTF-8. \(bytes == 1 ? "1 letter was" : "\(bytes) letters were") read as"
          + " Windows-1252, the first on line \(line). If they look wrong, save the file as UTF-8."
      }
    }

    /// Whether data was lost or may have changed.
    package var tellsOfLoss: Bool {
      switch self {
      case .repeatedRow, .longRow, .notUTF8: true
      default: false
      }
    }
  }
}

// MARK: Sentences

extension ImportReport.Warning {
  /// Names the first stories at the first positions, and counts the others.
  private static func samePosition(
    _ places: Int, _ positions: Int, _ first: [ImportReport.SharedPosition]
  ) -> String {
    let texts = first.map { position in
      let names = position.stories.map(\.titleFirst)
      let last = position.more > 0 ? "\(position.more) more" : names.last ?? ""
      let others = position.more > 0 ? names : names.dropLast()
      return others.joined(separator: ", ") + " and " + last
    }
    if positions == 1, let text = texts.first { return "\(text) are at the same position." }
    let more = positions - texts.count
    return
      "\(places) stories share their exact position with another: \(texts.joined(separator: "; "))"
      + (more == 0
        ? "." : more == 1 ? "; and at 1 more position." : "; and at \(more) more positions.")
  }

  /// Says that ids were generated, and what follows from that.
  private static func derivedID(_ places: Int, _ isTable: Bool) -> String {
    let thing = isTable ? (places == 1 ? "row" : "rows") : places == 1 ? "story" : "stories"
    return
      (places == 1
      ? "1 \(thing) has no id, so Fencepost generated one."
      : "\(places) \(thing) have no id, so Fencepost generated them.")
      + " If you rename or move a story later, it will be treated as new."
      + (isTable ? " Add an id column to avoid this." : "")
  }

  /// Names the first stories that may be swapped, with the distance to all others.
  private static func swapped(_ places: Int, _ first: [ImportReport.Position], _ meters: Double)
    -> String
  {
    let kilometers = grouped(meters / 1000)
    guard places > 1 else {
      let row = first.map { $0.file.isEmpty ? $0.description.capitalizedFirst : "\($0)" }.joined()
      return "\(row) is \(kilometers) km from all other stories."
        + " Its latitude and longitude may be swapped."
    }
    return
      "\(places) stories are at least \(kilometers) km from all others: \(list(first, of: places))."
      + " Their latitude and longitude may be swapped."
  }

  /// The first positions, and how many more there are.
  private static func list(_ first: [ImportReport.Position], of count: Int) -> String {
    let more = count - first.count
    return first.map(\.description).joined(separator: ", ")
      + (more == 0 ? "" : ", and \(more) more")
  }

  /// A position without its file, if that is named beside it.
  private static func short(_ position: ImportReport.Position, beside other: ImportReport.Position)
    -> String
  {
    var position = position
    if position.file == other.file { position.file = "" }
    return position.description
  }

  /// A whole number with two significant digits and commas between thousands.
  private static func grouped(_ value: Double) -> String {
    var step = 1.0
    while value / step >= 100 { step *= 10 }
    var digits = String(Int((value / step).rounded() * step))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
      index -= 3
    }
    return digits
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

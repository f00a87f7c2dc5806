/// Reads names with a prefix, such as `location/latitude`, `OSD.latitude` or `location-lat`.
///
/// Trackers and converters of JSON put an object's name before those of its members. A column with
/// the latitude of a home or a target is not the position of the device, so some prefixes never
/// count.
enum CSVColumnPrefix {
  /// Positions of something else than the device.
  private static let others: Set<String> = [
    "home", "target", "dest", "destination", "end", "next", "waypoint", "wp", "base", "goal", "rc",
    "operator", "pilot", "controller", "max", "min", "old", "previous", "prev", "center", "centre",
    "delta", "diff", "std", "sigma", "error",
  ]

  /// A name in lower case with only letters and digits.
  static func normalized(_ text: some StringProtocol) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The normalized names, without the prefix if only one stands before latitude and longitude.
  static func names(_ titles: [String], latitudes: [String], longitudes: [String]) -> [String] {
    let names = titles.map { normalized(withoutForm($0)) }
    func has(_ known: [String]) -> Bool { known.contains { $0.count > 1 && names.contains($0) } }
    guard !has(latitudes) || !has(longitudes) else { return names }
    let parts = titles.map { splits($0, at: "./:-_ ") }
    func prefixes(_ known: [String]) -> Set<String> {
      Set(
        parts.joined().filter { $0.rest.count > 1 && known.contains($0.rest) }.map(\.prefix)
      ).subtracting(others)
    }
    let common = prefixes(latitudes).intersection(prefixes(longitudes))
    guard common.count == 1, let prefix = common.first else { return names }
    return zip(names, parts).map { name, parts in
      parts.first { $0.prefix == prefix && !names.contains($0.rest) }?.rest ?? name
    }
  }

  /// Drops the prefix of the only column whose name behind one is known; others keep theirs.
  static func dropPrefix(of known: [String], in titles: [String], from names: inout [String]) {
    guard !known.contains(where: { names.contains($0) }) else { return }
    let found = titles.indices.compactMap { index in
      splits(titles[index], at: "./:").first { known.contains($0.rest) }.map { (index, $0.rest) }
    }
    if found.count == 1, let (index, rest) = found.first { names[index] = rest }
  }

  /// A name without its form, as in `Time (hh:mm:ss)`.
  private static func withoutForm(_ title: String) -> String {
    guard let open = title.firstIndex(of: "("), title.hasSuffix(")") else { return title }
    let form = title[open...].lowercased().filter(\.isLetter)
    let isForm =
      form.count >= 4 && form.allSatisfy { "ymdhs".contains($0) }
      && (form.contains("h") || form.contains("y"))
    return isForm ? String(title[..<open]) : title
  }

  /// A name cut at each separator in turn, both parts normalized; empty parts are left out.
  private static func splits(
    _ title: String, at separators: String
  ) -> [(prefix: String, rest: String)] {
    title.indices.filter { separators.contains(title[$0]) }.map {
      (normalized(title[..<$0]), normalized(title[$0...]))
    }.filter { !$0.0.isEmpty && !$0.1.isEmpty }
  }
}

import FencepostFormats

/// The properties of a saved place in Google Takeout.
///
/// The older format has `Title`, `Google Maps URL`, `Published`, and `Location` with `Address`,
/// `Business Name` and `Geo Coordinates`. The newer one has `google_maps_url`, `date`, `Comment`,
/// and `location` with `name` and `address`. The date is ignored: as a publication date, it would
/// suppress alerts on earlier tracks.
struct GoogleSavedPlace {
  private let properties: JSONValue
  private let location: JSONValue

  /// Returns nil if the properties are not Google's.
  init?(_ properties: JSONValue) {
    guard properties.member("google_maps_url", "Google Maps URL") != nil else { return nil }
    self.properties = properties
    location = properties.member("location", "Location") ?? .null
  }

  var title: String? {
    text(properties.member("Title", "title", "name"))
      ?? text(location.member("name", "Business Name", "Name")) ?? address
  }

  /// The user's comment, then the address on a line of its own.
  var blurb: String? {
    let comment = text(properties.member("comment", "Comment", "review_text_published"))
    let parts = [comment, title == address ? nil : address].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "\n")
  }

  var url: String? { text(properties.member("google_maps_url", "Google Maps URL")) }

  var coordinates: (latitude: String, longitude: String)? {
    guard let point = location.member("Geo Coordinates"),
      let latitude = text(point.member("Latitude")), let longitude = text(point.member("Longitude"))
    else { return nil }
    return (latitude, longitude)
  }

  private var address: String? { text(location.member("address", "Address")) }

  private func text(_ value: JSONValue?) -> String? {
    value?.plainText.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// A labeled place in Google Takeout, such as home, which has only `name` and `address`.
struct GoogleLabeledPlace {
  let address: String

  /// Returns nil if the properties are of another kind.
  init?(_ properties: JSONValue) {
    guard case .object(let members) = properties, Set(members.map(\.key)) == ["name", "address"],
      let address = properties.member("address")?.plainText
    else { return nil }
    self.address = address
  }
}

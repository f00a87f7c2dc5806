import FencepostFormats

/// The properties of a saved place in Google's export, in both forms of Takeout.
///
/// The older form has `Title`, `Google Maps URL`, `Published` and `Location` with `Address`, `Business
/// Name` and `Geo Coordinates`; the newer one `google_maps_url`, `date`, `Comment` and `location` with
/// `name` and `address`. The day of saving is ignored: as a publication date it would suppress alerts
/// along earlier tracks.
struct GoogleSavedPlace {
  private let properties: JSONValue
  private let location: JSONValue

  /// Takes the properties of a feature; nil if they are not Google's.
  init?(_ properties: JSONValue) {
    guard properties.member("google_maps_url", "Google Maps URL") != nil else { return nil }
    self.properties = properties
    location = properties.member("location", "Location") ?? .null
  }

  /// The name, or else the address.
  var title: String? {
    text(properties.member("Title", "title", "name"))
      ?? text(location.member("name", "Business Name", "Name")) ?? address
  }

  /// The user's comment, and the address on a line of its own.
  var blurb: String? {
    let comment = text(properties.member("comment", "Comment", "review_text_published"))
    let parts = [comment, title == address ? nil : address].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "\n")
  }

  var url: String? { text(properties.member("google_maps_url", "Google Maps URL")) }

  /// The position outside of the geometry.
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

/// The properties of a labelled place in Google's export, such as home: `name` and `address`, and nothing else.
struct GoogleLabelledPlace {
  /// The address.
  let address: String

  /// Takes the properties of a feature; nil if they are of another kind.
  init?(_ properties: JSONValue) {
    guard case .object(let members) = properties,
      Set(members.map(\.key)) == ["name", "address"],
      let address = properties.member("address")?.plainText
    else { return nil }
    self.address = address
  }
}

import FencepostCOpened

/// A component of an iCalendar document (RFC 5545), such as an event, with everything in it.
struct CalendarComponent: Sendable {
  struct Property: Sendable {
    var name: String
    /// The value, without the escapes of text; properties with a list of values come once for each.
    var value: String
    var parameters: [String: String]
  }

  /// The name, such as `VEVENT`.
  var name: String
  var properties: [Property]
  var components: [CalendarComponent]

  func first(_ name: String) -> Property? { properties.first { $0.name == name } }

  func all(_ name: String) -> [Property] { properties.filter { $0.name == name } }
}

extension CalendarComponent {
  /// Calendars hold events, events hold alarms; libical recurses, so deeper nesting is refused.
  private static let mostNested = 8

  /// Reads a document; lines that are not iCalendar are left out.
  init(parsing bytes: [UInt8]) throws(CalendarError) {
    try Self.check(bytes)
    // The sentence is a constant of the program.
    if let failure = unsafe copened_failure(COPENED_ICAL) {
      throw .libraryMissing(unsafe String(cString: failure))
    }
    // libical would otherwise end the program at the first malformed value.
    icalerror_set_errors_are_fatal(0)
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    // The text ends with a zero and outlives the call, which copies what it keeps.
    guard let root = unsafe icalparser_parse_string(text) else { throw .notCalendar }
    // Nothing below keeps a pointer into the tree.
    defer { unsafe icalcomponent_free(root) }
    self = unsafe CalendarComponent(root)
  }

  private static func check(_ bytes: [UInt8]) throws(CalendarError) {
    guard !bytes.contains(0) else { throw .notCalendar }
    var depth = 0
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let word = String(decoding: line.prefix(6), as: UTF8.self).uppercased()
      if word == "BEGIN:" { depth += 1 }
      if word.hasPrefix("END:") { depth -= 1 }
      guard depth <= mostNested else { throw .nestedTooDeep }
    }
  }

  /// Copies a component of libical, which must be valid.
  private init(_ component: OpaquePointer) {
    // Names and values belong to the component and are copied at once.
    let kind = unsafe icalcomponent_isa(component)
    name = unsafe Self.copy(icalcomponent_kind_to_string(kind)) ?? ""
    properties = []
    components = []
    // libical keeps one cursor for a component's properties and one for its parts.
    var property = unsafe icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY)
    while let current = unsafe property {
      if let copied = unsafe Property(current) { properties.append(copied) }
      unsafe property = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)
    }
    var part = unsafe icalcomponent_get_first_component(component, ICAL_ANY_COMPONENT)
    while let current = unsafe part {
      unsafe components.append(CalendarComponent(current))
      unsafe part = icalcomponent_get_next_component(component, ICAL_ANY_COMPONENT)
    }
  }

  /// Copies a string of libical; nil stays nil.
  fileprivate static func copy(_ text: UnsafePointer<CChar>?) -> String? {
    // libical's strings end with a zero and are valid until its next call.
    unsafe text.map { unsafe String(cString: $0) }
  }
}

extension CalendarComponent.Property {
  /// Copies a property of libical, which must be valid; nil without a name or value.
  fileprivate init?(_ property: OpaquePointer) {
    // Everything is copied before the next call of libical.
    let written = unsafe icalproperty_get_value(property)
    let name = unsafe CalendarComponent.copy(icalproperty_get_property_name(property))
    let value: String?
    if let written = unsafe written, unsafe icalvalue_isa(written) == ICAL_TEXT_VALUE {
      value = unsafe CalendarComponent.copy(icalvalue_get_text(written))
    } else {
      value = unsafe CalendarComponent.copy(icalproperty_get_value_as_string(property))
    }
    guard let name, let value else { return nil }
    self.init(name: name, value: value, parameters: [:])
    for name in ["TZID", "VALUE", "RELATED", "RANGE"] {
      // A parameter that the property lacks is nil.
      parameters[name] = unsafe CalendarComponent.copy(
        icalproperty_get_parameter_as_string(property, name))
    }
  }
}

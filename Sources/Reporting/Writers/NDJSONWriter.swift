public import Fencepost

/// Writes each event as one JSON object on a line of its own.
///
/// The names and the order of the fields are a promise to scripts: fields are only ever added.
/// Coordinates have up to seven decimals (1 cm), distances one (10 cm); a time, a distance or an
/// error that there is not is `null`.
public struct NDJSONWriter: Sendable {
  /// Makes a writer.
  public init() {}

  /// Appends the event's line.
  public func write(_ event: Event, to output: inout ByteBuffer) {
    output.append(jsonObject: event)
    output.append(UInt8(ascii: "\n"))
  }
}

extension ByteBuffer {
  /// Appends an event as a JSON object, without an end of line.
  public mutating func append(jsonObject event: Event) {
    switch event {
    case .enter(let encounter):
      append("{\"type\":\"enter\"")
      append(fieldsOf: encounter)
    case .exit(let encounter):
      append("{\"type\":\"exit\"")
      append(fieldsOf: encounter)
    case .alert(let encounter, let alert):
      append("{\"type\":\"alert\"")
      append(fieldsOf: encounter)
      append(fieldsOf: alert, of: encounter)
    case .suppressed(let encounter, let reason):
      append("{\"type\":\"suppressed\"")
      append(fieldsOf: encounter)
      append(",\"reason\":")
      append(json: reason)
    case .reminder(let encounter, let edge):
      append("{\"type\":\"reminder\"")
      append(fieldsOf: encounter, idName: "reminder")
      append(",\"edge\":")
      append(json: edge.rawValue)
    case .refresh(let refresh):
      append("{\"type\":\"refresh\"")
      append(fieldsOf: refresh)
    case .summary(let summary):
      append("{\"type\":\"summary\"")
      append(fieldsOf: summary)
    }
    append(UInt8(ascii: "}"))
  }

  private mutating func append(fieldsOf encounter: Encounter, idName: StaticString = "place") {
    append(track: encounter.track, device: encounter.device)
    append(",\"segment\":")
    append(decimal: encounter.segment)
    append(",\"fix\":")
    append(decimal: encounter.fix)
    append(",\"fraction\":")
    append(encounter.fraction, decimals: Decimals.fraction)
    append(",\"time\":")
    append(jsonTime: encounter.timeMilliseconds)
    append(jsonFieldsOf: encounter.coordinate)
    append(",\"")
    append(idName)
    append("\":")
    append(json: encounter.placeID)
    append(",\"title\":")
    append(json: encounter.title)
    append(",\"distance\":")
    append(encounter.distanceMeters, decimals: Decimals.meters)
    if encounter.acrossBreak { append(",\"across\":\"break\"") }
  }

  /// What only an alert says: the story, for that is what its reader acts on, and the delivery
  /// where it is not at once.
  private mutating func append(fieldsOf alert: Alert, of encounter: Encounter) {
    if !encounter.url.isEmpty {
      append(",\"url\":")
      append(json: encounter.url)
    }
    if !encounter.blurb.isEmpty {
      append(",\"blurb\":")
      append(json: encounter.blurb)
    }
    if !encounter.category.isEmpty {
      append(",\"category\":")
      append(json: encounter.category)
    }
    if alert.deliveryMilliseconds != encounter.timeMilliseconds {
      append(",\"delivery\":")
      append(jsonTime: alert.deliveryMilliseconds)
    }
    if !alert.group.isEmpty {
      append(",\"group\":[")
      for (index, id) in alert.group.enumerated() {
        if index > 0 { append(UInt8(ascii: ",")) }
        append(json: id)
      }
      append(UInt8(ascii: "]"))
    }
  }

  private mutating func append(fieldsOf refresh: RefreshEvent) {
    append(track: refresh.track, device: refresh.device)
    append(",\"segment\":")
    append(decimal: refresh.segment)
    append(",\"fix\":")
    append(decimal: refresh.fix)
    append(",\"fraction\":")
    append(refresh.fraction, decimals: Decimals.fraction)
    append(",\"time\":")
    append(jsonTime: refresh.timeMilliseconds)
    append(jsonFieldsOf: refresh.coordinate)
    append(",\"monitored\":")
    append(decimal: refresh.monitored)
    append(",\"added\":")
    append(decimal: refresh.added)
    append(",\"removed\":")
    append(decimal: refresh.removed)
    append(",\"radius\":")
    append(refresh.radiusMeters ?? .nan, decimals: Decimals.meters)
    if let reachMeters = refresh.reachMeters {
      append(",\"reach\":")
      append(reachMeters, decimals: Decimals.meters)
    }
    if let failure = refresh.failure {
      append(",\"failure\":")
      append(json: failure)
    }
  }
}

package import Fencepost

/// Writes each event as one JSON object on its own line.
///
/// Scripts rely on the names and order of the fields, so fields are only ever added. Coordinates
/// have up to seven decimals (1 cm), distances one (10 cm). A missing time, distance or error is
/// `null`.
package struct NDJSONWriter: EventWriter {
  package init() {}

  package func write(_ event: Event, to output: inout OutputBuffer) {
    output.append(jsonObject: event)
    output.append(UInt8(ascii: "\n"))
  }
}

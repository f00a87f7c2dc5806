import FencepostFiles
import Fencepost
import FencepostFormats
import FencepostReporting

/// Every form of events must be read by a reader of that form, whatever the events hold.
enum EventForms {
  static func check(_ events: [Event]) throws(Finding) {
    try checkNDJSON(events)
    try checkCSV(events)
    try checkGeoJSON(events)
    try checkGPX(events)
    var writer = TextWriter()
    var buffer = OutputBuffer()
    for event in events { writer.write(event, to: &buffer) }
  }

  private static func checkNDJSON(_ events: [Event]) throws(Finding) {
    var buffer = OutputBuffer()
    for event in events { NDJSONWriter().write(event, to: &buffer) }
    let lines = buffer.text.utf8.split(separator: 0x0A)
    try demand(lines.count == events.count, "\(events.count) events are \(lines.count) lines")
    for line in lines { try checkJSON(Array(line)) }
  }

  private static func checkJSON(_ bytes: [UInt8]) throws(Finding) {
    do throws(JSONError) {
      _ = try JSONValue(parsing: bytes.span)
    } catch {
      throw Finding("\(error) in \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  private static func checkCSV(_ events: [Event]) throws(Finding) {
    var buffer = OutputBuffer()
    let writer = CSVWriter(selection: .all)
    writer.begin(&buffer)
    for event in events { writer.write(event, to: &buffer) }
    var reader = CSVReader()
    let bytes = Array(buffer.text.utf8)
    reader.push(bytes.span)
    reader.finish()
    var counts: [Int] = []
    do throws(CSVError) {
      while try reader.next() { counts.append(reader.fieldCount) }
    } catch {
      throw Finding("\(error) in \(buffer.text)")
    }
    try demand(counts.count == events.count + 1, "\(counts.count - 1) rows of \(events.count)")
    try demand(Set(counts).count == 1, "rows have \(Set(counts)) fields")
  }

  private static func checkGeoJSON(_ events: [Event]) throws(Finding) {
    var buffer = OutputBuffer()
    var writer = GeoJSONWriter()
    writer.begin(&buffer)
    for event in events { writer.write(event, to: &buffer) }
    writer.end(&buffer)
    try checkJSON(Array(buffer.text.utf8))
  }

  private static func checkGPX(_ events: [Event]) throws(Finding) {
    var buffer = OutputBuffer()
    var writer = GPXWriter()
    writer.begin(&buffer)
    for event in events { writer.write(event, to: &buffer) }
    writer.end(&buffer)
    var reader = XMLReader()
    let bytes = Array(buffer.text.utf8)
    reader.push(bytes.span)
    reader.finish()
    do throws(XMLError) {
      while try reader.next() != nil {}
    } catch {
      throw Finding("\(error) in \(buffer.text)")
    }
  }
}

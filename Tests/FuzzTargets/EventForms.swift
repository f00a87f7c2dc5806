import FencepostSession
import FencepostFiles
import FencepostFormats
import FencepostReporting

/// Every form of events must be read by a reader of that form, whatever the events hold.
enum EventForms {
  static func check(_ events: [Event]) throws(Finding) {
    let lines = written(events, by: NDJSONWriter()).split(separator: 0x0A)
    try demand(lines.count == events.count, "\(events.count) events are \(lines.count) lines")
    for line in lines { try checkJSON(Array(line)) }
    try checkJSON(written(events, by: GeoJSONWriter()))
    try checkCSV(written(events, by: CSVWriter(selection: .all)), count: events.count)
    try checkXML(written(events, by: GPXWriter()))
    _ = written(events, by: TextWriter())
  }

  private static func written(_ events: [Event], by writer: some EventWriter) -> [UInt8] {
    var writer = writer
    var buffer = OutputBuffer()
    writer.begin(&buffer)
    for event in events { writer.write(event, to: &buffer) }
    writer.end(&buffer)
    return Array(buffer.text.utf8)
  }

  private static func checkJSON(_ bytes: [UInt8]) throws(Finding) {
    do throws(JSONError) {
      _ = try JSONValue(parsing: bytes.span)
    } catch {
      throw Finding("\(error) in \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  private static func checkCSV(_ bytes: [UInt8], count: Int) throws(Finding) {
    var reader = CSVReader()
    reader.push(bytes.span)
    reader.finish()
    var counts: [Int] = []
    do throws(CSVError) {
      while try reader.next() { counts.append(reader.fieldCount) }
    } catch {
      throw Finding("\(error) in \(String(decoding: bytes, as: UTF8.self))")
    }
    try demand(counts.count == count + 1, "\(counts.count - 1) rows of \(count)")
    try demand(Set(counts).count == 1, "rows have \(Set(counts)) fields")
  }

  private static func checkXML(_ bytes: [UInt8]) throws(Finding) {
    var reader = XMLReader()
    reader.push(bytes.span)
    reader.finish()
    var elements = ElementCount([])
    if let error = reader.read(&elements) {
      throw Finding("\(error) in \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}

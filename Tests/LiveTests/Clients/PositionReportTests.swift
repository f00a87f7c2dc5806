import FencepostLive
import Testing

/// The requests have the form that each app's source gives them: ProtocolFormatter.kt of Traccar Client 8,
/// HttpUploader.kt of its SDK, LiveMonitoringHelper.java of OsmAnd, CustomUrlManager.java of GPSLogger.
@Suite("Position reports by Traccar Client, OsmAnd and GPSLogger")
struct PositionReportTests {
  @Test("Traccar Client to version 8 puts all into the query, with the speed in knots")
  func traccarQuery() throws {
    let request = try PostedRequest(
      query: "id=123456&timestamp=1772643600&lat=39.9496&lon=-75.1503&speed=10.0&bearing=270.5"
        + "&altitude=12.0&accuracy=4.5&batt=87.0&charge=true")
    #expect(request.client == .reporter)
    #expect(
      request.records == ["123456 2026-03-04T17:00:00Z 39.9496,-75.1503 4.5 5.14 270.5"])
  }

  @Test("Traccar Client 10 posts the same as a form, and JSON in an array")
  func traccarForm() throws {
    let form = try PostedRequest(
      body: "id=123456&lat=39.9496&lon=-75.1503&timestamp=1772643600&accuracy=4.5&speed=10.0"
        + "&bearing=270.5&batt=0.87\r\n")
    let array = try PostedRequest(
      body: #"[{"id":"123456","lat":39.9496,"lon":-75.1503,"timestamp":1772643600,"accuracy":4.5,"#
        + #""speed":10.0,"bearing":270.5},{"id":"123456","timestamp":1772643610}]"#)
    for request in [form, array] {
      #expect(request.client == .reporter)
      #expect(
        request.records == ["123456 2026-03-04T17:00:00Z 39.9496,-75.1503 4.5 5.14 270.5"])
    }
  }

  @Test("GPSLogger's times are encoded for an address even in JSON")
  func encodedTime() throws {
    let request = try PostedRequest(
      query: "id=log",
      body: #"{"lat":39.9496,"lon":-75.1503,"time":"2026-03-04T17%3A00%3A00.000Z","id":"log"}"#)
    #expect(request.client == .reporter)
    #expect(request.records == ["log 2026-03-04T17:00:00Z 39.9496,-75.1503 - - -"])
  }

  @Test(
    "A heartbeat has no position, and no fault",
    arguments: [
      ("id=123456&timestamp=1772643600&batt=87.0", ""), ("", "id=123456&timestamp=1772643600"),
      ("", #"[{"id":"123456","timestamp":1772643600,"batt":87}]"#),
    ])
  func heartbeat(query: String, body: String) throws {
    let request = try PostedRequest(query: query, body: body)
    #expect(request.client == .reporter)
    #expect(request.records.isEmpty)
  }

  @Test("Traccar Client 9 posts JSON in which -1 is unknown")
  func traccarJSON() throws {
    let request = try PostedRequest(
      body: """
        {"location":{"timestamp":"2026-03-04T17:00:00.250Z","coords":{"latitude":39.9496,
        "longitude":-75.1503,"accuracy":4.5,"speed":-1,"heading":-1,"altitude":12},"is_moving":true,
        "odometer":1200,"event":"motionchange","battery":{"level":0.87,"is_charging":false},
        "activity":{"type":"walking"},"extras":{}},"device_id":"123456"}
        """)
    #expect(request.client == .reporter)
    #expect(request.records == ["123456 2026-03-04T17:00:00.250Z 39.9496,-75.1503 4.5 - -"])
    let heartbeat = try PostedRequest(
      body: #"{"location":{"timestamp":"2026-03-04T17:00:00Z"},"device_id":"123456"}"#)
    #expect(heartbeat.client == .reporter)
    #expect(heartbeat.records.isEmpty)
  }

  @Test(
    "Times are seconds, milliseconds, ISO 8601 in any form, or that of receipt",
    arguments: [
      ("timestamp=1772643600", "2026-03-04T17:00:00Z"),
      ("timestamp=1772643600250", "2026-03-04T17:00:00.250Z"),
      ("timestamp=2026-03-04T17:00:00Z", "2026-03-04T17:00:00Z"),
      ("timestamp=2026-03-04T18:00:00.250%2B01:00", "2026-03-04T17:00:00.250Z"),
      ("timestamp=2026-03-04T18:00:00.250+01:00", "2026-03-04T17:00:00.250Z"),
      ("timestamp=2026-03-04%2017:00:00", "2026-03-04T17:00:00Z"),
      ("time=2026-03-04T17%253A00%253A00.000Z", "2026-03-04T17:00:00Z"),
      ("batt=9", "2026-03-04T18:00:00Z"),
    ])
  func times(text: String, time: String) throws {
    #expect(
      try PostedRequest(query: "id=a&lat=40&lon=-75&\(text)").records == [
        "a \(time) 40.0,-75.0 - - -"
      ])
  }

  @Test(
    "What is no fix is a fault with its reason",
    arguments: [
      ("id=a&lat=91&lon=-75", "a coordinate"), ("id=a&lat=40", "a coordinate"),
      ("id=a&lat=nan&lon=0x10", "a coordinate"), ("id=a&lat=40&lon=-75&timestamp=soon", "a time"),
      ("id=a&lat=40&lon=-75&valid=false", "a void"), ("id=a&location=40", "a coordinate"),
    ])
  func faults(query: String, words: String) throws {
    // Half a pair is no position either.
    let records = try PostedRequest(query: query).records
    #expect(records == [words] || (query.contains("location") && records.isEmpty))
  }

  @Test("OsmAnd's numbers near zero have an exponent, and its time is in milliseconds")
  func osmAnd() throws {
    let request = try PostedRequest(
      query: "id=car&lat=39.9496&lon=1.0E-4&timestamp=1772643600250&hdop=3.79&altitude=12.0"
        + "&spd=5.25&bearing=270.5&accuracy=3.79")
    #expect(
      request.records == ["car 2026-03-04T17:00:00.250Z 39.9496,0.0001 3.79 5.25 270.5"])
    let pair = try PostedRequest(query: "deviceid=car&location=40.5,%20-75.5&timestamp=1772643600")
    #expect(pair.records == ["car 2026-03-04T17:00:00Z 40.5,-75.5 - - -"])
  }

  @Test(
    "GPSLogger's names are read from its default address, a body without a type, and quoted JSON",
    arguments: [
      ("lat=39.9496&longitude=-75.1503&time=2026-03-04T17:00:00.000Z&s=5.25&id=log", ""),
      (
        "",
        "lat=39.9496&lon=-75.1503&sat=7&desc=&alt=12&acc=&dir=&prov=gps&spd=5.25"
          + "&timestamp=1772643600&time=2026-03-04T17%3A00%3A00.000Z&ser=&act=&id=log"
      ),
      (
        "",
        #"{"id":"log","lat":"39.9496","lon":"-75.1503","acc":"","spd":"5.25","dir":"","#
          + #""time":"2026-03-04T17%3A00%3A00.000Z"}"#
      ),
    ])
  func gpsLogger(query: String, body: String) throws {
    let request = try PostedRequest(query: query, body: body)
    #expect(request.client == .reporter)
    #expect(request.records == ["log 2026-03-04T17:00:00Z 39.9496,-75.1503 - 5.25 -"])
  }

  @Test(
    "Tracks and lines of JSON are no reports",
    arguments: [
      "time,lat,lon\n2026-03-04T17:00:00Z,40,-75\n", "<gpx/>", "$GPRMC,170000,A",
      #"{"device":"a","time":1772643600,"lat":40,"lon":-75}"#,
      #"{"class":"TPV","lat":40,"lon":-75}"#, "a=1&b=2", "lat=%LAT&lon=%LON", "{\"lat\":",
    ])
  func others(body: String) throws {
    #expect(try PostedRequest(body: body).post == nil)
  }
}

import FencepostFixes
import FencepostGeodesy
import FencepostTracks
import Testing

@Suite("TCX")
struct TCXTests {
  private func read(_ body: String) -> Outcome {
    let text =
      "<?xml version=\"1.0\"?>\n<TrainingCenterDatabase xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2\">\n\(body)</TrainingCenterDatabase>\n"
    return DecoderVerifier.verify(Array(text.utf8)) { Undoubted() }
  }

  private func point(_ minute: Int, _ latitude: String = "50", _ more: String = "") -> String {
    "<Trackpoint><Time>2026-03-04T17:0\(minute):00.000Z</Time><Position><LatitudeDegrees>\(latitude)</LatitudeDegrees>"
      + "<LongitudeDegrees>5</LongitudeDegrees></Position><HeartRateBpm><Value>90</Value></HeartRateBpm>\(more)</Trackpoint>\n"
  }

  private func activity(_ laps: String) -> String {
    "<Activities><Activity Sport=\"Running\"><Id>x</Id>\(laps)</Activity></Activities>\n"
  }

  @Test("laps follow each other; a second track in a lap follows a pause")
  func laps() {
    let outcome = read(
      activity(
        "<Lap><Track>\(point(0))</Track></Lap><Lap><Track>\(point(1))</Track><Track>\(point(2))\(point(3))</Track></Lap>"
      ))
    #expect(outcome.error == nil && outcome.rejections.isEmpty)
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0, 1, 1])
    #expect(outcome.times.first == "2026-03-04T17:00:00Z")
    #expect(outcome.fixes.map(\.line) == [3, 4, 5, 6])
  }

  @Test("each activity is a track, and courses are left out beside them")
  func activities() {
    let course =
      "<Courses><Course><Name>c</Name><Lap/><Track>\(point(4, "9"))</Track></Course></Courses>"
    let two =
      activity("<Lap><Track>\(point(5))</Track></Lap>")
      + activity("<Lap><Track>\(point(0))</Track></Lap>")
    #expect(read(course + two).fixes.map(\.trackIndex) == [0, 1])
    #expect(read(course).fixes.map(\.coordinate.latitudeDegrees) == [9])
  }

  @Test("speed is read of its extension")
  func speed() {
    let extensions =
      "<Extensions><ns3:TPX xmlns:ns3=\"x\"><ns3:Speed>2.5</ns3:Speed><ns3:Watts>7</ns3:Watts></ns3:TPX></Extensions>"
    let outcome = read(activity("<Lap><Track>\(point(0, "50", extensions))</Track></Lap>"))
    #expect(outcome.fixes.first?.speedMetersPerSecond == 2.5)
  }

  @Test("what is wrong with a trackpoint is said with its line")
  func faults() {
    let nothing = "<Trackpoint><Time>2026-03-04T17:00:00Z</Time></Trackpoint>\n"
    let late = point(0).split(separator: "2026-03-04T17:00:00.000Z").joined(separator: "soon")
    let outcome = read(activity("<Lap><Track>\(nothing)\(point(1, "97"))\(late)</Track></Lap>"))
    #expect(outcome.rejections.map(\.reason) == [.void, .coordinate, .time])
    #expect(outcome.rejections.map(\.line) == [3, 4, 5])
    #expect(outcome.times == ["-"])
  }

  @Test("a document type that declares an entity is refused")
  func entity() {
    let text =
      "<!DOCTYPE a [<!ENTITY b \"c\">]><TrainingCenterDatabase>&b;</TrainingCenterDatabase>"
    let outcome = DecoderVerifier.verify(Array(text.utf8)) { Undoubted() }
    #expect(outcome.error?.sentence.contains("entity") == true)
  }
}

@Suite("KML")
struct KMLTests {
  private func read(_ body: String) -> Outcome {
    let text =
      "<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\">"
      + "<Document>\n\(body)</Document></kml>\n"
    return DecoderVerifier.verify(Array(text.utf8)) { Undoubted() }
  }

  private func placemark(_ body: String) -> String {
    "<Placemark><name>x</name>\(body)</Placemark>\n"
  }
  private func when(_ minute: Int) -> String { "<when>2026-03-04T17:0\(minute):00Z</when>\n" }

  @Test("the n-th time of a track is that of its n-th position, in either order and mixed")
  func pairs() {
    let coordinates = ["<gx:coord>5 50 1</gx:coord>", "<gx:coord>\n5 51</gx:coord>"]
    for body in [
      when(0) + when(1) + coordinates[0] + coordinates[1],
      coordinates[0] + coordinates[1] + when(0) + when(1),
      when(0) + coordinates[0] + when(1) + coordinates[1],
    ] {
      let outcome = read(placemark("<gx:Track>\(body)</gx:Track>"))
      #expect(outcome.times == ["2026-03-04T17:00:00Z", "2026-03-04T17:01:00Z"])
      #expect(outcome.fixes.map(\.coordinate.latitudeDegrees) == [50, 51])
      #expect(outcome.rejections.isEmpty && outcome.error == nil)
    }
  }

  @Test("an empty position is void, and one more than the times is kept without one")
  func uneven() {
    let outcome = read(
      placemark(
        "<gx:Track>\(when(0))\(when(1))<gx:coord/><gx:coord>5 50</gx:coord>\n<gx:coord>5 51</gx:coord></gx:Track>"
      ))
    #expect(outcome.times == ["2026-03-04T17:01:00Z", "-"])
    #expect(outcome.rejections.map(\.reason) == [.void, .time])
    #expect(outcome.rejections.map(\.line) == [5, 6])
  }

  @Test("the tracks of a multi-track are joined where it says so")
  func multiTrack() {
    func track(_ minute: Int) -> String {
      "<gx:Track>\(when(minute))<gx:coord>5 50</gx:coord></gx:Track>"
    }
    func read(_ interpolate: String) -> [Int32] {
      self.read(placemark("<gx:MultiTrack>\(interpolate)\(track(0))\(track(1))</gx:MultiTrack>"))
        .fixes.map(\.segmentIndex)
    }
    #expect(read("") == [0, 1])
    #expect(read("<gx:interpolate>0</gx:interpolate>") == [0, 1])
    #expect(read("<gx:interpolate>1</gx:interpolate>") == [0, 0])
  }

  @Test("a line of any length is read, also with blanks behind commas")
  func line() {
    let outcome = read(
      placemark(
        "<LineString><coordinates>\n5,50,0 5,51,0\n 5, 52, 0\n5,95 nowhere\n</coordinates></LineString>"
      ))
    #expect(outcome.fixes.map(\.coordinate.latitudeDegrees) == [50, 51, 52])
    #expect(outcome.fixes.map(\.line) == [4, 4, 5])
    #expect(outcome.rejections.map(\.reason) == [.coordinate, .coordinate])
    #expect(outcome.rejections.map(\.line) == [6, 6])
  }

  @Test("points with times are one segment, and a marker with a time is not the track of a line")
  func points() {
    func point(_ minute: Int, _ longitude: Int) -> String {
      placemark(
        "<Point><coordinates>\(longitude),50</coordinates></Point><TimeStamp>\(when(minute))</TimeStamp>"
      )
    }
    let line = placemark("<LineString><coordinates>7,50 7,51 7,52</coordinates></LineString>")
    let outcome = read(point(0, 5) + line + point(1, 6))
    #expect(outcome.times == ["2026-03-04T17:00:00Z", "2026-03-04T17:01:00Z"])
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0])
    #expect(read(point(0, 5) + line).fixes.map(\.coordinate.longitudeDegrees) == [7, 7, 7])
  }

  @Test("polygons, views and styles are no tracks")
  func others() {
    let outcome = read(
      placemark(
        "<LookAt><longitude>1</longitude></LookAt><Polygon><outerBoundaryIs><LinearRing><coordinates>1,1 1,2 2,2 1,1</coordinates></LinearRing></outerBoundaryIs></Polygon>"
      ))
    #expect(outcome.fixes.isEmpty && outcome.rejections.isEmpty && outcome.error == nil)
  }

  @Test("a file that ends early keeps what came before, with the line")
  func cut() {
    let text = "<kml><Placemark>\n<LineString><coordinates>5,50 5,51 5,5"
    let outcome = DecoderVerifier.verify(Array(text.utf8)) { Undoubted() }
    #expect(outcome.fixes.count == 2)
    #expect(outcome.error?.line == 2)
  }
}

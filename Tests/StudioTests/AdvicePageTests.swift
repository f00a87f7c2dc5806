import FencepostSession
import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostReporting
import FencepostStudio
import SampleStories
import TestSupport
import Testing

@Suite("The page of advice in a real browser", .serialized, .onOwnThreads)
struct AdvicePageTests {
  @Test(
    "It opens without an error, and a chosen change is outlined on the map",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func opens() async throws {
    let scene = AnalysisScene(
      seed: 3, around: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16),
      placeCount: 60)
    var places = scene.places
    for index in places.indices {
      places[index].title = "</script><img src=x onerror=\"document.title='owned'\">"
    }
    let track = RecordedTrack(
      name: "<b>walk</b>", fixes: scene.path.map { Fix(coordinate: $0, timeMilliseconds: nil) })
    var options = AdviceOptions()
    options.session.monitoring.limit = 6
    options.mostChanges = 3
    options.kinds = [.radius, .position]
    let advice = try await Advisor(
      places: places, persons: [PersonTracks(person: nil, tracks: [track])], options: options
    ).advise()
    #expect(!advice.proposals.isEmpty)
    var output = OutputBuffer()
    AdvicePage(advice, tracks: [track]).write(try Browser.mapLibrary(), to: &output)
    let visit = try Browser.visit(
      output.text,
      probe: """
        const button = document.querySelector('#changes button');
        button.click();
        tell('chosen', String(button.closest('tr').className));
        tell('rows', String(document.querySelectorAll('#changes tbody tr').length));
        tell('title', document.title);
        tell('height', String(document.getElementById('map').clientHeight >= 300));
        tell('links', String(document.querySelectorAll('.in-studio').length));
        tell('images', String(document.querySelectorAll('main img:not(.leaflet-tile)').length));
        """)
    #expect(visit.console.isEmpty)
    #expect(visit.tree.contains("data-ready=\"true\""))
    #expect(visit.tree.contains("<canvas"))
    #expect(visit.probed("chosen") == "chosen")
    #expect(visit.probed("rows") == "\(advice.proposals.count)")
    #expect(visit.probed("title")?.contains("more alert") == true)
    #expect(visit.probed("images") == "0")
    #expect(visit.probed("height") == "true")
    #expect(visit.probed("links") == "0")
  }
}

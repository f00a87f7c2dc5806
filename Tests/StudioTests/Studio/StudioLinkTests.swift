import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import FencepostSession
import FencepostStudio
import Foundation
import SampleStories
import TestSupport
import Testing

@Suite(
  "Reports, advice and files that meet the studio", .serialized,
  .onOwnThreads,
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
struct StudioLinkTests {
  private static let walks = ["walk.gpx", "ride.gpx"]

  private static func recorded(_ walks: [String]) throws -> [RecordedTrack] {
    try walks.map { try RecordedTrack(path: SampleStories.track($0)) }
  }

  /// Proposals for the sample stories on walks.
  private static func advise(
    _ walks: [String], mostChanges: Int, kinds: Set<AdviceOptions.Kind>? = nil
  ) async throws -> Advice {
    var options = AdviceOptions()
    options.mostChanges = mostChanges
    if let kinds { options.kinds = kinds }
    return try await Advisor(
      places: try SampleAnalysis.store().allPlaces(),
      persons: try recorded(walks).map { PersonTracks(person: nil, tracks: [$0]) },
      options: options
    ).advise()
  }

  /// Advice as a file of it has it.
  private static func lines(_ advice: Advice) -> [String] {
    var output = OutputBuffer()
    AdviceWriter(advice).writeNDJSON(to: &output)
    return output.text.split(separator: "\n").map(String.init)
  }

  /// Drops files, each with the expression that makes its contents.
  private func drop(_ files: [(name: String, contents: String)], on studio: StudioPage) throws {
    let items = files.map { "data.items.add(new File([\($0.contents)], '\($0.name)'));" }.joined()
    _ = try studio.browser.value(
      """
      (() => { const data = new DataTransfer(); \(items)
      dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true })); })()
      """)
  }

  /// A text as a literal of the page's script.
  private func literal(_ text: String) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: [text])
    return String(decoding: data, as: UTF8.self).dropFirst().dropLast().description
  }

  private func waitForAll(_ studio: StudioPage) throws {
    try studio.browser.wait(
      "not all tracks are followed",
      until: "document.body.dataset.complete === String(studio.question().number)")
  }

  @Test("The studio's report counts what the studio shows, and its moments lead back to the stage")
  func report() throws {
    let studio = try StudioPage(Self.walks)
    try studio.choose("liberty-bell-center")
    try studio.waitForNextAnswer { try studio.type("radius", in: "story", "300") }
    try waitForAll(studio)
    let alerts = try studio.result("result-all")[0]
    _ = try studio.browser.call(
      "Runtime.evaluate",
      ["expression": "document.getElementById('report').click()", "userGesture": true])
    _ = try studio.browser.value("window.report = open('', 'fencepost-report'); 0")
    try studio.browser.wait(
      "no report", until: "report.document?.documentElement?.dataset.ready === 'true'")
    let counted = "JSON.parse(report.document.getElementById('data').textContent).totals.alerts"
    #expect(try "\(studio.number(counted))".hasPrefix(alerts))

    // In the meantime the story is given its old radius; the link takes what the report speaks of back.
    try studio.waitForNextAnswer { try studio.click("undo") }
    _ = try studio.browser.value("report.location.hash = '#story=independence-hall&moment=0'; 0")
    try studio.browser.wait(
      "no link", until: "report.document.querySelector('.in-studio') !== null")
    try studio.waitForNextAnswer {
      _ = try studio.browser.call(
        "Runtime.evaluate",
        [
          "expression": "report.document.querySelector('.in-studio').click()",
          "userGesture": true,
        ])
    }
    try studio.browser.wait(
      "the story is not chosen", until: "studio.chosen === 'independence-hall'")
    let entry = "studio.run.entries.find(one => one.story === 'independence-hall').at"
    try studio.browser.wait("not at the entry", until: "studio.player.now === \(entry)")
    let radius = "studio.edits.places.get('liberty-bell-center').radius"
    #expect(try studio.number(radius) == 300)
    try studio.waitForNextAnswer { try studio.click("undo") }
    #expect(try studio.number(radius) == 75)
    #expect(studio.browser.complaints == [])
  }

  @Test("A link is followed though the page was about to write its own address")
  func linkAndOwnAddress() throws {
    let studio = try StudioPage()
    try studio.choose("liberty-bell-center")
    try studio.browser.wait(
      "no address of its own", until: "location.hash.includes('story=liberty-bell-center')")
    // The address changes at once, and its event comes after what a timer does in the meantime.
    _ = try studio.browser.value(
      """
      (() => {
        const later = window.setTimeout;
        let write = null;
        window.setTimeout = body => { write = body; return 0; };
        const field = document.getElementById('find');
        field.value = 'congress-hall';
        field.dispatchEvent(new Event('input'));
        window.setTimeout = later;
        window.wroteLate = write !== null;
        location.hash = '#story=independence-hall';
        write?.();
      })()
      """)
    #expect(try studio.browser.value("wroteLate") as? Bool == true)
    try studio.browser.wait(
      "the link is not followed", until: "studio.chosen === 'independence-hall'")
    try studio.browser.wait(
      "the address is not its own again",
      until: "location.hash.includes('story=independence-hall') && location.hash.includes('map=')")
    #expect(studio.browser.complaints == [])
  }

  @Test("The report of a command opens in a studio at the story and the moment that are chosen")
  func linkedReport() async throws {
    let scratch = try ScratchFolder()
    let studio = try StudioPage()
    let page = try #require(studio.address.split(separator: "?").first.map(String.init))
    let written = scratch.path("report.html")
    let report = try await Browser.page(
      of: [SampleStories.track("walk.gpx")], places: OpenStudio.stories,
      studio: StudioLink(address: page))
    try scratch.write("report.html", report.page)
    try studio.browser.open("about:blank")
    try studio.browser.open("file://\(written)#story=independence-hall&moment=0")
    try studio.browser.wait("no link", until: "document.querySelector('.in-studio') !== null")
    let link = try #require(
      try studio.browser.value("document.querySelector('.in-studio').href") as? String)
    #expect(link.hasPrefix(page + "#track="))
    // A click in a file comes from elsewhere: only the secret in the link lets it in.
    let follow = """
      (() => { const link = document.querySelector('.in-studio');
      link.href = link.href.replace('/#', '/?\(studio.address.split(separator: "?").last ?? "")#');
      link.target = '_self'; setTimeout(() => link.click()); })()
      """
    _ = try studio.browser.call("Network.clearBrowserCookies")
    _ = try studio.browser.value(follow)
    try studio.waitForAnswer()
    try studio.browser.wait(
      "the story is not chosen", until: "studio.chosen === 'independence-hall'")
    let entry = "studio.run.entries.find(one => one.story === 'independence-hall').at"
    try studio.browser.wait("not at the entry", until: "studio.player.now === \(entry)")
    #expect(try studio.browser.value("location.search") as? String == "")
    // A link to what is not there says so.
    try studio.browser.open("about:blank")
    try studio.browser.open(page + "#track=other.gpx&story=nobody&when=5")
    try studio.waitForAnswer()
    try studio.browser.wait(
      "no sentence",
      until: """
        document.getElementById('notices').innerText.includes('to the walk other.gpx')
          && document.getElementById('notices').innerText.includes('to the story nobody')
        """)
  }

  @Test("Each change of advice gains in the studio what it claims, and is taken back by undo")
  func advice() async throws {
    let advice = try await Self.advise(Self.walks, mostChanges: 4)
    let claims = advice.proposals.map(\.effect.alerts)
    #expect(claims.count == 4)
    let studio = try StudioPage(Self.walks) { $0.advice = Self.lines(advice) }
    try waitForAll(studio)
    let before = try #require(Int(try studio.result("result-all")[0]))
    for (index, claim) in claims.enumerated() {
      try studio.waitForNextAnswer {
        _ = try studio.browser.value(
          "document.querySelectorAll('#advice li')[\(index)].querySelectorAll('button')[1].click()")
      }
      try studio.browser.wait(
        "the gain of change \(index + 1) is not that",
        until: """
          document.querySelectorAll('#advice .gain')[\(index)].innerText
            .includes('Measured here: +\(claim) alert')
          """)
    }
    let after = try #require(Int(try studio.result("result-all")[0]))
    #expect(after - before == claims.reduce(0, +))
    // The newest change is taken back where it stands, and all of them by undo.
    try studio.waitForNextAnswer {
      _ = try studio.browser.value(
        "document.querySelectorAll('#advice li')[3].querySelectorAll('button')[1].click()")
    }
    for _ in 0..<3 { try studio.waitForNextAnswer { try studio.click("undo") } }
    try waitForAll(studio)
    #expect(try studio.result("result-all")[0] == "\(before)")
    #expect(studio.browser.complaints == [])
    // All at once are one step.
    try studio.waitForNextAnswer { try studio.click("advice-all") }
    try waitForAll(studio)
    #expect(try studio.result("result-all")[0] == "\(after)")
    #expect(try studio.number("studio.edits.done") == 1)
  }

  @Test("The studio finds changes by itself, and each leads to its place")
  func findsAdvice() throws {
    let studio = try StudioPage()
    try studio.click("tab-advice")
    try studio.click("advice-find")
    try studio.browser.wait(
      "nothing was proposed",
      until: "document.querySelectorAll('#advice li').length > 1")
    let show = """
      (() => { const item = [...document.querySelectorAll('#advice li')]
        .find(one => /^(Radius|Move)/.test(one.querySelector('.change').innerText));
      item.querySelector('button').click(); return item.querySelector('.change').innerText; })()
      """
    let change = try #require(try studio.browser.value(show) as? String)
    let title = try #require(
      try studio.browser.value("studio.titleOf(studio.chosen)") as? String)
    #expect(change.hasSuffix(title))
    let place = "studio.edits.places.get(studio.chosen)"
    #expect(
      try studio.browser.value(
        "studioMap.getBounds().contains([\(place).lat, \(place).lon])") as? Bool == true)
    #expect(
      try studio.browser.value("document.getElementById('panel-advice').hidden") as? Bool == false)
  }

  @Test("The page of advice leads into a studio, with the change made and to be undone")
  func linkedAdvice() async throws {
    let scratch = try ScratchFolder()
    let studio = try StudioPage(Self.walks)
    let address = try #require(studio.address.split(separator: "?").first)
    let advice = try await Self.advise(Self.walks, mostChanges: 2, kinds: [.radius])
    var page = AdvicePage(advice, tracks: try Self.recorded(Self.walks))
    page.studio = StudioLink(address: String(address))
    var output = OutputBuffer()
    page.write(try Browser.mapLibrary(), to: &output)
    let written = try scratch.write("advice.html", output.text)
    try studio.browser.open("file://\(written)")
    try studio.browser.wait(
      "no links", until: "document.querySelectorAll('.in-studio').length === 2")
    let link = try #require(
      try studio.browser.value("document.querySelectorAll('.in-studio')[1].href") as? String)
    try studio.browser.open("about:blank")
    try studio.browser.open(link)
    try studio.waitForAnswer()
    #expect(try studio.number("Object.keys(studio.edits.changes()).length") == 2)
    #expect(
      try studio.browser.value("studio.edits.changes()[studio.chosen] !== undefined") as? Bool
        == true)
    try studio.waitForNextAnswer { try studio.click("undo") }
    #expect(try studio.number("Object.keys(studio.edits.changes()).length") == 0)
  }

  @Test("A dropped table of stories becomes changes, and a dropped line of advice a list")
  func drops() async throws {
    let studio = try StudioPage()
    let table = """
      'id,title,lat,lon,radius\\nliberty-bell-center,Bell,39.9496,-75.1503,120\\n'
        + 'own,Own,39.95,-75.15,80\\nbad,Bad,99,0,50\\n'
      """
    try drop([("places.csv", table)], on: studio)
    try studio.browser.wait("no offer", until: "document.getElementById('add-stories') !== null")
    #expect(try studio.text("dialog").contains("a list of 2 stories, 1 of them new"))
    #expect(try studio.text("dialog").contains("places.csv, row 4"))
    try studio.waitForNextAnswer { try studio.click("add-stories") }
    #expect(try studio.number("studio.edits.places.get('liberty-bell-center').radius") == 120)
    #expect(try studio.number("studio.edits.places.get('own').radius") == 80)
    #expect(try studio.number("studio.edits.steps.length") == 1)
    let notices = try studio.text("notices")
    #expect(notices.contains("places.csv: 2 stories, 1 of them new"))
    let lines = Self.lines(try await Self.advise(["walk.gpx"], mostChanges: 1))
    try drop([("advice.ndjson", try literal(lines.joined(separator: "\n")))], on: studio)
    try studio.browser.wait(
      "no advice", until: "document.querySelectorAll('#advice li').length === 1")
  }

  @Test("A list of stories with any columns is offered for import, and never read as a walk")
  func list() throws {
    let studio = try StudioPage()
    let before = try studio.number("studio.edits.places.size")
    let table = """
      'Nr;Titel;Breite;Länge;Radius (ft);Teaser\\n'
        + '1;Eins;39,95;-75,15;300;Text\\n2;Zwei;39,951;-75,151;300;Text\\n'
      """
    try drop([("list.csv", table)], on: studio)
    try studio.browser.wait("no offer", until: "document.getElementById('add-stories') !== null")
    #expect(try studio.text("dialog").contains("Phones often react too late to circles that small"))
    #expect(try studio.number("studio.scene.tracks.length") == 1)
    try studio.waitForNextAnswer { try studio.click("add-stories") }
    #expect(try studio.number("studio.edits.places.size") == before + 2)
    try studio.waitForNextAnswer { try studio.click("undo") }
    #expect(try studio.number("studio.edits.places.size") == before)
    #expect(studio.browser.complaints == [])
  }

  @Test("What cannot be opened is told in sentences, and what is good is kept")
  func refusals() throws {
    var server: OpenStudio? = try OpenStudio()
    let studio = try StudioPage(at: try #require(server).address, of: nil)
    let good =
      "'time,lat,lon\\n2026-03-04T17:00:00Z,39.95,-75.15\\n2026-03-04T17:01:00Z,39.951,-75.15\\n'"
    try drop(
      [("one.csv", good), ("bad.gpx", "'nothing of the kind'"), ("two.csv", good)], on: studio)
    try studio.browser.wait(
      "the good tracks are not there",
      until:
        "studio.scene.tracks.length === 3 && studio.track?.name === 'two.csv' && "
        + "studio.run !== null"
    )
    #expect(try studio.text("notices").contains("bad.gpx"))
    // A file that is too large is not even sent.
    _ = try studio.browser.value(
      """
      (() => { const file = new File(['x'], 'large.gpx');
      Object.defineProperty(file, 'size', { value: 300e6 });
      const event = new Event('drop', { cancelable: true });
      event.dataTransfer = { items: [{ kind: 'file', getAsFile: () => file }] };
      dispatchEvent(event); })()
      """)
    try studio.browser.wait(
      "no sentence of the large file",
      until: "document.getElementById('notices').innerText.includes('large.gpx has 300 MB')")
    // A folder is opened with the folders in it.
    _ = try studio.browser.value(
      """
      (() => { const entryOf = file => ({ isFile: true, name: file.name, file: done => done(file) });
      const folderOf = (name, inside) => ({ isDirectory: true, name, createReader: () => {
        let rest = inside; return { readEntries: done => { done(rest); rest = []; } }; } });
      const entry = folderOf('walks', [entryOf(new File([\(good)], 'b.csv')),
        folderOf('old', [entryOf(new File([\(good)], 'a.csv'))])]);
      const event = new Event('drop', { cancelable: true });
      event.dataTransfer = { items: [{ kind: 'file', webkitGetAsEntry: () => entry }] };
      dispatchEvent(event); })()
      """)
    try studio.browser.wait(
      "the folder's tracks are not there", until: "studio.scene.tracks.length === 5")
    // A studio that has ended is said to be gone.
    server = nil
    try studio.click("add")
    try studio.browser.wait(
      "nothing is said of the end",
      until: "document.getElementById('notices').innerText.includes('The studio does not answer')")
    try studio.browser.wait(
      "the link is still followed",
      until: "/^no (result|answer)$/.test(document.getElementById('link').textContent)")
  }

  @Test("Words of the glossary tell what they mean under the pointer and by keyboard")
  func words() throws {
    let studio = try StudioPage()
    let meanings = """
      [...document.querySelectorAll('.result abbr')].filter(one => one.title.length > 20
        && one.tabIndex === 0).map(one => one.textContent)
      """
    #expect(
      try studio.browser.value(meanings) as? [String]
        == ["Alerts", "Gained", "Lost", "Late", "Missed"])
  }
}

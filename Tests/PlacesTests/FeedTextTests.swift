import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import Testing

@Suite("HTML in feeds")
struct FeedTextTests {
  private func atom(_ title: String, type: String) throws -> Place? {
    try ImportTests.places(
      of: """
        <feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://www.georss.org/georss"><entry>
        <id>a</id><title type="\(type)">\(title)</title><summary type="\(type)">\(title)</summary>
        <g:point>1 2</g:point></entry></feed>
        """
    ).places.first
  }

  @Test(
    "HTML becomes the text that a feed reader shows",
    arguments: [
      ("AT&amp;amp;T &lt;b&gt;wins&lt;/b&gt;", "AT&T wins"),
      ("caf&amp;eacute; &amp;#8212; &amp;#x41;&amp;#146;s", "café — A’s"),
      (
        "1 &lt; 2 &amp;lt; 3 & List&lt;String&gt;".replacing(" & ", with: " &amp; "),
        "1 < 2 < 3 & List<String>"
      ),
      ("a&lt;!-- b --&gt;c&lt;script&gt;d&lt;/script&gt;e&lt;img alt='&gt;'/&gt;", "ace"),
      ("&amp;unknown; &amp;amp &amp;#0; &lt;b", "&unknown; &amp &#0; <b"),
      ("  a \n &amp;nbsp; b ", "a b"), ("&lt;EM CLASS=\"x\"&gt;a&lt;/EM&gt;", "a"),
    ])
  func readsHTML(source: String, text: String) throws {
    let place = try #require(try atom(source, type: "html"))
    #expect(place.title == text)
    #expect(place.blurb == text)
  }

  @Test(
    "What is opened again and again and never closed is read once",
    arguments: [
      "<!--", "<!-- x", "<a ", "<a '", "<a \"", "<a \"<a '", "<a href='x'", "</p ", "<![CDATA[",
      "<?",
      "<!", "&", "&amp", "&#", "<script", "<style>", "<b><!--", "<!---->", "<",
    ])
  func unclosed(_ piece: String) throws {
    // With the end searched each time, this would take hours.
    let text = String(repeating: piece, count: 400_000 / piece.utf8.count)
    let quoted = text.replacing("\"", with: "\"\"")
    let report = try ImportTests.places(of: "id,lat,lon,blurb\na,1,2,\"\(quoted)\"\n")
    #expect(report.places.map(\.id) == ["a"])
  }

  @Test("A less-than sign ends a tag that has not ended")
  func strayTag() throws {
    let place = try #require(
      try atom("a &lt;b c &lt;i&gt;d&lt;/i&gt; &lt;!-- e &lt;u&gt;f&lt;/u&gt;", type: "html"))
    #expect(place.title == "a <b c d <!-- e f")
  }

  @Test("A blurb keeps its lines, a title does not")
  func keepsLines() throws {
    let place = try #require(
      try atom("&lt;p&gt;One&lt;br/&gt;two&lt;/p&gt;&lt;p&gt;three&lt;/p&gt;", type: "html"))
    #expect(place.title == "One two three")
    #expect(place.blurb == "One\ntwo\nthree")
    let mixed = try #require(
      try atom("<div><p>Some <b>bold</b></p><p>&lt;text></p></div>", type: "xhtml"))
    #expect(mixed.title == "Some bold <text>")
    #expect(mixed.blurb == "Some bold\n<text>")
  }

  @Test("Atom text that is not HTML is kept verbatim", arguments: ["text", ""])
  func keepsText(type: String) throws {
    let place = try #require(try atom("a &lt;b&gt; &amp;amp; c", type: type))
    #expect(place.title == "a <b> &amp; c")
  }

  @Test("RSS titles and descriptions are HTML")
  func readsRSS() throws {
    let place = try #require(
      try ImportTests.places(
        of: """
          <rss><channel><item><title>Tom &amp;amp; Jerry &amp; I</title><guid>a&amp;amp;b</guid>
          <description><![CDATA[<p>It&rsquo;s <a href="x">here</a></p>]]></description>
          <lat>1</lat><long>2</long></item></channel></rss>
          """
      ).places.first)
    #expect(place.title == "Tom & Jerry & I")
    #expect(place.blurb == "It’s here")
    #expect(place.id == "a&amp;b")
  }
}

@Suite("Places saved in Google Maps")
struct GoogleSavedPlaceTests {
  private func feature(_ properties: String, _ coordinates: String = "-75.25,39.5") -> String {
    """
    {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point",
    "coordinates":[\(coordinates)]},"properties":\(properties)}]}
    """
  }

  @Test(
    "Both forms of the export have name, address, link and comment, and no validity period",
    arguments: [
      (
        #"{"Google Maps URL":"http://maps.google.com/?cid=1","Location":{"Address":"1 Main St","#
          + #""Business Name":"Joe's","Geo Coordinates":{"Latitude":"39.5","Longitude":"-75.25"}},"#
          + #""Published":"2023-01-02T03:04:05Z","Title":"Joe's","Comment":"Pie"}"#, "-75.25,39.5"
      ),
      (
        #"{"Google Maps URL":"http://maps.google.com/?cid=1","Location":{"Address":"1 Main St","#
          + #""Business Name":"Joe's","Geo Coordinates":{"Latitude":"39.5","Longitude":"-75.25"}},"#
          + #""Published":"2023-01-02T03:04:05Z","Comment":"Pie"}"#, "0,0"
      ),
      (
        #"{"date":"2023-01-02T03:04:05Z","google_maps_url":"http://maps.google.com/?cid=1","#
          + #""location":{"address":"1 Main St","country_code":"US","name":"Joe's"},"#
          + #""Comment":"Pie"}"#, "-75.25,39.5"
      ),
    ])
  func readsBothForms(properties: String, coordinates: String) throws {
    let (report, places) = try ImportTests.places(of: feature(properties, coordinates))
    #expect(report.refused == 0)
    let place = try #require(places.first)
    #expect(place.title == "Joe's" && place.blurb == "Pie\n1 Main St")
    #expect(place.url == "http://maps.google.com/?cid=1")
    #expect(place.coordinate.latitudeDegrees == 39.5)
    #expect(place.publishedMilliseconds == nil)
  }

  @Test(
    "A saved place without a name is called by its address, and one without a position is refused")
  func readsPoorOnes() throws {
    let poor = #"{"google_maps_url":"u","location":{"address":"1 Main St"}}"#
    let (_, places) = try ImportTests.places(of: feature(poor))
    #expect(places.map(\.title) == ["1 Main St"] && places.map(\.blurb) == [""])
    let (report, none) = try ImportTests.places(
      of: feature(#"{"google_maps_url":"u","date":"2023-01-02T03:04:05Z"}"#, "0,0"))
    #expect(none.isEmpty)
    #expect(report.refusals.map(\.reason) == [.missingPosition])
    #expect(report.refusals.first?.sentence.contains("0,0") == true)
  }

  @Test("Other features may have an invalid date")
  func leavesOthersAlone() throws {
    let (report, places) = try ImportTests.places(
      of: feature(#"{"title":"A","date":"May","location":{"name":"B"}}"#))
    #expect(report.refused == 0)
    #expect(places.map(\.title) == ["A"])
    #expect(places.first?.publishedMilliseconds == nil)
  }
}

import FencepostFiles
import FencepostFormats
import TestSupport
import Testing

@Suite("XML events")
struct XMLReaderTests {
  /// The events of a document in short form, with text joined, and the error at its end if any.
  static func read(_ chunks: [[UInt8]]) -> (events: String, error: XMLError?) {
    var reader = XMLReader()
    var events = ShortForm()
    for chunk in chunks {
      reader.push(chunk.span)
      if let error = reader.read(&events) { return (events.text, error) }
    }
    reader.finish()
    let error = reader.read(&events)
    return (events.text, error)
  }

  private struct ShortForm: XMLHandler {
    var text = ""
    private var open: [String] = []

    mutating func start(_ name: Span<UInt8>, _ tag: borrowing XMLStartTag) {
      open.append(String(utf8: name))
      text += "<\(open[open.count - 1])"
      if !tag.namespaceURI.isEmpty { text += "{\(tag.namespaceURI)}" }
      for (name, value) in tag.attributes { text += " \(name)=\(value)" }
      text += ">"
    }

    mutating func text(_ text: Span<UInt8>, line: Int) { self.text += String(utf8: text) }

    mutating func end(line: Int) { text += "</\(open.removeLast())>" }
  }

  @Test(
    "have namespaces, attributes and text, however the bytes are cut",
    arguments: [
      ("<a/>", "<a></a>"),
      ("<a x='1' y=\"2\">t<b/>u</a>", "<a x=1 y=2>t<b></b>u</a>"),
      ("<?xml version='1.0'?><!-- c --><a>1<!-- <b/> -->2</a>", "<a>12</a>"),
      ("<a>&amp;&lt;&#65;<![CDATA[<&>]]></a>", "<a>&<A<&></a>"),
      ("<g:a xmlns:g='u:1'><g:b g:c='d'/></g:a>", "<a{u:1}><b{u:1} c=d></b></a>"),
      ("<a xmlns='u:2'><b/></a>", "<a{u:2}><b{u:2}></b></a>"),
      ("<n:a n:x='1'/>", "<a x=1></a>"),
      ("<a>\r\nx\r\n</a>", "<a>\nx\n</a>"),
      ("\u{FEFF}<a>é</a>", "<a>é</a>"),
      ("<!DOCTYPE a [<!ELEMENT a ANY><!ATTLIST a x CDATA #IMPLIED>]><a/>", "<a></a>"),
      ("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a>1</a>", "<a>1</a>"),
    ])
  func events(text: String, expected: String) {
    for chunks in Cuts.all(of: Array(text.utf8)) {
      let (events, error) = XMLReaderTests.read(chunks)
      #expect(events == expected)
      #expect(error == nil)
    }
  }

  /// Throws at the element that is named “stop”.
  private struct Stopping: XMLHandler {
    struct Failure: Error {}
    var names: [String] = []

    mutating func start(_ name: Span<UInt8>, _ tag: borrowing XMLStartTag) throws(Failure) {
      names.append(String(utf8: name))
      if name.equals("stop") { throw Failure() }
    }

    mutating func text(_ text: Span<UInt8>, line: Int) { names.append(String(utf8: text)) }

    mutating func end(line: Int) { names.append("/") }
  }

  @Test(
    "end with an error of the handler, whatever follows",
    arguments: ["<a>1<stop x='y'>2</stop></a>", "<a>1<stop/></b>", "<a>1<stop>\u{1}", "<a>1<stop>"])
  func handlerFailure(text: String) {
    for chunks in Cuts.all(of: Array(text.utf8)) {
      var reader = XMLReader()
      var handler = Stopping()
      #expect(throws: Stopping.Failure.self) {
        for chunk in chunks {
          reader.push(chunk.span)
          let error = try reader.read(&handler)
          #expect(error == nil)
        }
        reader.finish()
        let error = try reader.read(&handler)
        #expect(error == nil)
      }
      #expect(handler.names == ["a", "1", "stop"])
    }
  }

  @Test("names that take too much memory together end the document with a sentence")
  func names() {
    let elements = (0..<200_000).map { "<a\($0)/>" }.joined()
    let (_, error) = XMLReaderTests.read([Array("<r>\(elements)</r>".utf8)])
    #expect(
      error?.sentence == "its names exceed 1 MB in total, or there is not enough memory")
  }

  @Test("are the same in UTF-16 and ISO 8859-1")
  func encodings() {
    let text = "<?xml version='1.0' encoding='ENC'?><a b='é'>ÿ</a>"
    func encoded(_ name: String) -> [UInt16] {
      let parts = text.split(separator: "ENC", omittingEmptySubsequences: false)
      return Array((parts[0] + name + parts[1]).utf16)
    }
    let wide = encoded("UTF-16")
    let little: [UInt8] =
      [0xFF, 0xFE]
      + wide.flatMap { unit -> [UInt8] in
        [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      }
    let big: [UInt8] =
      [0xFE, 0xFF]
      + wide.flatMap { unit -> [UInt8] in
        [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      }
    let latin = encoded("ISO-8859-1").map { UInt8($0) }
    for bytes in [little, big, latin] {
      for chunks in Cuts.all(of: bytes) {
        let (events, error) = XMLReaderTests.read(chunks)
        #expect(events == "<a b=é>ÿ</a>")
        #expect(error == nil)
      }
    }
  }

  @Test(
    "before a fault are delivered, and the fault is a sentence",
    arguments: [
      ("", "", "line 1, column 1: the XML is empty"),
      ("hello", "", "line 1, column 1: this is not XML, which begins with “<”"),
      ("<a>\n<b>\n</c>", "<a>\n<b>\n", "line 3, column 5: <b> on line 2 is closed by </c>"),
      ("<a></a>x", "<a></a>", "line 1, column 8: extra content follows the end of the document"),
      ("<a>b & c</a>", "<a>b ", "line 1, column 7: a name must follow “&” or “<”"),
    ])
  func faults(text: String, events: String, sentence: String) {
    for chunks in Cuts.all(of: Array(text.utf8)) {
      let found = XMLReaderTests.read(chunks)
      #expect(found.events == events)
      #expect(found.error?.description == sentence)
    }
  }

  @Test(
    "of a truncated text end in the same sentence, wherever it is cut",
    arguments: ["c", String(repeating: "c", count: 5000)])
  func cutAnywhere(filling: String) {
    let text =
      "<g v=\"1.1\" xmlns='http://t' xmlns:h=\"u\"><t a = 'x&amp;y&#x41;'><![CDATA[ \(filling) ]]>"
      + " <!-- \(filling) --> &lt;text&#65; <h:b h:c='d'/><?pi x?><e\n></e></t>\n</g>"
    let bytes = Array(text.utf8)
    for length in 2..<bytes.count where length < 300 || length > bytes.count - 200 {
      let error = XMLReaderTests.read([Array(bytes[..<length])]).error
      #expect(
        error?.sentence == "the text ends before all its elements are closed",
        "after \(length) bytes: \(text.prefix(length).suffix(20))")
    }
  }

  @Test(
    "of malformed XML end in a sentence that says what is wrong",
    arguments: [
      ("<a><b c='<'/></a>", "the value of an attribute contains “<”"),
      ("<a><b c=d/></a>", "the value of an attribute is not in quotes"),
      ("<a><b c/></a>", "an attribute has no value"),
      ("<a><b c='1' c='2'/></a>", "an attribute appears twice"),
      ("<a><b c='1'd='2'/></a>", "a space is missing between two parts of a tag or declaration"),
      ("<a>]]></a>", "the text contains “]]>”"),
      ("<a><!-- -- --></a>", "a comment contains “--”"),
      ("<a>&#0;</a>", "the text contains a character that XML does not allow"),
      ("<a/><!-- ", "a comment is not closed"),
      ("<a/><?pi ", "a processing instruction is not closed"),
      ("<a><b></a>", "<b> on line 1 is closed by </a>"),
    ])
  func sentences(text: String, sentence: String) {
    for chunks in Cuts.all(of: Array(text.utf8)) {
      #expect(XMLReaderTests.read(chunks).error?.sentence == sentence)
    }
  }

  @Test(
    "of malformed XML end in an error",
    arguments: [
      "<a", "<a>", "<a><b></a></b>", "<a b=c/>", "<a b='1' b='2'/>", "<a b='<'/>", "<a>]]></a>",
      "<a><!-- -- --></a>", "<a>&nbsp;</a>", "<1/>", "<a/><b/>", "<a>\u{1}</a>", "<a>&#0;</a>",
    ])
  func notWellFormed(text: String) {
    for chunks in Cuts.all(of: Array(text.utf8)) {
      #expect(XMLReaderTests.read(chunks).error?.reason == .notWellFormed)
    }
  }

  @Test("must be in the declared encoding")
  func badEncoding() {
    let bytes = Array("<a>caf".utf8) + [0xE9] + Array("</a>".utf8)
    #expect(XMLReaderTests.read([bytes]).error?.reason == .badEncoding)
  }

  @Test(
    "never contain an expanded entity",
    arguments: [
      "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
      "<!DOCTYPE a [<!ENTITY x 'boom'>]><a>&x;</a>",
      "<!DOCTYPE a [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><a/>",
      "<!DOCTYPE a [<!ENTITY l 'ha'><!ENTITY m '&l;&l;&l;&l;'>]><a>&m;</a>",
    ])
  func entities(text: String) {
    for chunks in Cuts.all(of: Array(text.utf8)) {
      let (events, error) = XMLReaderTests.read(chunks)
      #expect(events == "")
      #expect(error?.reason == .entityDeclaration)
    }
  }

  @Test("of wrongly encoded bytes end in an error, and nothing is printed")
  func silence() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
    ) {
      let bytes = Array("<?xml version='1.0' encoding='ASCII'?><a>caf".utf8) + [0xE9, 0x3C]
      #expect(XMLReaderTests.read([bytes]).error != nil)
    }
    #expect(result?.standardErrorContent.isEmpty == true)
    #expect(result?.standardOutputContent.isEmpty == true)
  }

  @Test("with an undefined entity in an attribute end in an error")
  func undefinedEntityInAttribute() {
    let (_, error) = XMLReaderTests.read([
      Array("<!DOCTYPE a SYSTEM 'x.dtd'><a b='1&x;2'/>".utf8)
    ])
    #expect(error?.reason == .notWellFormed)
  }

  @Test("with an undefined entity end in an error even if a document type could define it")
  func undefinedEntity() {
    let (events, error) = XMLReaderTests.read([
      Array("<!DOCTYPE a SYSTEM 'http://127.0.0.1:9/x.dtd'><a>1&x;2</a>".utf8)
    ])
    #expect(!events.contains("2"))
    #expect(error != nil)
  }

  @Test("are limited in depth and attribute size")
  func limits() {
    let fits = String(repeating: "<a>", count: 128) + String(repeating: "</a>", count: 128)
    #expect(XMLReaderTests.read([Array(fits.utf8)]).error == nil)
    let tooDeep = [UInt8](String(repeating: "<a>", count: 50_000).utf8)
    #expect(XMLReaderTests.read([tooDeep]).error?.reason == .limit)
    let long = "<a b='\(String(repeating: "x", count: 70_000))'/>"
    #expect(XMLReaderTests.read([Array(long.utf8)]).error?.reason == .limit)
  }

  @Test("of a long document do not depend on the cuts, and have the right lines")
  func longDocument() {
    var text = "<a>\n"
    for index in 0..<4000 { text += "<b c='\(index)'>\(index * 7)</b>\n" }
    text += "</z>\n"
    let bytes = Array(text.utf8)
    let whole = XMLReaderTests.read([bytes])
    #expect(whole.error?.line == 4002)
    for chunks in Cuts.all(of: bytes) {
      let cut = XMLReaderTests.read(chunks)
      #expect(cut.events == whole.events)
      #expect(cut.error == whole.error)
    }
  }

  @Test(
    "end in an error if a token has no end",
    arguments: ["<!--", "<?a ", "<![CDATA["])
  func endless(beginning: String) {
    let text = Array("<r>\(beginning)".utf8) + [UInt8](repeating: 0x61, count: 11_000_000)
    let error = XMLReaderTests.read([text]).error
    #expect(error?.reason == .limit)
    #expect(
      error?.sentence == "a comment, character data or a declaration is longer than 10 MB")
  }

  @Test("may have tags of 64 KiB and no longer ones", arguments: 0..<3)
  func tagBound(beginning: Int) {
    // Wherever libxml2's slices end in it.
    let before = "\n<!--\(String(repeating: "<", count: beginning * 7000))-->\n"
    func text(_ count: Int) -> [UInt8] {
      let value = String(repeating: ">", count: count - "<a b=''>".utf8.count)
      return Array("<r>\(before)<a b='\(value)'></a></r>".utf8)
    }
    #expect(XMLReaderTests.read([text(64 * 1024)]).error == nil)
    let (events, error) = XMLReaderTests.read([text(64 * 1024 + 2)])
    #expect(events.hasPrefix("<r>"))
    #expect(error?.reason == .limit)
    #expect(error?.description.contains("line 3") == true)
    #expect(error?.sentence == "an XML tag is longer than 64 KiB")
  }

  @Test(
    "may have tags of 1,000 attributes and no more, in every encoding, without a look at the rest",
    arguments: ["UTF-8", "UTF-16", "UTF-7", "ISO-2022-JP"])
  func attributeBound(encoding: String) throws {
    func text(_ count: Int) -> [UInt8] {
      let attributes = (0..<count).map { " a\($0)='='" }.joined()
      let declaration = "<?xml version='1.0' encoding='\(encoding)'?>"
      let text = "\(declaration)<r>\n<a xmlns='u'\(attributes)/></r>"
      guard encoding == "UTF-16" else { return Array(text.utf8) }
      return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
    #expect(XMLReaderTests.read([text(999)]).error == nil)
    for count in [1000, 200_000] {
      let error = XMLReaderTests.read([text(count)]).error
      #expect(error?.line == 2)
      #expect(error?.sentence == "an XML tag has more than 1000 attributes")
    }
  }

  @Test(
    "may hold what looks like an endless tag in comments, character data, instructions and document types",
    arguments: [
      ("<r><!--", "--></r>"), ("<r><![CDATA[", "]]></r>"), ("<r><?a ", "?></r>"),
      ("<r>", "</r>"), ("<!DOCTYPE r [<!-- ", "-->]><r/>"),
    ])
  func noTags(beginning: String, end: String) {
    let looks = String(repeating: "\(beginning == "<r>" ? "" : "<")a b='1\" ", count: 20_000)
    for chunks in [[beginning, looks, end], [beginning + looks + end]] {
      #expect(XMLReaderTests.read(chunks.map { Array($0.utf8) }).error == nil)
    }
  }

  @Test("may not be given attributes by a document type")
  func defaults() {
    let text = "<!DOCTYPE a [<!ATTLIST a x CDATA 'y'>]><a/>"
    #expect(
      XMLReaderTests.read([Array(text.utf8)]).error?.sentence
        == "the document type declares default attributes, which is not allowed")
  }

  @Test("may have 256 namespaces and no more, also of one name in one place")
  func namespaceBound() {
    func text(_ count: Int) -> [UInt8] {
      Array(("<r>" + (0..<count).map { "<a xmlns='u\($0)'/>" }.joined() + "</r>").utf8)
    }
    #expect(XMLReaderTests.read([text(256)]).error == nil)
    #expect(
      XMLReaderTests.read([text(257)]).error?.sentence == "there are more than 256 namespaces")
    let nested = String(
      repeating: "<a \((0..<30).map { "xmlns:a\($0)='u' " }.joined())>", count: 10)
    #expect(
      XMLReaderTests.read([Array(nested.utf8)]).error?.sentence
        == "there are more than 256 namespaces")
  }
}

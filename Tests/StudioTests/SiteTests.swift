import FencepostTracks
import FencepostFixes
import Foundation
import FencepostHTTP
import FencepostLive
import FencepostStudio
import Synchronization
import TestSupport
import Testing

/// Sentences for the user, from any thread.
private final class Sentences: Sendable {
  private let sentences = Mutex<[String]>([])
  var all: [String] { sentences.withLock { $0 } }
  func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
}

@Suite("The map's site")
struct SiteTests {
  @Test("The page and its files have their media types and a strict policy")
  func files() throws {
    let scene = try MapScene()
    let page = try scene.get("/")
    #expect(page.status == 200)
    #expect(page.body.contains("<title>Fencepost live</title>"))
    let policy = try #require(
      page.text.split(separator: "\r\n").first { $0.hasPrefix("Content-Security-Policy:") })
    #expect(policy.contains("default-src 'none'; script-src 'self'"))
    #expect(!policy.contains("unsafe"))
    // Nothing in the page itself needs more than the policy allows.
    #expect(page.body.firstMatch(of: /<script>|\son[a-z]+=|style=|javascript:/) == nil)
    for (path, type) in [
      ("/page.css", "text/css"), ("/page.js", "text/javascript"), ("/leaflet.css", "text/css"),
      ("/leaflet.js", "text/javascript"),
    ] {
      let file = try scene.get(path)
      #expect(file.status == 200)
      #expect(file.text.contains("Content-Type: \(type)"))
    }
    #expect(try scene.get("/favicon.ico").status == 204)
  }

  @Test(
    "No other path is served, however it is spelled",
    arguments: [
      "/../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
      "/page.css/../../etc/passwd", "/./page.css", "/page.css%20", "/page.js/", "/leaflet",
      "/usr/share/javascript/leaflet/leaflet.css", "/..\\..\\etc\\passwd", "/fixes", "/pub",
      "/events/..", "/page%2ecss/x",
    ])
  func traversal(path: String) throws {
    let scene = try MapScene()
    #expect(try scene.get(path).status == 404)
  }

  @Test(
    "Requests for other hosts are refused",
    arguments: [
      ("localhost", 200), ("127.0.0.1:8080", 200), ("LOCALHOST:1", 200), ("[::1]:9", 200),
      ("evil.example", 403), ("evil.example:8080", 403), ("localhost.evil.example", 403),
      ("127.0.0.1.evil.example", 403), ("192.168.1.5", 403), ("0.0.0.0", 403), ("", 403),
      ("evil.example#localhost", 403), ("localhost@evil.example", 403), ("map.example", 200),
    ] as [(String, Int)])
  func hosts(host: String, status: Int) throws {
    let scene = try MapScene { $0.site.hostNames = ["map.example"] }
    for path in ["/", "/events", "/state", "/page.js"] {
      let client = try RawClient(port: scene.port)
      try client.get(path, ["Host: \(host)"])
      try client.wait("no answer") { $0.status != nil }
      #expect(client.status == status)
    }
  }

  @Test("Cross-site requests are refused, same-site ones answered")
  func origins() throws {
    let scene = try MapScene()
    let host = "Host: localhost:\(scene.port)"
    #expect(try scene.get("/state", [host, "Origin: https://evil.example"]).status == 403)
    #expect(try scene.get("/state", [host, "Origin: null"]).status == 403)
    #expect(try scene.get("/state", [host, "Origin: http://localhost:1"]).status == 403)
    #expect(
      try scene.get("/state", [host, "Origin: http://localhost:\(scene.port)"]).status == 200)
  }

  @Test("Every path requires the token")
  func token() throws {
    let scene = try MapScene { $0.site.token = "s3cret &=;ü" }
    let host = "Host: localhost"
    for path in ["/", "/events", "/state", "/page.js", "/leaflet.js", "/nothing", "/?token=wrong"] {
      let client = try scene.get(path, [host])
      #expect(client.status == 401)
      #expect(client.text.contains("WWW-Authenticate: Basic"))
      #expect(!client.text.contains("s3cret"))
    }
    // A script's request is refused without a question by the browser.
    let script = try scene.get("/state", [host, "Sec-Fetch-Dest: empty"])
    #expect(script.status == 401 && !script.text.contains("WWW-Authenticate"))
    #expect(try scene.get("/", [host, "Authorization: Bearer s3cret &=;ü"]).status == 200)
    #expect(try scene.get("/", [host, "Authorization: Bearer s3cret &=;"]).status == 401)
    let welcome = try scene.get("/?token=s3cret%20%26%3D%3B%C3%BC", [host])
    #expect(welcome.status == 303)
    #expect(welcome.text.contains("Location: ./\r\n"))
    let line = try #require(
      welcome.text.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") })
    // Other servers of the host receive the cookie too, so it is not the token; and without a path
    // it belongs to the folder under which a proxy may have put the site.
    #expect(line.hasSuffix("; HttpOnly; SameSite=Strict"))
    #expect(!line.contains("s3cret") && !line.contains("Path"))
    let cookie = line.dropFirst("Set-Cookie: ".count).prefix { $0 != ";" }
    #expect(try scene.get("/state", [host, "Cookie: other=1; \(cookie)"]).status == 200)
    let stream = try RawClient(port: scene.port)
    try stream.get("/events", [host, "Cookie: \(cookie)"])
    try stream.wait("no stream") { $0.text.contains("event: state") }
    // The token in the address opens the page and nothing else.
    #expect(try scene.get("/events?token=s3cret%20%26%3D%3B%C3%BC", [host]).status == 401)
  }

  @Test(
    "Behind HTTPS the cookie never travels without it",
    arguments: [
      ("X-Forwarded-Proto: https", true), ("X-Forwarded-Proto: HTTPS, http", true),
      ("Forwarded: for=192.0.2.1; Proto=https, for=10.0.0.1;proto=http", true),
      ("Forwarded: proto=\"https\"", true), ("X-Forwarded-Proto: http", false),
      ("Forwarded: for=\"proto=https\", proto=https", false), ("X: https", false),
    ])
  func secure(field: String, isSecure: Bool) throws {
    let scene = try MapScene { $0.site.token = "s3cret" }
    for more in [[], ["Sec-Fetch-Site: cross-site"]] {
      let welcome = try scene.get("/?token=s3cret", ["Host: localhost", field] + more)
      let cookie = welcome.text.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") }
      #expect(cookie?.hasSuffix("; Secure") == isSecure)
    }
  }

  @Test("A browser stays signed in with the secret of an earlier run, and with no other")
  func earlierRun() throws {
    let scene = try MapScene(browserSecret: "of-before") { $0.site.token = "s3cret" }
    let name = "fencepost-\(scene.port)"
    for (value, status) in [("of-before", 200), ("s3cret", 401), ("of-befor", 401), ("", 401)] {
      #expect(try scene.get("/state", ["Host: a", "Cookie: \(name)=\(value)"]).status == status)
    }
  }

  @Test("With a token any host name is accepted")
  func anyHost() throws {
    let said = Sentences()
    let scene = try MapScene { options in
      options.site.token = "s3cret"
      options.site.say = { said.add($0) }
    }
    for host in ["phone.lan:8080", "map.example", "evil.example", "192.168.1.5", ""] {
      let host = "Host: \(host)"
      #expect(try scene.get("/state", [host]).status == 401)
      #expect(try scene.get("/state", [host, "Authorization: Bearer wrong"]).status == 401)
      #expect(try scene.get("/state", [host, "Authorization: Bearer s3cret"]).status == 200)
      #expect(try scene.get("/?token=wrong", [host]).status == 401)
      let welcome = try scene.get("/?token=s3cret", [host])
      #expect(welcome.status == 303)
      // Without a domain the browser sends it to this host alone.
      let cookie = welcome.text.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") }
      #expect(cookie?.hasSuffix("; HttpOnly; SameSite=Strict") == true)
    }
    // A browser sends a remembered password with the forms of other sites too.
    let token = "Authorization: Bearer s3cret"
    for host in ["localhost", "map.example"] {
      let fields = ["Host: \(host)", token, "Origin: https://evil.example"]
      #expect(try scene.get("/state", fields).status == 403)
    }
    #expect(said.all.count == 1)
  }

  @Test("A wrong token is called so, and a missing one is asked for")
  func tokens() throws {
    let scene = try MapScene { $0.site.token = "s3cret" }
    let host = "Host: localhost"
    for fields in [["Authorization: Bearer wrong"], ["Authorization: Basic eDp3cm9uZw=="]] {
      #expect(try scene.get("/state", [host] + fields).text.hasSuffix("\r\n\r\nWrong token.\n"))
    }
    #expect(try scene.get("/?token=wrong", [host]).text.hasSuffix("\r\n\r\nWrong token.\n"))
    #expect(try scene.get("/", [host]).text.contains("a token is required: as ?token="))
  }

  @Test("For a page on another port of this host no option is advised")
  func otherPort() throws {
    let said = Sentences()
    let scene = try MapScene { $0.site.say = { said.add($0) } }
    let page = ["Host: 127.0.0.1", "Origin: http://127.0.0.1:1"]
    #expect(try scene.get("/", page).status == 403)
    #expect(
      said.all == [
        "refused a request from a page of “127.0.0.1:1”, another server on this host"
      ])
  }

  @Test("Each refused name is reported once with the remedy, up to a limit")
  func refusedNames() throws {
    let said = Sentences()
    let scene = try MapScene { $0.site.say = { said.add($0) } }
    for _ in 0..<3 { #expect(try scene.get("/", ["Host: map.example:80"]).status == 403) }
    #expect(
      said.all == [
        "refused a request for the host “map.example”; if that is this machine, "
          + "use --allow-host map.example"
      ])
    let page = ["Host: localhost", "Origin: https://proxy.example"]
    for _ in 0..<3 { #expect(try scene.get("/", page).status == 403) }
    #expect(said.all.count == 2)
    #expect(said.all.last?.contains("--allow-host proxy.example") == true)
    for number in 0..<20 { _ = try scene.get("/", ["Host: x\(number).example"]) }
    _ = try scene.get("/", ["Host: \(String(repeating: "x", count: 300))"])
    #expect(said.all.count == 8)
    let open = try MapScene { $0.site.hostNames = ["Proxy.example"] }
    #expect(try open.get("/", page).status == 200)
    #expect(try open.get("/", ["Host: proxy.example"]).status == 200)
    #expect(try open.get("/", ["Host: localhost", "Origin: null"]).status == 403)
  }

  @Test(
    "A position in the address is refused with directions",
    arguments: [
      "/?id=4711&lat=40&lon=-75&timestamp=1772649000", "/?deviceid=a&lat=40", "/?LAT=40&Lon=-75",
      "/?id=1&location=40,-75", "/state?lat=40&lon=-75", "/events?id=1", "/page.js?latitude=40",
      "/?token=x&lat=40", "/favicon.ico?id=1",
    ])
  func report(path: String) throws {
    let map = try MapScene()
    let serve = try MapScene { options in
      options.ingest = FixIngestHandler(intake: FixIntake())
    }
    // Of these, the server takes what is posted to its own paths.
    let isTaken = path.hasPrefix("/?") && path != "/?id=1"
    for (scene, way) in [(map, "fencepost serve"), (serve, "/fixes?device=NAME")]
    where !(scene === serve && isTaken) {
      let client = try scene.get(path)
      #expect(client.status == 400)
      #expect(client.body.contains(way))
    }
    guard !isTaken else { return }
    let head = try RawClient(port: serve.port)
    try head.send("HEAD \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    try head.waitForClose()
    #expect(head.status == 400)
  }

  @Test(
    "Other query items do not matter", arguments: ["/?", "/?a=1", "/?token="])
  func otherItems(path: String) throws {
    #expect(try MapScene().get(path).status == 200)
  }

  @Test("A wrong method or path gets directions")
  func directions() throws {
    let serve = try MapScene { options in
      options.ingest = FixIngestHandler(intake: FixIntake())
    }
    for (request, status) in [
      ("GET /log", 404), ("GET /pub", 405), ("GET /fixes?device=a", 405), ("PUT /fixes", 405),
      ("PROPFIND /", 405), ("POST /api/fixes", 404), ("GET /api/webhook/id", 404),
    ] {
      let client = try RawClient(port: serve.port)
      try client.send("\(request) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
      try client.waitForClose()
      #expect(client.status == status, "\(request)")
      #expect(client.body.contains("/fixes?device=NAME"), "\(request): \(client.body)")
    }
    #expect(try serve.get("/fixes").text.contains("Allow: POST\r\n"))
  }

  @Test("Nothing can be changed through the site", arguments: ["POST", "PUT", "DELETE", "OPTIONS"])
  func methods(method: String) throws {
    let scene = try MapScene()
    let client = try RawClient(port: scene.port)
    try client.send("\(method) / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
    try client.waitForClose()
    #expect(client.status == 405)
    #expect(client.text.contains("Allow: GET, HEAD"))
  }
}

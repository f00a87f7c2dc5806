import FoundationEssentials
import FencepostHTTP
import FencepostLive

/// Decides who may see the map and send fixes.
///
/// Other sites' pages must not reach it through the user's browser. Cross-site requests are refused
/// because the origin must be ours. Against DNS rebinding, the host must be known or a token is
/// required: a foreign page does not know the token, and the browser sends a stored cookie or
/// password only to the host that set it.
struct SiteAccess {
  var address: HTTPAddress
  /// The actual port, which the address may leave open.
  var port: UInt16
  /// More accepted host names in lower case: this machine's, and those the user allows.
  var ownNames: Set<String> = []
  var allowedNames: Set<String>
  /// The required secret, if any.
  var token: Credential?
  /// Records requests refused because of their host or origin.
  var log = RefusalLog()

  /// The name of the cookie with the secret; it contains the port because cookies ignore ports.
  var cookieName: String { "fencepost-\(port)" }

  /// Refuses a request that must not be answered, or returns nil to let it pass.
  ///
  /// With `isPost` the request's address may contain the secret.
  func refuse(_ request: HTTPRequest, isPost: Bool = false) -> HTTPResponse? {
    if token == nil, !(request.host.map(isKnown) ?? false) {
      if let host = request.host { log.note(host: host) }
      return HTTPResponse(
        .forbidden,
        sentence: "unknown host name; to allow it, use --allow-host")
    }
    if let origin = request.field("origin"), !isOwn(origin, request) {
      log.note(origin: origin, isOwnHost: isOwnHost(origin, request))
      return HTTPResponse(.forbidden, sentence: "pages of other sites cannot send requests here")
    }
    guard let token, !token.isCarried(by: request), !hasCookie(request, token),
      !(isPost && FixIngestHandler.carries(token, request))
    else { return nil }
    // A page's script with an old secret must not make the browser ask the user each time.
    let isScript = request.field("sec-fetch-dest") == "empty"
    return HTTPResponse(
      .unauthorized,
      sentence: Self.bringsToken(request)
        ? "Wrong token." : "a token is required: as ?token=…, as a password, or as a bearer token",
      fields: isScript
        ? [] : [("WWW-Authenticate", "Basic realm=\"fencepost\", charset=\"UTF-8\"")])
  }

  /// Whether a request contains something that could be a token.
  private static func bringsToken(_ request: HTTPRequest) -> Bool {
    request.field("authorization") != nil || request.queryValue("token") != nil
      || request.queryValue("api_key") != nil
  }

  /// Whether an origin is another port of this host, which `--allow-host` does not admit.
  private func isOwnHost(_ origin: String, _ request: HTTPRequest) -> Bool {
    guard let host = HTTPRequest.authority(ofOrigin: origin)?.host else { return false }
    return host == request.host || isKnown(host)
  }

  private func isKnown(_ host: String) -> Bool {
    if HTTPAddress.isLoopback(host) || ownNames.contains(host) || allowedNames.contains(host) {
      return true
    }
    // A numeric address cannot be rebound, and the user vouches for the configured one.
    return !address.isLoopback
      && (HTTPAddress.isNumeric(host) || host == address.host.lowercased())
  }

  /// Whether an origin is the request's own host or an allowed name, as behind a proxy.
  private func isOwn(_ origin: String, _ request: HTTPRequest) -> Bool {
    guard let authority = HTTPRequest.authority(ofOrigin: origin) else { return false }
    return authority.text == request.field("host")?.lowercased()
      || allowedNames.contains(authority.host)
  }

  private func hasCookie(_ request: HTTPRequest, _ token: Credential) -> Bool {
    for field in request.fields where field.name == "cookie" {
      for pair in field.value.split(separator: ";") {
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
        if parts.count == 2, parts[0] == cookieName, let value = Percent.decoded(parts[1]),
          token.matches(value)
        {
          return true
        }
      }
    }
    return false
  }

  /// Sets a cookie if the address contains the secret, and redirects to the address without it.
  ///
  /// - Returns: The redirect; nil without the right secret.
  func welcome(_ request: HTTPRequest) -> HTTPResponse? {
    guard let token, request.method == "GET", request.path == "/",
      let tried = request.queryValue("token"), token.matches(tried)
    else { return nil }
    let cookie = "\(cookieName)=\(Percent.encoded(tried)); Path=/; HttpOnly; SameSite=Strict"
    // Another page, such as a report's file, linked here. The browser sends the cookie only after a
    // page of this site leads on.
    if request.field("sec-fetch-site") == "cross-site" { return Self.leadingOn(cookie) }
    return HTTPResponse(
      .seeOther,
      fields: [("Location", "/"), ("Set-Cookie", cookie), ("Cache-Control", "no-store")])
  }

  /// A page that leads on to the site's own, keeping the fragment that only the browser knows.
  private static func leadingOn(_ cookie: String) -> HTTPResponse {
    let nonce = Studio.makeToken()
    let page = """
      <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Fencepost</title>\
      <script nonce="\(nonce)">location.replace('/' + location.hash)</script>\
      <p><a href="/">Continue</a></p></html>
      """
    return HTTPResponse(
      .ok, type: "text/html; charset=utf-8",
      fields: SitePolicy.fields(nonce: nonce) + [("Set-Cookie", cookie)], body: Array(page.utf8))
  }
}

/// Reports each refused host name once, with the option that would admit it.
///
/// Senders can invent names, so only the first few are reported. For the server's thread only.
final class RefusalLog {
  private static var mostNames: Int { 8 }
  /// The longest possible host name.
  private static var mostBytes: Int { 253 }

  private let say: (String) -> Void
  private var names: Set<String> = []

  init(say: @escaping (String) -> Void = { _ in }) {
    self.say = say
  }

  func note(host: String) {
    guard isNew(host) else { return }
    say(
      "refused a request for the host “\(host)”; if that is this machine, "
        + "use --allow-host \(host)")
  }

  func note(origin: String, isOwnHost: Bool) {
    guard let authority = HTTPRequest.authority(ofOrigin: origin) else { return }
    let host = isOwnHost ? authority.text : authority.host
    guard isNew(host) else { return }
    guard !isOwnHost else {
      return say("refused a request from a page of “\(host)”, another server on this host")
    }
    say(
      "refused a request from a page of “\(host)”; if that is this server, "
        + "use --allow-host \(host)")
  }

  private func isNew(_ name: String) -> Bool {
    guard 1...Self.mostBytes ~= name.utf8.count, names.count < Self.mostNames else { return false }
    return names.insert(name).inserted
  }
}

#if Command
import FoundationEssentials
import FencepostHTTP
import FencepostLive

/// Decides who may see the map and send fixes.
///
/// Other sites' pages must not reach it through the user's browser. Cross-site requests are refused
/// because the origin must be ours. Against DNS rebinding, the host must be known or a token is
/// required: a foreign page does not know the token, and the browser sends a stored cookie or
/// password only to the host that set it. The cookie has a secret of its own, because other servers
/// of the host receive it, too.
struct SiteAccess {
  var address: HTTPAddress
  /// The actual port, which the address may leave open.
  var port: UInt16
  /// More accepted host names in lower case: this machine's, and those the user allows.
  var ownNames: Set<String> = []
  var allowedNames: Set<String>
  /// The required secret, if any.
  var token: Credential?
  /// What a browser sends in its cookie once it has shown the token.
  var browserSecret = Studio.makeToken()
  /// Records requests refused because of their host or origin.
  var log = RefusalLog()

  /// The name of the cookie; it contains the port because cookies ignore ports.
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
    guard let token, !token.isCarried(by: request), !hasCookie(request),
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

  /// Whether a host name is this machine's, allowed, or cannot be rebound.
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

  /// Whether a browser was signed in by this server, or by the one that it continues.
  private func hasCookie(_ request: HTTPRequest) -> Bool {
    let secret = Credential(browserSecret)
    for field in request.fields where field.name == "cookie" {
      for pair in field.value.split(separator: ";") {
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
        if parts.count == 2, parts[0] == cookieName, secret.matches(String(parts[1])) {
          return true
        }
      }
    }
    return false
  }

  /// Sets a cookie if the address contains the token, and redirects to the address without it.
  ///
  /// Nothing names the path, because a proxy may have put the site below another. A cookie without
  /// one belongs to the folder of the address that the browser asked for.
  ///
  /// - Returns: The redirect; nil without the right token.
  func welcome(_ request: HTTPRequest) -> HTTPResponse? {
    guard let token, request.method == "GET", request.path == "/",
      let tried = request.queryValue("token"), token.matches(tried)
    else { return nil }
    let secure = Self.isEncrypted(request) ? "; Secure" : ""
    let cookie = "\(cookieName)=\(browserSecret); HttpOnly; SameSite=Strict\(secure)"
    // Another page, such as a report's file, linked here. The browser sends the cookie only after a
    // page of this site leads on.
    if request.field("sec-fetch-site") == "cross-site" { return Self.leadingOn(cookie) }
    return HTTPResponse(
      .seeOther,
      fields: [("Location", "./"), ("Set-Cookie", cookie), ("Cache-Control", "no-store")])
  }

  /// Whether the browser reached a proxy by HTTPS, which says so in one of two fields (RFC 7239).
  ///
  /// Anyone can send them, which changes nothing but the sender's own cookie.
  private static func isEncrypted(_ request: HTTPRequest) -> Bool {
    // Each proxy adds its own, and the browser's is first.
    let scheme = request.field("x-forwarded-proto")?.split(separator: ",").first?.lowercased()
    let first = request.field("forwarded")?.split(separator: ",").first?.lowercased()
    let parts = first?.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\"" } } ?? []
    return scheme == "https" || parts.contains("proto=https")
  }

  /// A page that leads on to the site's own, keeping the fragment that only the browser knows.
  private static func leadingOn(_ cookie: String) -> HTTPResponse {
    let nonce = Studio.makeToken()
    let page = """
      <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Fencepost</title>\
      <script nonce="\(nonce)">location.replace('./' + location.hash)</script>\
      <p><a href="./">Continue</a></p></html>
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
  /// The most names to report.
  private static var mostNames: Int { 8 }
  /// The longest possible host name.
  private static var mostBytes: Int { 253 }

  private let say: (String) -> Void
  private var names: Set<String> = []

  init(say: @escaping (String) -> Void = { _ in }) {
    self.say = say
  }

  /// Reports a request for a host name that is not known.
  func note(host: String) {
    guard isNew(host) else { return }
    say(
      "refused a request for the host “\(host)”; if that is this machine, "
        + "use --allow-host \(host)")
  }

  /// Reports a request from another site's page, or from another server of this host.
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

  /// Whether to report a name: one that is new, of a possible length, and among the first.
  private func isNew(_ name: String) -> Bool {
    guard 1...Self.mostBytes ~= name.utf8.count, names.count < Self.mostNames else { return false }
    return names.insert(name).inserted
  }
}
#endif

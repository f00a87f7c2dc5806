import FencepostHTTP

/// What a browser may do with a page that is served.
enum SitePolicy {
  /// Only the page's own files run, and only street tiles come from elsewhere.
  static let fields: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self' data: https://tile.openstreetmap.org; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"
    ),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("X-Frame-Options", "DENY"),
    ("Permissions-Policy", "geolocation=(), camera=(), microphone=()"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  /// The fields of a page whose scripts and styles are in it: those scripts run that bear a word nobody guesses.
  static func fields(nonce: String) -> [(name: String, value: String)] {
    // Styles do nothing but look, and a page may have them in attributes, which a nonce does not cover.
    let policy =
      "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'unsafe-inline'; "
      + "img-src data: https://tile.openstreetmap.org; base-uri 'none'; form-action 'none'; "
      + "frame-ancestors 'none'"
    return [("Content-Security-Policy", policy)] + fields.dropFirst()
      + [("Cache-Control", "no-store")]
  }

  /// The answer with one of a page's files, which a browser asks for anew each time.
  static func file(
    _ type: String, _ body: [UInt8], _ fields: [(name: String, value: String)] = []
  ) -> HTTPResponse {
    HTTPResponse(
      .ok, type: type, fields: fields + [("Cache-Control", "no-cache")], body: body)
  }
}

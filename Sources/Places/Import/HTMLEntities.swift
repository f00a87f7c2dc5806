/// The characters that HTML 4 has names for, and those that are told by number.
enum HTMLEntities {
  /// The character of an entity, by what stands between `&` and `;`: `eacute`, `#233` or `#xE9`.
  static func scalar(named name: String) -> Unicode.Scalar? {
    guard name.first == "#" else { return names[name] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    guard
      let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits),
      value > 0
    else { return nil }
    // Numbers that are controls stand for the characters of Windows, as in every browser.
    if 0x80...0x9F ~= value { return Unicode.Scalar(windows[Int(value) - 0x80]) }
    return Unicode.Scalar(value)
  }

  private static let names: [String: Unicode.Scalar] = {
    var names: [String: Unicode.Scalar] = [:]
    for (offset, name) in latin1.split(separator: " ").enumerated() {
      names[String(name)] = Unicode.Scalar(0xA0 + UInt32(offset))
    }
    for line in others.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard var value = UInt32(words[0], radix: 16) else { continue }
      for name in words.dropFirst() {
        names[String(name)] = Unicode.Scalar(value)
        value += 1
      }
    }
    return names
  }()

  /// U+00A0 … U+00FF.
  private static let latin1 = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
    sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc \
    Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve \
    Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute \
    acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde \
    ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
    """

  /// A number in hexadecimal digits, and the names of it and those that follow.
  private static let others = """
    22 quot
    26 amp apos
    3C lt
    3E gt
    152 OElig oelig
    160 Scaron scaron
    178 Yuml
    192 fnof
    2C6 circ
    2DC tilde
    391 Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho
    3A3 Sigma Tau Upsilon Phi Chi Psi Omega
    3B1 alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho
    3C2 sigmaf sigma tau upsilon phi chi psi omega
    3D1 thetasym upsih
    3D6 piv
    2002 ensp emsp
    2009 thinsp
    200C zwnj zwj lrm rlm
    2013 ndash mdash
    2018 lsquo rsquo sbquo
    201C ldquo rdquo bdquo
    2020 dagger Dagger bull
    2026 hellip
    2030 permil
    2032 prime Prime
    2039 lsaquo rsaquo
    203E oline
    2044 frasl
    20AC euro
    2111 image
    2118 weierp
    211C real
    2122 trade
    2135 alefsym
    2190 larr uarr rarr darr harr
    21B5 crarr
    21D0 lArr uArr rArr dArr hArr
    2200 forall
    2202 part exist
    2205 empty
    2207 nabla isin notin
    220B ni
    220F prod
    2211 sum minus
    2217 lowast
    221A radic
    221D prop infin
    2220 ang
    2227 and or cap cup int
    2234 there4
    223C sim
    2245 cong
    2248 asymp
    2260 ne equiv
    2264 le ge
    2282 sub sup nsub
    2286 sube supe
    2295 oplus
    2297 otimes
    22A5 perp
    22C5 sdot
    2308 lceil rceil lfloor rfloor
    2329 lang rang
    25CA loz
    2660 spades
    2663 clubs
    2665 hearts diams
    """

  /// What Windows-1252 has at 0x80 … 0x9F; where it has nothing, the number itself.
  private static let windows: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]
}

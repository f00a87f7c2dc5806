import FencepostFormats

/// A profile that ships with the program, which hands on whole profiles.
struct BuiltInProfile {
  var profile: PhoneProfile { PhoneProfile(name: "", title: "") }

  init(_ node: JSONNode) throws(JSONPathError) {
    throw node.error("expected a whole profile, as fencepost rules prints it")
  }
}

import FencepostFormats

/// Stands in for the profiles that ship with the program, which hands on whole profiles.
///
/// The page gets every profile in full from the program, so names mean nothing here. A document
/// that gives only a name is refused.
struct BuiltInProfile {
  var profile: PhoneProfile { PhoneProfile(name: "", title: "") }

  init(_ node: JSONNode) throws(JSONPathError) {
    throw node.error("expected a whole profile, as fencepost rules prints it")
  }
}

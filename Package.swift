// swift-tools-version: 6.2

import PackageDescription

// With Swift's libraries in it the program starts in three quarters of the time, and runs on machines
// that have no Swift. The flag alone does not name all the libraries that FoundationEssentials consists of.
// FENCEPOST_SWIFT=shared in the environment leaves them out, where a toolchain has no static ones.
//
// Nothing looks a function up by its name but those of the C interface, so all others that nobody calls
// are left out.
func swiftInside(_ libraries: [String], _ flags: [String]) -> [LinkerSetting] {
  guard Context.environment["FENCEPOST_SWIFT"] != "shared" else { return [] }
  let all = ["-static-stdlib", "-use-ld=lld"] + flags.flatMap { ["-Xlinker", $0] }
  return [.unsafeFlags(all, .when(platforms: [.linux]))]
    + libraries.map { .linkedLibrary($0, .when(platforms: [.linux])) }
}

// For code that runs once for a command or a page, where a smaller program starts sooner.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

// Each arrow points from a stage of the pipeline to what it builds on; none points back. A target names
// every module that it imports, because a change to any other would not rebuild it.
let package = Package(
  name: "fencepost",
  platforms: [.macOS(.v15), .iOS(.v16), .watchOS(.v9), .tvOS(.v16), .visionOS(.v1)],
  // A product also has the modules whose errors its functions throw, so that users can name them.
  products: [
    .executable(name: "fencepost", targets: ["FencepostCommandLine"]),
    .library(name: "FencepostGeodesy", targets: ["FencepostGeodesy"]),
    .library(name: "FencepostTime", targets: ["FencepostTime"]),
    .library(name: "FencepostFixes", targets: ["FencepostFixes"]),
    .library(name: "FencepostTracks", targets: ["FencepostTracks", "FencepostFiles"]),
    .library(name: "FencepostPlaces", targets: ["FencepostPlaces"]),
    .library(name: "FencepostPlaceList", targets: ["FencepostPlaceList"]),
    .library(name: "FencepostMonitoring", targets: ["FencepostMonitoring"]),
    .library(
      name: "FencepostNotifications", targets: ["FencepostNotifications", "FencepostMonitoring"]),
    .library(name: "FencepostStateFile", targets: ["FencepostStateFile"]),
    .library(
      name: "FencepostStateDatabase", targets: ["FencepostStateDatabase", "FencepostStateFile"]),
    .library(name: "FencepostApple", targets: ["FencepostApple", "FencepostStateFile"]),
    .library(name: "FencepostSession", targets: ["Fencepost"]),
    .library(
      name: "FencepostExpectations", targets: ["FencepostExpectations", "FencepostMonitoring"]),
    // The engine for other languages: swift build -c release --product FencepostCInterface
    .library(name: "FencepostCInterface", type: .dynamic, targets: ["FencepostCInterface"]),
  ],
  // Somebody who needs the core alone depends on this package without traits, and fetches nothing else.
  traits: [
    .default(enabledTraits: ["Map", "Command"]),
    .trait(
      name: "Map",
      description: "The live map and posted fixes; fetches SwiftNIO, SwiftLog and Swift Metrics."),
    .trait(
      name: "Command",
      description: "The command fencepost; fetches Swift Argument Parser.", enabledTraits: ["Map"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ],
  targets: [
    .systemLibrary(
      name: "FencepostCLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "FencepostCZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "FencepostCYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    // libmosquitto, which few commands need, is opened when it is first used.
    .target(name: "FencepostCMosquitto"),
    .target(name: "FencepostCSpatiaLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    // The pages are files, and the program is one file all the same: C's #embed takes a hundredth of the time that
    // a Swift array of the same bytes takes.
    .target(name: "FencepostCPages"),

    .target(name: "FencepostSQLite", dependencies: ["FencepostCSpatiaLite"]),
    .target(name: "FencepostGeodesy"),
    .target(name: "FencepostTime"),
    .target(name: "FencepostFormats", dependencies: ["FencepostTime"]),
    .target(
      name: "FencepostFiles",
      dependencies: ["FencepostFormats", "FencepostCLibXML2", "FencepostCZlib"]),
    .target(name: "FencepostFixes", dependencies: ["FencepostGeodesy"]),
    .target(
      name: "FencepostTracks",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFixes", "FencepostFormats", "FencepostFiles",
      ]),
    .target(
      name: "FencepostPlaceList",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostMonitoring", "FencepostFormats",
      ]),
    .target(
      name: "FencepostPlaces",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostMonitoring", "FencepostFormats",
        "FencepostPlaceList", "FencepostFiles", "FencepostSQLite", "FencepostCSpatiaLite",
      ]),
    .target(name: "FencepostMonitoring", dependencies: ["FencepostGeodesy", "FencepostTime"]),
    .target(
      name: "FencepostNotifications",
      dependencies: ["FencepostGeodesy", "FencepostTime", "FencepostMonitoring"]),
    .target(
      name: "FencepostPhones",
      dependencies: ["FencepostGeodesy", "FencepostFormats", "FencepostMonitoring"],
      // The profiles are files that a reader and the schema can check, and the library needs no file.
      resources: [.embedInCode("Profiles")]),
    .target(
      name: "FencepostStateFile",
      dependencies: ["FencepostMonitoring", "FencepostNotifications", "FencepostCZlib"]),
    .target(
      name: "FencepostStateDatabase",
      dependencies: [
        "FencepostNotifications", "FencepostStateFile", "FencepostSQLite", "FencepostCSpatiaLite",
      ]),
    .target(
      name: "FencepostApple",
      dependencies: [
        "FencepostGeodesy", "FencepostMonitoring", "FencepostNotifications", "FencepostStateFile",
      ],
      resources: [.copy("PrivacyInfo.xcprivacy")]),
    .target(
      name: "Fencepost",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostMonitoring", "FencepostNotifications",
        "FencepostFormats", "FencepostFixes", "FencepostPhones",
      ]),
    .target(
      name: "FencepostAnalysis",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostFiles", "FencepostFixes",
        "FencepostTracks",
        "FencepostPlaces",
        "FencepostMonitoring", "FencepostPhones", "FencepostNotifications", "Fencepost",
      ]),
    .target(
      name: "FencepostOutput",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostFixes",
        "FencepostMonitoring", "FencepostNotifications", "Fencepost",
      ]),
    .target(
      name: "FencepostReporting",
      dependencies: [
        "FencepostOutput",
        "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostFiles", "FencepostFixes",
        "FencepostTracks",
        "FencepostMonitoring", "FencepostPhones",
        "FencepostNotifications", "Fencepost", "FencepostAnalysis",
      ]),
    .target(
      name: "FencepostExpectations",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostFiles", "FencepostFixes",
        "FencepostTracks", "FencepostPlaces", "FencepostMonitoring", "FencepostPhones",
        "FencepostNotifications", "Fencepost", "FencepostAnalysis", "FencepostReporting",
      ]),
    .target(
      name: "FencepostHTTP",
      dependencies: [
        .product(
          name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Map"])),
        .product(
          name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Map"])),
        .product(
          name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Map"])),
      ]),
    .target(name: "FencepostMQTT", dependencies: ["FencepostCMosquitto"]),
    .target(name: "FencepostTiles", dependencies: ["FencepostSQLite", "FencepostCSpatiaLite"]),
    .target(
      name: "FencepostLive",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostFiles", "FencepostFixes",
        "FencepostTracks",
        "FencepostPlaces",
        "FencepostMonitoring", "FencepostStateFile", "FencepostStateDatabase",
        "FencepostNotifications",
        "Fencepost", "FencepostReporting", "FencepostHTTP", "FencepostMQTT",
        .product(
          name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Map"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Map"])),
      ]),
    .target(
      name: "FencepostStudio",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostFiles", "FencepostFixes",
        "FencepostTracks",
        "FencepostPlaces",
        "FencepostMonitoring", "FencepostPhones", "FencepostNotifications", "Fencepost",
        "FencepostAnalysis", "FencepostReporting", "FencepostExpectations", "FencepostHTTP",
        "FencepostLive", "FencepostTiles", "FencepostCPages",
      ],
      exclude: ["Pages"], swiftSettings: small),
    .executableTarget(
      name: "FencepostCommandLine",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostFiles", "FencepostFixes",
        "FencepostTracks",
        "FencepostPlaces",
        "FencepostMonitoring", "FencepostPhones", "FencepostStateFile", "FencepostStateDatabase",
        "FencepostNotifications",
        "Fencepost", "FencepostAnalysis", "FencepostReporting", "FencepostExpectations",
        "FencepostHTTP", "FencepostLive", "FencepostTiles", "FencepostStudio",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Command"])),
        "FencepostCYAML",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Map"])),
      ],
      swiftSettings: small,
      linkerSettings: swiftInside(
        [
          "_FoundationCShims", "_FoundationCollections", "swiftSynchronization",
          "swift_RegexParser", "swift_StringProcessing",
        ], ["--no-export-dynamic"])),

    .target(
      name: "FencepostCInterface",
      dependencies: [
        "FencepostOutput",
        "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostFiles", "FencepostFixes",
        "FencepostTracks", "FencepostMonitoring", "FencepostPhones", "FencepostNotifications",
        "Fencepost",
      ],
      exclude: ["exports.map", "fencepost.h"],
      linkerSettings: swiftInside(
        ["_FoundationCShims", "_FoundationCollections"],
        ["--version-script=\(Context.packageDirectory)/Sources/Faces/C/exports.map"])),

    // PROJ's geodesics, which the tests compare ours with.
    .target(
      name: "FencepostCProj", path: "Tests/CProj", linkerSettings: [.linkedLibrary("proj")]),
    .target(
      name: "ProjGeodesics", dependencies: ["FencepostCProj", "FencepostGeodesy"],
      path: "Tests/ProjGeodesics"),
    // What several suites share.
    .target(name: "TestSupport", path: "Tests/Support"),
    // The sample stories and tracks, and what a replay of them said.
    .target(
      name: "Newsroom",
      dependencies: [
        "FencepostGeodesy", "FencepostFixes", "FencepostTracks", "FencepostPlaces",
        "FencepostMonitoring",
        "FencepostNotifications", "Fencepost", "FencepostAnalysis",
        "FencepostReporting", "ProjGeodesics", "TestSupport",
      ],
      path: "Tests/Newsroom"),

    .testTarget(
      name: "GeodesyTests",
      dependencies: ["FencepostGeodesy", "ProjGeodesics", "TestSupport"],
      exclude: ["Reference"]),
    .testTarget(name: "TimeTests", dependencies: ["FencepostTime", "TestSupport"]),
    .testTarget(name: "FormatsTests", dependencies: ["FencepostFormats", "TestSupport"]),
    .testTarget(
      name: "FilesTests", dependencies: ["FencepostFiles", "FencepostFormats", "TestSupport"]),
    .testTarget(
      name: "FixesTests", dependencies: ["FencepostGeodesy", "FencepostFixes", "TestSupport"],
      exclude: ["Hygiene/Recordings"]),
    .testTarget(
      name: "TracksTests",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFixes", "FencepostTracks",
        "FencepostFormats", "FencepostFiles", "TestSupport",
      ]),
    .testTarget(
      name: "PlaceListTests",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostMonitoring", "FencepostPlaceList",
      ]),
    .testTarget(
      name: "PlacesTests",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostMonitoring", "FencepostNotifications",
        "FencepostPlaces", "ProjGeodesics", "TestSupport",
      ]),
    .testTarget(
      name: "MonitoringTests",
      dependencies: ["FencepostCProj", "FencepostGeodesy", "FencepostMonitoring", "TestSupport"],
      exclude: ["Stored"]),
    .testTarget(
      name: "PhonesTests",
      dependencies: [
        "FencepostGeodesy", "FencepostFormats", "FencepostMonitoring", "FencepostPhones",
        "TestSupport",
      ]),
    .testTarget(
      name: "StateFileTests",
      dependencies: ["FencepostNotifications", "FencepostStateFile", "TestSupport"]),
    .testTarget(
      name: "StateDatabaseTests", dependencies: ["FencepostStateDatabase", "FencepostStateFile"]),
    .testTarget(
      name: "NotificationsTests",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostMonitoring",
        "FencepostStateFile", "FencepostStateDatabase", "FencepostNotifications", "Fencepost",
        "TestSupport",
      ], exclude: ["Stored"]),
    .testTarget(
      name: "FencepostTests",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFixes", "FencepostTracks", "FencepostPlaces",
        "FencepostMonitoring", "FencepostNotifications", "FencepostPhones", "FencepostStateFile",
        "Fencepost", "FencepostAnalysis",
        "FencepostReporting", "TestSupport", "Newsroom",
      ]),
    .testTarget(
      name: "AnalysisTests",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFiles", "FencepostFixes", "FencepostTracks",
        "FencepostPlaces",
        "FencepostMonitoring", "FencepostPhones",
        "FencepostNotifications", "Fencepost", "FencepostAnalysis",
        "FencepostReporting", "TestSupport", "Newsroom", "ProjGeodesics",
      ]),
    .testTarget(
      name: "ReportingTests",
      dependencies: [
        "FencepostGeodesy", "FencepostFixes", "FencepostMonitoring", "FencepostPhones",
        "FencepostNotifications", "Fencepost", "FencepostAnalysis", "FencepostReporting",
        "TestSupport",
      ]),
    .testTarget(
      name: "ExpectationsTests",
      dependencies: [
        "FencepostGeodesy", "FencepostFormats", "FencepostFixes", "FencepostTracks",
        "FencepostPlaces", "FencepostMonitoring", "FencepostPhones", "FencepostNotifications",
        "Fencepost", "FencepostAnalysis", "FencepostReporting", "FencepostExpectations",
        "TestSupport", "Newsroom",
      ]),
    .testTarget(name: "HTTPTests", dependencies: ["FencepostHTTP", "TestSupport"]),
    .testTarget(
      name: "LiveTests",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostFiles", "FencepostFixes",
        "FencepostTracks",
        "FencepostPlaces",
        "FencepostMonitoring", "FencepostNotifications", "Fencepost",
        "FencepostReporting", "FencepostHTTP", "FencepostLive", "TestSupport",
        "Newsroom",
      ]),
    .testTarget(
      name: "StudioTests",
      dependencies: [
        "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostFiles", "FencepostFixes",
        "FencepostTracks",
        "FencepostPlaces",
        "FencepostMonitoring", "FencepostPhones", "FencepostNotifications", "Fencepost",
        "FencepostAnalysis", "FencepostReporting", "FencepostHTTP", "FencepostLive",
        "FencepostStudio", "TestSupport", "Newsroom",
      ]),
    .testTarget(
      name: "TilesTests", dependencies: ["FencepostTiles", "FencepostSQLite", "TestSupport"]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "FencepostStateFile", "FencepostStateDatabase", "Fencepost", "TestSupport",
      ]),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "FencepostCProj", "FencepostGeodesy", "FencepostTime", "FencepostFormats", "FencepostFiles",
        "FencepostFixes", "FencepostTracks",
        "FencepostPlaces", "FencepostMonitoring", "FencepostNotifications",
        "Fencepost", "FencepostReporting", "TestSupport",
      ],
      path: "Tools/fuzz", exclude: ["CFuzzer", "Driver", "run", "seeds"],
      sources: ["Targets", "Tests"]),
  ]
)

// Linux has none of Apple's frameworks. There, the tests of FencepostApple compile it against stand-ins
// with the same names and signatures. On other platforms they do not exist, and a package that depends on this one,
// which SwiftPM checks out into a folder `checkouts`, gets none: `canImport(CoreLocation)` stays true to the platform.
#if os(Linux)
  if !Context.packageDirectory.contains("/checkouts/") {
    package.targets += [
      .target(name: "CoreLocation", path: "Tests/AppleStandIns/CoreLocation"),
      .target(
        name: "UserNotifications", dependencies: ["CoreLocation"],
        path: "Tests/AppleStandIns/UserNotifications"),
      .target(name: "BackgroundTasks", path: "Tests/AppleStandIns/BackgroundTasks"),
      // The code of the tutorial, with the settings that its readers have.
      .target(
        name: "StoryCore",
        dependencies: [
          "FencepostApple", "FencepostMonitoring", "FencepostNotifications", "FencepostStateFile",
        ],
        path: "Sources/Faces/Apple/Documentation.docc/Resources/StoryCore"),
      .executableTarget(
        name: "Replay",
        dependencies: [
          "StoryCore", "FencepostApple", "FencepostMonitoring", "FencepostStateFile",
        ],
        path: "Sources/Faces/Apple/Documentation.docc/Resources/Replay"),
      .testTarget(
        name: "AppleTests",
        dependencies: [
          "FencepostApple", "FencepostGeodesy", "FencepostTime", "FencepostFixes",
          "FencepostTracks",
          "FencepostMonitoring", "FencepostNotifications", "FencepostStateFile", "CoreLocation",
          "UserNotifications", "BackgroundTasks", "StoryCore", "Replay", "Fencepost",
          "FencepostExpectations", "TestSupport",
        ]),
    ]
    for target in package.targets where target.name == "FencepostApple" {
      target.dependencies += ["CoreLocation", "UserNotifications", "BackgroundTasks"].map {
        .byName(name: $0, condition: .when(platforms: [.linux]))
      }
    }
  }
#endif

// FENCEPOST_FUZZ=1 makes the fuzzer instead of the tests of its seeds; Tools/fuzz/run builds it with the coverage that
// libFuzzer steers by and the address sanitizer.
if Context.environment["FENCEPOST_FUZZ"] != nil,
  let tests = package.targets.firstIndex(where: { $0.name == "FuzzTests" })
{
  package.targets += [
    .target(name: "CFuzzer", path: "Tools/fuzz/CFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: ["CFuzzer"] + package.targets.remove(at: tests).dependencies,
      path: "Tools/fuzz", exclude: ["CFuzzer", "Tests", "run", "seeds"],
      sources: ["Driver", "Targets"]),
  ]
}

// A module's name says whose it is, so that it cannot collide with a module of somebody else's package; its
// folder, which nobody imports, need not.
for target in package.targets
where target.path == nil && target.type != .test
  && !["Fencepost", "FencepostCommandLine"].contains(target.name)
{
  target.path = "Sources/\(target.name.dropFirst("Fencepost".count))"
}

// FENCEPOST_ONLY=Monitoring,Fixes leaves only what MonitoringTests and FixesTests need, so that a change in
// one module is tested without building the others: Tools/test Monitoring Fixes.
if let modules = Context.environment["FENCEPOST_ONLY"]?.split(separator: ",") {
  var needed: Set<String> = []
  func need(_ name: String) {
    guard needed.insert(name).inserted else { return }
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      if case .byNameItem(let name, _) = dependency { need(name) }
    }
  }
  for module in modules { need("\(module)Tests") }
  // The tests of the commands run the program: this one, or one that is built already.
  if modules.contains("Command"), Context.environment["FENCEPOST_EXECUTABLE"] == nil {
    need("FencepostCommandLine")
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { $0.name != "fencepost" || !needed.contains("FencepostCommandLine") }
}

for target in package.targets
where target.type != .system
  && ![
    "FencepostCProj", "FencepostCSpatiaLite", "FencepostCMosquitto", "FencepostCPages", "CFuzzer",
    "StoryCore", "Replay",
  ].contains(target.name)
{
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .swiftLanguageMode(.v6),
      .strictMemorySafety(),
      // Warnings differ between SDKs; only Linux is known to give none.
      .treatAllWarnings(as: .error, .when(platforms: [.linux])),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}

import FencepostLive
import Testing

/// The messages have the form of UpdateLocationRequest.kt and WebhookUpdateLocation.swift.
@Suite("Home Assistant's messages")
struct HomeAssistantTests {
  @Test("A location has the time of its receipt")
  func location() throws {
    let request = try PostedRequest(
      body: #"{"type":"update_location","data":{"gps":[39.9496,-75.1503],"gps_accuracy":5,"#
        + #""battery":87,"speed":2,"altitude":12,"course":90,"vertical_accuracy":3}}"#)
    #expect(request.client == .homeAssistant)
    #expect(request.records == ["- 2026-03-04T18:00:00Z 39.9496,-75.1503 5.0 2.0 90.0"])
  }

  @Test(
    "A zone's name and messages of other types hold no fix",
    arguments: [
      #"{"type":"update_location","data":{"location_name":"home","battery":87}}"#,
      #"{"type":"update_sensor_states","data":[{"unique_id":"x","state":1}]}"#,
      #"{"type":"fire_event","data":{"event_type":"x"}}"#,
      #"{"type":"encrypted","encrypted":true,"encrypted_data":"x"}"#,
    ])
  func others(body: String) throws {
    let request = try PostedRequest(body: body)
    #expect(request.client == .homeAssistant)
    #expect(request.records.isEmpty)
  }

  @Test(
    "An app that asks for the server's configuration is a client of its own",
    arguments: ["", #","data":{}"#])
  func setup(data: String) throws {
    let request = try PostedRequest(body: #"{"type":"get_config"\#(data)}"#)
    #expect(request.client == .homeAssistantSetup)
    #expect(request.records.isEmpty)
  }
}

// The clocks of reminders are zones, so an app that has reminders needs no other import.
@_exported public import FencepostTime

// An app that has reminders needs no other import.
@_exported public import FencepostNotifications
@_exported public import FencepostStateFile

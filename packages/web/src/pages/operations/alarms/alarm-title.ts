const kinds: Readonly<Record<string, string>> = {
  notice_undelivered: "Notice not delivered",
  notice_failed: "Account not notified",
  mail_stuck: "Mail is delayed",
  contact_refused: "Mail to a contact refused",
  gateway_failing: "SMS or calls are delayed",
  last_webhook_deleted: "Last webhook deleted",
  certificate_expiring: "Certificate expires soon",
  ven_silent: "VEN is silent",
  ven_unacknowledged: "VEN did not acknowledge",
  ven_error: "VEN reported an error",
  ven_opted_out: "VEN opted out",
  openadr3_silent: "OpenADR 3 VEN is silent",
  openadr3_undelivered: "OpenADR 3 callback failed",
  telemetry_stale: "Telemetry is stale",
  dispatch_open_long: "Dispatch has no end",
  holidays_ending: "Holidays of a year are missing",
  battery_undecided: "What a battery's kWh mean is undecided",
  dispatched_cut_off: "Cut off during a dispatch",
  delivery_held: "Delivery is held after a restore",
  backup_missing: "Daily backup is missing",
  disk_low: "Disk space is low",
  broker_behind: "MQTT broker takes no changes",
  broker_unsafe: "MQTT broker does not keep its users apart",
  broker_client_shared: "Two programs share a client over MQTT",
};

/** Title of a kind. Kinds are added over time: an unknown one is shown by its code. */
export const alarmTitle = (kind: string): string => kinds[kind] ?? kind.replaceAll("_", " ");

/** Actions in the audit log, by the kind of their subject. */
export const auditActions = {
  account: ["account.create", "account.change"],
  alarm: ["alarm.acknowledge", "alarm.note"],
  alarm_group: [
    "alarm_group.acknowledge",
    "alarm_group.unacknowledge",
    "alarm_group.assign",
    "alarm_group.shelve",
    "alarm_group.unshelve",
  ],
  calendar: ["calendar.create", "calendar.delete"],
  certificate: ["ven.certify", "ven.revoke"],
  certificate_link: ["ven.offer_certificate"],
  channel_address: ["channel_address.create", "channel_address.delete"],
  contact: ["contact.create", "contact.delete"],
  delivery: ["delivery.resend"],
  delivery_hold: ["delivery_hold.release"],
  demo: ["demo.start", "demo.remove"],
  dispatch: [
    "dispatch.create",
    "dispatch.change",
    "dispatch.cancel",
    "dispatch.void",
    "dispatch.approve",
    "dispatch.decide_site",
  ],
  enrolment: ["program.enrol", "program.withdraw"],
  excluded_day: ["excluded_day.create", "excluded_day.change", "excluded_day.delete"],
  integration_certificate: ["account.certify"],
  key: ["key.create", "key.claim", "key.revoke"],
  mapping_profile: ["mapping_profile.create", "mapping_profile.change", "mapping_profile.delete"],
  meter: ["meter.create", "meter.change"],
  meter_data: ["meter_data.import"],
  openadr3_client: [
    "openadr3_client.create",
    "openadr3_client.change",
    "openadr3_client.rotate_secret",
    "openadr3_client.revoke",
  ],
  openadr3_event: ["openadr3_event.create", "openadr3_event.change", "openadr3_event.end", "openadr3_event.delete"],
  openadr3_program: ["openadr3_program.create", "openadr3_program.change", "openadr3_program.delete"],
  phone_call: ["phone_call.record"],
  program: ["program.create", "program.change"],
  rules: ["rules.adopt"],
  // No longer written: schedule.refused.
  schedule_block: ["schedule.create", "schedule.delete", "schedule.refused"],
  session: ["session.create", "session.create_by_recovery_code", "session.revoke"],
  simulated_site: ["simulated_site.add", "simulated_site.remove"],
  shift_report: ["shift_report.keep", "shift_report.change"],
  site: ["site.create", "site.change"],
  statement: ["statement.make", "statement.approve"],
  terms: ["terms.set", "terms.delete"],
  user: [
    "user.create",
    "user.change",
    "user.delete",
    "user.invite",
    "user.sign_out",
    "user.set_password",
    "user.change_password",
    "user.confirm_totp",
    "user.remove_totp",
    "user.renew_recovery_codes",
    "user.bind_oidc",
    "user.set_notices",
    "user.add_push",
    "user.remove_push",
  ],
  ven: ["ven.create", "ven.change", "ven.delete"],
  webhook: ["webhook.create", "webhook.delete", "webhook.rotate_secret"],
} as const;

export type AuditKind = keyof typeof auditActions;
export type AuditActionOf<K extends AuditKind> = (typeof auditActions)[K][number];
export type AuditAction = AuditActionOf<AuditKind>;

/** Kind of the subject of each action. */
export const auditKinds = Object.fromEntries(
  Object.entries(auditActions).flatMap(([kind, actions]) => actions.map((action) => [action, kind])),
) as Readonly<Record<AuditAction, AuditKind>>;

import type { operator } from "@curtail/contract";
import { byName } from "../../../format/name-order.js";

/** Names of all actions. */
const actions: Readonly<Record<operator.AuditAction, string>> = {
  "account.create": "Account created",
  "account.certify": "Integration certified in the sandbox",
  "account.change": "Account changed",
  "alarm.acknowledge": "Alarm acknowledged",
  "alarm.note": "Alarm noted",
  "alarm_group.acknowledge": "Alarms acknowledged",
  "alarm_group.assign": "Alarms assigned",
  "alarm_group.shelve": "Alarms shelved",
  "alarm_group.unacknowledge": "Acknowledgement taken back",
  "alarm_group.unshelve": "Shelved alarms returned",
  "calendar.create": "Calendar created",
  "calendar.delete": "Calendar deleted",
  "channel_address.create": "Address of a channel added",
  "channel_address.delete": "Address of a channel removed",
  "contact.create": "Dispatch contact added",
  "contact.delete": "Dispatch contact removed",
  "delivery.resend": "Delivery sent again",
  "delivery_hold.release": "Delivery released after a restore",
  "demo.start": "Demo started",
  "demo.remove": "Demo removed",
  "simulated_site.add": "Simulated site added",
  "simulated_site.remove": "Simulated site removed",
  "dispatch.create": "Dispatch issued",
  "dispatch.change": "Dispatch changed",
  "dispatch.cancel": "Dispatch cancelled",
  "dispatch.void": "Dispatch voided",
  "dispatch.approve": "Result approved",
  "dispatch.decide_site": "Site decided about",
  "excluded_day.create": "Day excluded from baselines",
  "excluded_day.change": "Reason for excluding a day changed",
  "excluded_day.delete": "Day counts for baselines again",
  "key.create": "API key issued",
  "key.claim": "API key claimed",
  "key.revoke": "API key revoked",
  "meter.create": "Meter added",
  "meter.change": "Meter changed",
  "mapping_profile.create": "Mapping profile saved",
  "mapping_profile.change": "Mapping profile replaced",
  "mapping_profile.delete": "Mapping profile deleted",
  "meter_data.import": "Meter data imported",
  "openadr3_client.create": "OpenADR 3 client created",
  "openadr3_client.change": "OpenADR 3 client changed",
  "openadr3_client.rotate_secret": "Secret of an OpenADR 3 client rotated",
  "openadr3_client.revoke": "OpenADR 3 client revoked",
  "openadr3_event.create": "OpenADR 3 event created",
  "openadr3_event.change": "OpenADR 3 event changed",
  "openadr3_event.end": "OpenADR 3 event ended",
  "openadr3_event.delete": "OpenADR 3 event deleted",
  "openadr3_program.create": "OpenADR 3 program created",
  "openadr3_program.change": "OpenADR 3 program changed",
  "openadr3_program.delete": "OpenADR 3 program deleted",
  "phone_call.record": "Account notified by phone",
  "program.create": "Program created",
  "program.change": "Program changed",
  "program.enrol": "Site enrolled",
  "program.withdraw": "Site withdrawn",
  "rules.adopt": "Rules adopted earlier",
  "schedule.create": "Availability block added",
  "schedule.delete": "Availability block removed",
  "schedule.refused": "Availability block rejected",
  "session.create": "Signed in",
  "session.create_by_recovery_code": "Signed in with a recovery code",
  "session.revoke": "Session ended",
  "shift_report.keep": "Shift report kept",
  "shift_report.change": "Shift report edited",
  "site.create": "Site added",
  "site.change": "Site changed",
  "statement.make": "Statement made",
  "statement.approve": "Statement approved",
  "terms.set": "Terms set",
  "terms.delete": "Terms deleted",
  "user.create": "User invited",
  "user.invite": "User invited again",
  "user.change": "User changed",
  "user.delete": "User deleted",
  "user.sign_out": "Signed out everywhere",
  "user.set_password": "Password set",
  "user.change_password": "Password changed",
  "user.confirm_totp": "Authenticator app set up",
  "user.remove_totp": "Authenticator app removed",
  "user.renew_recovery_codes": "Recovery codes replaced",
  "user.bind_oidc": "Single sign-on linked",
  "user.set_notices": "Notifications chosen",
  "user.add_push": "Browser registered for notifications",
  "user.remove_push": "Browser removed from notifications",
  "ven.create": "VEN created",
  "ven.change": "VEN changed",
  "ven.delete": "VEN deleted",
  "ven.certify": "VEN certificate issued",
  "ven.offer_certificate": "VEN certificate link created",
  "ven.revoke": "VEN certificate revoked",
  "webhook.create": "Webhook registered",
  "webhook.delete": "Webhook removed",
  "webhook.rotate_secret": "Webhook secret rotated",
};

/** Actions of another version are shown as they are. */
export const actionWords = (action: string): string => words.get(action) ?? action;

const words: ReadonlyMap<string, string> = new Map(Object.entries(actions));

export const actionChoices = Object.entries(actions)
  .map(([value, label]) => ({ value, label }))
  .toSorted((a, b) => byName(a.label, b.label));

/** Who acted: the user's name if known. */
export const actorWords = (actor: string, name: string | null): string => {
  const [kind = "", id = ""] = actor.split(":");
  switch (kind) {
    case "operator":
      return "Operator token";
    case "service":
      return "Service";
    case "user":
      return name ?? `User ${id}`;
    case "key":
      return `API key ${id}`;
    case "ven":
      return `Certificate link of VEN ${id}`;
    default:
      return actor;
  }
};

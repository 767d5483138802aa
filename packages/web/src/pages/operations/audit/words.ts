import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { byName } from "../../../format/name-order.js";

/** Names of all actions. */
const actions: Readonly<Record<operator.AuditAction, string>> = {
  "account.create": say("Account created"),
  "account.certify": say("Integration certified in the sandbox"),
  "account.change": say("Account changed"),
  "alarm.acknowledge": say("Alarm acknowledged"),
  "alarm.note": say("Alarm noted"),
  "alarm_group.acknowledge": say("Alarms acknowledged"),
  "alarm_group.assign": say("Alarms assigned"),
  "alarm_group.shelve": say("Alarms shelved"),
  "alarm_group.unacknowledge": say("Acknowledgement taken back"),
  "alarm_group.unshelve": say("Shelved alarms returned"),
  "calendar.create": say("Calendar created"),
  "calendar.delete": say("Calendar deleted"),
  "channel_address.create": say("Address of a channel added"),
  "channel_address.delete": say("Address of a channel removed"),
  "contact.create": say("Dispatch contact added"),
  "contact.delete": say("Dispatch contact removed"),
  "delivery.resend": say("Delivery sent again"),
  "delivery_hold.release": say("Delivery released after a restore"),
  "demo.start": say("Demo started"),
  "demo.remove": say("Demo removed"),
  "simulated_site.add": say("Simulated site added"),
  "simulated_site.remove": say("Simulated site removed"),
  "dispatch.create": say("Dispatch issued"),
  "dispatch.change": say("Dispatch changed"),
  "dispatch.cancel": say("Dispatch cancelled"),
  "dispatch.void": say("Dispatch voided"),
  "dispatch.approve": say("Result approved"),
  "dispatch.decide_site": say("Site decided about"),
  "excluded_day.create": say("Day excluded from baselines"),
  "excluded_day.change": say("Reason for excluding a day changed"),
  "excluded_day.delete": say("Day counts for baselines again"),
  "key.create": say("API key issued"),
  "key.claim": say("API key claimed"),
  "key.revoke": say("API key revoked"),
  "meter.create": say("Meter added"),
  "meter.change": say("Meter changed"),
  "mapping_profile.create": say("Mapping profile saved"),
  "mapping_profile.change": say("Mapping profile replaced"),
  "mapping_profile.delete": say("Mapping profile deleted"),
  "meter_data.import": say("Meter data imported"),
  "openadr3_client.create": say("OpenADR 3 client created"),
  "openadr3_client.change": say("OpenADR 3 client changed"),
  "openadr3_client.rotate_secret": say("Secret of an OpenADR 3 client rotated"),
  "openadr3_client.revoke": say("OpenADR 3 client revoked"),
  "openadr3_event.create": say("OpenADR 3 event created"),
  "openadr3_event.change": say("OpenADR 3 event changed"),
  "openadr3_event.end": say("OpenADR 3 event ended"),
  "openadr3_event.delete": say("OpenADR 3 event deleted"),
  "openadr3_program.create": say("OpenADR 3 program created"),
  "openadr3_program.change": say("OpenADR 3 program changed"),
  "openadr3_program.delete": say("OpenADR 3 program deleted"),
  "phone_call.record": say("Account notified by phone"),
  "program.create": say("Program created"),
  "program.change": say("Program changed"),
  "program.enrol": say("Site enrolled"),
  "program.withdraw": say("Site withdrawn"),
  "rules.adopt": say("Rules adopted earlier"),
  "schedule.create": say("Availability block added"),
  "schedule.delete": say("Availability block removed"),
  "schedule.refused": say("Availability block rejected"),
  "session.create": say("Signed in"),
  "session.create_by_recovery_code": say("Signed in with a recovery code"),
  "session.revoke": say("Session ended"),
  "shift_report.keep": say("Shift report kept"),
  "shift_report.change": say("Shift report edited"),
  "site.create": say("Site added"),
  "site.change": say("Site changed"),
  "statement.make": say("Statement made"),
  "statement.approve": say("Statement approved"),
  "terms.set": say("Terms set"),
  "terms.delete": say("Terms deleted"),
  "user.create": say("User invited"),
  "user.invite": say("User invited again"),
  "user.change": say("User changed"),
  "user.delete": say("User deleted"),
  "user.sign_out": say("Signed out everywhere"),
  "user.set_password": say("Password set"),
  "user.change_password": say("Password changed"),
  "user.confirm_totp": say("Authenticator app set up"),
  "user.remove_totp": say("Authenticator app removed"),
  "user.renew_recovery_codes": say("Recovery codes replaced"),
  "user.bind_oidc": say("Single sign-on linked"),
  "user.set_notices": say("Notifications chosen"),
  "user.add_push": say("Browser registered for notifications"),
  "user.remove_push": say("Browser removed from notifications"),
  "ven.create": say("VEN created"),
  "ven.change": say("VEN changed"),
  "ven.delete": say("VEN deleted"),
  "ven.certify": say("VEN certificate issued"),
  "ven.offer_certificate": say("VEN certificate link created"),
  "ven.revoke": say("VEN certificate revoked"),
  "webhook.create": say("Webhook registered"),
  "webhook.delete": say("Webhook removed"),
  "webhook.rotate_secret": say("Webhook secret rotated"),
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
      return say("Operator token");
    case "service":
      return say("Service");
    case "user":
      return name ?? say("User {id}", { id });
    case "key":
      return say("API key {id}", { id });
    case "ven":
      return say("Certificate link of VEN {id}", { id });
    default:
      return actor;
  }
};

import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { alarmKinds } from "../lists/alarms.js";
import { accountName, byId, id, moment, nullable, string, text } from "../values.js";
import { Contact } from "./contact.js";
import { actor, actorName } from "./dispatch.js";
import { PageQuery, pageOf } from "./list.js";

/** Whom to call first: a contact with a phone number, if the account has one. */
export const firstContact = nullable(
  Type.Object(
    {
      name: Contact.properties.name,
      email: Contact.properties.email,
      phone: Contact.properties.phone,
    },
    { description: "Contact of the account to call, one with a phone number first; null if the account has none." },
  ),
);

export const acknowledgement = {
  acknowledged_by: nullable(actor, "Who acknowledged it; null if nobody did, or an earlier version recorded it."),
  acknowledged_by_name: actorName,
};
export const assignedTo = text(100, "Who takes care of it: a person or a desk.", "Desk 2", 1);
export const shelvedUntil = nullable(moment("Until when it is shelved; null unless it is.", "end"));

/** A condition that requires a person to act. */
export const Alarm = Type.Object(
  {
    id: id("alarm"),
    kind: Type.String({
      description: "Kind of alarm. New kinds may be added.",
      examples: [...alarmKinds],
    }),
    group_id: string(
      "Group that it is in until it is cleared: its cause, and its dispatch if it has one.",
      "not_notified.dis_4f9k2m7q1x8c",
    ),
    subject: Type.String({
      description:
        "Object of the alarm. Depending on the kind, the id of a dispatch, email, contact, account, site, program, VEN or client, a setting, a directory or a follower.",
      examples: ["dis_4f9k2m7q1x8c", "mail_0b9e47d25c1a4f83b6d7e2915af3c084", "/var/lib/curtail"],
    }),
    account_id: nullable(id("account", "Account concerned; null unless it is a single one.")),
    account_name: nullable(accountName, "Current name of the account; null without an account."),
    contact: firstContact,
    message: string(
      "What is wrong, as of when the alarm was raised, and what to do.",
      "Northgate Foods was not notified of dispatch dis_4f9k2m7q1x8c; call Ana Lopez, +1 555 010 0200",
    ),
    words: string(
      "What is wrong, in a sentence for people: with names and local times, without identifiers and commands. Times are in the zone of the program.",
      "Northgate Foods was not notified of Peak relief on Wed 1 Jul from 13:00 to 15:00 (Central time). Its email bounced.",
    ),
    raised_at: moment("When the alarm was raised."),
    acknowledged_at: nullable(moment("When somebody acknowledged it; null until then.")),
    ...acknowledgement,
    assigned_to: nullable(assignedTo, "Who takes care of it; null if it is assigned to nobody."),
    shelved_until: shelvedUntil,
    note: nullable(string("What an operator noted about it; null without a note.", "the site has a power cut")),
    cleared_at: nullable(moment("When its cause ended; null until then.", "end")),
  },
  { $id: "Alarm", description: "A condition that requires a person to act." },
);

export const listAlarms = endpoint({
  id: "listAlarms",
  method: "GET",
  path: "/alarms",
  tag: "Alarms",
  summary: "List alarms, newest first",
  description: "Without `state`, returns all alarms that are not cleared: open, acknowledged and shelved ones.",
  query: Type.Object({
    state: Type.Optional(
      Type.Enum(["open", "acknowledged", "shelved", "cleared", "all"], {
        description:
          "`open`: neither acknowledged nor shelved. `acknowledged`: acknowledged, not shelved, and the cause persists. `shelved`: left out of the others until a time. `cleared`: the cause has ended.",
      }),
    ),
    group: Type.Optional(string("Only alarms of this group that are not cleared.", "not_notified.dis_4f9k2m7q1x8c")),
    ...PageQuery.properties,
  }),
  reply: pageOf(Alarm),
});
export const acknowledgeAlarm = endpoint({
  id: "acknowledgeAlarm",
  method: "POST",
  path: "/alarms/{id}/acknowledge",
  once: "within",
  tag: "Alarms",
  summary: "Acknowledge an alarm",
  description:
    "An acknowledged alarm stays until its cause ends, and is not raised again meanwhile. Acknowledge a `notice_failed` after contacting the account: this also clears it. Acknowledging a `ven_opted_out` clears it until the VEN opts out of a later modification. Acknowledging an alarm twice changes nothing.",
  params: byId("alarm"),
  reply: Alarm,
});
export const noteAlarm = endpoint({
  id: "noteAlarm",
  method: "PUT",
  path: "/alarms/{id}/note",
  tag: "Alarms",
  summary: "Set the note of an alarm",
  description:
    "Replaces the note, which colleagues see with the alarm: what was found or done. The alarm stays as it is; acknowledge it separately.",
  params: byId("alarm"),
  body: Type.Object({ note: text(1000, "What was found or done.", "the site has a power cut", 1) }),
  reply: Alarm,
});

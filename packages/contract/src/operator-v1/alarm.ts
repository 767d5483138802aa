import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { id, nullable, Timestamp } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

/** Something that needs a person. */
export const Alarm = Type.Object(
  {
    id: id("alarm", "Alarm id."),
    kind: Type.String({
      description: "What is wrong. Kinds are added over time.",
      examples: [
        "notice_undelivered",
        "notice_failed",
        "mail_stuck",
        "last_webhook_deleted",
        "certificate_expiring",
        "ven_silent",
        "ven_unacknowledged",
        "ven_error",
        "ven_opted_out",
        "telemetry_stale",
        "disk_low",
      ],
    }),
    subject: Type.String({
      description: "What is wrong, depending on the kind: id of a dispatch, mail, account or VEN, or a directory.",
      examples: ["dis_4f9k2m7q1x8c", "mail_0b9e47d25c1a4f83b6d7e2915af3c084", "/var/lib/curtail"],
    }),
    account_id: nullable(id("account", "Account concerned; null where it is not a single one.")),
    account_name: nullable(Type.String({ description: "Its name now.", examples: ["Northgate Foods"] })),
    message: Type.String({ description: "What is wrong, as it was when the alarm was raised, and what to do." }),
    raised_at: Timestamp,
    acknowledged_at: nullable(Timestamp),
    cleared_at: nullable(Timestamp),
  },
  { $id: "Alarm" },
);

export const listAlarms = endpoint({
  id: "listAlarms",
  method: "GET",
  path: "/alarms",
  tag: "Alarms",
  summary: "List what needs a person, newest first",
  description: "Without `state`, every alarm that is not cleared: open and acknowledged ones.",
  query: Type.Object({
    state: Type.Optional(
      Type.Enum(["open", "acknowledged", "cleared", "all"], {
        description: "open: nobody has seen it. acknowledged: seen, and it still holds. cleared: over.",
      }),
    ),
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
  summary: "Note that somebody has seen an alarm",
  description:
    "An acknowledged alarm stands until its cause is over, and is not raised again meanwhile. Acknowledging a notice_failed also clears it, since somebody calls the account. Acknowledging a ven_opted_out clears it until the VEN opts out of a later modification. Done again, it changes nothing.",
  params: byId,
  reply: Alarm,
});

import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { boolean, nullable, string, Timezone } from "../values.js";

const choice = (description: string) =>
  Type.Object(
    {
      mail: boolean("Whether you are notified by email.", true),
      push: boolean("Whether the browsers that you registered show a notification.", true),
    },
    { description },
  );

const timeOfDay = (description: string, example: string) =>
  Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description, examples: [example] });

const QuietHours = Type.Object(
  {
    from: timeOfDay("Time of day when the quiet hours begin, as `HH:MM`.", "22:00"),
    until: timeOfDay("Time of day when the quiet hours end, as `HH:MM`. It may be on the next day.", "06:00"),
  },
  {
    description:
      "Hours in which alarms wait until the end; an alarm that is over by then is not sent. They never hold back dispatches, their changes or cancellations.",
  },
);

const members = {
  dispatches: choice("New dispatches, at their notification time."),
  changes: choice("Changes, cancellations and ends of dispatches."),
  alarms: choice(
    "Alarms. For participants: a notification that failed, a silent VEN, an error of a VEN, and a certificate that expires soon.",
  ),
  quiet_hours: nullable(QuietHours),
  timezone: Timezone,
};

export const NoticePreferences = Type.Object(
  {
    ...members,
    timezone: string("Time zone of the quiet hours, and of times in notifications. IANA name.", "America/Chicago"),
    is_set: boolean("`false`: you have not chosen yet, so you are notified of nothing.", true),
    has_mail: boolean("Whether the service has a mail server. Without one, no emails are sent.", true),
    push_key: string(
      "Public key that browsers subscribe with: `applicationServerKey` of the Push API.",
      "BDsfjKfYT7u6AVr6Xs75bb6Ji6TTUHQJcSq-TRVBQii0-1sCcoiudtxfLsGpF_grOGF49Gb_EJVYXqBv2nLKBHc",
    ),
  },
  { $id: "NoticePreferences", description: "What you are notified of in person, and how." },
);
export type NoticePreferences = Static<typeof NoticePreferences>;

export const getNoticePreferences = endpoint({
  id: "getNoticePreferences",
  method: "GET",
  path: "/notice-preferences",
  tag: "Notifications",
  summary: "Retrieve what you are notified of",
  description:
    "These notifications go to you in person. Emails to the contacts of an account are sent in addition, and do not depend on them.",
  reply: NoticePreferences,
});

export const setNoticePreferences = endpoint({
  id: "setNoticePreferences",
  method: "PUT",
  path: "/notice-preferences",
  tag: "Notifications",
  summary: "Set what you are notified of",
  description: "Replaces all of your choices. They apply to notifications that were not sent yet, too.",
  body: Type.Object({
    ...members,
    timezone: Type.Intersect([Timezone], {
      description: "Time zone of the quiet hours, and of times in notifications. IANA name.",
      examples: ["America/Chicago"],
    }),
  }),
  reply: NoticePreferences,
});

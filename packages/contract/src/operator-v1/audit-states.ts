import Type, { type Static } from "typebox";
import { ProgramType } from "../v2022-04-15/dispatch.js";
import { Commitment, id, nullable, Timestamp } from "../values.js";
import { Account } from "./account.js";
import { Alarm } from "./alarm.js";
import { BaselineSetting, Holidays, StatusLimits } from "./baseline.js";
import { Contact } from "./contact.js";
import { ApiKey } from "./key.js";
import { OpenAdrSettings, Program } from "./program.js";
import { ScheduleBlock } from "./schedule.js";
import { AssetType, OperatorSite } from "./site.js";
import { User } from "./user.js";
import { Ven } from "./ven.js";

/** Elements of a list that an entry of the log is answered with. */
export const MAX_AUDITED_ELEMENTS = 100;

const omitted = Type.Optional(
  Type.Record(Type.String(), Type.Integer(), {
    description: `Lists of more than ${MAX_AUDITED_ELEMENTS} elements are answered with the first ${MAX_AUDITED_ELEMENTS}: how many more each has, by its name. Absent where none is that long.`,
    examples: [{ holidays: 12 }],
  }),
);

/** A state of one kind, as it is answered; members that are optional were not written by every version. */
const state = <P extends Type.TProperties>(name: string, properties: P) =>
  Type.Object({ ...properties, omitted }, { $id: `Audited${name}` });

const moment = (description: string) => ({ ...Timestamp, description });
const created_at = moment("When it was created.");
const accountOf = id("account", "Account it belongs to.");

const AuditedAccount = state("Account", Account.properties);
// The name is the account's present one, no state of the alarm.
const { account_name: _accountName, ...alarmMembers } = Alarm.properties;
const AuditedAlarm = state("Alarm", alarmMembers);
const AuditedContact = state("Contact", {
  ...Contact.properties,
  account_id: accountOf,
  phone: Type.Optional(Contact.properties.phone),
});

const AuditedCertificate = state("Certificate", {
  fingerprint: Type.String({ description: "SHA-256 of the certificate, in hex." }),
  expires_at: moment("End of the certificate."),
  revoked_at: Type.Optional(moment("When it was revoked; absent before.")),
});
const AuditedCertificateLink = state("CertificateLink", {
  days: Type.Integer({ description: "How long the certificate will be good, in days.", examples: [365] }),
  link_expires_at: moment("Until when the link can be opened."),
});

const AuditedDelivery = state("Delivery", {
  webhook_id: id("webhook", "Webhook that is notified."),
  dispatch_id: id("dispatch", "Dispatch that it is notified of."),
  event: Type.String({ description: "Event that it is notified of.", examples: ["dispatch.create"] }),
  state: Type.String({ description: "State of the delivery.", examples: ["failed"] }),
  resend_at: Type.Optional(moment("Since when it waits to be sent again.")),
});

const AuditedDispatch = state("Dispatch", {
  start_time: moment("Start of the dispatch."),
  end_time: nullable(moment("End of the dispatch; null while it is open.")),
  authorized: Type.Boolean({ description: "false: cancelled, or void." }),
  void_reason: Type.Optional(
    nullable(Type.String({ description: "Why it was voided after its end; null if it was not." })),
  ),
  modification_number: Type.Integer({ description: "0 at creation, one more with every change." }),
  id: Type.Optional(id("dispatch", "Dispatch id; of a created dispatch, as all below.")),
  program: Type.Optional(
    Type.Object(
      {
        id: id("program", "Program id."),
        name: Type.String({ description: "Program name." }),
        timezone: Type.String({ description: "IANA time zone of the program." }),
        market: Type.String({ description: "Market in which the program participates." }),
        program_type: ProgramType,
      },
      { description: "The program when the dispatch was created." },
    ),
  ),
  test: Type.Optional(Type.Boolean({ description: "true: a test, not a market call." })),
  notification_time: Type.Optional(moment("When participants are notified.")),
  created_at: Type.Optional(created_at),
  site_count: Type.Optional(Type.Integer({ description: "How many sites are dispatched." })),
  commitment_kw: Type.Optional(Type.Number({ description: "Sum of their commitments in kW; null counts 0." })),
  sites: Type.Optional(
    Type.Array(Type.Object({ id: id("site", "Site id."), commitment: Commitment }), {
      description: "The sites, in entries that have no `site_count`; ask for the dispatch otherwise.",
    }),
  ),
});

const AuditedEnrolment = state("Enrolment", {
  program_id: id("program", "Program id."),
  site_id: id("site", "Site id."),
  commitment: Commitment,
  baseline: Type.Optional(nullable(BaselineSetting)),
});

const { state: _state, ...keyMembers } = ApiKey.properties;
const AuditedKey = state("Key", {
  ...keyMembers,
  account_id: accountOf,
  claim_expires_at: moment("Until when the link that shows the key can be opened."),
});

const meter = {
  id: id("meter", "Meter id."),
  name: Type.String({ description: "Name of the meter." }),
  asset_type: AssetType,
};
const AuditedMeter = state("Meter", {
  ...meter,
  site_id: Type.Optional(id("site", "Site it was added to.")),
  account_id: Type.Optional(accountOf),
});

const AuditedProgram = state("Program", {
  ...Program.properties,
  openadr: nullable(OpenAdrSettings),
  baseline: Type.Optional(nullable(BaselineSetting)),
  holidays: Type.Optional(Holidays),
  status_limits: Type.Optional(nullable(StatusLimits)),
});

const { available: _available, ...blockMembers } = ScheduleBlock.properties;
const AuditedScheduleBlock = state("ScheduleBlock", blockMembers);

const { display_enabled: _displayEnabled, ...siteMembers } = OperatorSite.properties;
const AuditedSite = state("Site", {
  ...siteMembers,
  display_enabled_at: Type.Optional(siteMembers.display_enabled_at),
  meters: Type.Array(Type.Object(meter), { description: "Its meters." }),
});

const AuditedUser = state("User", User.properties);

const {
  certificates: _certificates,
  last_poll: _lastPoll,
  last_acknowledgement: _lastAcknowledgement,
  ...venMembers
} = Ven.properties;
const AuditedVen = state("Ven", venMembers);

const AuditedWebhook = state("Webhook", {
  id: id("webhook", "Webhook id."),
  url: Type.String({ description: "Address that requests are sent to.", examples: ["https://example.com/hooks"] }),
  events: Type.Array(Type.String({ examples: ["dispatch.create"] }), { description: "Events that it is notified of." }),
  previous_secret_until: Type.Optional(moment("Until when requests are signed with the secret before as well.")),
});

/** What an entry has before and after, by the kind of what was acted on. Of sessions no states are kept. */
export const auditStates = {
  account: nullable(AuditedAccount),
  alarm: nullable(AuditedAlarm),
  certificate: nullable(AuditedCertificate),
  certificate_link: nullable(AuditedCertificateLink),
  contact: nullable(AuditedContact),
  delivery: nullable(AuditedDelivery),
  dispatch: nullable(AuditedDispatch),
  enrolment: nullable(AuditedEnrolment),
  key: nullable(AuditedKey),
  meter: nullable(AuditedMeter),
  program: nullable(AuditedProgram),
  schedule_block: nullable(AuditedScheduleBlock),
  session: Type.Null({ description: "No states are kept." }),
  site: nullable(AuditedSite),
  user: nullable(AuditedUser),
  ven: nullable(AuditedVen),
  webhook: nullable(AuditedWebhook),
} as const;

export type AuditStateOf<K extends keyof typeof auditStates> = NonNullable<Static<(typeof auditStates)[K]>>;

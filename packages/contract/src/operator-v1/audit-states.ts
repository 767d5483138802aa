import Type, { type Static } from "typebox";
import {
  dispatchEnd,
  dispatchProgram,
  dispatchStart,
  givenDetails,
  isTest,
  modificationNumber,
} from "../v2022-04-15/dispatch.js";
import { MappingProfile } from "../v2022-04-15/mapping-profile.js";
import { WebhookUrl } from "../v2022-04-15/webhook.js";
import { boolean, Commitment, id, integer, meterName, moment, nullable, string } from "../values.js";
import { Account } from "./account.js";
import { Alarm, assignedTo } from "./alarm.js";
import { BaselineSetting, Holidays, StatusLimits } from "./baseline.js";
import { integrationCertificate } from "./certificate.js";
import { ChannelAddress } from "./channel-address.js";
import { Contact } from "./contact.js";
import { heldChannels } from "./delivery-hold.js";
import { Demo } from "./demo.js";
import { commitmentKw, record, siteCount, voidReason } from "./dispatch.js";
import { excludedDay } from "./excluded-day.js";
import { calendarSettings, calendarVersion } from "./holidays.js";
import { ApiKey } from "./key.js";
import { MeterDataResult } from "./meter-data.js";
import { Openadr3Client } from "./openadr3-client.js";
import { Openadr3Event } from "./openadr3-event.js";
import { Openadr3Program } from "./openadr3-program.js";
import { phoneCall } from "./phone-call.js";
import { OpenAdrSettings, Program } from "./program.js";
import { ScheduleBlock } from "./schedule.js";
import { AssetType, KwhMeans, OperatorSite } from "./site.js";
import { month, ProgramTerms } from "./terms.js";
import { User } from "./user.js";
import { Ven, VenCertificate } from "./ven.js";

/** Limit of elements per list in an entry of the log. */
export const MAX_AUDITED_ELEMENTS = 100;

const omitted = Type.Optional(
  Type.Record(Type.String(), Type.Integer(), {
    description: `Number of elements left out, by the name of the list: lists are cut after ${MAX_AUDITED_ELEMENTS} elements. Absent if no list is that long.`,
    examples: [{ holidays: 12 }],
  }),
);

/** A state of one kind. Members that not every version wrote are optional. */
const state = <P extends Type.TProperties>(name: string, properties: P) =>
  Type.Object(
    { ...properties, omitted },
    {
      $id: `Audited${name}`,
      description: `State of the ${name.replaceAll(/(?!^)([A-Z])/g, " $1").toLowerCase()}, before or after the action.`,
    },
  );

const accountOf = id("account", "Account of the subject.");

const { simulated: _simulatedAccount, ...accountMembers } = Account.properties;
/** A later version may have fewer languages. */
const auditedLanguage = Type.Optional(nullable(string("Language of what is sent; null: none was chosen.", "de")));
const AuditedAccount = state("Account", { ...accountMembers, language: auditedLanguage });
// Names are current ones, which are not part of the alarm's state; what happens to groups has entries of its own.
const {
  account_name: _accountName,
  contact: _contact,
  acknowledged_by: _acknowledgedBy,
  acknowledged_by_name: _acknowledgedByName,
  assigned_to: _assignedTo,
  shelved_until: _shelvedUntil,
  words: _words,
  group_id: _alarmGroup,
  note: alarmNote,
  ...alarmMembers
} = Alarm.properties;
const AuditedAlarm = state("Alarm", { ...alarmMembers, note: Type.Optional(alarmNote) });
const AuditedAlarmGroup = state("AlarmGroup", {
  alarms: integer("How many of its alarms were changed.", 30),
  alarm_ids: Type.Array(id("alarm"), { description: "The first 200 of them." }),
  acknowledged_at: Type.Optional(nullable(moment("When they were acknowledged; null once that was taken back."))),
  assigned_to: Type.Optional(nullable(assignedTo, "Person or desk that they were assigned to; null: nobody.")),
  shelved_until: Type.Optional(nullable(moment("Until when they were shelved; null once they are back.", "end"))),
});
// A later version may have fewer channels and forms.
const { last_success_at: _lastSuccess, last_error: _lastError, ...addressMembers } = ChannelAddress.properties;
const AuditedChannelAddress = state("ChannelAddress", {
  ...addressMembers,
  channel: string("Channel of its messages.", "chat"),
  form: nullable(string("What its receiver reads; null for a channel with one form.", "slack")),
  account_id: accountOf,
});
const AuditedContact = state("Contact", {
  ...Contact.properties,
  account_id: accountOf,
  phone: Type.Optional(Contact.properties.phone),
  sms: Type.Optional(Contact.properties.sms),
  voice: Type.Optional(Contact.properties.voice),
  language: auditedLanguage,
});

const AuditedCertificate = state("Certificate", {
  fingerprint: VenCertificate.properties.fingerprint,
  expires_at: VenCertificate.properties.expires_at,
  revoked_at: Type.Optional(moment("When the certificate was revoked; absent before.", "later")),
});
const AuditedCertificateLink = state("CertificateLink", {
  days: integer("Validity of the certificate in days.", 365),
  link_expires_at: moment("When the link expires.", "later"),
});

const AuditedDelivery = state("Delivery", {
  webhook_id: id("webhook", "Webhook that is notified."),
  dispatch_id: id("dispatch", "Dispatch of the event."),
  event: string("Event of the notification.", "dispatch.create"),
  state: string("State of the delivery.", "failed"),
  resend_at: Type.Optional(moment("When the resend was requested.", "later")),
});

const AuditedDeliveryHold = state("DeliveryHold", {
  held_at: moment("When the backup was restored."),
  backup_at: moment("The moment that the restored backup shows.", "created"),
  outdated_dispatches: Type.Array(id("dispatch"), {
    description: "Dispatches that were over when delivery was released: what waited about them was dropped.",
  }),
  dropped: Type.Optional(
    Type.Array(
      Type.Object({
        channel: Type.Enum([...heldChannels], {
          description:
            "Channel, as in the evidence of dispatches. `mqtt`: messages to an MQTT broker; `sandbox`: webhooks of the sandbox.",
          examples: ["webhook"],
        }),
        count: integer("Deliveries, messages and notifications that were dropped.", 3),
      }),
      { description: "What was dropped when delivery was released; absent in releases by earlier versions." },
    ),
  ),
});

const AuditedSimulatedSite = state("SimulatedSite", {
  started_at: moment("When it was added.", "created"),
});

const { accounts: demoAccounts, sites: demoSites } = Demo.properties;
const AuditedDemo = state("Demo", {
  started_at: moment("When the demo was started.", "created"),
  accounts: Type.Optional(demoAccounts),
  sites: Type.Optional(demoSites),
});

const AuditedDispatch = state("Dispatch", {
  start_time: dispatchStart,
  end_time: dispatchEnd,
  authorized: boolean("`false`: the dispatch is cancelled, or void.", true),
  void_reason: Type.Optional(voidReason),
  approved_version: Type.Optional(integer("Version of the result that was approved.", 2)),
  decided_site: Type.Optional(id("site", "Site that an operator decided about.")),
  counts: Type.Optional(nullable(string("How the site counts by the decision; null: by the rules.", "not_judged"))),
  note: Type.Optional(string("Why it was approved or decided so.", "agreed with the account")),
  modification_number: modificationNumber,
  ...givenDetails,
  id: Type.Optional(
    id("dispatch", "Identifier of the dispatch. This and the members below are present for a creation."),
  ),
  program: Type.Optional(Type.Object(dispatchProgram, { description: "The program when the dispatch was created." })),
  test: Type.Optional(isTest),
  notification_time: Type.Optional(moment("When participants are notified.", "notified")),
  record: Type.Optional(record),
  created_at: Type.Optional(moment("When the dispatch was created.", "created")),
  site_count: Type.Optional(siteCount),
  commitment_kw: Type.Optional(commitmentKw),
  sites: Type.Optional(
    Type.Array(Type.Object({ id: id("site"), commitment: Commitment }), {
      description: "The sites, in entries without `site_count`. Otherwise, retrieve the dispatch.",
    }),
  ),
});

const AuditedEnrolment = state("Enrolment", {
  program_id: id("program"),
  site_id: id("site"),
  commitment: Commitment,
  baseline: Type.Optional(nullable(BaselineSetting)),
});

const AuditedExcludedDay = state("ExcludedDay", { site_id: id("site"), ...excludedDay });

const AuditedIntegrationCertificate = state("IntegrationCertificate", integrationCertificate);

const { state: _state, ...keyMembers } = ApiKey.properties;
const AuditedKey = state("Key", {
  ...keyMembers,
  account_id: accountOf,
  claim_expires_at: moment("When the one-time link expires.", "later"),
});

const meter = {
  id: id("meter"),
  name: meterName,
  asset_type: AssetType,
  kwh_means: Type.Optional(KwhMeans),
};
const AuditedMeter = state("Meter", {
  ...meter,
  site_id: Type.Optional(id("site", "Site that the meter was added to.")),
  account_id: Type.Optional(accountOf),
});

const AuditedMeterData = state("MeterData", {
  site_id: id("site"),
  format: MeterDataResult.properties.format,
  meters: Type.Array(id("meter"), { description: "Meters whose readings the file has." }),
  intervals: integer("Number of intervals that were stored.", 8),
  estimated_intervals: integer("How many of the imported values were estimated or substituted.", 0),
  start_time: moment("Start of the first interval.", "start"),
  end_time: moment("End of the last one.", "end"),
});

const { id: profileId, name: profileName, header, mapping } = MappingProfile.properties;
const AuditedMappingProfile = state("MappingProfile", {
  id: profileId,
  name: profileName,
  header,
  mapping: nullable(mapping, "The mapping; null: it has more than 4096 characters as JSON."),
  mapping_digest: Type.Optional(string("Digest of a long mapping, in its place.", "3f8a1c0b9d5e7f24a6b8c0d1e2f30415")),
});

const AuditedPhoneCall = state("PhoneCall", { dispatch_id: id("dispatch"), ...phoneCall });

const { simulated: _simulatedProgram, ...programMembers } = Program.properties;
const AuditedProgram = state("Program", {
  ...programMembers,
  openadr: nullable(OpenAdrSettings),
  baseline: Type.Optional(nullable(BaselineSetting)),
  holidays: Type.Optional(Holidays),
  holiday_calendar: Type.Optional(calendarSettings.holiday_calendar),
  holiday_calendar_version: Type.Optional(nullable(calendarVersion)),
  added_holidays: Type.Optional(calendarSettings.added_holidays),
  removed_holidays: Type.Optional(calendarSettings.removed_holidays),
  status_limits: Type.Optional(nullable(StatusLimits)),
  tests_are_events: Type.Optional(Program.properties.tests_are_events),
  corrections_days: Type.Optional(Program.properties.corrections_days),
  longest_open_hours: Type.Optional(Program.properties.longest_open_hours),
  public: Type.Optional(Program.properties.public),
});

const { available: _available, ...blockMembers } = ScheduleBlock.properties;
const AuditedScheduleBlock = state("ScheduleBlock", {
  ...blockMembers,
  available_kw: Type.Optional(blockMembers.available_kw),
  series_id: Type.Optional(blockMembers.series_id),
});

const { display_enabled: _displayEnabled, simulated: _simulatedSite, ...siteMembers } = OperatorSite.properties;
const AuditedSite = state("Site", {
  ...siteMembers,
  display_enabled_at: Type.Optional(siteMembers.display_enabled_at),
  measured_meters: Type.Optional(siteMembers.measured_meters),
  latitude: Type.Optional(siteMembers.latitude),
  longitude: Type.Optional(siteMembers.longitude),
  meters: Type.Array(Type.Object(meter), { description: "Meters of the site." }),
});

const { ven_id: _venId, state: _clientState, last_used_at: _clientUsed, ...clientMembers } = Openadr3Client.properties;
const AuditedOpenadr3Client = state("Openadr3Client", clientMembers);

const {
  program_name: _programName,
  state: _eventState,
  interval_count: _intervalCount,
  ...eventMembers
} = Openadr3Event.properties;
const AuditedOpenadr3Event = state("Openadr3Event", eventMembers);
const { event_count: _eventCount, ...openadr3ProgramMembers } = Openadr3Program.properties;
const AuditedOpenadr3Program = state("Openadr3Program", {
  ...openadr3ProgramMembers,
  public: Type.Optional(openadr3ProgramMembers.public),
});

const AuditedShiftReport = state("ShiftReport", {
  id: id("shift_report"),
  from_time: moment("Start of the shift.", "created"),
  to_time: moment("End of the shift.", "end"),
  version: integer("Version that was saved.", 2),
});

const AuditedStatement = state("Statement", {
  id: id("statement"),
  account_id: accountOf,
  month: month("Month of the statement."),
  version: integer("Version that was made or approved.", 2),
  note: Type.Optional(string("Why it was approved.", "agreed with the account")),
});

const AuditedRules = state("Rules", {
  rules_version: integer("Version of the rules that were adopted.", 2),
  from_month: month("First month that they hold in."),
  reason: string("Why they were adopted.", "agreed with all accounts"),
});

const AuditedTerms = state("Terms", ProgramTerms.properties);

const AuditedUser = state("User", User.properties);

const {
  certificates: _certificates,
  last_poll: _lastPoll,
  last_acknowledgement: _lastAcknowledgement,
  ...venMembers
} = Ven.properties;
const AuditedVen = state("Ven", venMembers);

const AuditedWebhook = state("Webhook", {
  id: id("webhook"),
  url: WebhookUrl,
  events: Type.Array(string("An event.", "dispatch.create"), {
    description: "Events that the webhook is notified of.",
  }),
  previous_secret_until: Type.Optional(
    moment("Until when requests are signed with the previous secret, too.", "later"),
  ),
});

/** State before and after an action, by the kind of the subject. Sessions and calendars have none. */
export const auditStates = {
  account: nullable(AuditedAccount),
  alarm: nullable(AuditedAlarm),
  alarm_group: nullable(AuditedAlarmGroup),
  calendar: Type.Null({ description: "Always null: calendars have no states." }),
  certificate: nullable(AuditedCertificate),
  certificate_link: nullable(AuditedCertificateLink),
  channel_address: nullable(AuditedChannelAddress),
  contact: nullable(AuditedContact),
  delivery: nullable(AuditedDelivery),
  delivery_hold: nullable(AuditedDeliveryHold),
  demo: nullable(AuditedDemo),
  dispatch: nullable(AuditedDispatch),
  enrolment: nullable(AuditedEnrolment),
  excluded_day: nullable(AuditedExcludedDay),
  integration_certificate: nullable(AuditedIntegrationCertificate),
  key: nullable(AuditedKey),
  mapping_profile: nullable(AuditedMappingProfile),
  meter: nullable(AuditedMeter),
  meter_data: nullable(AuditedMeterData),
  openadr3_client: nullable(AuditedOpenadr3Client),
  openadr3_event: nullable(AuditedOpenadr3Event),
  openadr3_program: nullable(AuditedOpenadr3Program),
  phone_call: nullable(AuditedPhoneCall),
  program: nullable(AuditedProgram),
  rules: nullable(AuditedRules),
  schedule_block: nullable(AuditedScheduleBlock),
  session: Type.Null({ description: "Always null: sessions have no states." }),
  simulated_site: nullable(AuditedSimulatedSite),
  shift_report: nullable(AuditedShiftReport),
  site: nullable(AuditedSite),
  statement: nullable(AuditedStatement),
  terms: nullable(AuditedTerms),
  user: nullable(AuditedUser),
  ven: nullable(AuditedVen),
  webhook: nullable(AuditedWebhook),
} as const;

export type AuditStateOf<K extends keyof typeof auditStates> = NonNullable<Static<(typeof auditStates)[K]>>;

import type { AlarmKind } from "../../platform/alarm.js";
import type { AlarmRule } from "./alarm-rule.js";
import { addressFailing } from "./alarms/address-failing.js";
import { dispatchedCutOff, dispatchOpenLong, lastWebhookDeleted } from "./alarms/dispatches.js";
import { followerBehind, followerStuck } from "./alarms/followers.js";
import { gatewayFailing } from "./alarms/gateway-failing.js";
import { holidaysEnding } from "./alarms/holidays-ending.js";
import { contactRefused, mailStuck } from "./alarms/mails.js";
import { noticeFailed, noticeUndelivered } from "./alarms/notices.js";
import { failingSubscription, openadr3Silent, undeliveredDispatch } from "./alarms/openadr-3-clients.js";
import { batteryUndecided, telemetryStale } from "./alarms/telemetry.js";
import { clientError, clientOptedOut, venError, venOptedOut } from "./alarms/ven-answers.js";
import { certificateExpiring, venSilent, venUnacknowledged } from "./alarms/vens.js";

/** How each kind is found, in this order: by rules over the database, or by looking at something else (`app/wire/alarms.ts`). */
const rules = {
  notice_undelivered: [noticeUndelivered],
  notice_failed: [noticeFailed],
  mail_stuck: [mailStuck],
  contact_refused: [contactRefused],
  gateway_failing: [gatewayFailing],
  address_failing: [addressFailing],
  last_webhook_deleted: [lastWebhookDeleted],
  ven_silent: [venSilent],
  ven_unacknowledged: [venUnacknowledged],
  ven_error: [venError, clientError],
  ven_opted_out: [venOptedOut, clientOptedOut],
  openadr3_silent: [openadr3Silent],
  openadr3_undelivered: [undeliveredDispatch, failingSubscription],
  certificate_expiring: [certificateExpiring],
  telemetry_stale: [telemetryStale],
  dispatch_open_long: [dispatchOpenLong],
  dispatched_cut_off: [dispatchedCutOff],
  readings_unfolded: "observed",
  holidays_ending: [holidaysEnding],
  battery_undecided: [batteryUndecided],
  follower_behind: [followerBehind],
  follower_stuck: [followerStuck],
  delivery_held: "observed",
  backup_missing: "observed",
  disk_low: "observed",
  standby_degraded: "observed",
  database_node_away: "observed",
  archiving_failed: "observed",
  broker_behind: "observed",
  broker_unsafe: "observed",
  broker_client_shared: "observed",
} as const satisfies Readonly<Record<AlarmKind, readonly AlarmRule[] | "observed">>;

/** None concerns participants' own tests (G47). */
export const alarmRules: readonly AlarmRule[] = Object.values(rules).flatMap((each) =>
  each === "observed" ? [] : each,
);

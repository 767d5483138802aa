import type { AlarmRule } from "./alarm-rule.js";
import { batteryUndecided } from "./alarms/battery-undecided.js";
import { contactRefused } from "./alarms/contact-refused.js";
import { dispatchOpenLong } from "./alarms/dispatch-open-long.js";
import { dispatchedCutOff } from "./alarms/dispatched-cut-off.js";
import { followerBehind, followerStuck } from "./alarms/followers.js";
import { gatewayFailing } from "./alarms/gateway-failing.js";
import { holidaysEnding } from "./alarms/holidays-ending.js";
import { lastWebhookDeleted } from "./alarms/last-webhook-deleted.js";
import { mailStuck } from "./alarms/mail-stuck.js";
import { noticeFailed } from "./alarms/notice-failed.js";
import { noticeUndelivered } from "./alarms/notice-undelivered.js";
import { openadr3Silent } from "./alarms/openadr-3-clients.js";
import { failingSubscription, undeliveredDispatch } from "./alarms/openadr3-undelivered.js";
import { telemetryStale } from "./alarms/telemetry-stale.js";
import { clientError, venError } from "./alarms/ven-error.js";
import { clientOptedOut, venOptedOut } from "./alarms/ven-opted-out.js";
import { certificateExpiring, venSilent, venUnacknowledged } from "./alarms/vens.js";

/** Every kind of alarm that the database tells of; none concerns participants' own tests (G47). */
export const alarmRules: readonly AlarmRule[] = [
  noticeUndelivered,
  noticeFailed,
  mailStuck,
  contactRefused,
  gatewayFailing,
  lastWebhookDeleted,
  venSilent,
  venUnacknowledged,
  venError,
  clientError,
  venOptedOut,
  clientOptedOut,
  openadr3Silent,
  undeliveredDispatch,
  failingSubscription,
  certificateExpiring,
  telemetryStale,
  dispatchOpenLong,
  dispatchedCutOff,
  holidaysEnding,
  batteryUndecided,
  followerBehind,
  followerStuck,
];

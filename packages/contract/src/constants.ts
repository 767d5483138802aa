// Numbers that schemas, descriptions and pages share. No imports but of constants: browsers load this file, not the schemas.

/** Longest name of a participant, person, site, meter, program or market. */
export const NAME_CHARACTERS = 200;
export const EMAIL_CHARACTERS = 254;
export const PHONE_CHARACTERS = 50;
/** Longest address of a webhook or a VEN. */
export const ADDRESS_CHARACTERS = 2048;
/** Addresses of channels, such as chat rooms, that an account may have. */
export const MAX_CHANNEL_ADDRESSES = 20;
export const VEN_ID_CHARACTERS = 64;
/** How long a dispatch without an end may run before operators are alarmed, unless its program says otherwise. */
export const LONGEST_OPEN_HOURS = 24;
/** Years for which calendars of holidays are computed. */
export const CALENDAR_YEARS = { first: 2000, last: 2060 };
export const CALENDAR_YEARS_AT_ONCE = 5;
/** Days that operators may add to a calendar of holidays, or remove from it. */
export const CORRECTED_HOLIDAYS = 300;
export const VOID_REASON_CHARACTERS = 500;
export const MIN_PASSWORD_CHARACTERS = 12;
export const TOTP_DIGITS = 6;

/** Longest text of a search: that of a name. */
export const SEARCH_CHARACTERS = 200;
/** Sites that are counted while their data is not visible to their users. */
export const MOST_HIDDEN_SITES = 100;
/** Items on a page of a list. */
export const MAX_PAGE = 500;
/** Most rows of a report in one reply, and as many as it has unless fewer are asked for. */
export const MAX_REPORT_ROWS = 2000;
/** Sites that are enrolled or withdrawn by one request. */
export const MAX_ENROLLED_AT_ONCE = 1000;
/** Lines below the header of an import. */
export const MAX_IMPORT_LINES = 2000;

/** A year of 5-minute intervals as Green Button XML has 32 MB. */
export const MAX_METER_DATA_BYTES = 40 * 1024 * 1024;
/** Mappings that an account keeps; the longest has 500 columns of values. */
export const MAX_MAPPING_PROFILES = 50;
export const MAX_PROFILE_CHARACTERS = 65_536;
export const PROFILE_NAME_CHARACTERS = 100;
/** Months of a meter in hours: eleven years of one meter. */
export const MAX_METER_DATA_HOURS = 100_000;

/** Expected time between the polls of a VEN. */
export const MAX_POLL_SECONDS = 86_400;
export const MAX_CERTIFICATE_DAYS = 3650;
export const MIN_VERIFICATION_SECONDS = 60;
export const MAX_VERIFICATION_SECONDS = 86_400;
/** How long a new secret of a webhook and the previous one are both used. */
export const SECRET_OVERLAP_HOURS = 24;
/** The longest that the secret before a rotation of an OpenADR 3 client is accepted. */
export const MAX_CHANGE_OVER_HOURS = 168;
/** Why a single sign-on failed, as `failed` of the sign-in page says it, and the words for the person. */
export const SIGN_ON_FAILURES = {
  "single-sign-on": "Single sign-on failed; start again at /auth/oidc/start and stay in the same browser.",
  "no-email":
    "Your identity provider sent no email address, so this first sign-in was refused. Ask an administrator to have the email added to what the provider sends.",
  "email-not-verified":
    "Your identity provider does not say that your email address is verified, so this first sign-in was refused. Ask an administrator whether emails of this provider can be trusted.",
  "unknown-email": "No user with that email may sign in; ask an administrator to invite you.",
  disabled: "Your user or its account is disabled. Ask an administrator to enable it.",
  "linked-elsewhere":
    "The user with your email is linked to another identity at the provider. Ask an administrator to send you a new link, which ends that.",
  "several-invitations": "Several accounts have invited you. Open the link in one of the invitations first.",
} as const;

/** Scopes of OpenADR 3. */
export const OPENADR3_SCOPES = [
  "read_all",
  "read_bl",
  "read_targets",
  "read_ven_objects",
  "write_programs",
  "write_events",
  "write_reports",
  "write_subscriptions",
  "write_vens",
] as const;
/** Payloads of the operator's own events of OpenADR 3. */
export const OPENADR3_OWN_PAYLOADS = [
  "PRICE",
  "EXPORT_PRICE",
  "GHG",
  "IMPORT_CAPACITY_LIMIT",
  "EXPORT_CAPACITY_LIMIT",
  "IMPORT_CAPACITY_SUBSCRIPTION",
  "EXPORT_CAPACITY_SUBSCRIPTION",
  "ALERT_GRID_EMERGENCY",
  "ALERT_BLACK_START",
  "ALERT_POSSIBLE_OUTAGE",
  "ALERT_FLEX_ALERT",
  "ALERT_FIRE",
  "ALERT_FREEZING",
  "ALERT_WIND",
  "ALERT_TSUNAMI",
  "ALERT_AIR_QUALITY",
  "ALERT_OTHER",
] as const;
/** The most intervals of such an event: a week of quarter hours has 672. */
export const MAX_OWN_INTERVALS = 1000;
/** Priority of an event that stays in force with all others; 0 is the highest. */
export const LOWEST_EVENT_PRIORITY = 2_147_483_647;
/** Alarms are shelved for this long at most: who shelves them is there when they return. */
export const MAX_SHELF_HOURS = 24;
/** The longest shift that a report is drawn up of: two days, for a weekend that nobody handed over. */
export const MAX_SHIFT_HOURS = 48;
/** A shift without a report before it. */
export const USUAL_SHIFT_HOURS = 12;
/** A text of a shift report: about a page. */
export const SHIFT_TEXT_CHARACTERS = 4000;
/** A stream sends something at least this often. */
export const HEARTBEAT_SECONDS = 5;

/** A meter that reported in the last week is silent after this time without a reading. */
export const SILENT_MINUTES = 15;
export { INTERVAL_STEP_SECONDS, MAX_INTERVAL_SECONDS } from "./v2022-04-15/limits.js";

/** Limits between the performance statuses of a program that has none of its own. */
export const DEFAULT_STATUS_LIMITS = {
  amber_from: 0.75,
  green_from: 0.95,
  green_to: 1.2,
  stale_seconds: 90,
  least_coverage: 0.8,
};
export const MIN_STALE_SECONDS = 30;

/** Presets of baselines, in the order in which they are offered. */
export const BASELINE_PRESETS = [
  "high_4_of_5",
  "ten_of_ten",
  "middle_8_of_10",
  "middle_8_of_10_ratio",
  "high_5_of_10",
  "high_5_of_10_ratio",
  "weekdays_10_5min",
  "high_15_of_20_per_hour",
  "meter_before",
  "firm_service_level",
] as const;

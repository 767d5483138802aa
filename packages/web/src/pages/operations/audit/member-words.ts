import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

type StateOf<E> = E extends { readonly after: infer S } ? NonNullable<S> : never;
type NameIn<S> = S extends unknown ? keyof S : never;
type Name = Exclude<NameIn<StateOf<operator.AuditEntry>>, "omitted">;

/** Names of the members of states that need other words than their own. */
const members: Readonly<Partial<Record<Name, string>>> = {
  account_id: "account",
  backup_at: "state of the backup",
  held_at: "held since",
  outdated_dispatches: "dispatches that were over",
  acknowledged_at: "acknowledged",
  kwh_means: "meaning of kWh",
  at: "time",
  certified_at: "certified",
  claim_expires_at: "link ends",
  claimed_at: "claimed",
  cleared_at: "cleared",
  commitment: "commitment (kW)",
  commitment_kw: "commitment (kW)",
  corrections_days: "days for corrections",
  created_at: "created",
  customer_location_id: "location id",
  date: "day",
  days: "days of validity",
  dispatch_id: "dispatch",
  decided_site: "site decided about",
  display_enabled_at: "data visible since",
  end_time: "end",
  expires_at: "ends",
  external_id: "id at the issuer",
  from_month: "from",
  has_password: "password set",
  has_totp: "authenticator app",
  header: "digest of the header",
  holiday_calendar_version: "version of the holiday calendar",
  last_used_at: "last used",
  link_expires_at: "link ends",
  longest_open_hours: "longest open dispatch (h)",
  mapping_digest: "digest of the mapping",
  modified_at: "changed",
  notification_time: "notification",
  openadr: "OpenADR",
  payloads: "values",
  passes: "passed scenarios",
  poll_interval_seconds: "poll interval (s)",
  previous_secret_until: "previous secret valid until",
  program_id: "program",
  public: "public over OpenADR 3",
  raised_at: "raised",
  resend_at: "resent",
  revoked_at: "revoked",
  rules_version: "version of the rules",
  available_kw: "available power (kW)",
  series_id: "series",
  schedule_cutoff_seconds: "schedule cut-off (s)",
  set_at: "set",
  site_count: "sites",
  site_id: "site",
  sms: "SMS",
  start_time: "start",
  started_at: "started",
  subject: "concerns",
  tests_are_events: "tests count as events",
  timezone: "time zone",
  url: "address",
  ven_id: say("VEN id"),
  void_reason: "reason for voiding",
  voice: "calls",
  webhook_id: "webhook",
};

/** The same for nested members. */
const parts: Readonly<Record<string, string | undefined>> = {
  ...members,
  ramp_up_seconds: "ramp up (s)",
  recovery_seconds: "recovery (s)",
  stale_seconds: "stale after (s)",
  push_url: "push address",
  ca_certificate: "authority",
};

/** `openadr.ramp_up_seconds` as `OpenADR, ramp up (s)`. */
export const memberWords = (path: readonly string[]): string =>
  path.map((name) => parts[name] ?? name.replaceAll("_", " ")).join(", ");

import type { operator } from "@curtail/contract";

type StateOf<E> = E extends { readonly after: infer S } ? NonNullable<S> : never;
type NameIn<S> = S extends unknown ? keyof S : never;
type Name = Exclude<NameIn<StateOf<operator.AuditEntry>>, "omitted">;

/** Names of all members of states. */
const members: Readonly<Record<Name, string>> = {
  account_id: "account",
  acknowledged_at: "acknowledged",
  asset_type: "asset type",
  authorized: "authorized",
  baseline: "baseline",
  claim_expires_at: "link ends",
  claimed_at: "claimed",
  cleared_at: "cleared",
  commitment: "commitment (kW)",
  commitment_kw: "commitment (kW)",
  created_at: "created",
  customer_location_id: "location id",
  days: "days of validity",
  disabled: "disabled",
  dispatch_group: "dispatch group",
  dispatch_id: "dispatch",
  display_enabled_at: "data visible since",
  email: "email",
  end_time: "end",
  environment: "environment",
  event: "event",
  events: "events",
  expires_at: "ends",
  fingerprint: "fingerprint",
  has_password: "password set",
  has_totp: "authenticator app",
  holidays: "holidays",
  id: "id",
  kind: "kind",
  last_used_at: "last used",
  link_expires_at: "link ends",
  market: "market",
  market_context: "market context",
  message: "message",
  meters: "meters",
  modification_number: "modification number",
  name: "name",
  notification_time: "notification",
  openadr: "OpenADR",
  phone: "phone",
  poll_interval_seconds: "poll interval (s)",
  previous_secret_until: "previous secret valid until",
  program: "program",
  program_id: "program",
  program_type: "program type",
  raised_at: "raised",
  resend_at: "resent",
  revoked_at: "revoked",
  role: "role",
  schedule_cutoff_seconds: "schedule cut-off (s)",
  site_count: "sites",
  site_id: "site",
  sites: "sites",
  start_time: "start",
  state: "state",
  status_limits: "status limits",
  subject: "concerns",
  targets: "targets",
  test: "test",
  timezone: "time zone",
  transport: "transport",
  url: "address",
  ven_id: "VEN id",
  void_reason: "reason for voiding",
  webhook_id: "webhook",
};

/** Names of nested members that need other words than their own. */
const parts: Readonly<Record<string, string>> = {
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

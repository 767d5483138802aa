import { operator } from "@curtail/contract";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { StoredState } from "../domain/audit.js";

type Members = StoredState["members"];

/**
 * The stored member that one of the contract comes from, and its conversion; undefined if the stored state has none.
 */
interface Member {
  readonly from: string;
  readonly read: (stored: Members) => unknown;
}

/** Each member of the contract is a stored one of that name, or is computed from one. */
type Form<S> = { readonly [N in Exclude<keyof S, "omitted">]-?: string | Member };
type Kind = operator.AuditKind;

const made = (from: string, make: (value: unknown) => unknown): Member => ({
  from,
  read: (stored) => (stored[from] === undefined ? undefined : make(stored[from])),
});

const formOf = (value: unknown, form: Readonly<Record<string, string | Member>>): unknown =>
  isObject(value) ? membersOf(value, form) : value;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Only members of the contract; whatever else a version stored is not returned. */
const membersOf = (stored: Members, form: Readonly<Record<string, string | Member>>): object =>
  Object.fromEntries(
    Object.entries(form)
      .map(([name, member]) => [name, typeof member === "string" ? stored[member] : member.read(stored)] as const)
      .filter(([, value]) => value !== undefined),
  );

const moment = (from: string): Member =>
  made(from, (value) => (typeof value === "string" && isMoment(value) ? formatTimestamp(Date.parse(value)) : value));
const isMoment = (text: string): boolean => !Number.isNaN(Date.parse(text));

const one = (from: string, form: Readonly<Record<string, string | Member>>): Member =>
  made(from, (value) => formOf(value, form));
const each = (from: string, form: Readonly<Record<string, string | Member>>): Member =>
  made(from, (value) => (Array.isArray(value) ? value.map((element) => formOf(element, form)) : value));

const ofCalendar = (name: string, none: unknown): Member =>
  made("holidayCalendar", (calendar) => (isObject(calendar) ? calendar[name] : none));

const openadr3Payload = { payload_type: "payloadType", units: "units", currency: "currency" };
const meter = { id: "id", name: "name", asset_type: "assetType", kwh_means: "kwhMeans" };

/** Kinds without states, because what they change is secret. */
type Stateless = "calendar" | "session";
const isStateless = (kind: Kind): kind is Stateless => kind === "calendar" || kind === "session";

/** How every version until now stored the states of each kind. */
const forms: { readonly [K in Exclude<Kind, Stateless>]: Form<operator.AuditStateOf<K>> } = {
  account: { id: "id", name: "name", disabled: "disabled", created_at: moment("createdAt") },
  alarm: {
    id: "id",
    kind: "kind",
    subject: "subject",
    account_id: "accountId",
    message: "message",
    raised_at: moment("raisedAt"),
    acknowledged_at: moment("acknowledgedAt"),
    note: "note",
    cleared_at: moment("clearedAt"),
  },
  certificate: { fingerprint: "fingerprint", expires_at: moment("expiresAt"), revoked_at: moment("revokedAt") },
  certificate_link: { days: "days", link_expires_at: moment("expiresAt") },
  contact: {
    id: "id",
    account_id: "accountId",
    name: "name",
    email: "email",
    phone: "phone",
    sms: "sms",
    voice: "voice",
    created_at: moment("createdAt"),
  },
  delivery: {
    webhook_id: "webhookId",
    dispatch_id: "dispatchId",
    event: "event",
    state: "state",
    resend_at: moment("resendAt"),
  },
  delivery_hold: {
    held_at: moment("heldAt"),
    backup_at: moment("backupAt"),
    outdated_dispatches: "outdatedDispatches",
    dropped: "dropped",
  },
  demo: { started_at: moment("startedAt"), accounts: "accounts", sites: "sites" },
  dispatch: {
    start_time: moment("start"),
    end_time: moment("end"),
    authorized: "authorized",
    void_reason: "voidReason",
    approved_version: "approvedVersion",
    decided_site: "decidedSite",
    counts: "counts",
    note: "note",
    modification_number: "modificationNumber",
    metadata: "metadata",
    id: "id",
    program: one("program", {
      id: "id",
      name: "name",
      timezone: "timezone",
      market: "market",
      program_type: "programType",
    }),
    test: "test",
    notification_time: moment("notification"),
    record: "isRecord",
    created_at: moment("createdAt"),
    site_count: "siteCount",
    commitment_kw: "commitmentKw",
    sites: each("sites", { id: "id", commitment: "commitmentKw" }),
  },
  enrolment: { program_id: "programId", site_id: "siteId", commitment: "commitmentKw", baseline: "baseline" },
  excluded_day: { site_id: "siteId", date: "date", reason: "reason" },
  integration_certificate: {
    id: "id",
    account_id: "accountId",
    certified_at: moment("certifiedAt"),
    passes: each("passes", {
      scenario_id: "scenarioId",
      scenario_type: "type",
      passed_at: moment("passedAt"),
      channels: "channels",
      key_id: "keyId",
    }),
  },
  key: {
    id: "id",
    account_id: "accountId",
    environment: "environment",
    created_at: moment("createdAt"),
    claim_expires_at: moment("claimExpiresAt"),
    claimed_at: moment("claimedAt"),
    expires_at: moment("expiresAt"),
    revoked_at: moment("revokedAt"),
    last_used_at: moment("lastUsedAt"),
  },
  mapping_profile: { id: "id", name: "name", header: "header", mapping: "mapping", mapping_digest: "mappingDigest" },
  meter: { ...meter, site_id: "siteId", account_id: "accountId" },
  meter_data: {
    site_id: "siteId",
    format: "format",
    meters: "meterIds",
    intervals: "intervals",
    estimated_intervals: "estimatedIntervals",
    start_time: moment("start"),
    end_time: moment("end"),
  },
  openadr3_client: {
    id: "id",
    role: "role",
    account_id: "accountId",
    environment: "environment",
    name: "name",
    sites: made("siteIds", (ids) => ids ?? "all"),
    scopes: "scopes",
    targets: "targets",
    external_id: "externalId",
    previous_secret_until: moment("previousSecretUntil"),
    created_at: moment("createdAt"),
    revoked_at: moment("revokedAt"),
  },
  openadr3_event: {
    id: "id",
    program_id: "programId",
    environment: "environment",
    name: "name",
    payloads: each("payloads", openadr3Payload),
    start_time: moment("start"),
    end_time: moment("end"),
    priority: "priority",
    targets: "targets",
    intervals: each("intervals", {
      start_time: moment("start"),
      end_time: moment("end"),
      payloads: each("payloads", { payload_type: "type", values: "values" }),
    }),
    created_at: moment("createdAt"),
    modified_at: moment("modifiedAt"),
  },
  openadr3_program: {
    id: "id",
    environment: "environment",
    name: "name",
    payloads: each("payloads", openadr3Payload),
    public: "isPublic",
    targets: "targets",
    created_at: moment("createdAt"),
    modified_at: moment("modifiedAt"),
  },
  phone_call: {
    dispatch_id: "dispatchId",
    account_id: "accountId",
    modification_number: "modificationNumber",
    at: moment("at"),
    person: "person",
    note: "note",
  },
  program: {
    id: "id",
    name: "name",
    timezone: "timezone",
    market: "market",
    program_type: "programType",
    schedule_cutoff_seconds: "scheduleCutoffSeconds",
    openadr: "openadr",
    baseline: "baseline",
    holidays: "holidays",
    holiday_calendar: ofCalendar("code", null),
    holiday_calendar_version: ofCalendar("version", null),
    added_holidays: ofCalendar("added", []),
    removed_holidays: ofCalendar("removed", []),
    status_limits: one("statusLimits", {
      amber_from: "amberFrom",
      green_from: "greenFrom",
      green_to: "greenTo",
      stale_seconds: "staleSeconds",
      least_coverage: "leastCoverage",
    }),
    tests_are_events: "testsAreEvents",
    corrections_days: "correctionsDays",
    longest_open_hours: "longestOpenHours",
    public: "isPublic",
    created_at: moment("createdAt"),
  },
  rules: { rules_version: "rulesVersion", from_month: "fromMonth", reason: "reason" },
  schedule_block: {
    id: "id",
    site_id: "siteId",
    start_time: moment("start"),
    end_time: moment("end"),
    available_kw: "availableKw",
    series_id: "seriesId",
    created_at: moment("createdAt"),
  },
  site: {
    id: "id",
    account_id: "accountId",
    name: "name",
    customer_location_id: "customerLocationId",
    dispatch_group: "dispatchGroup",
    timezone: "timezone",
    created_at: moment("createdAt"),
    display_enabled_at: moment("displayedSince"),
    measured_meters: "measuredMeters",
    meters: each("meters", meter),
  },
  statement: { id: "id", account_id: "accountId", month: "month", version: "version", note: "note" },
  terms: {
    program_id: "programId",
    from_month: "fromMonth",
    terms: one("terms", {
      currency: "currency",
      capacity: one("capacity", {
        price_per_kw: "pricePerKw",
        factor: one("factor", { lowest: "lowest", highest: "highest" }),
      }),
      energy: one("energy", { price_per_kwh: "pricePerKwh", counted: "counted", highest_share: "highestShare" }),
      penalty: one("penalty", {
        below: "below",
        price_per_kwh: "pricePerKwh",
        counted: "counted",
        highest_per_month: "highestPerMonth",
        within_earnings: "withinEarnings",
      }),
    }),
    set_at: moment("setAt"),
  },
  user: {
    id: "id",
    email: "email",
    name: "name",
    role: "role",
    account_id: "accountId",
    has_password: "hasPassword",
    has_totp: "hasTotp",
    disabled: "disabled",
    created_at: moment("createdAt"),
  },
  ven: {
    id: "id",
    account_id: "accountId",
    ven_id: "venId",
    environment: "environment",
    sites: made("siteIds", (ids) => ids ?? "all"),
    transport: made("push", (push) => formOf(push ?? "pull", { push_url: "url", ca_certificate: "ca" })),
    targets: {
      from: "targetResource",
      read: (stored) => membersOf(stored, { resource: "targetResource", ven_id: "targetVenId" }),
    },
    market_context: "marketContext",
    poll_interval_seconds: "pollIntervalSeconds",
    created_at: moment("createdAt"),
  },
  webhook: { id: "id", url: "url", events: "events", previous_secret_until: moment("previousSecretUntil") },
};

const checks = new Map(
  Object.entries(operator.auditStates).map(([kind, schema]) => [kind as Kind, Compile(schema as TSchema)]),
);

/**
 * A stored state in the contract's form; undefined if it does not match the kind, for example one of a later version.
 */
export const auditStateToWire = (kind: Kind, stored: StoredState | null): object | null | undefined => {
  if (stored === null) return null;
  const state = isStateless(kind) ? undefined : stateOf(stored, forms[kind]);
  return checks.get(kind)?.Check(state) === true ? state : undefined;
};

const stateOf = ({ members, omitted }: StoredState, form: Readonly<Record<string, string | Member>>): object => {
  const cut = Object.entries(form).flatMap(([name, member]) => {
    const count = omitted[typeof member === "string" ? member : member.from];
    return count === undefined ? [] : [[name, count] as const];
  });
  return { ...membersOf(members, form), ...(cut.length === 0 ? {} : { omitted: Object.fromEntries(cut) }) };
};

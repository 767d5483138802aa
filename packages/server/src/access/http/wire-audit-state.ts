import { operator } from "@curtail/contract";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { AuditCheck, StoredState } from "../domain/audit.js";

type Members = StoredState["members"];

/**
 * The stored member that one of the contract comes from, and its conversion; undefined if the stored state has none.
 */
interface Member {
  readonly from: string;
  readonly read: (stored: Members) => unknown;
}

/** Members that are stored under another name than theirs in camel case, or in another form. */
type Exceptions<S> = { readonly [N in Exclude<keyof S, "omitted">]?: string | Member };
type Form = Readonly<Record<string, string | Member>>;
type Kind = operator.AuditKind;

const made = (from: string, make: (value: unknown) => unknown): Member => ({
  from,
  read: (stored) => (stored[from] === undefined ? undefined : make(stored[from])),
});

const formOf = (value: unknown, form: Form): unknown => (isObject(value) ? membersOf(value, form) : value);

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Only members of the contract; whatever else a version stored is not returned. */
const membersOf = (stored: Members, form: Form): object =>
  Object.fromEntries(
    Object.entries(form)
      .map(([name, member]) => [name, typeof member === "string" ? stored[member] : member.read(stored)] as const)
      .filter(([, value]) => value !== undefined),
  );

const moment = (from: string): Member =>
  made(from, (value) => (typeof value === "string" && isMoment(value) ? formatTimestamp(Date.parse(value)) : value));
const isMoment = (text: string): boolean => !Number.isNaN(Date.parse(text));

const one = (from: string, form: Form): Member => made(from, (value) => formOf(value, form));
const each = (from: string, form: Form): Member =>
  made(from, (value) => (Array.isArray(value) ? value.map((element) => formOf(element, form)) : value));

const ofCalendar = (name: string, none: unknown): Member =>
  made("holidayCalendar", (calendar) => (isObject(calendar) ? calendar[name] : none));

const openadr3Payload = { payload_type: "payloadType", units: "units", currency: "currency" };
const meter = { id: "id", name: "name", asset_type: "assetType", kwh_means: "kwhMeans" };

/** Kinds without states, because what they change is secret. */
type Stateless = "calendar" | "session";

/** How the versions until now stored the states of each kind, where it does not follow from the contract. */
const exceptions: { readonly [K in Exclude<Kind, Stateless>]?: Exceptions<operator.AuditStateOf<K>> } = {
  certificate_link: { link_expires_at: moment("expiresAt") },
  dispatch: {
    start_time: moment("start"),
    end_time: moment("end"),
    program: one("program", {
      id: "id",
      name: "name",
      timezone: "timezone",
      market: "market",
      program_type: "programType",
    }),
    notification_time: moment("notification"),
    record: "isRecord",
    sites: each("sites", { id: "id", commitment: "commitmentKw" }),
  },
  enrolment: { commitment: "commitmentKw" },
  integration_certificate: {
    passes: each("passes", {
      scenario_id: "scenarioId",
      scenario_type: "type",
      passed_at: moment("passedAt"),
      channels: "channels",
      key_id: "keyId",
    }),
  },
  meter_data: { meters: "meterIds", start_time: moment("start"), end_time: moment("end") },
  openadr3_client: { sites: made("siteIds", (ids) => ids ?? "all") },
  openadr3_event: {
    payloads: each("payloads", openadr3Payload),
    start_time: moment("start"),
    end_time: moment("end"),
    intervals: each("intervals", {
      start_time: moment("start"),
      end_time: moment("end"),
      payloads: each("payloads", { payload_type: "type", values: "values" }),
    }),
  },
  openadr3_program: { payloads: each("payloads", openadr3Payload), public: "isPublic" },
  program: {
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
    public: "isPublic",
  },
  schedule_block: { start_time: moment("start"), end_time: moment("end") },
  site: { display_enabled_at: moment("displayedSince"), meters: each("meters", meter) },
  terms: {
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
  },
  ven: {
    sites: made("siteIds", (ids) => ids ?? "all"),
    transport: made("push", (push) => formOf(push ?? "pull", { push_url: "url", ca_certificate: "ca" })),
    targets: {
      from: "targetResource",
      read: (stored) => membersOf(stored, { resource: "targetResource", ven_id: "targetVenId" }),
    },
  },
};

interface Schema extends TSchema {
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly format?: string;
}

const withoutNull = (schema: Schema): Schema => schema.anyOf?.[0] ?? schema;

/** Under its name in camel case, and a moment as JSON has a Date. */
const storedAs = (name: string, schema: Schema): string | Member => {
  const from = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return withoutNull(schema).format === "date-time" ? moment(from) : from;
};

const formOfKind = (kind: Kind, { properties = {} }: Schema): Form => {
  const { omitted: _, ...members } = properties;
  const plain = Object.entries(members).map(([name, schema]) => [name, storedAs(name, schema)] as const);
  return { ...Object.fromEntries(plain), ...exceptions[kind as keyof typeof exceptions] };
};

/** Addresses are kept as they were given, which may have letters that a `uri` by RFC 3986 has not. */
const withoutUris = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutUris);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => key !== "format" || value !== "uri");
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutUris(value)]));
};

const readerOf = (kind: Kind) => {
  const schema = withoutNull(operator.auditStates[kind] as TSchema);
  return { form: formOfKind(kind, schema), check: Compile(withoutUris(schema) as TSchema) };
};
const states = Object.fromEntries(
  (Object.keys(operator.auditStates) as Kind[]).map((kind) => [kind, readerOf(kind)]),
) as Readonly<Record<Kind, ReturnType<typeof readerOf>>>;

/**
 * A stored state in the contract's form; undefined if it does not match the kind, for example one of a later version.
 */
export const auditStateToWire = (kind: Kind, stored: StoredState | null): object | null | undefined => {
  if (stored === null) return null;
  const { form, check } = states[kind];
  const state = stateOf(stored, form);
  return check.Check(state) ? state : undefined;
};

/** Throws if a state could not be read back: its entry would have no states, which shows only when they are needed. */
export const requireReadable: AuditCheck = (action, members) => {
  const { form, check } = states[operator.auditKinds[action]];
  const state = membersOf(members, form);
  if (check.Check(state)) return;
  const [{ instancePath, params, message } = { instancePath: "", params: {}, message: "" }] = check.Errors(state);
  const { requiredProperties = [] } = params as { readonly requiredProperties?: readonly string[] };
  const name = [instancePath.slice(1).replaceAll("/", "."), ...requiredProperties.slice(0, 1)]
    .filter(Boolean)
    .join(".");
  throw new Error(`the audited state of ${action} does not meet its schema: ${name || "it"} ${message}`);
};

const stateOf = ({ members, omitted }: StoredState, form: Form): object => {
  const cut = Object.entries(form).flatMap(([name, member]) => {
    const count = omitted[typeof member === "string" ? member : member.from];
    return count === undefined ? [] : [[name, count] as const];
  });
  return { ...membersOf(members, form), ...(cut.length === 0 ? {} : { omitted: Object.fromEntries(cut) }) };
};

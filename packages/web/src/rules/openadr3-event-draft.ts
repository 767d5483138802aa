import type { BodyOf, operator } from "@curtail/contract";
import { OPENADR3_OWN_PAYLOADS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { daysAfter, fromLocalInput, localDay, startOfDay, toLocalInput } from "../format/local-time.js";
import { idsOf, linesOf } from "./id-list.js";

export type OwnEvent = operator.Openadr3Event;
export type OwnProgram = operator.Openadr3Program;
export type PayloadType = (typeof OPENADR3_OWN_PAYLOADS)[number];
type NewEvent = BodyOf<typeof operator.createOpenadrEvent>;

const payloadWords: Readonly<Record<PayloadType, string>> = {
  PRICE: say("Price"),
  EXPORT_PRICE: say("Price of exported energy"),
  GHG: say("Greenhouse gas emissions"),
  IMPORT_CAPACITY_LIMIT: say("Limit of imported power"),
  EXPORT_CAPACITY_LIMIT: say("Limit of exported power"),
  IMPORT_CAPACITY_SUBSCRIPTION: say("Imported power in safe mode"),
  EXPORT_CAPACITY_SUBSCRIPTION: say("Exported power in safe mode"),
  ALERT_GRID_EMERGENCY: say("Alert: grid emergency"),
  ALERT_BLACK_START: say("Alert: black start"),
  ALERT_POSSIBLE_OUTAGE: say("Alert: possible outage"),
  ALERT_FLEX_ALERT: say("Alert: flex alert"),
  ALERT_FIRE: say("Alert: fire"),
  ALERT_FREEZING: say("Alert: freezing"),
  ALERT_WIND: say("Alert: wind"),
  ALERT_TSUNAMI: say("Alert: tsunami"),
  ALERT_AIR_QUALITY: say("Alert: air quality"),
  ALERT_OTHER: say("Alert: other"),
};

export const payloadChoices = OPENADR3_OWN_PAYLOADS.map((value) => ({ value, label: payloadWords[value] }));

/** A payload type in words; business logic may write others than the pages. */
export const payloadName = (type: string): string => (isOwnPayload(type) ? payloadWords[type] : type);

const isOwnPayload = (type: string): type is PayloadType => (OPENADR3_OWN_PAYLOADS as readonly string[]).includes(type);

export const isAlert = (type: string): boolean => type.startsWith("ALERT_");
export const isPrice = (type: string): boolean => type.endsWith("PRICE");
const isPower = (type: string): boolean => type.includes("CAPACITY");

/** Units of the values, as OpenADR names them; the first is usual. None of alerts. */
export const unitsOf = (type: string): readonly string[] => {
  if (isPrice(type)) return ["KWH", "KVAH", "THERMS"];
  if (isPower(type)) return ["KW", "KVA", "AMPS"];
  return type === "GHG" ? ["GHG"] : [];
};

const unitWords: Readonly<Record<string, string>> = {
  KWH: "kWh",
  KVAH: "kVAh",
  THERMS: "therm",
  KW: "kW",
  KVA: "kVA",
  AMPS: "A",
  GHG: "g/kWh",
};

/** `EUR/kWh`, `kW`, or an empty text. */
export const unitName = ({ units, currency }: { readonly units: string | null; readonly currency: string | null }) => {
  const unit = units === null ? "" : (unitWords[units] ?? units);
  return currency === null ? unit : `${currency}/${unit}`;
};

/** An event in the form. */
export interface OwnEventDraft {
  readonly program_id: string;
  readonly payload_type: PayloadType;
  readonly name: string;
  /** `standing`: from a time on, until it is ended. */
  readonly when: "day" | "from" | "standing";
  readonly day: string;
  readonly timezone: string;
  /** Local; empty: now. */
  readonly start: string;
  readonly interval_minutes: string;
  readonly values: string;
  readonly message: string;
  readonly units: string;
  readonly currency: string;
  readonly priority: string;
  readonly accounts: string;
  readonly sites: string;
  readonly names: string;
}

export const newEventDraft = (program: OwnProgram | undefined, now: Date, timezone: string): OwnEventDraft => {
  const [payload] = program?.payloads ?? [];
  const type = payload !== undefined && isOwnPayload(payload.payload_type) ? payload.payload_type : "PRICE";
  return {
    program_id: program?.id ?? "",
    ...described(type, program),
    name: "",
    when: isAlert(type) ? "from" : "day",
    day: daysAfter(localDay(now, timezone), 1),
    timezone,
    start: "",
    interval_minutes: "60",
    values: "",
    message: "",
    priority: "",
    accounts: "",
    sites: "",
    names: "",
  };
};

/** A payload type with the units that its program gives it, or the usual ones. */
export const described = (payload_type: PayloadType, program: OwnProgram | undefined) => {
  const ofProgram = program?.payloads.find((payload) => payload.payload_type === payload_type);
  return {
    payload_type,
    units: ofProgram?.units ?? unitsOf(payload_type)[0] ?? "",
    currency: ofProgram?.currency ?? "",
  };
};

/** Who sees a program or event, in the form. */
export type AudienceDraft = Pick<OwnEventDraft, "accounts" | "sites" | "names">;

export const audienceDraftOf = ({ accounts, sites, names }: OwnProgram["targets"]): AudienceDraft => ({
  accounts: accounts.join("\n"),
  sites: sites.join("\n"),
  names: names.join("\n"),
});

/** What of an event is changed without its time and values. */
export interface OwnEventChange extends AudienceDraft {
  readonly name: string;
  readonly priority: string;
}

export const eventChangeOf = ({ name, priority, targets }: OwnEvent): OwnEventChange => ({
  name: name ?? "",
  priority: priority === null ? "" : String(priority),
  ...audienceDraftOf(targets),
});

export const changedEventOf = (draft: OwnEventChange): BodyOf<typeof operator.changeOpenadrEvent> => ({
  name: draft.name.trim() === "" ? null : draft.name.trim(),
  priority: draft.priority.trim() === "" ? null : Number(draft.priority),
  targets: audienceOf(draft),
});

/** The form of an event with its time and values: a draft for another one of its kind. */
export const draftFrom = (event: OwnEvent, zone: string, now: Date): OwnEventDraft => {
  const [payload] = event.payloads;
  const type = payload !== undefined && isOwnPayload(payload.payload_type) ? payload.payload_type : "PRICE";
  const told = event.intervals.map(({ payloads }) => payloads[0]?.values[0]);
  const [first] = event.intervals;
  const lengthMs = Date.parse(first?.end_time ?? "") - Date.parse(first?.start_time ?? "");
  return {
    ...newEventDraft(undefined, now, zone),
    ...eventChangeOf(event),
    program_id: event.program_id,
    payload_type: type,
    units: payload?.units ?? "",
    currency: payload?.currency ?? "",
    when: event.end_time === null ? "standing" : "from",
    start: event.start_time === null ? "" : toLocalInput(new Date(event.start_time), zone),
    interval_minutes: Number.isFinite(lengthMs) ? String(lengthMs / MINUTE_MS) : "60",
    values: isAlert(type) ? "" : told.map(String).join("\n"),
    message: isAlert(type) ? textOf(told[0]) : "",
  };
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const isOne = (count: number): boolean => count === 1;

/** Whether the form can hold all of an event: one payload of ours, and intervals of one length. */
export const isOfForm = ({ intervals, payloads }: OwnEvent): boolean => {
  const lengths = intervals.map(({ start_time, end_time }) =>
    end_time === null ? null : Date.parse(end_time) - Date.parse(start_time ?? ""),
  );
  return (
    isOne(payloads.length) &&
    payloads.every(({ payload_type }) => isOwnPayload(payload_type)) &&
    isOne(new Set(lengths).size) &&
    intervals.every(({ start_time, payloads }) => start_time !== null && isOne(payloads[0]?.values.length ?? 0))
  );
};

const MINUTE_MS = 60_000;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)$/;

/** Values of a field, separated by spaces or lines; or what is wrong with it. */
export const valuesOf = (text: string): readonly number[] | { readonly fault: string } => {
  const words = text.split(/[\s;]+/).filter((word) => word !== "");
  if (words.length === 0) return { fault: say("Enter at least one value.") };
  const other = words.find((word) => !NUMBER.test(word));
  return other === undefined
    ? words.map(Number)
    : {
        fault: say('"{value}" is no number. Separate values by spaces or lines, and use a decimal point.', {
          value: other.slice(0, 20),
        }),
      };
};

export const isFault = (found: unknown): found is { readonly fault: string } =>
  typeof found === "object" && found !== null && "fault" in found;

/** Intervals of the length that fit into the day of the form, 23 of an hour when the clock is put forward; null: unknown. */
export const wantedCount = ({ when, day, timezone, interval_minutes }: OwnEventDraft): number | null => {
  if (when !== "day") return null;
  const [start, end] = zoneExists(timezone)
    ? [startOfDay(day, timezone), startOfDay(daysAfter(day, 1), timezone)]
    : [null, null];
  const length = Number(interval_minutes) * MINUTE_MS;
  if (start === null || end === null || !(length > 0)) return null;
  const count = (end.getTime() - start.getTime()) / length;
  return Number.isInteger(count) ? count : null;
};

const zoneExists = (timezone: string): boolean => {
  try {
    return timezone !== "" && new Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions().timeZone !== "";
  } catch {
    // RangeError: an unknown zone, which the service refuses with what to do.
    return false;
  }
};

export interface PreviewedInterval {
  readonly start: Date;
  /** null: it never ends. */
  readonly end: Date | null;
  readonly value: number;
}

/** The intervals that the form describes; empty while it is incomplete. */
export const previewOf = (draft: OwnEventDraft, now: Date, zone: string): readonly PreviewedInterval[] => {
  const values = valuesOf(draft.values);
  const start = startOf(draft, now, zone);
  if (isFault(values) || start === null || isAlert(draft.payload_type)) return [];
  const [first] = values;
  if (draft.when === "standing") return first === undefined ? [] : [{ start, end: null, value: first }];
  const length = Number(draft.interval_minutes) * MINUTE_MS;
  if (!(length > 0)) return [];
  const edge = (index: number) => new Date(start.getTime() + index * length);
  return values.map((value, index) => ({ start: edge(index), end: edge(index + 1), value }));
};

const startOf = (draft: OwnEventDraft, now: Date, zone: string): Date | null => {
  if (draft.when === "day") return zoneExists(draft.timezone) ? startOfDay(draft.day, draft.timezone) : null;
  return draft.start === "" ? now : fromLocalInput(draft.start, zone);
};

/** Who sees an event; empty: everybody who sees the program. */
export const audienceOf = ({ accounts, sites, names }: AudienceDraft) => ({
  accounts: idsOf(accounts),
  sites: idsOf(sites),
  names: linesOf(names),
});

/** The request body, or what is wrong with a field that the service would not see. */
export const newEventOf = (draft: OwnEventDraft, zone: string): NewEvent | { readonly fault: string } => {
  const told = toldBy(draft);
  if (isFault(told)) return told;
  const time = timeOf(draft, zone);
  if (isFault(time)) return time;
  const { payload_type, units, currency } = draft;
  return {
    program_id: draft.program_id,
    payload_type,
    ...(draft.name.trim() === "" ? {} : { name: draft.name.trim() }),
    ...time,
    ...told,
    ...(units === "" ? {} : { units }),
    ...(isPrice(payload_type) && currency.trim() !== "" ? { currency: currency.trim().toUpperCase() } : {}),
    ...(draft.priority.trim() === "" ? {} : { priority: Number(draft.priority) }),
    targets: audienceOf(draft),
  };
};

const toldBy = ({ payload_type, message, values }: OwnEventDraft) => {
  if (isAlert(payload_type)) return { message: message.trim() };
  const numbers = valuesOf(values);
  return isFault(numbers) ? numbers : { values: [...numbers] };
};

const timeOf = ({ when, day, timezone, start, interval_minutes }: OwnEventDraft, zone: string) => {
  const interval_seconds = Math.round(Number(interval_minutes) * 60);
  if (when === "day") return { day, timezone: timezone.trim(), interval_seconds };
  const at = start === "" ? null : fromLocalInput(start, zone);
  if (start !== "" && at === null) return { fault: say("The start is no time of that day; the clock skips it.") };
  const begins = at === null ? {} : { start_time: at.toISOString() };
  return when === "standing" ? { ...begins, end_time: null } : { ...begins, interval_seconds };
};

import {
  type EventRequest,
  faultsOfOwnEvent,
  lacksSafeMode,
  payloadDescriptor,
  standingTypesOf,
  transpiresAt,
} from "@curtail/openadr-3";
import { invalid, type Refusal } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { type OwnProgram, targetsOf } from "../domain/own-object.js";
import type { FoundObject } from "../domain/stored-object.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";

type Stores = Pick<Openadr3Stores, "openadr3Own">;

interface Before {
  readonly id: string;
  /** Whether time and values stay as they were: business logic may have written what we would not. */
  readonly tellsTheSame: boolean;
}

interface Checked {
  readonly body: EventRequest;
  readonly program: OwnProgram;
  readonly at: Date;
  /** The event as it was, if it is changed. */
  readonly before?: Before;
}

/** Refuses an event that VENs would not understand, with each fault. */
export const refuseEvent = async (
  { openadr3Own }: Stores,
  { body, program, at, before }: Checked,
): Promise<Refusal | null> => {
  const end = transpiresAt(body);
  if (end !== null && end <= at)
    return invalid(`the event would be over since ${formatTimestamp(end)}; give it a later end`);
  const others = (await openadr3Own.standing(program.id, at)).filter(({ id }) => id !== before?.id);
  const standingTypes = standingFor(audienceOf(body, program), others);
  const faults =
    before?.tellsTheSame === true
      ? lacksSafeMode(body, standingTypes)
      : faultsOfOwnEvent(body, { programDescriptors: program.payloads.map(payloadDescriptor), standingTypes });
  return faults.length === 0 ? null : invalid(listed(faults.map((fault) => named(fault, body))));
};

const audienceOf = (body: EventRequest, program: OwnProgram): readonly string[] =>
  (body.targets ?? []).length === 0 ? targetsOf(program.targets) : (body.targets ?? []);

type Standing = Pick<FoundObject, "id" | "body" | "audience">;

/** The payloads that others tell without end to everybody who has one of the targets. */
const standingFor = (targets: readonly string[], others: readonly Standing[]): ReadonlySet<string> =>
  new Set(
    others
      .filter(({ audience }) => reachesAll(audience, targets))
      .flatMap(({ body }) => [...standingTypesOf(body as EventRequest)]),
  );

/** Whether whoever has one of the targets sees an object of that audience; no targets are everybody. */
const reachesAll = (audience: readonly string[], targets: readonly string[]): boolean =>
  audience.length === 0 || (targets.length > 0 && targets.every((target) => audience.includes(target)));

const MAX_SHOWN = 20;

const listed = (faults: readonly string[]): string => {
  const hidden = faults.length - MAX_SHOWN;
  return `${faults.slice(0, MAX_SHOWN).join("; ")}${hidden > 0 ? `; and ${hidden} more` : ""}`;
};

/** Faults name the members of OpenADR, where ours are others. */
const named = (fault: string, { intervals = [] }: EventRequest): string => {
  const isText = typeof intervals[0]?.payloads[0]?.values[0] === "string";
  return fault
    .replace(/^payloadDescriptors\[0\]\./, "")
    .replace(/^intervals\[(\d+)\]\.payloads\[0\]\.values\[0\]/, isText ? "message" : "values[$1]");
};

interface Losing {
  readonly program: OwnProgram;
  readonly at: Date;
  /** The event that is no more as it was. */
  readonly without: string;
  /** What it becomes; null: it is gone. */
  readonly by: EventRequest | null;
}

/** Refuses to take a safe mode from limits that are not over. */
export const refuseLostSafeMode = async (
  { openadr3Own }: Stores,
  { program, at, without, by }: Losing,
): Promise<Refusal | null> => {
  const before = await openadr3Own.standing(program.id, at);
  const kept = before.filter(({ id }) => id !== without);
  const after = by === null ? kept : [...kept, { id: without, body: by, audience: audienceOf(by, program) }];
  const harmed = kept.find((event) => !isSafe(event, after) && isSafe(event, before));
  return harmed === undefined
    ? null
    : invalid(`the event is the safe mode of ${harmed.name ?? harmed.id} (${harmed.id}); end or delete that one first`);
};

const isSafe = ({ id, body, audience }: FoundObject, among: readonly Standing[]): boolean =>
  lacksSafeMode(
    body as EventRequest,
    standingFor(
      audience,
      among.filter((other) => other.id !== id),
    ),
  ).length === 0;

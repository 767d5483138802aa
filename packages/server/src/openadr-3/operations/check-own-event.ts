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
import { type OwnProgram, programTargets, targetsOf } from "../domain/own-object.js";
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
  if (reachesNobody(body, program))
    return invalid("neither the event nor its program has targets, and the program is not public; give it targets");
  const others = (await openadr3Own.standing(program.id, at)).filter(({ id }) => id !== before?.id);
  const standingTypes = standingFor(audienceOf(body, program), others, program);
  const faults =
    before?.tellsTheSame === true
      ? lacksSafeMode(body, standingTypes)
      : faultsOfOwnEvent(body, { programDescriptors: program.payloads.map(payloadDescriptor), standingTypes });
  return faults.length === 0 ? null : invalid(listed(faults.map((fault) => named(fault, body))));
};

const audienceOf = ({ targets = [] }: EventRequest, program: OwnProgram): readonly string[] =>
  targets.length === 0 ? programTargets(program) : targets;

const reachesNobody = ({ targets = [] }: EventRequest, program: OwnProgram): boolean =>
  targets.length === 0 && !program.isPublic && targetsOf(program.targets).length === 0;

type Standing = Pick<FoundObject, "id" | "body" | "audience">;

/**
 * The payloads that others send without end to every VEN that has one of the targets. A VEN that sees an event of a program
 * is granted the program's id.
 */
const standingFor = (
  targets: readonly string[],
  others: readonly Standing[],
  program: Pick<OwnProgram, "id">,
): ReadonlySet<string> =>
  new Set(
    others
      .filter(({ audience }) => audience.includes(program.id) || reachesAll(audience, targets))
      .flatMap(({ body }) => [...standingTypesOf(body as EventRequest)]),
  );

/** Whether a VEN with one of the targets sees an object of that audience; no targets are everybody. */
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
  /** The event that is no longer as it was. */
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
  const harmed = kept.find((event) => !isSafe(event, after, program) && isSafe(event, before, program));
  return harmed === undefined
    ? null
    : invalid(`the event is the safe mode of ${harmed.name ?? harmed.id} (${harmed.id}); end or delete that one first`);
};

const isSafe = (
  { id, body, audience }: FoundObject,
  among: readonly Standing[],
  program: Pick<OwnProgram, "id">,
): boolean =>
  lacksSafeMode(
    body as EventRequest,
    standingFor(
      audience,
      among.filter((other) => other.id !== id),
      program,
    ),
  ).length === 0;

import { type ProgramRequest, payloadDescriptor } from "@curtail/openadr-3";
import type { Actor } from "../../access/domain/account.js";
import type { Environment } from "../../access/domain/api-key.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { changesNothing } from "../../platform/changes-nothing.js";
import type { Ports } from "../../platform/ports.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import {
  type Audience,
  type OwnProgram,
  type PayloadReading,
  programTargets,
  targetsOf,
} from "../domain/own-object.js";
import { BARE_OBJECT, type FoundObject, OBJECT_PREFIXES, type StoredObject } from "../domain/stored-object.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";
import { refuseAudience } from "./own-audience.js";
import { ownProgramOf } from "./read-own-object.js";
import { recordCreation, recordRemoval, recordUpdate } from "./record-object.js";

export type OwnObjectStores = Pick<Openadr3Stores, "openadr3Objects" | "openadr3Changes" | "openadr3Own"> &
  Pick<AccessStores, "audit">;

export type OwnObjectPorts = Ports<OwnObjectStores>;

export interface NewOwnProgram {
  readonly environment: Environment;
  readonly name: string;
  readonly payloads: readonly PayloadReading[];
  readonly isPublic: boolean;
  readonly targets: Audience;
}

export const createOwnProgram = (
  { transact, clock, newId }: OwnObjectPorts,
  actor: Actor,
  { environment, name, payloads, isPublic, targets }: NewOwnProgram,
): Promise<Result<OwnProgram>> =>
  transact(async (stores) => {
    const refusal =
      refuseRepeated(payloads) ?? refusePublic(isPublic, targets) ?? (await refuseAudience(stores, targets));
    if (refusal !== null) return refusal;
    const at = clock.now();
    const id = newId(OBJECT_PREFIXES.PROGRAM);
    const object: StoredObject = {
      ...BARE_OBJECT,
      id,
      environment,
      objectType: "PROGRAM",
      createdAt: at,
      modifiedAt: at,
      ...membersOf({}, { id, name, payloads, isPublic, targets }),
    };
    const created = await recordCreation(stores, object, null);
    if (isRefusal(created)) return taken(name);
    const after = ownProgramOf(created);
    await stores.audit.append({ actor, at }, "openadr3_program.create", subjectOf(after.id), { after });
    return after;
  });

/** The operator's objects belong to no account. */
export const subjectOf = (id: string) => ({ id, accountId: null });

const taken = (name: string): Refusal =>
  invalid(`name ${quote(name)} is that of another program; choose another, or change that program`);

const refuseRepeated = (payloads: readonly PayloadReading[]): Refusal | null => {
  const types = payloads.map(({ payloadType }) => payloadType);
  const again = types.findIndex((type, index) => types.indexOf(type) < index);
  return again === -1 ? null : invalid(`payloads[${again}].payload_type is ${types[again]} again; give it once`);
};

const refusePublic = (isPublic: boolean, targets: Audience): Refusal | null =>
  isPublic && targetsOf(targets).length > 0
    ? invalid("public is true, and targets restrict who sees the program; send one of them")
    : null;

/** The columns and members that a program's settings determine. Attributes that business logic wrote are kept. */
const membersOf = (
  body: Readonly<Record<string, unknown>>,
  {
    id,
    name,
    payloads,
    isPublic,
    targets: audience,
  }: Pick<OwnProgram, "id" | "name" | "payloads" | "isPublic" | "targets">,
): Pick<StoredObject, "name" | "targets" | "body"> => {
  const targets = programTargets({ id, isPublic, targets: audience });
  const { targets: _before, payloadDescriptors, ...rest } = body as Partial<ProgramRequest>;
  const ofReports = (payloadDescriptors ?? []).filter(({ objectType }) => objectType === "REPORT_PAYLOAD_DESCRIPTOR");
  const descriptors = [...payloads.map(payloadDescriptor), ...ofReports];
  return {
    name,
    targets,
    body: {
      ...rest,
      programName: name,
      ...(descriptors.length === 0 ? {} : { payloadDescriptors: descriptors }),
      ...(targets.length === 0 ? {} : { targets }),
    },
  };
};

export type OwnProgramChange = Partial<Pick<OwnProgram, "name" | "payloads" | "isPublic" | "targets">>;

const NOBODY: Audience = { accounts: [], sites: [], names: [] };

/** Targets that are given restrict a public program; one that becomes public has none any more. */
const completed = (change: OwnProgramChange): OwnProgramChange => {
  if (change.isPublic === true && change.targets === undefined) return { ...change, targets: NOBODY };
  const restricts = change.targets !== undefined && targetsOf(change.targets).length > 0;
  return restricts && change.isPublic === undefined ? { ...change, isPublic: false } : change;
};

export const changeOwnProgram = (
  { transact, clock }: OwnObjectPorts,
  actor: Actor,
  id: string,
  given: OwnProgramChange,
): Promise<Result<OwnProgram>> =>
  transact(async (stores) => {
    const object = await lockOwn(stores, "PROGRAM", id);
    if (isRefusal(object)) return object;
    const before = ownProgramOf(object);
    const change = completed(given);
    const wanted = { ...before, ...change };
    const refusal =
      refuseRepeated(wanted.payloads) ??
      refusePublic(wanted.isPublic, wanted.targets) ??
      (await refuseAudience(stores, wanted.targets));
    if (refusal !== null) return refusal;
    if (changesNothing(before, change)) return before;
    const at = clock.now();
    const saved = await recordUpdate(
      stores,
      object,
      { ...object, ...membersOf(object.body, wanted) },
      { by: null, at },
    );
    if (isRefusal(saved)) return taken(wanted.name);
    const after = ownProgramOf(saved);
    await stores.audit.append({ actor, at }, "openadr3_program.change", subjectOf(id), { before, after });
    return after;
  });

/** Deletes a program with its events, their reports and the subscriptions to it. */
export const deleteOwnProgram = (
  { transact, clock }: OwnObjectPorts,
  actor: Actor,
  id: string,
): Promise<Result<OwnProgram>> =>
  transact(async (stores) => {
    const object = await lockOwn(stores, "PROGRAM", id);
    if (isRefusal(object)) return object;
    const before = ownProgramOf(object);
    const at = clock.now();
    await recordRemoval(stores, id, { by: null, at });
    await stores.audit.append({ actor, at }, "openadr3_program.delete", subjectOf(id), { before });
    return before;
  });

/** Until the end of the transaction nobody changes or deletes it. */
export const lockOwn = async (
  { openadr3Own, openadr3Objects }: OwnObjectStores,
  type: "PROGRAM" | "EVENT",
  id: string,
): Promise<Result<FoundObject>> => {
  const found = await openadr3Own.find(type, id);
  const locked = found && (await openadr3Objects.lock(found.environment, type, id));
  return locked ?? notFound(type === "PROGRAM" ? "program" : "event");
};

export const findOwnProgram = async (
  { openadr3Own }: Pick<OwnObjectStores, "openadr3Own">,
  id: string,
): Promise<Result<OwnProgram>> => {
  const found = await openadr3Own.find("PROGRAM", id);
  return found === null ? notFound("program") : ownProgramOf(found);
};

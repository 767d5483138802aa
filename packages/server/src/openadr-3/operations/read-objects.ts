import { type AnyObject, isVisible, MAX_PAGE, matchedTargets, shownTargets, type VenGrants } from "@curtail/openadr-3";
import type { Clock } from "../../platform/clock.js";
import { WrittenJson } from "../../platform/long-json.js";
import { notFound, type Result } from "../../platform/refusal.js";
import type { FoundObject, StoredObject, StoredObjectType } from "../domain/stored-object.js";
import type { AnswersFromMemory } from "./answers-from-memory.js";
import { isBusinessLogic, type Openadr3Caller } from "./caller.js";
import type { AnsweredEvents } from "./dispatch-acts.js";
import type { ObjectStore } from "./object-ports.js";
import type { ObjectQuery } from "./object-query.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";
import { renderObject, renderOwn } from "./render-object.js";

export interface ObjectReadPorts {
  readonly stores: Pick<Openadr3Stores, "openadr3Objects">;
  /** Answers to VENs, as far as they are in memory. */
  readonly answers: Pick<AnswersFromMemory, "search" | "find">;
  readonly clock: Clock;
  /** Called with events that are about to be sent. */
  readonly noteShown: (caller: Openadr3Caller, answer: AnsweredEvents) => Promise<void>;
}

const nouns: Readonly<Record<StoredObjectType, string>> = {
  PROGRAM: "program",
  EVENT: "event",
  REPORT: "report",
  SUBSCRIPTION: "subscription",
  VEN: "ven",
  RESOURCE: "resource",
};

export const noSuch = (type: StoredObjectType) => notFound(nouns[type]);

/** Programs and events are seen by their targets, all others by their owner. */
const isTargeted = (type: StoredObjectType): boolean => type === "PROGRAM" || type === "EVENT";

/** What the caller was granted; null for business logic, which sees everything. */
const grantsOf = async (
  objects: Pick<ObjectStore, "grantsOf">,
  caller: Openadr3Caller,
  type: StoredObjectType,
): Promise<VenGrants | null> => {
  const { environment, id } = caller.client;
  return isBusinessLogic(caller) || !isTargeted(type) ? null : objects.grantsOf(environment, id);
};

export const searchObjects = async (
  ports: ObjectReadPorts,
  caller: Openadr3Caller,
  type: StoredObjectType,
  query: ObjectQuery,
): Promise<readonly AnyObject[] | WrittenJson> => {
  const list = await ports.answers.search(caller, type, query);
  if (list === null) return searchStored(ports, caller, type, query);
  await noteSearched(ports, caller, { ...list, type, query });
  return new WrittenJson(Buffer.from(list.json));
};

interface Searched {
  readonly type: StoredObjectType;
  readonly query: ObjectQuery;
  readonly objects: readonly FoundObject[];
  readonly own: AnsweredEvents["own"];
}

/** Call before the objects that a search found are sent. */
export const noteSearched = async (
  { noteShown }: Pick<ObjectReadPorts, "noteShown">,
  caller: Openadr3Caller,
  { type, query, objects, own }: Searched,
): Promise<void> => {
  if (type === "EVENT") await noteShown(caller, { objects, own, ...wholeness(query, objects.length) });
};

/** In the database. */
export const searchStored = async (
  { stores: { openadr3Objects }, clock, noteShown }: Omit<ObjectReadPorts, "answers">,
  caller: Openadr3Caller,
  type: StoredObjectType,
  query: ObjectQuery,
): Promise<readonly AnyObject[]> => {
  const grants = await grantsOf(openadr3Objects, caller, type);
  const targets = matchedTargets(grants, query.targets);
  const found = await openadr3Objects.search({
    environment: caller.client.environment,
    objectType: type,
    clientId: isBusinessLogic(caller) || isTargeted(type) ? undefined : caller.client.id,
    seenBy: grants ?? undefined,
    targets,
    withUntargeted: query.targets === undefined,
    programId: query.programID,
    eventId: query.eventID,
    venId: query.venID,
    name: query.clientName ?? query.venName ?? query.resourceName,
    objects: query.objects,
    activeAt: query.active === true ? clock.now() : undefined,
    skip: query.skip ?? 0,
    limit: query.limit ?? MAX_PAGE,
  });
  await noteSearched({ noteShown }, caller, { type, query, objects: found, own: null });
  return found.map((object) => shown(object, caller, grants === null ? null : targets));
};

const wholeness = (
  { skip = 0, limit = MAX_PAGE, programID, targets, active }: ObjectQuery,
  count: number,
): Pick<AnsweredEvents, "has" | "isLastPage"> => {
  const isPart = count >= limit || programID !== undefined || targets !== undefined;
  return { has: isPart ? "given" : active === true ? "active" : "all", isLastPage: skip > 0 };
};

export const getObject = async (
  { stores: { openadr3Objects }, answers, noteShown }: ObjectReadPorts,
  caller: Openadr3Caller,
  type: StoredObjectType,
  id: string,
): Promise<Result<AnyObject>> => {
  const seen = await answers.find(caller, type, id);
  const object = seen === undefined ? await openadr3Objects.find(caller.client.environment, type, id) : seen?.object;
  const grants = seen === undefined ? await grantsOf(openadr3Objects, caller, type) : (seen?.grants ?? null);
  if (object === undefined || object === null || !mayRead(object, caller, grants)) return noSuch(type);
  if (type === "EVENT") await noteShown(caller, { objects: [object], has: "given", isLastPage: false, own: null });
  return shown(object, caller, grants?.targets ?? null);
};

/** Whether the caller may refer to an object, or change it. */
export const isReadable = async (
  objects: Pick<ObjectStore, "grantsOf">,
  caller: Openadr3Caller,
  object: FoundObject,
): Promise<boolean> => mayRead(object, caller, await grantsOf(objects, caller, object.objectType));

const mayRead = (object: FoundObject, caller: Openadr3Caller, grants: VenGrants | null): boolean => {
  if (isBusinessLogic(caller)) return true;
  if (grants === null) return object.clientId === caller.client.id;
  return isVisible({ targets: object.audience, venId: object.venId }, grants);
};

/** @param matched the targets that the caller may learn; null: all */
const shown = (object: FoundObject, caller: Openadr3Caller, matched: readonly string[] | null): AnyObject =>
  matched === null ? shownTo(caller, object) : renderObject(object, shownTargets(object.targets, matched));

/** Only its owner gets the bearer tokens of a subscription back. */
export const shownTo = (caller: Openadr3Caller, object: StoredObject): AnyObject =>
  object.clientId === caller.client.id ? renderOwn(object) : renderObject(object);

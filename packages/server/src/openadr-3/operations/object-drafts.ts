import {
  type EventRequest,
  impossibleTime,
  type ProgramRequest,
  type ReportRequest,
  type ResourceRequest,
  type SubscriptionRequest,
  transpiresAt,
  type VenRequest,
  withFullTimes,
} from "@curtail/openadr-3";
import { denied, invalid, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import type { StoredObject, StoredObjectType } from "../domain/stored-object.js";
import { isBusinessLogic, type Openadr3Caller } from "./caller.js";

/** What a request determines of an object. */
export type ObjectDraft = Pick<
  StoredObject,
  | "objectType"
  | "clientId"
  | "programId"
  | "eventId"
  | "venId"
  | "name"
  | "targets"
  | "transpiresAt"
  | "body"
  | "bearerTokens"
>;

/** The requests of each type of object. */
export interface ObjectRequests {
  readonly PROGRAM: ProgramRequest;
  readonly EVENT: EventRequest;
  readonly REPORT: ReportRequest;
  readonly SUBSCRIPTION: SubscriptionRequest;
  readonly VEN: VenRequest;
  readonly RESOURCE: ResourceRequest;
}

/** Who writes an object, and how it was before; null: it is new. */
export interface Writing {
  readonly caller: Openadr3Caller;
  readonly before: StoredObject | null;
}

type Draft<T extends StoredObjectType> = (request: ObjectRequests[T], writing: Writing) => Result<ObjectDraft>;

const empty = {
  clientId: null,
  programId: null,
  eventId: null,
  venId: null,
  targets: [],
  transpiresAt: null,
  bearerTokens: null,
} as const;

const unlessImpossible = <T extends object>(request: T, draft: (request: T) => ObjectDraft): Result<ObjectDraft> => {
  const wrong = impossibleTime(request);
  return wrong === null
    ? draft(withFullTimes(request))
    : invalid(`${wrong} is a day that does not exist; send a date of the calendar`);
};

const program: Draft<"PROGRAM"> = (request) =>
  unlessImpossible(request, (body) => ({
    ...empty,
    objectType: "PROGRAM",
    name: body.programName,
    targets: body.targets ?? [],
    body,
  }));

/** The place of a descriptor shows its kind (G68); answers name it. */
const described = <T extends { readonly payloadDescriptors?: readonly object[] }>(request: T, objectType: string): T =>
  request.payloadDescriptors === undefined
    ? request
    : { ...request, payloadDescriptors: request.payloadDescriptors.map((each) => ({ objectType, ...each })) };

const event: Draft<"EVENT"> = (request, { before }) =>
  unlessImpossible(described(request, "EVENT_PAYLOAD_DESCRIPTOR"), (body) => ({
    ...empty,
    objectType: "EVENT",
    programId: body.programID,
    venId: before?.venId ?? null,
    name: body.eventName ?? null,
    targets: body.targets ?? [],
    transpiresAt: transpiresAt(body),
    body,
  }));

/** It belongs to the client that created it, even if another one changes it. */
const ownerOf = ({ caller, before }: Writing): string => before?.clientId ?? caller.client.id;

const report: Draft<"REPORT"> = (request, writing) =>
  unlessImpossible(described(request, "REPORT_PAYLOAD_DESCRIPTOR"), (body) => ({
    ...empty,
    objectType: "REPORT",
    clientId: ownerOf(writing),
    eventId: body.eventID,
    name: body.clientName,
    body,
  }));

const subscription: Draft<"SUBSCRIPTION"> = (request, writing) => ({
  ...empty,
  objectType: "SUBSCRIPTION",
  clientId: ownerOf(writing),
  programId: request.programID ?? null,
  name: request.clientName,
  targets: request.targets ?? [],
  body: {
    ...request,
    objectOperations: request.objectOperations.map(({ bearerToken: _secret, ...entry }) => entry),
  },
  bearerTokens: request.objectOperations.map(({ bearerToken }) => bearerToken ?? null),
});

/** What only business logic may write: whose an object is, and the targets it grants. */
const granted = (request: VenRequest | ResourceRequest, { caller, before }: Writing): Result<Rights> => {
  const given =
    request.objectType === "BL_VEN_REQUEST" || request.objectType === "BL_RESOURCE_REQUEST"
      ? { clientId: request.clientID ?? null, targets: request.targets ?? [] }
      : null;
  if (isBusinessLogic(caller)) {
    return (
      given ??
      invalid(`objectType is ${request.objectType}; business logic sends ${request.objectType.replace("VEN", "BL")}`)
    );
  }
  const own = { clientId: ownerOf({ caller, before }), targets: before?.targets ?? [] };
  return given === null || asks(own, given)
    ? own
    : denied("only business logic may write clientID and targets; send the request of a VEN");
};

type Rights = Pick<StoredObject, "clientId" | "targets">;

/** Whether a VEN that sends the request of business logic, as some clients do, asks for what it has. */
const asks = (own: Rights, { clientId, targets }: Rights): boolean =>
  (clientId === null || clientId === own.clientId) && (targets.length === 0 || sorted(targets) === sorted(own.targets));

const sorted = (targets: readonly string[]): string => JSON.stringify([...new Set(targets)].toSorted());

/** Targets are kept when a VEN, which does not send them, replaces the object. */
const withTargets = (body: object, targets: readonly string[]): StoredObject["body"] => ({
  ...body,
  ...(targets.length === 0 ? {} : { targets }),
});

/** A ven and each of its resources are read whole by lists. */
export const MAX_DESCRIPTION_BYTES = 16_384;

const refuseLarge = (request: VenRequest | ResourceRequest): Refusal | null => {
  const bytes = Buffer.byteLength(JSON.stringify(request));
  return bytes <= MAX_DESCRIPTION_BYTES
    ? null
    : invalid(`the body has ${bytes} bytes; at most ${MAX_DESCRIPTION_BYTES}, send fewer or shorter attributes`);
};

const ven: Draft<"VEN"> = (request, writing) => {
  const rights = refuseLarge(request) ?? granted(request, writing);
  if (!("targets" in rights)) return rights;
  const { venName, attributes } = request;
  const body = withTargets({ venName, ...(attributes === undefined ? {} : { attributes }) }, rights.targets);
  return { ...empty, ...rights, objectType: "VEN", name: venName, body };
};

const resource: Draft<"RESOURCE"> = (request, writing) => {
  const rights = refuseLarge(request) ?? granted(request, writing);
  if (!("targets" in rights)) return rights;
  const { resourceName, attributes } = request;
  const venID = request.venID ?? writing.before?.venId ?? null;
  if (venID === null) return notFound("ven");
  const members = { resourceName, venID, ...(attributes === undefined ? {} : { attributes }) };
  const body = withTargets(members, rights.targets);
  return { ...empty, ...rights, objectType: "RESOURCE", venId: venID, name: resourceName, body };
};

export const drafts: { readonly [T in StoredObjectType]: Draft<T> } = {
  PROGRAM: program,
  EVENT: event,
  REPORT: report,
  SUBSCRIPTION: subscription,
  VEN: ven,
  RESOURCE: resource,
};

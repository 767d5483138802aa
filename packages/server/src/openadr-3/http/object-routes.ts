import {
  events,
  type ObjectEndpoints,
  programs,
  readForm,
  reports,
  resources,
  subscriptions,
  vens,
} from "@curtail/openadr-3";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { RateWindows } from "../../access/domain/rate-limit.js";
import type { Clock } from "../../platform/clock.js";
import { serve, serveResult } from "../../platform/http/endpoint.js";
import { knownMembers } from "../../platform/http/known-members.js";
import { WrittenJson } from "../../platform/long-json.js";
import type { StoredObjectType } from "../domain/stored-object.js";
import type { ObjectRequests } from "../operations/object-drafts.js";
import type { ObjectQuery } from "../operations/object-query.js";
import { getObject, type ObjectReadPorts, searchObjects } from "../operations/read-objects.js";
import { createObject, type ObjectWritePorts, removeObject, updateObject } from "../operations/write-objects.js";
import { openadr3CallerOf } from "./caller-check.js";

export type ObjectRoutePorts = ObjectReadPorts &
  ObjectWritePorts &
  HintPorts & {
    /** Called with searches as they were asked for and understood. */
    readonly noteSearch: (url: string, type: StoredObjectType, query: ObjectQuery) => void;
  };

const kinds: Readonly<Record<StoredObjectType, ObjectEndpoints>> = {
  PROGRAM: programs,
  EVENT: events,
  REPORT: reports,
  SUBSCRIPTION: subscriptions,
  VEN: vens,
  RESOURCE: resources,
};

export const objectRoutes = (app: FastifyInstance, ports: ObjectRoutePorts): void => {
  for (const [type, kind] of Object.entries(kinds) as Array<[StoredObjectType, ObjectEndpoints]>)
    app.register(async (scope) => {
      readForms(scope, ports, type);
      routesOf(scope, ports, type, kind);
    });
};

const routesOf = (
  app: FastifyInstance,
  ports: ObjectRoutePorts,
  type: StoredObjectType,
  kind: ObjectEndpoints,
): void => {
  // The body was validated as a request of this type. Members that the specification does not define are ignored, not kept.
  const requestWith = (schema: TSchema) => knownMembers(schema) as (body: unknown) => ObjectRequests[typeof type];
  const [toCreate, toUpdate] = [requestWith(kind.create.body), requestWith(kind.update.body)];
  serveResult(app, kind.search, async ({ query, request, reply }) => {
    const caller = openadr3CallerOf(request);
    const answer = await searchObjects(sentTo(ports, request), caller, type, query);
    if (request.method === "GET" && !reply.hasHeader(HINT)) ports.noteSearch(request.raw.url ?? "", type, query);
    return answer instanceof WrittenJson ? answer : [...answer];
  });
  serveResult(app, kind.create, ({ body, request }) =>
    createObject(ports, openadr3CallerOf(request), type, toCreate(body)),
  );
  serve(app, kind.get, ({ params, request }) =>
    getObject(sentTo(ports, request), openadr3CallerOf(request), type, params.id),
  );
  serve(app, kind.update, ({ params, body, request }) =>
    updateObject(ports, openadr3CallerOf(request), type, {
      id: params.id,
      request: toUpdate(body),
    }),
  );
  serve(app, kind.remove, ({ params, request }) => removeObject(ports, openadr3CallerOf(request), type, params.id));
};

/** An answer without its body shows nothing. */
const sentTo = (ports: ObjectReadPorts, { method }: FastifyRequest): ObjectReadPorts =>
  method === "HEAD" ? { ...ports, noteShown: async () => {} } : ports;

interface HintPorts {
  readonly clock: Clock;
  /** Each hint to a client is logged once a minute. */
  readonly hints: RateWindows;
}

/** Shows the developer of a client what was read in another way than it was sent. */
const HINT = "curtail-hint";

/** Reads what clients of OpenADR 3.0 send, and bodies as GET returned them, before they are held to the contract. */
const readForms = (app: FastifyInstance, { clock, hints }: HintPorts, type: StoredObjectType): void => {
  app.addHook("preValidation", async (request, reply) => {
    const found = [withTargets(request), withBody(request, type)].flat();
    if (found.length === 0) return;
    reply.header(HINT, found.join("; "));
    const { id } = openadr3CallerOf(request).client;
    for (const hint of found)
      if (hints.count(`${id} ${hint}`, 1, clock.now().getTime()).allowed)
        request.log.info({ client: id, hint }, "a request of OpenADR 3.1 was read in another form");
  });
};

const withBody = (request: FastifyRequest, type: StoredObjectType): readonly string[] => {
  if (request.body === undefined) return [];
  const { body, hints } = readForm(request.body, { type, role: openadr3CallerOf(request).client.role });
  request.body = body;
  return hints;
};

/** Filters that `targetType` of OpenADR 3.0 means, where it is no kind of target. */
const NAMES: Readonly<Record<string, string | null>> = {
  VEN_NAME: "venName",
  RESOURCE_NAME: "resourceName",
  PROGRAM_NAME: null,
  EVENT_NAME: null,
};

/** OpenADR 3.0 filters with `targetType` and `targetValues`. */
const withTargets = (request: FastifyRequest): readonly string[] => {
  const { targetType, targetValues: values, targets } = request.query as Readonly<Record<string, unknown>>;
  if (values === undefined || targets !== undefined) return [];
  const filter = Object.hasOwn(NAMES, String(targetType)) ? NAMES[String(targetType)] : "targets";
  if (filter === null || filter === undefined) return ["targetValues is a filter of OpenADR 3.0; it was ignored"];
  request.query = { ...(request.query as object), [filter]: values };
  return [`targetValues is a filter of OpenADR 3.0; it was read as ${filter}`];
};

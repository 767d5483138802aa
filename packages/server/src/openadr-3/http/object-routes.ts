import { events, type ObjectEndpoints, programs, reports, resources, subscriptions, vens } from "@curtail/openadr-3";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import Value from "typebox/value";
import { serve } from "../../platform/http/endpoint.js";
import type { StoredObjectType } from "../domain/stored-object.js";
import type { ObjectRequests } from "../operations/object-drafts.js";
import { getObject, type ObjectQuery, type ObjectReadPorts, searchObjects } from "../operations/read-objects.js";
import { createObject, type ObjectWritePorts, removeObject, updateObject } from "../operations/write-objects.js";
import { openadr3CallerOf } from "./caller-check.js";
import { type HintPorts, readForms } from "./read-forms.js";

export type ObjectRoutePorts = ObjectReadPorts & ObjectWritePorts & HintPorts;

const kinds: Readonly<Record<StoredObjectType, ObjectEndpoints>> = {
  PROGRAM: programs,
  EVENT: events,
  REPORT: reports,
  SUBSCRIPTION: subscriptions,
  VEN: vens,
  RESOURCE: resources,
};

/** Members that the specification does not define are ignored, not kept. */
const known = <S extends TSchema>(schema: S, body: unknown): Static<S> => Value.Clean(schema, body) as Static<S>;

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
  // The body was validated as a request of this type.
  const requestOf = (schema: TSchema, body: unknown) => known(schema, body) as ObjectRequests[typeof type];
  serve(app, kind.search, async ({ query, request }) => [
    ...(await searchObjects(sentTo(ports, request), openadr3CallerOf(request), type, query as ObjectQuery)),
  ]);
  serve(app, kind.create, ({ body, request }) =>
    createObject(ports, openadr3CallerOf(request), type, requestOf(kind.create.body, body)),
  );
  serve(app, kind.get, ({ params, request }) =>
    getObject(sentTo(ports, request), openadr3CallerOf(request), type, params.id),
  );
  serve(app, kind.update, ({ params, body, request }) =>
    updateObject(ports, openadr3CallerOf(request), type, {
      id: params.id,
      request: requestOf(kind.update.body, body),
    }),
  );
  serve(app, kind.remove, ({ params, request }) => removeObject(ports, openadr3CallerOf(request), type, params.id));
};

/** An answer without its body shows nothing. */
const sentTo = (ports: ObjectReadPorts, { method }: FastifyRequest): ObjectReadPorts =>
  method === "HEAD" ? { ...ports, noteShown: async () => {} } : ports;

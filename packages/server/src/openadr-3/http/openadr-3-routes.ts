import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RateWindows } from "../../access/domain/rate-limit.js";
import { BODY_BYTES, limitBodies } from "../../platform/http/body-limits.js";
import { HttpError } from "../../platform/http/error-replies.js";
import { type CallerCheckPorts, checkCallers } from "./caller-check.js";
import { type NotifierRoutePorts, notifierRoutes } from "./notifier-routes.js";
import { type ObjectRoutePorts, objectRoutes } from "./object-routes.js";
import { type TokenRoutePorts, tokenRoutes } from "./token-routes.js";

export type Openadr3RoutePorts = CallerCheckPorts &
  ObjectRoutePorts &
  NotifierRoutePorts &
  TokenRoutePorts & {
    readonly failures: RateWindows;
    /** The largest body that business logic may send. */
    readonly bodyBytes: number;
  };

/** Every operation of the specification, below its base path. */
export const openadr3Routes = (app: FastifyInstance, ports: Openadr3RoutePorts): void => {
  limitBodies(app, Math.max(ports.bodyBytes, BODY_BYTES));
  checkCallers(app, ports);
  app.addHook("preValidation", async (request) => refuseImpossibleId(request));
  tokenRoutes(app, ports);
  objectRoutes(app, ports);
  notifierRoutes(app, ports);
};

const OBJECT_ID = /^[a-zA-Z0-9_-]{1,128}$/;

/** An id that no object can have is a mistake, not an unknown object. */
const refuseImpossibleId = ({ params }: FastifyRequest): void => {
  const { id } = params as { readonly id?: string };
  if (id !== undefined && !OBJECT_ID.test(id))
    throw new HttpError(400, "the id in the address must be 1 to 128 letters, digits, hyphens and underscores");
};

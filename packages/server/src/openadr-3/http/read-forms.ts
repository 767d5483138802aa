import { readForm } from "@curtail/openadr-3";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RateWindows } from "../../access/domain/rate-limit.js";
import type { Clock } from "../../platform/clock.js";
import type { StoredObjectType } from "../domain/stored-object.js";
import { openadr3CallerOf } from "./caller-check.js";

export interface HintPorts {
  readonly clock: Clock;
  /** Each hint to a client is logged once a minute. */
  readonly hints: RateWindows;
}

/** Tells whoever develops a client what was read otherwise than it was sent. */
const HINT = "curtail-hint";

/** Reads what clients of OpenADR 3.0 send, and bodies as GET returned them, before they are held to the contract. */
export const readForms = (app: FastifyInstance, { clock, hints }: HintPorts, type: StoredObjectType): void => {
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

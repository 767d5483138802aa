import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { given } from "../../platform/http/given.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { done, isRefusal, type Result } from "../../platform/refusal.js";
import type { OwnProgram } from "../domain/own-object.js";
import {
  changeOwnProgram,
  createOwnProgram,
  deleteOwnProgram,
  findOwnProgram,
  type OwnObjectPorts,
  type OwnObjectStores,
} from "../operations/manage-own-programs.js";
import { ownProgramOf } from "../operations/read-own-object.js";
import { audienceFrom, ownProgramToWire } from "./wire-own-object.js";

interface GivenPayload {
  readonly payload_type: string;
  readonly units?: string;
  readonly currency?: string;
}

const payloadsFrom = (payloads: readonly GivenPayload[]) =>
  payloads.map(({ payload_type, units, currency }) => ({
    payloadType: payload_type,
    units: units ?? null,
    currency: currency ?? null,
  }));

const counted = async (
  { stores, clock }: OwnObjectPorts,
  program: Result<OwnProgram>,
): Promise<Result<operator.Openadr3Program>> =>
  isRefusal(program)
    ? program
    : ownProgramToWire(program, await stores.openadr3Own.countEvents(program.id, clock.now()));

/** Programs of the operator's own. */
export const ownProgramRoutes = (app: FastifyInstance, ports: RepeatablePorts<OwnObjectStores>): void => {
  const { stores, clock } = ports;
  serveOnce(app, operator.createOpenadrProgram, ports, async ({ body, request }, ports) => {
    const made = await createOwnProgram(ports, actorOf(request), {
      environment: body.environment ?? "production",
      name: body.name,
      payloads: payloadsFrom(body.payloads ?? []),
      isPublic: body.public ?? false,
      targets: audienceFrom(body.targets),
    });
    return isRefusal(made) ? made : ownProgramToWire(made, 0);
  });
  serve(app, operator.listOpenadrPrograms, async ({ query }) =>
    listed(
      query,
      (page) => stores.openadr3Own.listPrograms(query.environment ?? "production", clock.now(), page),
      ({ object, eventCount }) => ownProgramToWire(ownProgramOf(object), eventCount),
    ),
  );
  serve(app, operator.getOpenadrProgram, async ({ params }) => counted(ports, await findOwnProgram(stores, params.id)));
  serve(app, operator.changeOpenadrProgram, async ({ params, body, request }) => {
    const change = given({
      name: body.name,
      payloads: body.payloads && payloadsFrom(body.payloads),
      isPublic: body.public,
      targets: body.targets && audienceFrom(body.targets),
    });
    return counted(ports, await changeOwnProgram(ports, actorOf(request), params.id, change));
  });
  serve(app, operator.deleteOpenadrProgram, ({ params, request }) =>
    done(deleteOwnProgram(ports, actorOf(request), params.id)),
  );
};

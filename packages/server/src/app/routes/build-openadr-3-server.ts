import { BASE_PATH, endpoints } from "@curtail/openadr-3";
import type { FastifyInstance } from "fastify";
import type { WindowsOf } from "../../access/caller/shared-limits.js";
import { type Openadr3RoutePorts, openadr3Routes } from "../../openadr-3/http/openadr-3-routes.js";
import { problem, problemAnswers } from "../../openadr-3/http/problem.js";
import { bareServer, type ListenerPorts, type ListenerSettings } from "../../platform/http/bare-server.js";
import { OpenBodies } from "../../platform/http/open-bodies.js";
import { headersFor } from "../../platform/http/response-headers.js";
import { type HealthPorts, healthRoutes } from "./health.js";
import { Openadr3Lane, type Openadr3LanePorts } from "./openadr-3-lane.js";
import { answerUnknownAddresses } from "./redirects.js";

/** Ports of the listener; those that live as long as it does are made here. */
export type Openadr3ServerPorts = Omit<Openadr3RoutePorts, "bodies" | "rates" | "failures" | "hints" | "noteSearch"> &
  Omit<ListenerPorts, "errors"> &
  Omit<Openadr3LanePorts, "rates"> & { readonly health: HealthPorts; readonly windowsOf: WindowsOf };

/** Builds the listener of OpenADR 3. */
export const buildOpenadr3Server = (settings: ListenerSettings, ports: Openadr3ServerPorts): FastifyInstance => {
  const bodies = new OpenBodies();
  const app = bareServer(settings, { ...ports, errors: problemAnswers }, bodies);
  healthRoutes(app, ports.health);
  answerUnknownAddresses(app, async ({ method, url }, reply) => {
    const methods = methodsAt(url);
    return methods.length === 0
      ? reply.status(404).send(problem(404, `there is nothing at this address; OpenADR 3.1 is below ${BASE_PATH}`))
      : reply
          .header("allow", methods.join(", "))
          .status(405)
          .send(problem(405, `${method} is no operation at this address; use ${methods.join(", ")}`));
  });
  const { windowsOf } = ports;
  const limited = {
    ...ports,
    bodies,
    rates: windowsOf("clients of 3.1"),
    failures: windowsOf("wrong tokens of 3.1"),
    hints: windowsOf("hints of 3.1"),
  };
  const lane = new Openadr3Lane(headersFor(settings.publicUrl), limited);
  const noteSearch: Openadr3RoutePorts["noteSearch"] = (...search) => lane.note(...search);
  app.register(async (scope) => openadr3Routes(scope, { ...limited, noteSearch }), { prefix: BASE_PATH });
  lane.addTo(app.server);
  return app;
};

const operations = endpoints.map(({ method, path }) => ({
  method,
  address: new RegExp(`^${BASE_PATH}${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

/** The methods of an address, with its query or without; none: there is no such address. */
const methodsAt = (url: string): readonly string[] => {
  const [path = ""] = url.split("?", 1);
  return operations.flatMap(({ method, address }) => {
    if (!address.test(path)) return [];
    return method === "GET" ? ["GET", "HEAD"] : [method];
  });
};

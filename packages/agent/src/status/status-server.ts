import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type OverrideCommand, parseOverrideCommand } from "../control/override-command.js";
import type { Status } from "./status.js";
import { statusPage } from "./status-page.js";

export interface StatusPorts {
  readonly status: () => Status;
  /** Returns what is wrong, or null. */
  override(siteId: string, command: OverrideCommand): string | null;
}

export interface StatusServer {
  readonly port: number;
  close(): Promise<void>;
}

const LARGEST_BODY = 4_096;

/** Serves the status page, `/status.json` and `/healthz` to programs on this machine. */
export const serveStatus = async (port: number, ports: StatusPorts): Promise<StatusServer> => {
  const server = createServer((request, response) => {
    answer(request, response, ports).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) };
};

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const answer = async (request: IncomingMessage, response: ServerResponse, ports: StatusPorts): Promise<void> => {
  if (!isLocal(request)) return send(response, 403, "text/plain", "Open this page as http://localhost or 127.0.0.1.\n");
  const status = ports.status();
  switch (`${request.method} ${request.url}`) {
    case "GET /":
      return send(response, 200, "text/html", statusPage(status));
    case "GET /status.json":
      return send(response, 200, "application/json", `${JSON.stringify(status, null, 2)}\n`);
    case "GET /healthz": {
      const faults = faultsOf(status);
      return send(response, faults.length === 0 ? 200 : 503, "text/plain", `${faults.join("\n") || "ok"}\n`);
    }
    case "POST /override":
      return takeOverride(response, await formOf(request), ports);
    default:
      return send(response, 404, "text/plain", "There is /, /status.json and /healthz.\n");
  }
};

const faultsOf = ({ service, disk_fault, sites }: Status): readonly string[] => [
  ...(disk_fault === null ? [] : [`the disk: ${disk_fault}`]),
  ...(service.is_lost ? [`no contact with ${service.url}`] : []),
  ...sites.flatMap(({ name, outputs }) =>
    outputs.flatMap((output) => (output.fault === null ? [] : [`${name}, ${output.name}: ${output.fault}`])),
  ),
];

/**
 * Pages of other sites can send requests here through a browser on this machine: neither their own names for this
 * address nor their forms are served.
 */
const isLocal = ({ headers }: IncomingMessage): boolean =>
  isLocalHost(headers.host) &&
  (headers.origin === undefined || isLocalHost(headers.origin.replace(/^https?:\/\//, ""))) &&
  headers["sec-fetch-site"] !== "cross-site";

const isLocalHost = (host = ""): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

const formOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = "";
  for await (const part of request) {
    text += String(part);
    if (text.length > LARGEST_BODY) throw new Error("the form is too long");
  }
  return new URLSearchParams(text);
};

const takeOverride = (response: ServerResponse, form: URLSearchParams, ports: StatusPorts): void => {
  const given = {
    mode: form.get("mode"),
    who: form.get("who") ?? "",
    minutes: minutesIn(form.get("minutes") ?? ""),
  };
  const command = parseOverrideCommand(JSON.stringify(given));
  const fault = "fault" in command ? command.fault : ports.override(form.get("site") ?? "", command);
  if (fault !== null) return send(response, 400, "text/plain", `${fault}\n`);
  response.writeHead(303, { location: "/" }).end();
};

/** Text that is no number stays text, and is refused: as null it would be "until withdrawn". */
const minutesIn = (text: string): number | string | null => {
  if (text === "") return null;
  return Number.isFinite(Number(text)) ? Number(text) : text;
};

const send = (response: ServerResponse, status: number, type: string, text: string): void => {
  const headers = {
    "content-type": `${type}; charset=utf-8`,
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  };
  response.writeHead(status, headers).end(text);
};

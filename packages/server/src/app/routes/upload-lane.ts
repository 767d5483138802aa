import type { IncomingMessage, ServerResponse } from "node:http";
import { BASE_PATHS, uploadTelemetry } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { RateVerdict, RateWindows } from "../../access/domain/rate-limit.js";
import { shownRoute } from "../../access/domain/request-log.js";
import { countEarly, keyRates } from "../../access/http/api-key-check.js";
import type { KeyCaller } from "../../access/operations/caller.js";
import { WORK_TIMEOUT_MS } from "../../platform/http/bare-server.js";
import { KEYLESS_BODY_BYTES } from "../../platform/http/body-limits.js";
import { edgeOf } from "../../platform/http/dated-edge.js";
import { TAKES_GZIP } from "../../platform/http/gzip-body.js";
import { repeated, SINGULAR } from "../../platform/http/singular-headers.js";
import { isRefusal } from "../../platform/refusal.js";
import type { Readings } from "../../telemetry/domain/reading.js";
import { receivedToWire, setOutcome } from "../../telemetry/http/participant-telemetry.js";
import { plainReader } from "../../telemetry/http/upload-reader.js";
import type { Received } from "../../telemetry/operations/telemetry-service.js";
import { addLane, type Lane, rateHeaders } from "./lane.js";
import type { ServerPorts } from "./server-ports.js";
import type { LimitedSettings } from "./server-settings.js";

type LanePorts = Pick<ServerPorts, "keys" | "noteRequest" | "observe" | "participant">;

type LaneSettings = Pick<LimitedSettings, "keyHeader" | "maxBodyBytes" | "rateLimit" | "windowsOf"> & {
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
};

/** How JSON is announced. */
const JSON_TYPES = new Set(["application/json", "application/json; charset=utf-8", "application/json;charset=utf-8"]);
/** A body that takes longer to arrive is left to the framework. */
const PATIENCE_MS = 250;

const ROUTE = `${BASE_PATHS.participant}${uploadTelemetry.path}`;
const SHOWN = shownRoute(ROUTE);

/**
 * Takes the small uploads of devices ahead of the framework, which takes longer than all else that is done for them. Everything
 * unusual is left to it: keys not seen before, other bodies than plain JSON, those that arrive in pieces, limits, refusals, failures.
 */
export const addUploadLane = (app: FastifyInstance, settings: LaneSettings, ports: LanePorts): void =>
  addLane(app.server, new UploadLane(app, settings, ports));

/** What is answered, and for whom. */
interface Taken {
  readonly caller: KeyCaller;
  readonly rate: RateVerdict;
  readonly received: Received;
}

class UploadLane implements Lane {
  private readonly keyHeader: string;
  private readonly singular: ReadonlySet<string>;
  private readonly mostBytes: number;
  private readonly rates: RateWindows;
  private readonly head: readonly string[];
  private readonly read: (body: Buffer) => Promise<Readings | null>;

  constructor(
    private readonly app: FastifyInstance,
    private readonly settings: LaneSettings,
    private readonly ports: LanePorts,
  ) {
    this.keyHeader = settings.keyHeader.toLowerCase();
    this.singular = new Set([...SINGULAR, this.keyHeader]);
    this.mostBytes = Math.min(settings.maxBodyBytes, KEYLESS_BODY_BYTES);
    this.rates = keyRates(settings.windowsOf);
    this.head = Object.entries({ ...settings.headers, ...TAKES_GZIP }).flat();
    const edge = edgeOf(app, uploadTelemetry);
    if (edge === null) throw new Error("the current version has no uploads");
    this.read = plainReader(edge);
  }

  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> | null {
    if (request.url !== ROUTE || !this.isPlain(request)) return null;
    const key = request.headers[this.keyHeader];
    const caller = typeof key === "string" ? this.ports.keys.recently?.(key) : undefined;
    return caller === undefined || caller.isShared === true ? null : this.take(caller, request, response);
  }

  /** A POST with JSON of a length that is told, and nothing unusual about it. */
  private isPlain({ method, httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
    return (
      method === "POST" &&
      httpVersion === "1.1" &&
      headers.host !== undefined &&
      JSON_TYPES.has(headers["content-type"]?.toLowerCase() ?? "") &&
      Number(headers["content-length"]) <= this.mostBytes &&
      headers["transfer-encoding"] === undefined &&
      headers["content-encoding"] === undefined &&
      headers.expect === undefined &&
      repeated(rawHeaders, this.singular) === null
    );
  }

  private async take(caller: KeyCaller, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const startedMs = performance.now();
    const readings = await this.readingsOf(request);
    if (readings === null) return false;
    const { participant, keys } = this.ports;
    const rate = countEarly(this.rates, { raw: request, caller }, this.settings.rateLimit, keys.clock.now());
    if (!rate.allowed) return false;
    request.socket.setTimeout(WORK_TIMEOUT_MS);
    const outcome = participant.recordTelemetry(caller, readings);
    const received = await outcome.catch(() => null);
    if (received === null || isRefusal(received)) {
      setOutcome(request, outcome);
      return false;
    }
    this.send(request, response, { caller, rate, received });
    this.note(caller, performance.now() - startedMs);
    return true;
  }

  /** Leaves the body where it is, for whoever answers. null: it is not all there, or not plain. */
  private async readingsOf(request: IncomingMessage): Promise<Readings | null> {
    await arrived(request);
    if (!request.complete || request.readableLength !== Number(request.headers["content-length"])) return null;
    const body = request.read() as Buffer | null;
    if (body === null) return null;
    request.unshift(body);
    return this.read(body);
  }

  private send(request: IncomingMessage, response: ServerResponse, { rate, received }: Taken): void {
    request.resume();
    request.socket.setTimeout(this.app.server.timeout);
    const body = JSON.stringify(receivedToWire(received));
    const type = ["content-type", "application/json; charset=utf-8", "content-length", `${Buffer.byteLength(body)}`];
    // A flat list of names and values, and a text as body: Node then sends both in one piece.
    response.writeHead(200, [...this.head, ...rateHeaders(rate), ...type]);
    response.end(body);
  }

  private note({ accountId, keyId, environment }: KeyCaller, durationMs: number): void {
    const method = "POST";
    this.ports.observe(ROUTE, method, 200, durationMs / 1000);
    const request = { accountId, keyId, environment, method, route: SHOWN, status: 200, durationMs };
    this.ports.noteRequest?.({ ...request, path: () => ROUTE, message: null });
  }
}

/** Until the body is there, or does not come soon. */
const arrived = async (request: IncomingMessage): Promise<void> => {
  // One that was sent with its headers arrives in the same turn of the loop.
  await Promise.resolve();
  if (request.complete) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      request.off("readable", look).off("close", end);
      resolve();
    };
    const look = (): void => {
      if (request.complete) end();
    };
    const timer = setTimeout(end, PATIENCE_MS);
    request.on("readable", look).on("close", end);
  });
};

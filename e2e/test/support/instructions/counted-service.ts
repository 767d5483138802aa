import { operator } from "@curtail/contract";
import type { OwnDatabase } from "@curtail/testing/database";
import { newKey, newParticipant, newProgram, operate } from "../participant.js";
import { command } from "../service-process.js";
import { webSettings } from "../web-service.js";
import { startCounted } from "./counted-process.js";
import { KeptConnection, requestText } from "./kept-connection.js";
import { type Counted, times } from "./measure.js";

export const POLLS = 20;
export const UPLOADS = 2;
/** An upload has a reading of each. */
const METERS = 100;
const CELL_MS = 30_000;
const HOUR_MS = 3_600_000;

export interface CountedService extends Counted {
  /** A request of each kind, and its answer. */
  readonly poll: string;
  readonly upload: string;
  readonly answers: { readonly poll: string; readonly upload: string };
}

const serve = async (database: OwnDatabase) => {
  const env = {
    ...(await webSettings(database)),
    CURTAIL_PORT: "0",
    CURTAIL_SANDBOX_PORT: "0",
    CURTAIL_OPENADR_PORT: "0",
    CURTAIL_OPENADR3_PORT: "0",
    CURTAIL_RATE_LIMIT: "1000000",
    CURTAIL_RATE_LIMIT_DISPATCHES: "1000000",
    CURTAIL_LOG_LEVEL: "warn",
  };
  const process = await startCounted([command, "serve"], { env, ready: "curtail ready" });
  return { process, url: /http:\/\/\S+/.exec(process.lines.join("\n"))?.[0] ?? "" };
};

/** Starts the service, and creates what polls and uploads need. */
export const startCountedService = async (database: OwnDatabase): Promise<CountedService> => {
  const { process, url } = await serve(database);
  const connection = new KeptConnection(url);
  const program = await newProgram(url);
  const poll = await pollOf(url, program);
  const uploads = await uploadsOf(url);
  const answers = { poll: await connection.ask(poll), upload: await connection.ask(uploads()) };
  await process.begin();
  return {
    process,
    poll,
    upload: uploads(),
    answers,
    work: {
      poll: { items: POLLS, run: () => times(POLLS, async () => void (await connection.ask(poll))) },
      upload: { items: UPLOADS, run: () => times(UPLOADS, async () => void (await connection.ask(uploads()))) },
    },
  };
};

const dispatchOf = (program_id: string, siteIds: readonly string[]) => ({
  program_id,
  start_time: new Date(Date.now() + HOUR_MS).toISOString(),
  sites: siteIds.map((site_id) => ({ site_id })),
});

/** A poll of a participant with one dispatch. */
const pollOf = async (url: string, program: string): Promise<string> => {
  const { key, sites } = await newParticipant(url, 1);
  const siteIds = sites.map(({ id }) => id);
  await operate(url, operator.createDispatch, { body: dispatchOf(program, siteIds) });
  return requestText("GET /2022-04-15/dispatches", { "x-service-api-key": key });
};

/** Each call returns an upload of a recent reading of each meter, with a new value. */
const uploadsOf = async (url: string): Promise<() => string> => {
  const { id } = await operate(url, operator.createAccount, { body: { name: "Gateway" } });
  const meters = Array.from({ length: METERS }, (_, index) => ({ name: `Meter ${index}` }));
  const site = await operate(url, operator.createSite, { params: { id }, body: { name: "Works", meters } });
  const headers = { "x-service-api-key": await newKey(url, id), "content-type": "application/json" };
  let sent = 0;
  return () => {
    sent += 1;
    const timestamp = new Date((Math.floor(Date.now() / CELL_MS) - 1 - (sent % 2)) * CELL_MS).toISOString();
    const reading = { interval_seconds: CELL_MS / 1000, timestamp, kW: sent / 16 };
    const telemetry = site.meters.map((meter) => ({ meter_id: meter.id, ...reading }));
    return requestText("POST /2022-04-15/telemetry", headers, JSON.stringify({ telemetry }));
  };
};

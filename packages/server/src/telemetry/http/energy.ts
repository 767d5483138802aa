import type { Readable } from "node:stream";
import { operator, type ParamsOf, participantConsole, type QueryOf } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import { callerMayContinue, callerOf, readerOf } from "../../access/caller/caller.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve, serveFile } from "../../platform/http/endpoint.js";
import { sentPieces, whileAllowed } from "../../platform/http/file-pieces.js";
import { roomFor } from "../../platform/http/large-answer.js";
import { moments, spaceAsPlus } from "../../platform/http/timestamps.js";
import { DAY_MS } from "../../platform/period.js";
import { isRefusal, mapResult, type Result } from "../../platform/refusal.js";
import { canonicalTimezone } from "../../portfolio/domain/timezone.js";
import type { Viewer } from "../../portfolio/operations/visible-sites.js";
import { DEFAULT_DOWNLOAD_SECONDS, DEFAULT_ENERGY_POINTS, type FileFormat } from "../domain/energy.js";
import { downloadEnergy, type EnergyFile } from "../operations/download-energy.js";
import { readEnergyBars } from "../operations/energy-bars.js";
import type { EnergyPorts, EnergyQuestion } from "../operations/find-metered.js";
import { type MeterEnergy, readEnergy } from "../operations/read-energy.js";
import { energyBarsToWire, energyToWire } from "./wire-energy.js";
import { energyCsv } from "./wire-energy-csv.js";
import { energyParquet } from "./wire-energy-parquet.js";

type Reading = Omit<typeof operator.getAnySiteEnergy, "id"> & { readonly id: string };
type Downloading = Omit<typeof operator.downloadAnySiteEnergy, "id"> & { readonly id: string };

/** Energy of any site. */
export const energyRoutes = (app: FastifyInstance, ports: EnergyPorts, budget: AnswerBudget): void => {
  const endpoints = { read: operator.getAnySiteEnergy, download: operator.downloadAnySiteEnergy };
  serveEnergy(app, endpoints, ports, { viewer: () => "operators", reader: actorOf, mayContinue, budget });
};

/** Energy of the caller's own sites. */
export const ownEnergyRoutes = (app: FastifyInstance, ports: EnergyPorts, budget: AnswerBudget): void => {
  serve(app, participantConsole.getEnergyBars, async ({ query, request }) => {
    const { from, to, by, site_id: siteId = null, timezone = null } = query;
    const zone = timezone && canonicalTimezone(timezone);
    const bars = await readEnergyBars(ports, { from, to, by, siteId, timezone: zone, viewer: callerOf(request) });
    return isRefusal(bars) ? bars : energyBarsToWire(bars);
  });
  const endpoints = { read: participantConsole.getSiteEnergy, download: participantConsole.downloadSiteEnergy };
  serveEnergy(app, endpoints, ports, {
    viewer: callerOf,
    reader: readerOf,
    mayContinue: callerMayContinue,
    budget,
  });
};

/** The callers of one of the two interfaces. */
interface EnergyCallers {
  readonly viewer: (request: FastifyRequest) => Viewer;
  /** Whose share of the memory for large answers a file uses. */
  readonly reader: (request: FastifyRequest) => string;
  /** Whether the caller of a long response may continue. */
  readonly mayContinue: (request: FastifyRequest) => Promise<boolean>;
}

/** Serves the energy of sites, as curves and as files. */
const serveEnergy = (
  app: FastifyInstance,
  endpoints: { readonly read: Reading; readonly download: Downloading },
  ports: EnergyPorts,
  { viewer, reader, mayContinue, budget }: EnergyCallers & { readonly budget: AnswerBudget },
): void => {
  const questionOf = (call: EnergyCall) => asked(call, viewer(call.request), ports.clock.now());
  serve(app, endpoints.read, async (call) => {
    const question = questionOf(call);
    if (isRefusal(question)) return question;
    return mapResult(readEnergy(ports, question, call.query.points ?? DEFAULT_ENERGY_POINTS), energyToWire);
  });
  serveFile(app, endpoints.download, async (call) => {
    const question = questionOf(call);
    if (isRefusal(question)) return question;
    const { format = "csv", interval_seconds: intervalSeconds = DEFAULT_DOWNLOAD_SECONDS } = call.query;
    const file = await downloadEnergy(ports, question, { intervalSeconds, format });
    if (isRefusal(file)) return file;
    const refusal = await roomFor(budget, reader(call.request), call.reply);
    if (refusal !== null) return refusal;
    const pieces = whileAllowed(file.pieces, () => mayContinue(call.request));
    return { ...forms[format](pieces), name: `${nameOf(file)}.${format}` };
  });
};

interface EnergyCall {
  readonly params: ParamsOf<Reading>;
  readonly query: Pick<QueryOf<Reading>, "start_time" | "end_time">;
  readonly request: FastifyRequest;
}

const asked = ({ params, query }: EnergyCall, viewer: Viewer, now: Date): Result<EnergyQuestion> => {
  const times = moments({ start_time: spaceAsPlus(query.start_time), end_time: spaceAsPlus(query.end_time) });
  if (isRefusal(times)) return times;
  const end = times.end_time ?? now;
  return { siteId: params.id, viewer, start: times.start_time ?? new Date(end.getTime() - DAY_MS), end };
};

const forms: Readonly<Record<FileFormat, (pieces: AsyncIterable<MeterEnergy>) => { type: string; body: Readable }>> = {
  csv: (pieces) => ({ type: "text/csv; charset=utf-8", body: sentPieces(energyCsv(pieces)) }),
  parquet: (pieces) => ({ type: "application/vnd.apache.parquet", body: sentPieces(energyParquet(pieces)) }),
};

/** `mill-energy-2026-06-01-to-2026-06-30-300s`; ASCII, because it goes into a header. */
const nameOf = ({ site, firstDay, lastDay, intervalSeconds }: EnergyFile): string => {
  const words =
    site.name
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const name = words.join("-").slice(0, LONGEST_NAME);
  return `${name === "" ? site.id : name}-energy-${firstDay}-to-${lastDay}-${intervalSeconds}s`;
};

const LONGEST_NAME = 60;

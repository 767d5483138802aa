import { operator, participantConsole, type QueryOf } from "@curtail/contract";
import { MAX_METER_DATA_BYTES } from "@curtail/contract/constants";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { personOf } from "../../access/caller/person.js";
import type { Manager } from "../../access/operations/caller.js";
import { limitBodies } from "../../platform/http/body-limits.js";
import { CallerTurns } from "../../platform/http/caller-turns.js";
import { serve } from "../../platform/http/endpoint.js";
import { HttpError } from "../../platform/http/error-replies.js";
import type { OpenBodies } from "../../platform/http/open-bodies.js";
import { receivePieces } from "../../platform/http/receive-body.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, type Result } from "../../platform/refusal.js";
import type { MeterChoice } from "../operations/choose-meters.js";
import { importMeterData, previewMeterData } from "../operations/import-meter-data.js";
import type { MeterDataPorts } from "../operations/import-ports.js";
import type { MeterDataFile } from "../operations/plan-meter-data.js";
import { mappingOf } from "./mapping-text.js";
import { NO_METER, planToWire } from "./wire-meter-data.js";

type Importing = Omit<typeof operator.importMeterData, "id"> & { readonly id: string };
type Query = NonNullable<QueryOf<Importing>>;

/** An account imports one file at a time, however large it is, and so does each operator. */
export const importTurns = (): CallerTurns =>
  new CallerTurns({ because: "another file of yours is being imported", laterSeconds: 10 });

interface ImportLimits {
  readonly bodies: OpenBodies;
  readonly imports: CallerTurns;
}

/** Import of meter data of any site. */
export const meterDataRoutes = (app: FastifyInstance, ports: MeterDataPorts, limits: ImportLimits): void =>
  serveMeterData(app, operator.importMeterData, ports, {
    ...limits,
    importer: (request) => ({ actor: actorOf(request), within: null }),
  });

/** Import of meter data of the caller's own sites. */
export const ownMeterDataRoutes = (app: FastifyInstance, ports: MeterDataPorts, limits: ImportLimits): void =>
  serveMeterData(app, participantConsole.importOwnMeterData, ports, { ...limits, importer: personOf });

const serveMeterData = (
  app: FastifyInstance,
  endpoint: Importing,
  ports: MeterDataPorts,
  { importer, bodies, imports }: ImportLimits & { readonly importer: (request: FastifyRequest) => Manager },
): void =>
  void app.register(async (scope) => {
    limitBodies(scope, MAX_METER_DATA_BYTES);
    scope.removeAllContentTypeParsers();
    // The content shows the format, so any media type is accepted.
    scope.addContentTypeParser("*", (request: FastifyRequest) => receivePieces(request, bodies));
    serve(scope, endpoint, async ({ params, query, request, reply }) => {
      const who = importer(request);
      const file = fileOf(query, request.body, untilLeft(reply));
      if (isRefusal(file)) return file;
      const isDryRun = query.dry_run === true;
      const run = isDryRun ? previewMeterData : importMeterData;
      const plan = await imports.run(who.within ?? who.actor, () => run(ports, who, params.id, file));
      return isRefusal(plan) ? plan : planToWire(plan, { isDryRun, savedAs: isDryRun ? null : savedAs(file) });
    });
  });

const savedAs = ({ profiles: { saveAs } }: MeterDataFile): string | null => saveAs?.name ?? null;

/** Aborts once the connection ends; after the answer, nobody listens. */
const untilLeft = (reply: FastifyReply): AbortSignal => {
  const left = new AbortController();
  reply.raw.once("close", () => left.abort(hasLeft));
  return left.signal;
};

const hasLeft = new HttpError(400, "the connection ended before the file was imported; send it again");

const fileOf = (query: Query, body: unknown, signal: AbortSignal): Result<MeterDataFile> => {
  const choice = choiceOf(query);
  if (isRefusal(choice)) return choice;
  const mapping = query.mapping === undefined ? undefined : mappingOf(query.mapping);
  if (isRefusal(mapping)) return mapping;
  return {
    pieces: Array.isArray(body) ? body : [],
    signal,
    options: {
      format: query.format,
      timezone: offsetOf(query.timezone),
      intervalSeconds: query.interval_seconds,
      mapping,
    },
    choice,
    profiles: profilesIn(query),
    leavesOutEstimated: query.estimated === "leave_out",
  };
};

const profilesIn = ({
  mapping_profile: name,
  save_profile: saved,
  replace_profile: replaces = false,
}: Query): MeterDataFile["profiles"] => ({
  name: name ?? null,
  saveAs: saved === undefined ? null : { name: saved, replaces },
});

/** A plus sign that was not escaped arrives as a space. */
const offsetOf = (timezone: string | undefined): string | undefined => timezone?.replace(/^ (?=\d)/, "+");

const choiceOf = ({ meter_id: meterId, series = [] }: Query): Result<MeterChoice> => {
  const bySeries = new Map<string, string | null>();
  for (const each of series) {
    const at = each.lastIndexOf("=");
    if (at < 1) return invalid(`series is "${quote(each)}"; give name=meter_id, or name=${NO_METER} to leave it out`);
    const meter = each.slice(at + 1);
    bySeries.set(each.slice(0, at), meter === NO_METER ? null : meter);
  }
  return { meterId: meterId ?? null, bySeries };
};

import { Agent, get } from "node:http";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { copyFloor } from "./floor.js";
import { upload } from "./load.js";
import { bodiesOf, type ReadingSet, timeAt } from "./readings.js";
import { figure, median, percentile, ratio, report } from "./report.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";

interface Read {
  readonly name: string;
  readonly set: ReadingSet;
  /** Sites in one request; the interface allows at most 50. */
  readonly sitesPerRequest: number;
  readonly target: number;
}

/** 10,000 points of one site; the set is larger, so that neither side reads the whole table. */
export const oneSite: Read = {
  name: "read 10,000 points of one site",
  set: { meters: 4, steps: 10_000, intervalSeconds: 30 },
  sitesPerRequest: 1,
  target: 2.5,
};

/** 100 sites with two hours each: two requests of 50 sites. */
export const manySites: Read = {
  name: "read 100 sites, 240 points each",
  set: { meters: 100, steps: 240, intervalSeconds: 30 },
  sitesPerRequest: 50,
  target: 1,
};

const ROUNDS = 100;
// Not measured: participants do not meet a service that has just started.
const WARM_UP_ROUNDS = 50;

/** Reads the same points over HTTP and, as the floor, from a row table through `pg`, in turns. */
export const read = async (cluster: BenchCluster, each: Read): Promise<void> => {
  const database = await cluster.fresh("bench_read");
  await copyFloor(cluster, database, each.set, "by time");
  await database.pool.query("analyze floor");
  const service = await startService(database);
  const participant = await service.newParticipant(each.set.meters);
  await upload(service.url, participant.key, bodiesOf(each.set, participant.meterIds, "by meter"), 2);
  const asked = each.sitesPerRequest === 1 ? 1 : each.set.meters;
  const [http, parsed, floor]: [number[], number[], number[]] = [[], [], []];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    if (round === 0) for (const figures of [http, parsed, floor]) figures.length = 0;
    floor.push(await timed(() => readRows(database, each, asked)));
    http.push(await timed(() => readHttp(service, participant, each, asked, agent, false)));
    parsed.push(await timed(() => readHttp(service, participant, each, asked, agent, true)));
  }
  report(each.name, {
    points: asked * each.set.steps,
    "HTTP p50 ms": figure(median(http)),
    "HTTP p99 ms": figure(percentile(http, 0.99)),
    "HTTP, parsed by the client, p50 ms": figure(median(parsed)),
    "pg rows (floor) p50 ms": figure(median(floor)),
    ratio: ratio(median(floor) / median(http), each.target),
    "ratio, parsed by the client": figure(median(floor) / median(parsed)),
  });
  agent.destroy();
  await service.stop();
  await database.drop();
};

const timed = async (work: () => Promise<void>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

const readRows = async ({ pool }: BenchDatabase, { set }: Read, meters: number): Promise<void> => {
  const { rows } = await pool.query({
    name: "floor",
    text: "select meter, ts, seconds, kw from floor where meter = any($1) and ts > $2 and ts <= $3 order by meter, ts",
    values: [Array.from({ length: meters }, (_, index) => index + 1), timeAt(set, -1), timeAt(set, set.steps - 1)],
  });
  if (rows.length !== meters * set.steps) throw new Error(`the floor read ${rows.length} rows`);
};

const readHttp = async (
  { url }: BenchService,
  { key, siteIds }: BenchParticipant,
  { set, sitesPerRequest }: Read,
  sites: number,
  agent: Agent,
  parse: boolean,
): Promise<void> => {
  for (let first = 0; first < sites; first += sitesPerRequest) {
    const query = new URLSearchParams();
    for (const id of siteIds.slice(first, first + sitesPerRequest)) query.append("site_id", id);
    query.set("start_time", timeAt(set, -1));
    query.set("end_time", timeAt(set, set.steps - 1));
    const headers = { "x-service-api-key": key };
    const body = await received(`${url}/2022-04-15/telemetry/kw?${query.toString()}`, headers, agent);
    if (parse) JSON.parse(Buffer.concat(body).toString());
  }
};

/** The bytes of the answer. */
export const received = (url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<Buffer[]> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve(chunks);
        else
          reject(
            new Error(`the read answered ${answer.statusCode}: ${Buffer.concat(chunks).toString().slice(0, 300)}`),
          );
      });
    });
    request.on("error", reject);
  });

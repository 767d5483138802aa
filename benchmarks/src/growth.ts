import type { BenchCluster, BenchDatabase } from "./database.js";
import { growthOfPast } from "./growth-past.js";
import { counting, type Spent } from "./parts.js";
import { type ReadingSet, timeAt, uploadBody } from "./readings.js";
import { atMost, figure, median, percentile, report } from "./report.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";
import { type LoadSent, requestText, type SocketLoad, sendLoad, startLoad } from "./socket-load.js";

const METERS = 1000;
/** Stored readings, in millions: use BENCH_GROWTH_MILLIONS=1,10 for a shorter run. */
const MILLIONS = (process.env["BENCH_GROWTH_MILLIONS"] ?? "1,10,100").split(",").filter(Boolean).map(Number);
const ROUNDS = 5;
const CELLS_PER_HOUR = 120;
const HOUR_MS = 3_600_000;
const FLAT = 1.5;
const set: ReadingSet = { meters: METERS, steps: 0, intervalSeconds: 30 };
/** Hour in which `timeAt` begins; the readings that are stored before end there. */
const FIRST_HOUR = Date.parse(timeAt(set, -1)) / HOUR_MS;

const KINDS = ["poll", "upload of 1,000 meters", "read of two hours"] as const;
type Kind = (typeof KINDS)[number];

interface Cost {
  /** Microseconds of the processor, service and database. */
  readonly cpuUs: number;
  readonly p50Ms: number;
}

/** What a poll, an upload and a read cost while more and more is stored. */
export const growth = async (cluster: BenchCluster): Promise<void> => {
  if (MILLIONS.length > 0) await growthOfReadings(cluster);
  await growthOfPast(cluster);
};

const growthOfReadings = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_growth");
  const service = await startService(database, { settings: { CURTAIL_RATE_LIMIT_DISPATCHES: "100000000" } });
  const participant = await service.newParticipant(METERS);
  const costs: Array<ReadonlyMap<Kind, Cost>> = [];
  let step = 0;
  let hours = 0;
  for (const millions of MILLIONS) {
    const wanted = Math.round((millions * 1e6) / METERS / CELLS_PER_HOUR);
    await fill(database, { from: FIRST_HOUR - wanted, to: FIRST_HOUR - hours - 1 });
    hours = wanted;
    costs.push(await measureAll(cluster, service, { participant, nextStep: () => step++ }));
  }
  for (const kind of KINDS)
    tell(
      kind,
      costs.map((each) => each.get(kind)).flatMap((cost) => cost ?? []),
    );
  await service.stop();
  await database.drop();
};

const fill = async (
  { pool }: BenchDatabase,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> => {
  await pool.query(
    `insert into telemetry_hours (site, meter, hour, kw)
     select sites.key, meters.key, hour,
       (select array_agg(round((100 + (hour * 7 + cell * 31 + meters.key) % 97 * 0.1)::numeric, 1)::float8)
        from generate_series(1, 120) as cell)
     from sites join meters on meters.site_id = sites.id cross join generate_series($1::int, $2::int) as hour`,
    [from, to],
  );
  await pool.query("vacuum analyze telemetry_hours");
  await pool.query("checkpoint");
};

interface Measured {
  readonly participant: BenchParticipant;
  readonly nextStep: () => number;
}

const measureAll = async (
  cluster: BenchCluster,
  service: BenchService,
  { participant, nextStep }: Measured,
): Promise<ReadonlyMap<Kind, Cost>> => {
  const load = startLoad();
  const rounds = new Map<Kind, Array<LoadSent & { readonly spent: Spent }>>(KINDS.map((kind) => [kind, []]));
  // The first round is for connections, memory and compiling.
  for (let round = -1; round < ROUNDS; round++) {
    for (const kind of KINDS) {
      const order = orderOf(kind, service.url, participant, nextStep);
      const spent = counting({ service: service.pid, database: cluster.pid, load: load.pid ?? 0 });
      const sent = { ...(await sendLoad(load, order)), spent: spent() };
      if (round >= 0) rounds.get(kind)?.push(sent);
    }
  }
  load.disconnect();
  return new Map([...rounds].map(([kind, each]) => [kind, costOf(each)]));
};

const costOf = (rounds: ReadonlyArray<LoadSent & { readonly spent: Spent }>): Cost => ({
  cpuUs: median(rounds.map(({ spent, count }) => ((spent.service + spent.database) / count) * 1e6)),
  p50Ms: percentile(
    rounds.flatMap(({ latenciesMs }) => latenciesMs),
    0.5,
  ),
});

const orderOf = (
  kind: Kind,
  url: string,
  { key, meterIds, siteIds }: BenchParticipant,
  nextStep: () => number,
): SocketLoad => {
  const api = `${url}/2022-04-15`;
  const headers = { "x-service-api-key": key, "content-type": "application/json" };
  const ordered = (requests: readonly string[], most: number): SocketLoad => ({
    url,
    requests,
    connections: 8,
    most,
    seconds: 600,
  });
  switch (kind) {
    case "poll":
      return ordered([requestText("GET", `${api}/dispatches`, headers)], 20_000);
    case "upload of 1,000 meters": {
      const bodies = Array.from({ length: 60 }, () => uploadBody(set, meterIds, nextStep()).toString());
      return ordered(
        bodies.map((body) => requestText("POST", `${api}/telemetry`, headers, body)),
        bodies.length,
      );
    }
    case "read of two hours": {
      const times = `start_time=${hourText(FIRST_HOUR - 2)}&end_time=${hourText(FIRST_HOUR)}`;
      const reads = siteIds.map((id) => requestText("GET", `${api}/telemetry/kw?site_id=${id}&${times}`, headers));
      return ordered(reads, 2000);
    }
  }
};

const hourText = (hour: number): string => new Date(hour * HOUR_MS).toISOString();

const tell = (kind: Kind, costs: readonly Cost[]): void => {
  const cpu = costs.map(({ cpuUs }) => cpuUs);
  const most = Math.max(...cpu) / Math.min(...cpu);
  report(`${kind}, with ${MILLIONS.join(", ")} million stored readings`, {
    "processor µs, service and database": cpu.map(figure).join(", "),
    "p50 ms": costs.map(({ p50Ms }) => figure(p50Ms)).join(", "),
    "most to least": atMost(most, FLAT),
  });
};

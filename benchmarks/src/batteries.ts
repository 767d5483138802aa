import type { BenchCluster, BenchDatabase } from "./database.js";
import { untilFolded, walOf } from "./ingest.js";
import { upload } from "./load.js";
import { counting, type Spent, spentLines } from "./parts.js";
import { bodiesOf, type ReadingSet, timeAt, type UploadFormat } from "./readings.js";
import { figure, median, report } from "./report.js";
import { type BenchParticipant, startService } from "./service.js";

/** Each upload has the power and the state of charge of 500 batteries. */
const SET: ReadingSet = { meters: 500, steps: 360, intervalSeconds: 30 };
const READINGS = 2 * SET.meters * SET.steps;
const CONNECTIONS = 4;
const ROUNDS = 3;

const batteries: UploadFormat = {
  reading: (set, meterId, meter, step) => {
    const [power, charge] = [(meter + step) % 97, 5000 + ((meter * 7 + step) % 1000)];
    const of = `"meter_id":"${meterId}","interval_seconds":${set.intervalSeconds},"timestamp":"${timeAt(set, step)}"`;
    return `{${of},"kW":${power}},{${of},"value":${charge},"units":"kWh"}`;
  },
  body: (readings) => `{"telemetry":[${readings.join(",")}]}`,
};

interface Round {
  readonly perSecond: number;
  readonly walBytes: number;
  readonly spent: Spent;
}

/** Uploads with states of charge, without and with the log, in turn; folds are counted. */
export const uploadsOfBatteries = async (cluster: BenchCluster): Promise<void> => {
  const rounds: Record<"off" | "60", Round[]> = { off: [], "60": [] };
  for (let nth = 0; nth < ROUNDS; nth++)
    for (const foldAfter of ["off", "60"] as const) rounds[foldAfter].push(await once(cluster, foldAfter));
  for (const [foldAfter, of] of Object.entries(rounds))
    report(`uploads of batteries, ${foldAfter === "off" ? "rows" : "log"}`, {
      "readings/s": Math.round(median(of.map(({ perSecond }) => perSecond))),
      "bytes of PostgreSQL's log a reading": figure(median(of.map(({ walBytes }) => walBytes)) / READINGS),
      ...spentLines(of, READINGS, "reading"),
    });
};

const once = async (cluster: BenchCluster, foldAfter: string): Promise<Round> => {
  const database = await cluster.fresh("bench_batteries");
  const service = await startService(database, { settings: { CURTAIL_FOLD_AFTER: foldAfter } });
  const participant = await service.newParticipant(SET.meters);
  await makeBatteries(database, participant);
  const bodies = bodiesOf(SET, participant.meterIds, "by time", batteries);
  await database.pool.query("checkpoint");
  const [before, spent] = [await walOf(database), counting({ service: service.pid, database: cluster.pid })];
  const { seconds } = await upload(service.url, participant.key, bodies, CONNECTIONS);
  await untilFolded(database);
  const round = { perSecond: READINGS / seconds, walBytes: (await walOf(database)) - before, spent: spent() };
  await allStored(database);
  await service.stop();
  await database.drop();
  return round;
};

/** Before their first reading, as their accounts would see it. */
const makeBatteries = async ({ pool }: BenchDatabase, { meterIds }: BenchParticipant): Promise<void> => {
  await pool.query("update meters set asset_type = 'battery', kwh_means = 'charge' where id = any($1)", [meterIds]);
};

const allStored = async ({ pool }: BenchDatabase): Promise<void> => {
  const { rows } = await pool.query<{ powers: string; charges: string }>(
    `select (select sum(cardinality(kw)) from telemetry_hours) as powers,
       (select sum(cardinality(kwh)) from charge_hours) as charges`,
  );
  const { powers, charges } = rows[0] ?? {};
  if (Number(powers) + Number(charges) !== READINGS)
    throw new Error(`${powers} powers and ${charges} states of charge are stored of ${READINGS} readings`);
};

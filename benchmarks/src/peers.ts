import { setTimeout as sleep } from "node:timers/promises";
import { type Agent, request } from "undici";
import { cpuSeconds } from "./cpu.js";
import type { BenchCluster } from "./database.js";
import { bulk, type Ingest, type IngestRound, ingestOnce, inHalves, live, type Rates, readingsOf } from "./ingest.js";
import { sendAll } from "./load.js";
import { bytesIn, isInstalled, type Peer, startPeer } from "./peer.js";
import { bodiesOf, lines } from "./readings.js";
import { figure, median, percentile, report, spread } from "./report.js";

const readJson = async (address: string): Promise<unknown> => (await fetch(address)).json();

const influx: Peer = {
  name: "InfluxDB 1.6",
  command: "influxd",
  durability: "on disk",
  serve: (port, folder) => ({
    args: ["run"],
    env: {
      INFLUXDB_META_DIR: `${folder}/meta`,
      INFLUXDB_DATA_DIR: `${folder}/data`,
      INFLUXDB_DATA_WAL_DIR: `${folder}/wal`,
      INFLUXDB_HTTP_BIND_ADDRESS: `127.0.0.1:${port}`,
      INFLUXDB_BIND_ADDRESS: "127.0.0.1:0",
      INFLUXDB_HTTP_LOG_ENABLED: "false",
      INFLUXDB_REPORTING_DISABLED: "true",
      INFLUXDB_MONITOR_STORE_ENABLED: "false",
      // Otherwise what was written stays in its log for ten minutes.
      INFLUXDB_DATA_CACHE_SNAPSHOT_WRITE_COLD_DURATION: "2s",
      INFLUXDB_DATA_COMPACT_FULL_WRITE_COLD_DURATION: "2s",
    },
  }),
  async prepare(url) {
    await fetch(`${url}/query?q=create+database+bench`, { method: "POST" });
  },
  write: "/write?db=bench&precision=s",
  async count(url) {
    const answer = await readJson(`${url}/query?db=bench&q=select+count(kw)+from+power`);
    return (answer as { results: [{ series: [{ values: [[string, number]] }] }] }).results[0].series[0].values[0][1];
  },
  settle: (_url, folder) => untilSteady(folder),
};

const victoria: Peer = {
  name: "VictoriaMetrics",
  command: "victoria-metrics",
  durability: "in memory, on disk within seconds",
  serve: (port, folder) => ({
    args: [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`, "-retentionPeriod=100y"],
    env: {},
  }),
  prepare: async () => {},
  write: "/write?precision=s",
  async count(url) {
    await fetch(`${url}/internal/force_flush`);
    const answer = await readJson(
      `${url}/api/v1/query?query=sum(count_over_time(power_kw[400d]))&time=${Date.UTC(2026, 11, 1) / 1000}`,
    );
    return Number((answer as { data: { result: [{ value: [number, string] }] } }).data.result[0].value[1]);
  },
  async settle(url, folder) {
    await fetch(`${url}/internal/force_flush`);
    await fetch(`${url}/internal/force_merge`);
    await untilSteady(folder);
  },
};

const STEADY_MS = 6000;

/** Waits until the folder has not changed its size for a while. */
const untilSteady = async (folder: string): Promise<void> => {
  let before = -1;
  for (let bytes = bytesIn(folder); bytes !== before; bytes = bytesIn(folder)) {
    before = bytes;
    await sleep(STEADY_MS);
  }
};

type PeerRound = Rates & Pick<IngestRound, "bytesPerReading" | "latenciesMs"> & { readonly cpu: number };

const ROUNDS = 5;

/** The same readings, sent to the service and to other databases in turn, over HTTP and as many connections. */
export const peers = async (cluster: BenchCluster): Promise<void> => {
  for (const each of [bulk, live]) {
    const own: PeerRound[] = [];
    const others = new Map<Peer, PeerRound[]>([influx, victoria].filter(isInstalled).map((peer) => [peer, []]));
    for (const peer of [influx, victoria])
      if (!others.has(peer)) process.stdout.write(`\n${peer.name} is not installed (${peer.command}): skipped\n`);
    for (let round = 0; round < ROUNDS; round++) {
      const { spent, ...measured } = await ingestOnce(cluster, each);
      own.push({ ...measured, cpu: spent.service + spent.database });
      for (const [peer, rounds] of others) rounds.push(await ingestPeer(peer, each));
    }
    reportOn(`${each.name}: the service (on disk)`, each, own, own);
    for (const [peer, rounds] of others) reportOn(`${each.name}: ${peer.name} (${peer.durability})`, each, rounds, own);
  }
};

const reportOn = (title: string, { set }: Ingest, rounds: readonly PeerRound[], own: readonly PeerRound[]): void => {
  const perSecond = median(rounds.map((each) => each.perSecond));
  const ofOwn = (rate: (round: Rates) => number): string =>
    spread(rounds.flatMap((each, nth) => own.slice(nth, nth + 1).map((ours) => rate(ours) / rate(each))));
  report(title, {
    "readings/s": Math.round(perSecond),
    "readings/s, first half after the start": Math.round(median(rounds.map(({ cold }) => cold))),
    "readings/s, second half": Math.round(median(rounds.map(({ warm }) => warm))),
    "the service's to these, first half": ofOwn(({ cold }) => cold),
    "the service's to these, second half": ofOwn(({ warm }) => warm),
    "p99 ms": figure(
      percentile(
        rounds.flatMap(({ latenciesMs }) => latenciesMs),
        0.99,
      ),
    ),
    "bytes per reading": figure(median(rounds.map(({ bytesPerReading }) => bytesPerReading))),
    "CPU µs per reading": figure((median(rounds.map(({ cpu }) => cpu)) / readingsOf(set)) * 1e6),
  });
};

/** Fails unless every reading can be read back. */
const ingestPeer = async (peer: Peer, { set, order, connections }: Ingest): Promise<PeerRound> => {
  const meterIds = Array.from({ length: set.meters }, (_, meter) => `mtr_${meter}`);
  const bodies = bodiesOf(set, meterIds, order, lines);
  const running = await startPeer(peer);
  const before = cpuSeconds(running.pid);
  const { rates, latenciesMs } = await inHalves(bodies, readingsOf(set), (half) =>
    sendAll(half, connections, postLines(running.url + peer.write)),
  );
  const cpu = cpuSeconds(running.pid) - before;
  const readings = await peer.count(running.url);
  if (readings !== readingsOf(set)) throw new Error(`${peer.name} has ${readings} of ${readingsOf(set)} readings`);
  await peer.settle(running.url, running.folder);
  const bytesPerReading = bytesIn(running.folder) / readings;
  await running.stop();
  return { ...rates, bytesPerReading, latenciesMs, cpu };
};

const postLines =
  (address: string) =>
  async (body: Buffer, dispatcher: Agent): Promise<number> => {
    const sent = performance.now();
    const answer = await request(address, { method: "POST", body, dispatcher });
    const text = await answer.body.text();
    if (answer.statusCode !== 204) throw new Error(`a write answered ${answer.statusCode}: ${text.slice(0, 300)}`);
    return performance.now() - sent;
  };

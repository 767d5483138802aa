import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "@curtail/testing/at-end";
import { type CitusCluster, type CitusNode, citusPrograms, startCitus } from "@curtail/testing/citus";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { run } from "./support/backup-story.js";
import { FailoverLoad } from "./support/failover-load.js";
import { newParticipant, newProgram } from "./support/participant.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess, temporaryFolder } from "./support/service-process.js";

/** Of each kind; the note of docs/scaling.md took more. */
const ROUNDS = Number(process.env["TEST_CITUS_ROUNDS"] ?? 2);
const SITES = 12;
const ROUND_MS = 240_000;
const UNDER_WAY_MS = 1500;
const AGAIN_MS = 30_000;
/** An upload may wait for the end of a move. */
const SLOWEST_MS = 8000;

const bin = citusPrograms();

interface Placement {
  readonly shard: number;
  readonly node: string;
}

const PLACEMENTS = `
  select shardid::int as shard, nodename || ':' || nodeport as node
  from pg_dist_placement join pg_dist_shard using (shardid) join pg_dist_node using (groupid)
  where logicalrelid = 'telemetry_hours'::regclass order by shardid`;

/** What moves a shard, with those of the other tables that belong to it. */
const move = ({ shard, node: from }: Placement, to: CitusNode, how: "force_logical" | "block_writes"): string => {
  const [[host, port], [otherHost, otherPort]] = [from.split(":"), to.name.split(":")];
  return `select citus_move_shard_placement(${shard}, '${host}', ${port}, '${otherHost}', ${otherPort}, '${how}')`;
};

const report = (what: string, load: FailoverLoad): void =>
  void process.stdout.write(
    `${what}: ${load.readings} readings answered, ${load.refusals.length} refusals, slowest ${Math.round(load.slowestMs)} ms\n`,
  );

describe.skipIf(bin === null)(
  "readings on several machines, under load (needs TEST_CITUS, the programs of a PostgreSQL with Citus)",
  () => {
    let cluster: CitusCluster;
    let service: ServiceProcess;

    beforeAll(async () => {
      cluster = await startCitus(bin ?? "", 2);
      atEnd(() => cluster.remove());
      const folder = await temporaryFolder();
      atEnd(() => folder.remove());
      const settings = {
        DATABASE_URL: cluster.url,
        CURTAIL_DATA_DIR: folder.path,
        CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
        CURTAIL_RATE_LIMIT: "1000000",
      };
      // Before it is distributed, and once more.
      const before = await startProcess(settings);
      expect((await run(["distribute"], settings)).errors).toMatch(/Stop every process of the service/);
      await before.end("SIGTERM");
      expect((await run(["distribute", "--shards", "4"], settings)).output).toMatch(/in 4 shards on 2 workers/);
      expect((await run(["distribute"], settings)).output).toMatch(/^nothing was changed/);
      service = await startProcess(settings);
      atEnd(async () => void (await service.end("SIGTERM")));
    }, ROUND_MS);

    const underLoad = async (): Promise<FailoverLoad> => {
      const participant = await newParticipant(service.url, SITES);
      const load = new FailoverLoad(service.url, participant, await newProgram(service.url));
      load.start();
      onTestFinished(() => load.stop());
      await sleep(UNDER_WAY_MS);
      return load;
    };

    const placements = () => cluster.coordinator.query<Placement>(PLACEMENTS);

    test("moving shards loses no reading and refuses none", { timeout: ROUND_MS }, async () => {
      const load = await underLoad();
      for (let round = 0; round < ROUNDS; round++)
        for (const how of ["force_logical", "block_writes"] as const) {
          const [placement] = await placements();
          const target = cluster.workers.find(({ name }) => name !== placement?.node);
          if (placement === undefined || target === undefined) throw new Error("there is nothing to move");
          await cluster.coordinator.query(move(placement, target, how));
        }
      await sleep(UNDER_WAY_MS);
      await load.stop();
      report("moving shards", load);
      expect(load.refusals).toEqual([]);
      expect(load.slowestMs).toBeLessThan(SLOWEST_MS);
      expect(await load.lostReadings()).toBe(0);
      // The failing control: what is lost is found.
      await cluster.coordinator.query(
        "delete from telemetry_hours where hour = (select max(hour) from telemetry_hours)",
      );
      expect(await load.lostReadings()).toBeGreaterThan(0);
    });

    test("a worker that is added takes its share, and no reading is lost or refused", {
      timeout: ROUND_MS,
    }, async () => {
      const load = await underLoad();
      const worker = await cluster.addWorker();
      await cluster.coordinator.query("select citus_rebalance_start()");
      await cluster.coordinator.query("select citus_rebalance_wait()");
      expect((await placements()).map(({ node }) => node)).toContain(worker.name);
      await sleep(UNDER_WAY_MS);
      await load.stop();
      report("adding a worker", load);
      expect(load.refusals).toEqual([]);
      expect(load.slowestMs).toBeLessThan(SLOWEST_MS);
      expect(await load.lostReadings()).toBe(0);
    });

    /** Kills a worker under load and starts it again; answers how many answered readings are gone. */
    const lostByKill = async (what: string): Promise<number> => {
      const load = await underLoad();
      for (let round = 0; round < ROUNDS; round++) {
        const worker = cluster.workers[round % 2];
        await worker?.kill();
        await sleep(UNDER_WAY_MS);
        await worker?.start();
        const before = load.answeredSoFar().cells;
        const hasMore = ([meter, cells]: readonly [string, number]): boolean => cells > (before.get(meter) ?? 0);
        await expect.poll(() => [...load.answeredSoFar().cells].every(hasMore), { timeout: AGAIN_MS }).toBe(true);
        await sleep(UNDER_WAY_MS);
      }
      await load.stop();
      report(what, load);
      // Only uploads, and each says when to come again.
      const refused = load.refusals.filter(({ status }) => status !== 0);
      expect(
        new Set(refused.map(({ kind, status, retryAfter }) => `${kind} ${status} ${retryAfter !== null}`)),
      ).toEqual(new Set(["upload 500 true"]));
      return load.lostReadings();
    };

    test("a worker that is killed loses nothing that was answered; dispatches go on", {
      timeout: ROUND_MS,
    }, async () => {
      expect(await lostByKill("killing workers")).toBe(0);
    });

    test("control: workers that commit before the log is on disk lose answered readings", {
      timeout: ROUND_MS,
    }, async () => {
      for (const worker of cluster.workers) {
        await worker.query("alter system set synchronous_commit = off");
        await worker.query("alter system set wal_writer_delay = '10s'");
        await worker.query("select pg_reload_conf()");
      }
      expect(await lostByKill("killing workers that commit too early")).toBeGreaterThan(0);
    });
  },
);

import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@curtail/embedded-postgres";
import pg from "pg";
import { onSignal } from "./on-signal.js";

/** One PostgreSQL for the whole run: the one that comes with the service, with its settings. */
export interface BenchCluster {
  /** A folder that PostgreSQL can read, for COPY. */
  readonly folder: string;
  readonly pid: number;
  fresh(name: string): Promise<BenchDatabase>;
  stop(): Promise<void>;
}

export interface BenchDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  drop(): Promise<void>;
}

const tell = (details: object, message: string): void =>
  void process.stderr.write(`${message} ${JSON.stringify(details)}\n`);
const log = { info: () => {}, warn: tell, error: tell };

export const startCluster = async (): Promise<BenchCluster> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-bench-"));
  await chmod(folder, 0o755);
  const starting = startEmbedded({ dataDir: join(folder, "data"), log });
  const forget = onSignal(async () => {
    // One that did not start leaves nothing running.
    await starting.then(
      (embedded) => embedded.stop(),
      () => {},
    );
    await rm(folder, { recursive: true, force: true });
  });
  const embedded = await starting;
  const admin = new pg.Client({ ...embedded.connection, database: "postgres" });
  // A signal stops the server while it is connected.
  admin.on("error", () => {});
  await admin.connect();
  const { rows } = await admin.query<{ pid: number }>("select pg_backend_pid() as pid");
  return {
    folder,
    pid: await parentOf(rows[0]?.pid ?? 0),
    async fresh(name) {
      await admin.query(`create database ${name}`);
      const { host, port, user } = embedded.connection;
      const pool = new pg.Pool({ ...embedded.connection, database: name, max: 4 });
      // Dropping the database ends connections that are still closing.
      pool.on("error", () => {});
      return {
        url: `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
        pool,
        async drop() {
          await pool.end();
          await admin.query(`drop database ${name} with (force)`);
        },
      };
    },
    async stop() {
      await admin.end();
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
      forget();
    },
  };
};

const parentOf = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
};

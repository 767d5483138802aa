import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { postgresUser, systemPostgres } from "@curtail/testing/system-postgres";
import { fileIn, replaced } from "./documented-file.js";
import { backupEnvironment, type FailoverCluster, type Node } from "./failover-cluster.js";
import { missingPrograms, programOf } from "./failover-files.js";

const PAGE = "docs/point-in-time.md";

/** The second that the page has in its files. */
const EXAMPLE = "2026-11-30 14:07:59+00";

/** What has to be installed, and who has to run it: the page's pg_hba knows `postgres` alone. */
export const missingForPointInTime = (): readonly string[] => [
  ...missingPrograms(),
  ...(programOf("pgbackrest") === null ? ["pgbackrest"] : []),
  ...(postgresUser() === null ? ["root"] : []),
];

/** As PostgreSQL and the command take it. */
export const secondOf = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19).replace("T", " ")}+00`;

/** What the page adds to the set-up of docs/failover.md, carried out as it is written. */
export class PointInTime {
  constructor(private readonly cluster: FailoverCluster) {}

  static readonly haproxy = (): string => fileIn(PAGE, "haproxy-standby");

  /** Installs the files of pgBackRest, archives, and makes the stanza and the first backup. */
  async setUp(): Promise<void> {
    const { folder } = this.cluster;
    const [leader, standby] = [await this.cluster.leader(), await this.cluster.standby()];
    await owned(join(folder, "repository"));
    for (const node of [leader, standby]) {
      await owned(join(folder, `${node.name}-locks`));
      await writeFile(backupEnvironment(folder, node.name)["PGBACKREST_CONFIG"] ?? "", this.configOf(node));
    }
    await writeFile(join(folder, "archiving.yml"), fileIn(PAGE, "archiving"));
    await this.run(leader, "apply", [["/etc/patroni/config.yml", this.cluster.configOf(leader)]]);
    await this.cluster.untilSynchronous();
  }

  /** The stanza and the first full backup. */
  async firstBackup(): Promise<void> {
    await this.run(await this.cluster.leader(), "first", []);
  }

  /** What the restore will undo, as lines of the audit log. */
  undone(second: string): Promise<readonly string[]> {
    return this.sql(replaced(fileIn(PAGE, "undone"), [[EXAMPLE, second]]));
  }

  /** Lines of the result, from the database that leads; by a user who may change everything. */
  async sql(text: string): Promise<readonly string[]> {
    const leader = await this.cluster.leader();
    const program = `psql -h ${this.cluster.folder} -p ${leader.port} -d curtail -v ON_ERROR_STOP=1 -At`;
    const { stdout } = await this.shell(leader, `${program} <<'SQL'\n${text}\nSQL`);
    return stdout.split("\n").filter(Boolean);
  }

  /** Steps 4 to 6 of the page. Returns the database that leads then. */
  async restore(second: string): Promise<void> {
    const [leader, standby] = [await this.cluster.leader(), await this.cluster.standby()];
    await this.run(leader, "last", this.places(leader));
    await this.cluster.stop();
    await this.run(leader, "restore", [
      [EXAMPLE, second],
      ["/var/lib/postgresql/curtail", leader.data],
      ["/var/lib/postgresql/restore.log", join(this.cluster.folder, "restore.log")],
      ["/usr/lib/postgresql/15/bin", systemPostgres() ?? ""],
      ...this.places(leader),
    ]);
    await this.run(leader, "forget", [["/etc/patroni/config.yml", this.cluster.configOf(leader)]]);
    this.cluster.revive(leader);
    await this.cluster.leader();
    await this.shell(standby, `mv ${standby.data} ${standby.data}-before`);
    this.cluster.revive(standby);
  }

  /** The copy of the rehearsal, started on a port of its own. It lacks the log since the backup. */
  async rehearse(port: number): Promise<{ readonly url: string; stop(): Promise<void> }> {
    const leader = await this.cluster.leader();
    const data = join(this.cluster.folder, "rehearsal");
    const bin = systemPostgres() ?? "";
    await this.run(leader, "rehearse", [
      ["/var/lib/postgresql/rehearsal", data],
      ["/usr/lib/postgresql/15/bin", bin],
      ["5499", String(port)],
    ]);
    return {
      url: this.cluster.url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`),
      stop: async () => void (await this.shell(leader, `${bin}/pg_ctl -D ${data} -w -m immediate stop`)),
    };
  }

  private configOf(node: Node): string {
    return replaced(fileIn(PAGE, "pgbackrest"), [
      ["/srv/pgbackrest", join(this.cluster.folder, "repository")],
      ["/var/lib/postgresql/curtail", node.data],
      ...this.places(node),
    ]);
  }

  private places({ port }: Node): ReadonlyArray<readonly [string, string]> {
    return [
      ["/run/postgresql", this.cluster.folder],
      ["5432", String(port)],
    ];
  }

  private async run(node: Node, name: string, by: ReadonlyArray<readonly [string, string]>): Promise<void> {
    await this.shell(node, replaced(fileIn(PAGE, name), by));
  }

  private async shell({ name }: Node, text: string): Promise<{ readonly stdout: string }> {
    const { folder } = this.cluster;
    const env = { PATH: process.env["PATH"], HOME: folder, LANG: "C.UTF-8", ...backupEnvironment(folder, name) };
    return promisify(execFile)("bash", ["-ec", text], { cwd: folder, env, ...postgresUser() });
  }
}

const owned = async (path: string): Promise<void> => {
  await mkdir(path, { mode: 0o700 });
  const user = postgresUser();
  if (user !== null) await promisify(execFile)("chown", [`${user.uid}:${user.gid}`, path]);
};

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { chown, mkdir, rm, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { freePort } from "@curtail/testing/free-port";
import { postgresFolder, postgresUser, systemPostgres } from "@curtail/testing/system-postgres";
import { vi } from "vitest";
import { replaced } from "./documented-file.js";
import { documentedFile, ofMachine, programOf } from "./failover-files.js";
import { MachineNetwork } from "./machine-network.js";

const MACHINES = [
  { name: "one", address: "10.0.0.11" },
  { name: "two", address: "10.0.0.12" },
  { name: "three", address: "10.0.0.13" },
] as const;

const PATIENCE = { timeout: 120_000, interval: 250 };

const ASK_MS = 2000;

/** A database with its patroni. */
export interface Node {
  readonly name: string;
  readonly data: string;
  readonly port: number;
  /** Host and port of patroni's own interface. */
  readonly rest: string;
  patroni: ChildProcess;
}

export interface ClusterOptions {
  /** What another page adds to the file of haproxy. */
  readonly proxied?: string;
  /** Of patroni's file: what docs/failover.md advises against. */
  readonly changes?: ReadonlyArray<readonly [string, string]>;
  /** Whether each machine has a network of its own, where this user may make some. */
  readonly isApart?: boolean;
}

/** The set-up of docs/failover.md on this machine: two databases, three etcd, a haproxy. */
export class FailoverCluster {
  private readonly others: ChildProcess[] = [];
  private readonly nodes: Node[] = [];

  private constructor(
    readonly folder: string,
    /** Where the addresses of the page are here, host and port. */
    private readonly places: ReadonlyMap<string, string>,
    /** null: all are on one network, which cannot be cut. */
    readonly network: MachineNetwork | null,
    readonly url: string,
    private readonly options: ClusterOptions,
  ) {}

  static async start(options: ClusterOptions = {}): Promise<FailoverCluster> {
    const folder = await postgresFolder();
    const network = options.isApart === true ? MachineNetwork.create(MACHINES.map(({ name }) => name)) : null;
    const places = new Map<string, string>();
    for (const { name, address } of MACHINES)
      for (const port of [2379, 2380, 8008, 5432])
        places.set(
          `${address}:${port}`,
          network === null ? `127.0.0.1:${await freePort()}` : `${network.addressOf(name)}:${port}`,
        );
    for (const port of [5000, 5001]) places.set(`127.0.0.1:${port}`, `127.0.0.1:${await freePort()}`);
    const url = `postgresql://curtail:change-this-curtail@${places.get("127.0.0.1:5000")}/curtail`;
    const cluster = new FailoverCluster(folder, places, network, url, options);
    try {
      await cluster.startAll();
    } catch (error) {
      await cluster.end();
      throw error;
    }
    return cluster;
  }

  /** The database that leads, as haproxy would find it. */
  async leader(): Promise<Node> {
    return vi.waitFor(async () => {
      for (const node of this.nodes) {
        const answer = await ask(node, "/primary").catch(() => null);
        if (answer?.status === 200) return node;
      }
      throw new Error("no database leads");
    }, PATIENCE);
  }

  /** Waits until the standby is a synchronous one. */
  untilSynchronous(): Promise<void> {
    return this.untilRoles("sync_standby");
  }

  /** Commits no longer wait for the standby: what docs/failover.md advises against. */
  async makeAsynchronous(): Promise<void> {
    const body = JSON.stringify({ synchronous_mode: false });
    await ask(await this.leader(), "/config", { method: "PATCH", body });
    await this.untilRoles("replica");
  }

  /** Kills a database and its patroni, as a machine that loses its power. */
  async kill(node: Node): Promise<void> {
    const ended = once(node.patroni, "exit");
    signal(processesOf(node), "SIGKILL");
    await ended;
  }

  /** Starts what was killed or stopped. */
  revive(node: Node): void {
    node.patroni = this.runPatroni(node.name);
  }

  /** Stops both databases and their patroni, as `systemctl stop patroni`. */
  async stop(): Promise<void> {
    for (const { patroni } of this.nodes) {
      const ended = once(patroni, "exit");
      patroni.kill("SIGTERM");
      await ended;
    }
  }

  /** The database that does not lead. */
  async standby(): Promise<Node> {
    const { name } = await this.leader();
    const node = this.nodes.find((each) => each.name !== name);
    if (node === undefined) throw new Error("there is no standby");
    return node;
  }

  /** The address of what haproxy adds, in place of that of the first. */
  urlOf(address: string): string {
    return this.url.replace(/127\.0\.0\.1:\d+/, this.onThisMachine(address));
  }

  /** A file of documentation with the addresses of this machine. */
  onThisMachine(text: string): string {
    const left = [...this.places].reduce((now, [address, place]) => now.replaceAll(address, place), text);
    if (left.includes("10.0.0.")) throw new Error(`an address of the documentation is not known here:\n${left}`);
    return left;
  }

  configOf({ name }: Pick<Node, "name">): string {
    return join(this.folder, `${name}.yml`);
  }

  /** Suspends a database with its patroni; the returned function wakes them. */
  freeze(node: Node): () => void {
    const frozen = processesOf(node);
    signal(frozen, "SIGSTOP");
    return () => signal(frozen, "SIGCONT");
  }

  /** What this database commits from now on does not reach the standby. */
  haltReplication(node: Node): void {
    const senders = serverOf(node).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("walsender"));
    if (senders.length === 0) throw new Error("no standby receives what this database commits");
    signal(senders, "SIGSTOP");
  }

  /** Ends every process of it. */
  async end(): Promise<void> {
    for (const node of this.nodes) signal(processesOf(node), "SIGKILL");
    for (const child of [...this.nodes.map(({ patroni }) => patroni), ...this.others]) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    this.network?.remove();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async startAll(): Promise<void> {
    for (const machine of MACHINES) await this.startEtcd(machine);
    for (const machine of MACHINES.slice(0, 2)) await this.startPatroni(machine);
    const haproxy = join(this.folder, "haproxy.cfg");
    await writeFile(haproxy, this.haproxyFile());
    this.others.push(this.run(null, "haproxy", ["-f", haproxy]));
    const leader = await this.leader();
    await this.makeDatabase(leader);
    await this.untilSynchronous();
  }

  private async startEtcd(machine: (typeof MACHINES)[number]): Promise<void> {
    const data = join(this.folder, `etcd-${machine.name}`);
    const text = replaced(ofMachine(documentedFile("etcd"), machine), [["/var/lib/etcd/curtail", data]]);
    const lines = this.onThisMachine(text).matchAll(/^(\w+)="(.*)"$/gm);
    this.others.push(
      this.run(machine.name, "etcd", [], Object.fromEntries([...lines].map(([, name, value]) => [name, value]))),
    );
  }

  private async startPatroni(machine: (typeof MACHINES)[number]): Promise<void> {
    const own = join(this.folder, machine.name);
    await mkdir(own);
    await ownedByPostgres(own);
    const text = replaced(ofMachine(documentedFile("patroni"), machine), [
      ["/var/lib/postgresql", own],
      // Where their ports are the same, their sockets must not be.
      ["/run/postgresql", this.network === null ? this.folder : own],
      ["/usr/lib/postgresql/15/bin", systemPostgres() ?? ""],
      ["10.0.0.0/24", this.network?.range ?? "127.0.0.1/32"],
      ...(this.options.changes ?? []),
    ]);
    await writeFile(this.configOf(machine), this.onThisMachine(text));
    this.nodes.push({
      name: machine.name,
      data: join(own, "curtail"),
      port: Number(this.placeOf(`${machine.address}:5432`).split(":")[1]),
      rest: this.placeOf(`${machine.address}:8008`),
      patroni: this.runPatroni(machine.name),
    });
  }

  private haproxyFile(): string {
    const user = postgresUser() === null ? userInfo().username : "postgres";
    const group = execFileSync("id", ["-gn", user], { encoding: "utf8" }).trim();
    const named = replaced(`${documentedFile("haproxy")}\n${this.options.proxied ?? ""}`, [
      ["user haproxy", `user ${user}`],
      ["group haproxy", `group ${group}`],
    ]);
    // Where both databases are on one network, their ports differ.
    const rest = named.replaceAll(
      /(10\.0\.0\.1\d)(:5432 check port )8008/g,
      (_, address: string, words: string) => `${address}${words}${this.placeOf(`${address}:8008`).split(":")[1]}`,
    );
    return this.onThisMachine(rest);
  }

  private async makeDatabase({ name }: Node): Promise<void> {
    const address = MACHINES.find((machine) => machine.name === name)?.address ?? "";
    const url = `postgresql://postgres:change-this-superuser@${this.placeOf(`${address}:5432`)}/postgres`;
    const input = documentedFile("database");
    execFileSync(join(systemPostgres() ?? "", "psql"), ["-v", "ON_ERROR_STOP=1", "-d", url], {
      input,
      stdio: ["pipe", "ignore", "inherit"],
    });
  }

  private async untilRoles(standby: string): Promise<void> {
    await vi.waitFor(async () => {
      const { members } = (await (await ask(await this.leader(), "/cluster")).json()) as {
        members: { role: string; state: string }[];
      };
      const found = members.map(({ role, state }) => `${role} ${state}`).toSorted();
      if (found.join() !== `leader running,${standby} running`) throw new Error(found.join());
    }, PATIENCE);
  }

  private runPatroni(name: string): ChildProcess {
    return this.run(name, "patroni", [this.configOf({ name })], backupEnvironment(this.folder, name));
  }

  /** @param machine null: the one of the service */
  private run(
    machine: string | null,
    program: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): ChildProcess {
    const output = openSync(join(this.folder, `${program}-${machine ?? "service"}.log`), "a");
    const path = programOf(program) ?? program;
    const isApart = this.network !== null && machine !== null;
    const [first = path, ...rest] = isApart
      ? [...this.network.command(machine, postgresUser()), path, ...args]
      : [path, ...args];
    return spawn(first, rest, {
      cwd: this.folder,
      env: { PATH: process.env["PATH"], HOME: this.folder, ...env },
      stdio: ["ignore", output, output],
      ...(isApart ? {} : postgresUser()),
    });
  }

  private placeOf(address: string): string {
    const place = this.places.get(address);
    if (place === undefined) throw new Error(`${address} of docs/failover.md is not known here`);
    return place;
  }
}

/** Of pgBackRest, which the databases run to archive; its folders belong to Debian's users otherwise. */
export const backupEnvironment = (folder: string, name: string): NodeJS.ProcessEnv => ({
  PGBACKREST_CONFIG: join(folder, `${name}-pgbackrest.conf`),
  PGBACKREST_LOG_PATH: folder,
  PGBACKREST_LOCK_PATH: join(folder, `${name}-locks`),
});

/** Patroni's own interface. A suspended one never answers. */
const ask = ({ rest }: Node, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://${rest}${path}`, { ...init, signal: AbortSignal.timeout(ASK_MS) });

const ownedByPostgres = async (path: string): Promise<void> => {
  const user = postgresUser();
  if (user !== null) await chown(path, user.uid, user.gid);
};

/** The server of a database and all of its processes, the server first. */
const serverOf = ({ data }: Node): readonly number[] => {
  const server = postmasterOf(data);
  return server === null ? [] : [server, ...childrenOf(server)];
};

/** The server and patroni with theirs. Both are suspended first, so that they start no others. */
const processesOf = (node: Node): readonly number[] => {
  const { pid, exitCode, signalCode } = node.patroni;
  const patroni = pid === undefined || exitCode !== null || signalCode !== null ? [] : [pid];
  const server = postmasterOf(node.data);
  signal([...patroni, ...(server === null ? [] : [server])], "SIGSTOP");
  return [...serverOf(node), ...patroni, ...patroni.flatMap(childrenOf)];
};

/** null if it has ended: its file stays, and the system may give its number to another process. */
const postmasterOf = (data: string): number | null => {
  try {
    const pid = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(data) ? pid : null;
  } catch {
    return null;
  }
};

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended already.
    }
  }
};

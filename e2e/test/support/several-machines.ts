import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { chown, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { freePort } from "@curtail/testing/free-port";
import {
  postgresFolder,
  postgresUser,
  type SystemDatabase,
  startSystemPostgres,
  systemPostgres,
} from "@curtail/testing/system-postgres";
import { vi } from "vitest";
import { fileIn, replaced } from "./documented-file.js";
import { programOf } from "./failover-files.js";
import { type ServiceProcess, startProcess } from "./service-process.js";

const PAGE = "docs/scaling.md";
const FRONT = ["front:443", "front:8443"];
const APPS = ["10.0.0.21", "10.0.0.22"];
const VTNS = ["10.0.0.31", "10.0.0.32"];
const PATIENCE = { timeout: 60_000, interval: 100 };

export type AppName = "app1" | "app2";
type MachineName = AppName | "vtn1" | "vtn2";

const addressOf = (machine: MachineName): string =>
  (machine.startsWith("app") ? APPS : VTNS)[machine.endsWith("1") ? 0 : 1] ?? "";

/** The set-up of docs/scaling.md on this machine: haproxy, pgbouncer, PostgreSQL and four processes. */
export class SeveralMachines {
  private readonly processes = new Map<MachineName, ServiceProcess>();
  private readonly children: ChildProcess[] = [];
  private pooler: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    private readonly ports: ReadonlyMap<string, number>,
    private readonly database: SystemDatabase,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  static async start(settings: Readonly<Record<string, string>>): Promise<SeveralMachines> {
    const database = await startSystemPostgres(systemPostgres() ?? "");
    const addresses = [
      ...FRONT,
      "127.0.0.1:6432",
      ...APPS.flatMap((address) => [`${address}:8080`, `${address}:8081`]),
      ...VTNS.flatMap((address) => [`${address}:8090`, `${address}:8443`]),
    ];
    const ports = new Map<string, number>();
    for (const address of addresses) ports.set(address, await freePort());
    const machines = new SeveralMachines(await postgresFolder(), ports, database, settings);
    try {
      await machines.startAll();
    } catch (error) {
      await machines.end();
      throw error;
    }
    return machines;
  }

  /** Address of haproxy for pages and REST; other hosts lead elsewhere. */
  get url(): string {
    return `http://127.0.0.1:${this.port("front:443")}`;
  }

  /** Port of haproxy for VENs. */
  get vtnPort(): number {
    return this.port("front:8443");
  }

  async startMachine(name: MachineName): Promise<void> {
    const [address, isApp] = [addressOf(name), name.startsWith("app")];
    const port = (of: number) => String(this.ports.get(`${address}:${of}`) ?? 0);
    this.processes.set(
      name,
      await startProcess({
        ...this.documentedSettings(),
        CURTAIL_ROLES: isApp ? "api,worker" : "vtn",
        CURTAIL_DATA_DIR: join(this.folder, name),
        CURTAIL_PORT: port(8080),
        CURTAIL_SANDBOX_PORT: port(8081),
        CURTAIL_OPENADR3_PORT: port(8090),
        CURTAIL_OPENADR_PORT: port(8443),
        ...this.settings,
      }),
    );
  }

  async stopMachine(name: MachineName, signal: NodeJS.Signals): Promise<number | null> {
    return (await this.processes.get(name)?.end(signal)) ?? null;
  }

  /** haproxy sends it nothing new, as the page says. */
  drain(name: AppName): Promise<void> {
    return this.setState(name, "drain");
  }

  async takeBack(name: AppName): Promise<void> {
    await this.setState(name, "ready");
    await vi.waitFor(async () => {
      const states = await this.command("show servers state api");
      // The fifth column is the address; the sixth is 2 while the server is up.
      const line = states.split("\n").find((each) => each.split(" ")[3] === name);
      if (line?.split(" ")[5] !== "2") throw new Error(`haproxy leaves ${name} out: ${states}`);
    }, PATIENCE);
  }

  async killPooler(): Promise<void> {
    if (this.pooler === null) return;
    this.pooler.kill("SIGKILL");
    await once(this.pooler, "exit");
    this.startPooler();
  }

  /** Ends every process of it. */
  async end(): Promise<void> {
    await Promise.all([...this.processes.values()].map((each) => each.end("SIGKILL")));
    for (const child of [...this.children, ...(this.pooler === null ? [] : [this.pooler])]) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await this.database.remove();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async startAll(): Promise<void> {
    execFileSync(join(systemPostgres() ?? "", "psql"), ["-v", "ON_ERROR_STOP=1", "-d", this.database.url], {
      input: fileIn("docs/failover.md", "database"),
      stdio: ["pipe", "ignore", "inherit"],
    });
    await this.write("userlist.txt", fileIn(PAGE, "userlist"));
    await this.write("pgbouncer.ini", this.pgbouncerFile());
    await this.write("haproxy.cfg", this.haproxyFile());
    this.startPooler();
    this.children.push(this.run("haproxy", ["-f", join(this.folder, "haproxy.cfg")]));
    await this.startMachine("vtn1");
    await mkdir(join(this.folder, "vtn2"));
    await cp(join(this.folder, "vtn1", "openadr"), join(this.folder, "vtn2", "openadr"), { recursive: true });
    for (const name of ["app1", "app2", "vtn2"] as const) await this.startMachine(name);
    await vi.waitFor(async () => {
      if ((await fetch(`${this.url}/readyz`)).status !== 200) throw new Error("haproxy does not reach the service");
    }, PATIENCE);
  }

  private documentedSettings(): Record<string, string> {
    const text = replaced(fileIn(PAGE, "settings"), [
      ["127.0.0.1:6432", `127.0.0.1:${this.port("127.0.0.1:6432")}`],
      ["https://curtail.example.com", this.url],
      ["10.0.0.10/32", "127.0.0.1/32"],
      ["CURTAIL_HOST=0.0.0.0", "CURTAIL_HOST=127.0.0.1"],
      ["change-this-key", Buffer.alloc(32, 7).toString("base64")],
    ]);
    return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value ?? ""]));
  }

  private pgbouncerFile(): string {
    const { port } = new URL(this.database.url);
    return replaced(fileIn(PAGE, "pgbouncer"), [
      ["host=10.0.0.41 port=5432", `host=127.0.0.1 port=${port}`],
      ["listen_port = 6432", `listen_port = ${this.port("127.0.0.1:6432")}\nunix_socket_dir =`],
      ["/etc/pgbouncer/userlist.txt", join(this.folder, "userlist.txt")],
    ]);
  }

  private haproxyFile(): string {
    const user = postgresUser() === null ? userInfo().username : "postgres";
    const group = execFileSync("id", ["-gn", user], { encoding: "utf8" }).trim();
    const text = replaced(fileIn(PAGE, "haproxy"), [
      ["user haproxy", `user ${user}`],
      ["group haproxy", `group ${group}`],
      // Only root may open as many.
      ["maxconn 20000", "maxconn 200"],
      ["/run/haproxy/admin.sock", this.adminSocket],
      ["bind :443 ssl crt /etc/haproxy/curtail.pem alpn h2,http/1.1", `bind 127.0.0.1:${this.port("front:443")}`],
      ["bind :8443", `bind 127.0.0.1:${this.vtnPort}`],
    ]);
    return text.replaceAll(/10\.0\.0\.\d+:\d+/g, (address) => `127.0.0.1:${this.port(address)}`);
  }

  private get adminSocket(): string {
    return join(this.folder, "admin.sock");
  }

  private async setState(name: AppName, state: "drain" | "ready"): Promise<void> {
    await this.command(`set server api/${name} state ${state}; set server sandbox/${name} state ${state}`);
  }

  private async command(text: string): Promise<string> {
    const socket = connect(this.adminSocket);
    socket.end(`${text}\n`);
    let answer = "";
    for await (const piece of socket.setEncoding("utf8")) answer += piece;
    return answer;
  }

  private startPooler(): void {
    this.pooler = this.run("pgbouncer", [join(this.folder, "pgbouncer.ini")]);
  }

  private run(program: string, args: readonly string[]): ChildProcess {
    const output = openSync(join(this.folder, `${program}.log`), "a");
    const path = programOf(program) ?? program;
    return spawn(path, args, { cwd: this.folder, stdio: ["ignore", output, output], ...postgresUser() });
  }

  private async write(name: string, text: string): Promise<void> {
    const path = join(this.folder, name);
    await writeFile(path, text);
    const user = postgresUser();
    if (user !== null) await chown(path, user.uid, user.gid);
  }

  private port(address: string): number {
    const port = this.ports.get(address);
    if (port === undefined) throw new Error(`${address} of ${PAGE} is not known here`);
    return port;
  }
}

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { operator } from "@curtail/contract";
import { root } from "@curtail/docs";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, expect, test } from "vitest";
import { type ModbusDevice, startModbusDevice } from "./modbus-device.js";
import { newParticipant, operate, type Participant, readPoints } from "./participant.js";
import { OPERATOR_TOKEN, type ServiceProcess, temporaryFolder } from "./service-process.js";
import { startTunnel } from "./tunnel.js";
import { webService } from "./web-service.js";

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as { version: string };
export const BUILDING_MS = 120_000;

/**
 * Tests the command as a participant has it, in an empty folder and with no more than the environment that they set.
 *
 * @param form what it is packed as: in names of files
 * @param program makes it in a folder; returns how it is called
 * @param isWhole whether to try proxies, logins, the agent and operators, too
 */
export const testCommand = (
  form: string,
  program: (folder: string) => Promise<readonly string[]>,
  isWhole = true,
): void => {
  let folder: string;
  let service: ServiceProcess;
  let participant: Participant;
  let device: ModbusDevice;
  let called: readonly string[] = [];

  beforeAll(async () => {
    const { path, remove } = await temporaryFolder();
    atEnd(remove);
    folder = path;
    called = await program(folder);
    [service, device] = await Promise.all([webService(), startModbusDevice()]);
    atEnd(() => device.stop());
    participant = await newParticipant(service.url, 1);
  }, BUILDING_MS);

  const curtail = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const [file = "", ...before] = called;
    const env = { PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1", ...more };
    return run(file, [...before, ...args], { cwd: folder, env });
  };
  const access = () => ({ CURTAIL_URL: service.url, CURTAIL_API_KEY: participant.key });

  test("says its version", async () => {
    expect((await curtail(["--version"])).stdout).toBe(`${version}\n`);
  });

  test("lists all commands but those of the service", async () => {
    const { stdout } = await curtail(["--help"]);
    const listed = [...stdout.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
    expect(listed).toEqual(expect.arrayContaining(["login", "status", "upload", "listen", "agent", "admin"]));
    expect(listed).not.toContain("serve");
    expect((await curtail(["completion", "bash"])).stdout).toContain('"admin accounts")');
  });

  test("uploads a file of a utility", async () => {
    const [site] = participant.sites;
    const file = join(folder, `${form}.csv`);
    await writeFile(file, "interval end,kW\n2026-07-01T00:15:00Z,120\n2026-07-01T00:30:00Z,80\n");
    const args = ["upload", file, "--meter", site?.meterId ?? "", "--interval-seconds", "900", "--json"];
    const { stdout } = await curtail(args, access());
    expect(JSON.parse(stdout)).toEqual({ stored: 6, set_aside_count: 0, set_aside: [], warnings: [] });
    const window = { start: "2026-07-01T00:00:00Z", end: "2026-07-01T00:30:00Z", intervalSeconds: 300 } as const;
    const points = await readPoints(service.url, participant, window);
    expect(points.get(site?.meterId ?? "")?.map(({ value }) => value)).toEqual([120, 120, 120, 80, 80, 80]);
  });

  if (!isWhole) return;

  test("shows the status at a service, also through a proxy", async () => {
    const direct = await curtail(["status", "--json"], access());
    expect(JSON.parse(direct.stdout)).toMatchObject({ url: service.url, environment: "production", sites: 1 });
    const tunnel = await startTunnel();
    const proxied = await curtail(["status", "--json"], { ...access(), HTTP_PROXY: tunnel.url });
    expect(proxied.stdout).toBe(direct.stdout);
    expect(tunnel.hosts).toContain(new URL(service.url).host);
  });

  test("keeps a key after a login, and explains a key that is refused", async () => {
    const keyFile = join(folder, `${form}-key`);
    await writeFile(keyFile, `${participant.key}\n`);
    const home = { HOME: join(folder, `${form}-home`) };
    await curtail(["login", "--url", service.url, "--with-key", keyFile], home);
    expect((await curtail(["status"], home)).stdout).toContain("profile default");
    const refused = await curtail(["status"], { ...access(), CURTAIL_API_KEY: "ctp_wrong" }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("set CURTAIL_API_KEY to another one") });
  });

  test("runs the agent: over Modbus TCP, without the binaries for serial ports", async () => {
    const [site] = participant.sites;
    const file = join(folder, `${form}.yaml`);
    await writeFile(
      file,
      `service: { url: "${service.url}", key: "${participant.key}" }
state: ${join(folder, `${form}-state`)}
connections:
  plc: { modbus: { host: 127.0.0.1, port: ${device.port} } }
sites:
  - id: ${site?.id}
    name: Mill
    meters:
      - id: ${site?.meterId}
        name: main
        unit: kW
        scale: 0.1
        range: [0, 1000]
        source: { modbus: { connection: plc, table: input, address: 10, type: uint16 } }
`,
    );
    const { stdout } = await curtail(["agent", "--config", file, "--check"]);
    expect(stdout).toContain("ok    meter main of Mill: 420 kW (read: 4200)\n");
  });

  test("is a client of operators, too", async () => {
    const environment = { CURTAIL_PUBLIC_URL: service.url, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN };
    const { stdout } = await curtail(["admin", "accounts", "list", "--json"], environment);
    const { items } = await operate(service.url, operator.listAccounts);
    expect((JSON.parse(stdout) as { items: unknown[] }).items).toHaveLength(items.length);
  });
};

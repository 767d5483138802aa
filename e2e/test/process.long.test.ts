import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { operatorClient } from "@curtail/client";
import { operator } from "@curtail/contract";
import { afterAll, expect, test, vi } from "vitest";
import { newParticipant, operate, readPoints } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import {
  command,
  postmasterPid,
  type ServiceProcess,
  startProcess,
  temporaryFolder,
  underLoad,
} from "./support/service-process.js";
import { UploadLoad } from "./support/upload-load.js";

const folder = await preparedFolder();
const settings = underLoad(folder.dataDir);
const started: ServiceProcess[] = [];

const start = async (more: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> => {
  const service = await startProcess({ ...settings, ...more });
  started.push(service);
  return service;
};

afterAll(async () => {
  for (const service of started) await service.end("SIGTERM");
  await folder.remove();
});

test("the first start prints the operator token once and `curtail ready` last; the second reuses the data", async () => {
  const own = await temporaryFolder();
  const plain = { CURTAIL_DATA_DIR: join(own.path, "data") };
  const first = await startProcess(plain);
  expect(first.lines.at(-1)).toBe("curtail ready");
  const token = /operator token.*: (\S+)$/m.exec(first.lines.join("\n"))?.[1] ?? "none";
  const client = ({ url }: ServiceProcess) => operatorClient({ url, token });
  const made = await client(first).send(operator.createAccount, { body: { name: "Kept" } });
  expect(made.status).toBe(201);
  expect((await stat(plain.CURTAIL_DATA_DIR)).mode & 0o777).toBe(0o700);
  const link = firstOperatorLink(first);
  expect(await first.end("SIGTERM")).toBe(0);

  await chmod(plain.CURTAIL_DATA_DIR, 0o755);
  const second = await startProcess(plain);
  expect((await stat(plain.CURTAIL_DATA_DIR)).mode & 0o777).toBe(0o700);
  expect(second.lines.join("\n")).not.toContain("operator token");
  expect(await client(second).call(operator.listAccounts)).toMatchObject({ items: [{ name: "Kept" }] });
  expect(firstOperatorLink(second)).toMatch(/first-user/);
  expect(firstOperatorLink(second)).not.toBe(link);
  expect(await second.end("SIGTERM")).toBe(0);
  await own.remove();
});

test("the start prints where OpenADR 3 is, which knows where tokens are", async () => {
  const service = await start();
  const url = /^OpenADR 3\.1: (http:\/\/127\.0\.0\.1:\d+\/openadr3\/3\.1\.0)$/m.exec(service.lines.join("\n"))?.[1];
  const server = await fetch(`${url}/auth/server`);
  expect(await server.json()).toEqual({ tokenURL: `${url}/auth/token` });
  expect(await operate(service.url, operator.getAddresses)).toMatchObject({ openadr3_url: url });
  expect(await service.end("SIGTERM")).toBe(0);
});

const firstOperatorLink = ({ lines }: ServiceProcess): string | undefined =>
  /^first operator.*: (http\S+\/first-user\/\S+)$/m.exec(lines.join("\n"))?.[1];

const send = (url: string, body: object) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

test("each start prints a link for the first operator until it has made one, who signs in with the password", async () => {
  const service = await start();
  const person = { email: "ann@example.com", password: "correct horse battery" };
  expect((await send(firstOperatorLink(service) ?? "none", { ...person, name: "Ann" })).status).toBe(200);
  const signedIn = await send(`${service.url}/auth/sign-in`, person);
  expect(await signedIn.json()).toMatchObject({ state: "signed_in", user: { role: "operator-admin" } });
  expect(await service.end("SIGTERM")).toBe(0);
  const next = await start();
  expect(firstOperatorLink(next)).toBeUndefined();
  expect(await next.end("SIGTERM")).toBe(0);
});

test("operators' own port is printed on a separate line, and the main port no longer serves them", async () => {
  const service = await start({ CURTAIL_OPERATOR_PORT: "0" });
  expect(service.lines[0]).toMatch(/^production REST: http/);
  const operatorUrl = /^operator API: (http\S+)$/m.exec(service.lines.join("\n"))?.[1] ?? "none";
  expect(await operate(operatorUrl, operator.listAccounts)).toHaveProperty("items");
  await expect(operate(service.url, operator.listAccounts)).rejects.toThrow("404");
  expect(await service.end("SIGTERM")).toBe(0);
});

test("wrong settings are all listed and end the start with 78", () => {
  const environment = {
    PATH: process.env["PATH"],
    CURTAIL_PORT: "eighty",
    CURTAIL_PROT: "80",
    CURTAIL_MAX_READINGS: "0",
  };
  const { status, stderr } = spawnSync(process.execPath, [command, "serve"], { env: environment, encoding: "utf8" });
  expect(status).toBe(78);
  for (const name of ["CURTAIL_PORT ", "CURTAIL_PROT ", "CURTAIL_MAX_READINGS "]) expect(stderr).toContain(name);
});

test.for(["CURTAIL_PORT", "CURTAIL_OPENADR3_PORT"])(
  "a port that is taken ends the start with the name of its setting: %s",
  async (name) => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as AddressInfo;
    const ending = await start({ [name]: String(port) }).catch(String);
    holder.close();
    expect(ending).toContain(`port ${port} is taken by another program; stop it, or set ${name} to another port`);
  },
);

test("SIGTERM under load cuts no request: whatever was answered is there, and the exit is clean", async () => {
  const service = await start();
  const participant = await newParticipant(service.url, 4);
  const load = new UploadLoad(participant, 0);
  load.start(service.url);
  await vi.waitUntil(() => load.kept.length >= 400, { timeout: 60_000, interval: 5 });
  expect(await service.end("SIGTERM")).toBe(0);
  // Else its PostgreSQL would have to break connections, and say so for each.
  expect(service.log()).not.toContain("terminating connection");
  await load.stop();
  const next = await start();
  expect(await load.missing(next.url)).toEqual([]);
});

test("a second service on the same data directory is refused by name of the directory", async () => {
  await expect(start()).rejects.toThrow(settings.CURTAIL_DATA_DIR);
});

test("a database that dies under the service is back within seconds, and requests work again", async () => {
  const service = started.findLast((each) => each.url !== "");
  if (service === undefined) throw new Error("no service is running");
  const participant = await newParticipant(service.url, 1);
  const killed = postmasterPid(settings.CURTAIL_DATA_DIR);
  process.kill(killed, "SIGKILL");
  await expect.poll(() => postmasterPid(settings.CURTAIL_DATA_DIR), { timeout: 30_000 }).not.toBe(killed);
  const window = { start: "2026-06-01T00:00:00Z", end: "2026-06-01T01:00:00Z" };
  const read = async (): Promise<number> => (await readPoints(service.url, participant, window)).size;
  await expect.poll(() => read().catch(() => "not yet"), { timeout: 30_000 }).toBe(1);
  expect(await operate(service.url, operator.listAccounts)).toHaveProperty("items");
});

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { operator } from "@curtail/contract";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { firstOperatorLink } from "./support/first-operator.js";
import { newParticipant, operate, readPoints } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { postmasterPid, type ServiceProcess, startProcess, underLoad } from "./support/service-process.js";
import { UploadLoad } from "./support/upload-load.js";

const folder = await preparedFolder();
const settings = underLoad(folder.dataDir);
/** A service until the test ends: the next one finds the data directory free. */
const start = async (more: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> => {
  const service = await startProcess({ ...settings, ...more });
  onTestFinished(async () => void (await service.end("SIGTERM")));
  return service;
};

afterAll(() => folder.remove());

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

test.each([
  ["the main port", "CURTAIL_PORT"],
  ["the port of OpenADR 3", "CURTAIL_OPENADR3_PORT"],
])("%s that is taken ends the start with the name of its setting", async (_, setting) => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address() as AddressInfo;
  const ending = await start({ [setting]: String(port) }).catch(String);
  holder.close();
  expect(ending).toContain(`port ${port} is taken by another program; stop it, or set ${setting} to another port`);
});

describe("while a service runs", () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startProcess(settings);
  });
  afterAll(async () => expect(await service.end("SIGTERM")).toBe(0));

  test("the start prints where OpenADR 3 is, which knows where tokens are", async () => {
    const url = /^OpenADR 3\.1: (http:\/\/127\.0\.0\.1:\d+\/openadr3\/3\.1\.0)$/m.exec(service.lines.join("\n"))?.[1];
    const server = await fetch(`${url}/auth/server`);
    expect(await server.json()).toEqual({ tokenURL: `${url}/auth/token` });
    expect(await operate(service.url, operator.getAddresses)).toMatchObject({ openadr3_url: url });
  });

  test("a second service on the same data directory is refused by name of the directory", async () => {
    await expect(start()).rejects.toThrow(settings.CURTAIL_DATA_DIR);
  });

  test("a database that dies under the service is back within seconds, and requests work again", async () => {
    const participant = await newParticipant(service.url, 1);
    const killed = postmasterPid(settings.CURTAIL_DATA_DIR);
    process.kill(killed, "SIGKILL");
    await expect.poll(() => postmasterPid(settings.CURTAIL_DATA_DIR), { timeout: 30_000 }).not.toBe(killed);
    const window = { start: "2026-06-01T00:00:00Z", end: "2026-06-01T01:00:00Z" };
    const read = async (): Promise<number> => (await readPoints(service.url, participant, window)).size;
    await expect.poll(() => read().catch(() => "not yet"), { timeout: 30_000 }).toBe(1);
    expect(await operate(service.url, operator.listAccounts)).toHaveProperty("items");
  });
});

test("SIGTERM under load cuts no request: whatever was answered is there, and the exit is clean", async () => {
  const service = await start();
  const participant = await newParticipant(service.url, 4);
  const load = new UploadLoad(participant, 0);
  load.start(service.url);
  await vi.waitUntil(() => load.kept.length >= 200, { timeout: 60_000, interval: 5 });
  expect(await service.end("SIGTERM")).toBe(0);
  // Else its PostgreSQL would have to break connections, and say so for each.
  expect(service.log()).not.toContain("terminating connection");
  await load.stop();
  const next = await start();
  expect(await load.missing(next.url)).toEqual([]);
});

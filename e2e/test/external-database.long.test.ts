import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { operatorClient, participantClient } from "@curtail/client";
import { listDispatches, listSites, operator, uploadTelemetry } from "@curtail/contract";
import { type SystemDatabase, startSystemPostgres, systemPostgres } from "@curtail/testing/system-postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { MINUTES_MS, run } from "./support/backup-story.js";
import { lostAnswers } from "./support/lost-answer-proxy.js";
import { newParticipant, newProgram, operate, type Participant, readPoints } from "./support/participant.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess, temporaryFolder } from "./support/service-process.js";

const bin = systemPostgres();

describe.skipIf(bin === null)("over a PostgreSQL of the operator's (needs postgresql-15 or newer installed)", () => {
  let database: SystemDatabase;
  let one: ServiceProcess;
  let two: ServiceProcess;
  let participant: Participant;
  let settings: Record<string, string>;

  beforeAll(async () => {
    database = await startSystemPostgres(bin ?? "");
    settings = { DATABASE_URL: database.url, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN, CURTAIL_ROLES: "api" };
    // At the same time, so that both find the schema missing.
    [one, two] = await Promise.all([startProcess(settings), startProcess(settings)]);
    participant = await newParticipant(one.url, 1);
  });

  afterAll(async () => {
    await Promise.all([one, two].map((service) => service.end("SIGTERM")));
    await database.remove();
  });

  const client = ({ url }: ServiceProcess) => participantClient({ url, key: participant.key });

  test("what is sent to one process is returned by the other", async () => {
    const reading = {
      meter_id: participant.sites[0]?.meterId ?? "",
      interval_seconds: 60,
      timestamp: "2026-06-01T00:01:00Z",
      kW: 7.5,
    };
    expect((await client(one).send(uploadTelemetry, { body: { telemetry: [reading] } })).status).toBe(200);
    const points = await readPoints(two.url, participant, {
      start: "2026-06-01T00:00:00Z",
      end: "2026-06-01T01:00:00Z",
    });
    expect([...points.values()].flat().map((point) => point.value)).toEqual([7.5, 7.5]);
  });

  test("a worker without any other listener shows health and metrics on a port of its own", async () => {
    const worker = await startProcess({ ...settings, CURTAIL_ROLES: "worker", CURTAIL_METRICS_PORT: "0" });
    onTestFinished(async () => void (await worker.end("SIGTERM")));
    expect(worker.lines.filter((line) => line.includes("http"))).toEqual([`health and metrics: ${worker.url}`]);
    const at = (path: string) => fetch(`${worker.url}${path}`);
    expect((await at("/healthz")).status).toBe(200);
    expect((await at("/readyz")).status).toBe(200);
    expect(await (await at("/metrics")).text()).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect((await at("/2022-04-15/sites")).status).toBe(404);
    expect(await worker.end("SIGTERM")).toBe(0);
  });

  test("a dispatch issued through one process is listed by the other within a second", async () => {
    const id = await newProgram(one.url);
    const start_time = new Date(Date.now() + 3_600_000).toISOString();
    const sites = [{ site_id: participant.sites[0]?.id ?? "" }];
    const made = await operate(one.url, operator.createDispatch, { body: { program_id: id, start_time, sites } });
    await expect
      .poll(() => client(two).call(listDispatches), { timeout: 1000 })
      .toMatchObject({ dispatches: [{ id: made.id }] });
  });

  const issuedOnce = (): Promise<string> => newProgram(one.url, { name: "Once" });

  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();

  const issue = (url: string, programId: string, key: string): Promise<Response> =>
    operatorClient({ url, token: OPERATOR_TOKEN }).send(operator.createDispatch, {
      headers: { "idempotency-key": key },
      body: {
        program_id: programId,
        start_time: inAnHour,
        sites: [{ site_id: participant.sites[0]?.id ?? "" }],
      },
    });

  const issuedOf = async (programId: string): Promise<readonly string[]> => {
    const { items } = await operate(two.url, operator.listAllDispatches, { query: { program_id: programId } });
    return items.map(({ id }) => id);
  };

  test("20 requests with one Idempotency-Key through both processes issue one dispatch", async () => {
    const programId = await issuedOnce();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issue((index % 2 === 0 ? one : two).url, programId, "twenty")),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(texts).size).toBe(1);
    expect(await issuedOf(programId)).toEqual([(JSON.parse(texts[0] ?? "") as { id: string }).id]);
  });

  test("an answer that was lost with its process is had from the other one under the same key", async () => {
    const programId = await issuedOnce();
    const proxy = await lostAnswers(one.url, () => one.end("SIGKILL"));
    await expect(issue(proxy.url, programId, "lost")).rejects.toThrow();
    proxy.close();
    const again = await issue(two.url, programId, "lost");
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(await issuedOf(programId)).toEqual([((await again.json()) as { id: string }).id]);
    one = await startProcess(settings);
  });

  test("a database that stops and comes back is used again without help", async () => {
    await database.kill();
    expect((await client(one).send(listSites)).status).toBe(500);
    expect((await fetch(`${one.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${one.url}/healthz`)).status).toBe(200);
    await database.start();
    for (const service of [one, two]) {
      await expect.poll(async () => (await client(service).send(listSites)).status, { timeout: 30_000 }).toBe(200);
    }
  });

  test("a key revoked through one process is refused by the other within a second", async () => {
    const keys = await operate(one.url, operator.listKeys, { params: { id: participant.accountId } });
    expect((await client(two).send(listSites)).status).toBe(200);
    await operate(one.url, operator.revokeKey, { params: { id: keys.items[0]?.id ?? "" } });
    expect((await client(one).send(listSites)).status).toBe(401);
    await expect.poll(async () => (await client(two).send(listSites)).status, { timeout: 1000 }).toBe(401);
  });
});

const started = async (settings: Readonly<Record<string, string>>): Promise<ServiceProcess> => {
  const service = await startProcess(settings);
  onTestFinished(async () => void (await service.end("SIGTERM")));
  return service;
};

test.skipIf(bin === null)(
  "the programs of the machine run the included database, and keep a reading over a kill, a backup and a restore (needs postgresql-15 or newer installed)",
  async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const programs = { CURTAIL_POSTGRES_PROGRAMS: bin ?? "" };
    const on = (name: string) => ({
      CURTAIL_DATA_DIR: join(folder.path, name),
      CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
    });
    const first = await started({ ...on("made"), ...programs });
    const sender = await newParticipant(first.url, 1);
    const [start, end] = ["2026-06-01T00:00:00Z", "2026-06-01T01:00:00Z"];
    const meter_id = sender.sites[0]?.meterId ?? "";
    const telemetry = [{ meter_id, interval_seconds: 60, timestamp: "2026-06-01T00:01:00Z", kW: 7.5 }];
    await participantClient({ url: first.url, key: sender.key }).call(uploadTelemetry, { body: { telemetry } });
    const kept = async ({ url }: ServiceProcess) =>
      [...(await readPoints(url, sender, { start, end })).values()].flat().map((point) => point.value);
    await first.end("SIGKILL");

    const second = await started({ ...on("made"), ...programs });
    expect(await kept(second)).toEqual([7.5, 7.5]);
    const file = join(folder.path, "one.backup");
    const key = join(folder.path, "key");
    const [, recipient = ""] = /recipient: (\S+)/.exec((await run(["backup", "keygen", key])).output) ?? [];
    const saved = await run(["backup", file, "--recipient", recipient], { ...on("made"), ...programs });
    expect([saved.code, saved.errors]).toEqual([0, ""]);
    await second.end("SIGTERM");
    const refused = await run(["serve"], on("made"));
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("Set CURTAIL_POSTGRES_PROGRAMS")]);
    const verified = await run(["backup", "verify", file, "--key", key], programs);
    expect([verified.code, verified.errors]).toEqual([0, ""]);
    const restored = await run(["restore", file, on("restored").CURTAIL_DATA_DIR, "--key", key], programs);
    expect([restored.code, restored.errors]).toEqual([0, ""]);
    expect(await readFile(join(folder.path, "restored", "postgres", "PG_VERSION"), "utf8")).toBe(
      `${basename(dirname(bin ?? ""))}\n`,
    );
    expect(await kept(await started({ ...on("restored"), ...programs }))).toEqual([7.5, 7.5]);
  },
  MINUTES_MS,
);

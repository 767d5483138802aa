import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "@curtail/testing/at-end";
import { emptyDatabase } from "@curtail/testing/database";
import { expect, test } from "vitest";
import { newParticipant, newProgram, type Participant, readPoints } from "./support/participant.js";
import { plainReceiver } from "./support/plain-receiver.js";
import { type Answered, RoundRobin, type Sent } from "./support/round-robin.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess, temporaryFolder } from "./support/service-process.js";
import { breakingSince, buildVersion, versionBefore } from "./support/version-before.js";
import { registerWebhook } from "./support/webhooks.js";

// Processes are replaced by this version one after the other, on one database and under load.
const before = versionBefore();
/** For building a version, and six starts and stops, on a machine that is busy with other tests. */
const LONGEST_MS = 300_000;
/** How long load runs between two steps. */
const STEP_MS = 1500;
const CELL_MS = 30_000;
const FIRST_CELL_MS = Date.UTC(2020, 0, 1);
const BETWEEN_DISPATCHES_MS = 150;

interface Upload {
  readonly meterId: string;
  readonly cell: number;
}

/** Everything that was sent while the versions changed. */
class Load {
  readonly kept: Upload[] = [];
  readonly issued: string[] = [];
  readonly wrong: string[] = [];
  polls = 0;
  private running = false;
  private cell = 0;

  constructor(
    private readonly service: RoundRobin,
    private readonly participants: readonly Participant[],
    private readonly programId: string,
  ) {}

  start(rehearsing: Participant): () => Promise<void> {
    this.running = true;
    const loops = [
      ...this.participants.flatMap((participant) => [
        this.repeat(() => this.poll(participant)),
        ...participant.sites.map(({ meterId }) => this.repeat(() => this.upload(participant, meterId))),
      ]),
      this.repeat(() => this.rehearse(rehearsing)),
      this.repeat(() => this.dispatch()),
    ];
    return async () => {
      this.running = false;
      await Promise.all(loops);
    };
  }

  private async repeat(once: () => Promise<void>): Promise<void> {
    while (this.running)
      await once().catch((error: unknown) => void this.wrong.push(error instanceof Error ? error.message : "unknown"));
  }

  private async poll({ key }: Participant): Promise<void> {
    const expected = this.issued.length;
    const { text } = await this.ask({ path: "/2022-04-15/dispatches", headers: byKey(key) });
    const { dispatches } = JSON.parse(text) as { dispatches: unknown[] };
    if (dispatches.length < expected) this.wrong.push(`a poll listed ${dispatches.length} of ${expected} dispatches`);
    this.polls += 1;
    await sleep(20);
  }

  private async upload({ key }: Participant, meterId: string): Promise<void> {
    const cell = ++this.cell;
    const telemetry = [{ meter_id: meterId, interval_seconds: 30, timestamp: at(cell), kW: cell }];
    await this.ask({ method: "POST", path: "/2022-04-15/telemetry", headers: byKey(key), body: { telemetry } });
    this.kept.push({ meterId, cell });
  }

  private async rehearse({ key }: Participant): Promise<void> {
    await this.ask({ path: "/2022-04-15/dispatches", headers: byKey(key), to: "sandboxUrl" });
    await sleep(20);
  }

  private async dispatch(): Promise<void> {
    const start_time = new Date(Date.now() + 3_600_000).toISOString();
    const sites = this.participants.map(({ sites: [site] }) => ({ site_id: site?.id }));
    const { text } = await this.ask({
      method: "POST",
      path: "/operator/v1/dispatches",
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      body: { program_id: this.programId, start_time, sites },
    });
    this.issued.push((JSON.parse(text) as { id: string }).id);
    await sleep(BETWEEN_DISPATCHES_MS);
  }

  private async ask(sent: Sent): Promise<Answered> {
    const answer = await this.service.send(sent);
    if (answer.status >= 300)
      throw new Error(`${sent.method ?? "GET"} ${sent.path} answered ${answer.status}: ${answer.text}`);
    return answer;
  }
}

const byKey = (key: string) => ({ "x-service-api-key": key });
const at = (cell: number): string => `${new Date(FIRST_CELL_MS + cell * CELL_MS).toISOString().slice(0, 19)}Z`;

/** Readings that were answered 200 and are missing. */
const lost = async (url: string, participants: readonly Participant[], kept: readonly Upload[]): Promise<Upload[]> => {
  const cells = kept.map(({ cell }) => cell);
  const window = { start: at(Math.min(...cells) - 1), end: at(Math.max(...cells)), intervalSeconds: 30 } as const;
  const stored = new Map<string, number>();
  for (const participant of participants) {
    for (const [meterId, points] of await readPoints(url, participant, window))
      for (const { timestamp, value } of points) stored.set(`${meterId} ${timestamp}`, value);
  }
  return kept.filter(({ meterId, cell }) => stored.get(`${meterId} ${at(cell)}`) !== cell);
};

const dispatchesIn = (bodies: readonly string[]): string[] =>
  bodies
    .map((body) => JSON.parse(body) as { event: { name: string }; resource: string })
    .filter(({ event }) => event.name === "dispatch.create")
    .map(({ resource }) => resource.split("/").at(-1) ?? "");

test.skipIf(before === null)(
  "processes are upgraded one after the other under load, or refused by name until all of before have stopped: nothing is lost, each notice comes once (needs the history of git)",
  async () => {
    const folder = await temporaryFolder();
    atEnd(folder.remove);
    const old = await buildVersion(before ?? "", join(folder.path, "before"));
    const database = await emptyDatabase();
    atEnd(() => database.drop());
    const { host, port, user } = database.connection;
    const query = new URLSearchParams({ host, port: String(port), user });
    const secretsKey = randomBytes(32).toString("base64");
    let count = 0;
    const start = async (version?: string): Promise<ServiceProcess> => {
      const settings = {
        DATABASE_URL: `postgres:///${database.connection.database}?${query.toString()}`,
        CURTAIL_DATA_DIR: join(folder.path, `process-${++count}`),
        CURTAIL_ROLES: "api,worker",
        CURTAIL_SECRETS_KEY: secretsKey,
        CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
        CURTAIL_RATE_LIMIT: "1000000",
        CURTAIL_RATE_LIMIT_DISPATCHES: "1000000",
      };
      const started = await startProcess(settings, version);
      atEnd(async () => void (await started.end("SIGTERM")));
      return started;
    };
    const service = new RoundRobin();
    const replaced = await Promise.all([start(old), start(old)]);
    for (const each of replaced) service.add(each);
    const [{ url }] = replaced;
    const participants = [await newParticipant(url, 2), await newParticipant(url, 2)];
    const rehearsing = await newParticipant(url, 0, { environment: "sandbox" });
    const hooks = await Promise.all(participants.map(() => plainReceiver()));
    for (const [index, participant] of participants.entries())
      await registerWebhook(url, participant, hooks[index]?.url ?? "");
    const programId = await newProgram(url);

    const load = new Load(service, participants, programId);
    const fresh: ServiceProcess[] = [];
    const startFresh = async (): Promise<void> => {
      const started = await start();
      fresh.push(started);
      service.add(started);
      await sleep(STEP_MS);
    };
    const end = async (each: ServiceProcess): Promise<void> => {
      service.remove(each);
      expect(await each.end("SIGTERM"), each.log()).toBe(0);
    };
    let stop = load.start(rehearsing);
    await sleep(STEP_MS);
    const [breaking] = await breakingSince(before ?? "");
    if (breaking === undefined) {
      for (const each of replaced) {
        // With requests in flight.
        await end(each);
        await startFresh();
      }
    } else {
      await expect(start()).rejects.toThrow(breaking);
      await stop();
      for (const each of replaced) await end(each);
      for (let count = 0; count < replaced.length; count++) await startFresh();
      stop = load.start(rehearsing);
      await sleep(STEP_MS);
    }
    await stop();

    expect(load.wrong).toEqual([]);
    expect(await lost(fresh[0]?.url ?? "", participants, load.kept)).toEqual([]);
    for (const { bodies } of hooks)
      await expect.poll(() => dispatchesIn(bodies).toSorted(), { timeout: 30_000 }).toEqual(load.issued.toSorted());
    expect(Math.min(load.kept.length, load.polls, load.issued.length)).toBeGreaterThan(10);
  },
  LONGEST_MS,
);

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { evidenceOf, MINUTES_MS, run } from "./support/backup-story.js";
import { FailoverCluster } from "./support/failover-cluster.js";
import { type Answered, FailoverLoad } from "./support/failover-load.js";
import { HookReceiver } from "./support/hook-receiver.js";
import { newParticipant, newProgram, operate, type Participant } from "./support/participant.js";
import { missingForPointInTime, PointInTime, secondOf } from "./support/point-in-time.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess, temporaryFolder } from "./support/service-process.js";
import { registerWebhook } from "./support/webhooks.js";

const SITES = 4;
const UNDER_WAY_MS = 3000;
/** From the arrival of a notice until its confirmation is stored. */
const CONFIRMED_MS = 1500;
const SETTLED = { timeout: 60_000, interval: 250 };

const missing = missingForPointInTime();

describe.skipIf(missing.length > 0)(`point in time (missing: ${missing.join(", ") || "nothing"})`, () => {
  let cluster: FailoverCluster;
  let pointInTime: PointInTime;
  let settings: Record<string, string>;
  let backups: string;
  let keyFile: string;
  let service: ServiceProcess;
  let participant: Participant;
  let programId: string;
  let address: string;
  const receiver = new HookReceiver({ failingShare: 0 });

  /** Of an account of its own, which gets notices. */
  const loadOf = async (): Promise<FailoverLoad> => {
    participant = await newParticipant(service.url, SITES);
    await registerWebhook(service.url, participant, address);
    return new FailoverLoad(service.url, participant, programId);
  };

  beforeAll(async () => {
    cluster = await FailoverCluster.start({ proxied: PointInTime.haproxy() });
    atEnd(() => cluster.end());
    pointInTime = new PointInTime(cluster);
    await pointInTime.setUp();
    const folder = await temporaryFolder();
    atEnd(() => folder.remove());
    backups = join(folder.path, "backups");
    keyFile = join(folder.path, "backup.key");
    const made = await run(["backup", "keygen", keyFile]);
    settings = {
      DATABASE_URL: cluster.url,
      CURTAIL_DATA_DIR: folder.path,
      CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
      // The same after a restore.
      CURTAIL_PORT: String(await freePort()),
      CURTAIL_RATE_LIMIT: "1000000",
      CURTAIL_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      CURTAIL_BACKUP_DIRECTORY: backups,
      CURTAIL_BACKUP_RECIPIENTS: /cbr_\S+/.exec(made.output)?.[0] ?? "",
      CURTAIL_BACKUP_DATABASE_URL: cluster.urlOf("127.0.0.1:5001"),
    };
    service = await startProcess(settings);
    atEnd(async () => void (await service.end("SIGTERM")));
    programId = await newProgram(service.url);
    address = await receiver.listen();
    atEnd(async () => receiver.close());
  }, MINUTES_MS);

  test(
    "the daily backup is read from the standby under load, is good, and is noted on the primary",
    async () => {
      const load = await loadOf();
      load.start();
      try {
        const madeAt = async () => {
          const [state] = await pointInTime.sql("select value from settings where name = 'daily_backup'");
          return JSON.parse(state ?? "{}").madeAt;
        };
        await expect.poll(madeAt, SETTLED).toEqual(expect.any(String));
        await sleep(UNDER_WAY_MS);
        const before = load.answeredSoFar();
        const byHand = await run(["backup", join(backups, "by-hand.backup")], settings);
        expect([byHand.errors, byHand.code]).toEqual(["", 0]);
        for (const name of (await readdir(backups)).filter((each) => each.endsWith(".backup"))) {
          const verified = await run(["backup", "verify", join(backups, name), "--key", keyFile]);
          expect([verified.errors, verified.code]).toEqual(["", 0]);
        }
        expect(before.dispatches.length).toBeGreaterThan(0);
      } finally {
        await load.stop();
      }
    },
    MINUTES_MS,
  );

  /** Over the page's copy without the log since the backup: it answers, and lacks what came after. */
  const expectLogNeeded = async (load: FailoverLoad, { inBackup, before }: Record<string, Answered>): Promise<void> => {
    const copy = await pointInTime.rehearse(await freePort());
    try {
      const lacking = await startProcess({ ...settings, DATABASE_URL: copy.url, CURTAIL_ROLES: "api" });
      try {
        expect(await load.lostReadings(inBackup?.cells)).toBe(0);
        expect(await load.lostReadings(before?.cells)).toBeGreaterThan(0);
        const issued = await load.issued();
        expect(before?.dispatches.filter((id) => !issued.includes(id))).not.toEqual([]);
      } finally {
        await lacking.end("SIGTERM");
      }
    } finally {
      await copy.stop();
    }
  };

  test(
    "a restore to the second before a mistake has what was answered before, sends none of it again, and goes on",
    async () => {
      const load = await loadOf();
      load.start();
      await sleep(UNDER_WAY_MS);
      const inBackup = load.answeredSoFar();
      await pointInTime.firstBackup();
      await sleep(UNDER_WAY_MS);
      const before = load.answeredSoFar();
      await vi.waitFor(() => expect(load.unnoticed(receiver, before.dispatches)).toEqual([]), SETTLED);
      await sleep(CONFIRMED_MS);
      const evidence = await evidenceOf(service.url, before.dispatches[0] ?? "");
      const second = secondOf(Date.now() + 1000);
      const secondMs = Date.parse(second.replace(" ", "T").replace("+00", "Z"));
      // Requests go on during that second, and after it.
      await sleep(secondMs - Date.now() + UNDER_WAY_MS);
      await pointInTime.sql("delete from telemetry_hours; delete from telemetry_log");
      await load.stop();
      // What the process had read of the log goes with it.
      await service.end("SIGTERM");
      service = await startProcess(settings);
      expect(await load.lostReadings(before.cells)).toBeGreaterThan(0);
      await service.end("SIGTERM");
      expect((await pointInTime.undone(second)).join("\n")).toContain("dispatch.create");

      await pointInTime.restore(second);
      await expectLogNeeded(load, { inBackup, before });
      const sent = receiver.arrivals.splice(0);
      const held = await run(["backup", "hold", second], settings);
      expect([held.errors, held.code]).toEqual(["", 0]);
      service = await startProcess(settings);

      expect(await load.lostReadings(before.cells)).toBe(0);
      expect(await load.issued()).toEqual(expect.arrayContaining([...before.dispatches]));
      expect(await evidenceOf(service.url, before.dispatches[0] ?? "")).toEqual(evidence);
      await sleep(UNDER_WAY_MS);
      expect(receiver.arrivals).toEqual([]);
      await operate(service.url, operator.releaseDelivery);

      const again = new FailoverLoad(service.url, participant, programId);
      again.start();
      await expect.poll(() => load.lostReadings(), { ...SETTLED, timeout: MINUTES_MS, interval: 2000 }).toBe(0);
      await again.stop();
      await vi.waitFor(() => expect(again.unnoticed(receiver)).toEqual([]), SETTLED);
      const confirmed = new Set(
        sent
          .filter(({ accepted, atMs }) => accepted && atMs < secondMs - CONFIRMED_MS)
          .map(({ webhookId }) => webhookId),
      );
      expect(confirmed.size).toBeGreaterThan(before.dispatches.length / 2);
      expect(receiver.arrivals.filter(({ webhookId }) => confirmed.has(webhookId))).toEqual([]);

      await cluster.untilSynchronous();
      await pointInTime.firstBackup();
    },
    3 * MINUTES_MS,
  );
});

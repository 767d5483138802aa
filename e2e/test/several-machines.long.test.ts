import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type PeerCertificate } from "node:tls";
import { participantClient } from "@curtail/client";
import { listDispatches } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { systemPostgres } from "@curtail/testing/system-postgres";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { programOf } from "./support/failover-files.js";
import { FailoverLoad } from "./support/failover-load.js";
import { HookReceiver } from "./support/hook-receiver.js";
import { newParticipant, newProgram } from "./support/participant.js";
import { OPERATOR_TOKEN } from "./support/service-process.js";
import { SeveralMachines } from "./support/several-machines.js";
import { registerWebhook } from "./support/webhooks.js";

const missing = [
  ...["haproxy", "pgbouncer"].filter((name) => programOf(name) === null),
  ...(systemPostgres() === null ? ["postgresql"] : []),
];
const POLLS_A_MINUTE = 60;
const UNDER_WAY_MS = 2000;
/** What docs/scaling.md waits for requests under way. */
const DRAINED_MS = 5000;
const PATIENCE_MS = 60_000;
const LONGEST_MS = 180_000;

describe.skipIf(missing.length > 0)(
  `behind haproxy and over pgbouncer, as docs/scaling.md sets them up (missing: ${missing.join(", ") || "nothing"})`,
  { timeout: LONGEST_MS },
  () => {
    let machines: SeveralMachines;
    let receiver: HookReceiver;
    let load: FailoverLoad;

    beforeAll(async () => {
      machines = await SeveralMachines.start({
        CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
        CURTAIL_RATE_LIMIT: "1000000",
        CURTAIL_RATE_LIMIT_DISPATCHES: String(POLLS_A_MINUTE),
        CURTAIL_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      });
      atEnd(() => machines.end());
    }, LONGEST_MS);

    beforeEach(async () => {
      receiver = new HookReceiver({ failingShare: 0 });
      const participant = await newParticipant(machines.url, 4);
      await registerWebhook(machines.url, participant, await receiver.listen());
      load = new FailoverLoad(machines.url, participant, await newProgram(machines.url));
      load.start();
      await sleep(UNDER_WAY_MS);
    }, LONGEST_MS);

    afterEach(async () => {
      await load.stop();
      receiver.close();
    });

    const expectNothingLost = async (): Promise<void> => {
      await sleep(UNDER_WAY_MS);
      await load.stop();
      await vi.waitFor(() => expect(load.unnoticed(receiver)).toEqual([]), { timeout: PATIENCE_MS, interval: 250 });
      expect(load.readings).toBeGreaterThan(0);
      expect(await load.lostReadings()).toBe(0);
      expect((await load.issued()).toSorted()).toEqual(load.dispatches.toSorted());
    };

    const refused = (): readonly number[] => [...new Set(load.refusals.map(({ status }) => status))];

    test("a process is taken out, stopped, started and taken back without an error for anybody", async () => {
      await machines.drain("app1");
      await sleep(DRAINED_MS);
      expect(await machines.stopMachine("app1", "SIGTERM")).toBe(0);
      await sleep(UNDER_WAY_MS);
      await machines.startMachine("app1");
      await machines.takeBack("app1");
      await expectNothingLost();
      expect(refused()).toEqual([]);
    });

    test("a process that is killed loses nothing that was answered", async () => {
      await machines.stopMachine("app2", "SIGKILL");
      await sleep(UNDER_WAY_MS);
      await machines.startMachine("app2");
      await machines.takeBack("app2");
      await expectNothingLost();
      // Of requests that were under way: haproxy says so, or closes a connection that is kept for further requests.
      expect([0, 502, 503]).toEqual(expect.arrayContaining([...refused()]));
    });

    test("a pgbouncer that is killed and started again loses nothing that was answered", async () => {
      await machines.killPooler();
      await expectNothingLost();
      expect([500, 503]).toEqual(expect.arrayContaining([...refused()]));
    });

    test("a key that polls as fast as it can gets its limit, and little more", async () => {
      const { key } = await newParticipant(machines.url, 1);
      const client = participantClient({ url: machines.url, key });
      let allowed = 0;
      for (let sent = 0; sent < 3 * POLLS_A_MINUTE; sent++)
        if ((await client.send(listDispatches)).status === 200) allowed += 1;
      expect(allowed).toBeGreaterThanOrEqual(POLLS_A_MINUTE);
      // A twentieth for the second process, and what comes while words are under way.
      expect(allowed).toBeLessThan(1.5 * POLLS_A_MINUTE);
    });

    test("the sandbox, OpenADR 3.1 and 2.0a answer at their addresses, by either process alike", async () => {
      expect(await statusOf("sandbox.curtail.example.com", "/2022-04-15/sites", { "x-service-api-key": "wrong" })).toBe(
        401,
      );
      expect(await statusOf("openadr3.curtail.example.com", "/openadr3/3.1.0/programs")).toBe(401);
      const certificates = await Promise.all([certificateOf(machines.vtnPort), certificateOf(machines.vtnPort)]);
      for (const { subjectaltname } of certificates) expect(subjectaltname).toContain("vtn.curtail.example.com");
      expect(new Set(certificates.map(({ issuer }) => JSON.stringify(issuer))).size).toBe(1);
    });

    const statusOf = (host: string, path: string, headers: Record<string, string> = {}): Promise<number> =>
      new Promise((resolve, reject) => {
        request(`${machines.url}${path}`, { headers: { ...headers, host } }, (response) => {
          response.resume().on("end", () => resolve(response.statusCode ?? 0));
        })
          .on("error", reject)
          .end();
      });
  },
);

const certificateOf = (port: number): Promise<PeerCertificate> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.on("error", reject);
  });

import { readFileSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { acknowledge, alarmsAbout, judgeOnce, untilAlarms } from "../support/alarms.js";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;
let id: string;
let count = 0;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  ({ id } = await service.made("POST", `/accounts/${anna.accountId}/vens`, { ven_id: `store-${++count}` }));
});

const csr = readFileSync(new URL("../vtn/requests/ec-p256.csr", import.meta.url), "utf8");
const certify = (days: number) =>
  service.made<{ fingerprint: string; expires_at: string }>("POST", `/vens/${id}/certificates`, { csr, days });
const about = () => ({ kind: "certificate_expiring", id });
const subjects = async (): Promise<string[]> => (await alarmsAbout(service, about())).map(({ subject }) => subject);

describe("a VEN whose last certificate ends", () => {
  test("is told of at 60, 30 and 7 days, each time anew, and when it has ended", async () => {
    const { expires_at } = await certify(61);
    await judgeOnce(service);
    expect(await subjects()).toEqual([]);
    service.clock.advance({ days: 1 });
    const [alarm] = await untilAlarms(service, about(), 1);
    expect(alarm).toMatchObject({
      subject: `${id} 60`,
      account_id: anna.accountId,
      message: expect.stringContaining(`ends within 60 days, at ${expires_at}; the VEN is refused from then on.`),
    });
    await acknowledge(service, alarm?.id);
    for (const [days, step] of [
      [30, 30],
      [23, 7],
      [7, 0],
    ] as const) {
      service.clock.advance({ days });
      await judgeOnce(service);
      expect(await subjects()).toEqual([`${id} ${step}`]);
    }
    const [ended] = await alarmsAbout(service, about());
    expect(ended?.message).toContain(`ended at ${expires_at}`);
    expect(ended?.acknowledged_at).toBeNull();
  });

  test("is provided for by a newer certificate, or by being deleted", async () => {
    await certify(20);
    expect(await untilAlarms(service, about(), 1)).toMatchObject([{ subject: `${id} 30` }]);
    const { fingerprint } = await certify(365);
    await untilAlarms(service, about(), 0);
    await service.operator("DELETE", `/vens/${id}/certificates/${fingerprint}`);
    await untilAlarms(service, about(), 1);
    await service.operator("DELETE", `/vens/${id}`);
    await untilAlarms(service, about(), 0);
  });

  test("is nobody's concern when its account is disabled, or it was never certified", async () => {
    await judgeOnce(service);
    expect(await subjects()).toEqual([]);
    await certify(20);
    await service.operator("PATCH", `/accounts/${anna.accountId}`, { disabled: true });
    await judgeOnce(service);
    expect(await subjects()).toEqual([]);
  });
});

import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { untilAlarms } from "../../support/alarms.js";
import { anna, eventOf, failure, prepare, requiredOf, service, shown } from "../../support/ven-alarms.js";
import type { TestVen } from "../../support/vens.js";

beforeAll(prepare);

const lastAcknowledgement = async ({ ven }: TestVen): Promise<unknown> =>
  (await service.made(operator.getVen, { params: { id: ven.id } })).last_acknowledgement;

describe("an error that a VEN reports", () => {
  test("is no acknowledgement: the VEN is asked again, and what it acknowledged last stays", async () => {
    const { ven, id } = await shown();
    expect((await ven.answer(await eventOf(ven, id), failure)).response.responseCode).toBe("200");
    expect(await lastAcknowledgement(ven)).toBeNull();
    expect(await requiredOf(ven, id)).toBe("always");
    await ven.answer(await eventOf(ven, id));
    const acknowledgedAt = await lastAcknowledgement(ven);
    service.clock.advance({ seconds: 10 });
    await ven.answer(await eventOf(ven, id), failure);
    expect(await lastAcknowledgement(ven)).toBe(acknowledgedAt);
    expect(await requiredOf(ven, id)).toBe("never");
    const { items } = await service.made(operator.listVenEvents, { params: { id: ven.ven.id } });
    expect(items).toMatchObject([{ dispatch_id: id, acknowledgement: { opt: "optIn", response_code: "200" } }]);
  });

  test("raises an alarm with the code until the VEN acknowledges, though it acknowledged the same before", async () => {
    const { ven, id } = await shown();
    const about = { kind: "ven_error", id: `${ven.ven.id} ${id}` };
    await ven.answer(await eventOf(ven, id));
    await ven.answer(await eventOf(ven, id), failure);
    const [alarm] = await untilAlarms(service, about, 1);
    expect(alarm).toMatchObject({ account_id: anna.accountId });
    for (const part of [ven.venId, id, "400", "no relay is configured"]) expect(alarm?.message).toContain(part);
    await ven.answer(await eventOf(ven, id));
    await untilAlarms(service, about, 0);
  });
});

describe("an optOut", () => {
  test("raises an alarm that names account, VEN and dispatch, until the VEN opts in", async () => {
    const { ven, id } = await shown();
    const about = { kind: "ven_opted_out", id: `${ven.ven.id} ${id}` };
    await ven.answer(await eventOf(ven, id), { opt: "optOut" });
    const [alarm] = await untilAlarms(service, about, 1);
    expect(alarm).toMatchObject({ account_id: anna.accountId });
    for (const part of [anna.accountId, ven.venId, id]) expect(alarm?.message).toContain(part);
    await ven.answer(await eventOf(ven, id));
    await untilAlarms(service, about, 0);
  });
});

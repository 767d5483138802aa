import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import {
  forServers,
  openadr,
  prepare,
  programId,
  pushed,
  service,
  states,
  untilTold,
  vens,
} from "../../support/ven-push.js";
import { venServer } from "../../support/ven-server.js";
import type { TestVen } from "../../support/vens.js";

beforeAll(prepare);

/** Modifications that a VEN is yet to be pushed. */
const waiting = async ({ ven: { id } }: TestVen): Promise<number[]> => {
  const { rows } = await service.database.pool.query<{ modification_number: number }>(
    "select modification_number from ven_pushes where ven = $1 and next_attempt_at is not null",
    [id],
  );
  return rows.map(({ modification_number }) => modification_number);
};

describe("rule 15", () => {
  test("rule 15: a push that was answered while the database was away is recorded once it is back, not made again", async () => {
    const { ven, server } = await pushed();
    server.status = null;
    const { id } = await newDispatch(service, programId);
    await server.pushes(1);
    const sql = "select leased_until from ven_pushes where ven = $1 and dispatch_id = $2";
    const { rows } = await service.database.pool.query<{ leased_until: Date }>(sql, [ven.ven.id, id]);
    const leaseMs = (rows[0]?.leased_until.getTime() ?? Number.NaN) - service.clock.now().getTime();
    expect(leaseMs).toBeLessThanOrEqual(14_000);
    server.status = 200;
    await service.database.cutOff();
    server.answerHeld(200);
    const startedMs = performance.now();
    await expect.poll(() => performance.now() - startedMs).toBeGreaterThan(2500);
    service.clock.advance({ minutes: 2 });
    await service.database.letIn();
    await expect.poll(() => openadr(id, ven)).toContain("delivered 0");
    expect((await openadr(id, ven)).filter((each) => each.startsWith("attempt"))).toEqual(["attempt 0"]);
    expect(states(server)).toEqual(["far 0"]);
  });

  test("rule 15: an address that the guard refuses is never dialled", async () => {
    const bert = await service.newParticipant();
    const transport = { push_url: "https://169.254.169.254/ven", ca_certificate: vens.ca };
    const ven = await vens.newVen(bert, { transport });
    const { id } = await newDispatch(service, await newProgram(service, [bert]));
    await untilTold(id, ven, "attempt 0 blocked_address");
  });

  test("rule 15: one that hangs holds up no other", async () => {
    const [slow, quick] = [await service.newParticipant(), await service.newParticipant()];
    const hanging = await pushed(slow);
    const other = await pushed(quick);
    hanging.server.status = null;
    const program = await newProgram(service, [slow, quick]);
    await newDispatch(service, program);
    await other.server.pushes(1);
    await newDispatch(service, program, { start_time: ahead(service, { hours: 2 }) });
    await other.server.pushes(2);
    expect(hanging.server.received.length).toBe(1);
  });

  test("rule 15: a VEN that gets an address during a dispatch is pushed it, without waiting for a change", async () => {
    const bert = await service.newParticipant();
    const ven = await vens.newVen(bert);
    await newDispatch(service, await newProgram(service, [bert]));
    const server = await venServer(forServers, vens.ca);
    const transport = { push_url: server.url, ca_certificate: vens.ca };
    await service.made(operator.changeVen, { params: { id: ven.ven.id }, body: { transport } });
    await server.pushes(1);
    expect(states(server)).toEqual(["far 0"]);
  });

  test("rule 15: a VEN of a disabled account is pushed nothing, and once it is enabled what is current", async () => {
    const [bert, carl] = [await service.newParticipant(), await service.newParticipant()];
    const [disabled, other] = [await pushed(bert), await pushed(carl)];
    disabled.server.status = 500;
    const { id } = await newDispatch(service, await newProgram(service, [bert, carl]));
    await untilTold(id, disabled.ven, "attempt 0 status_500");
    const params = { id: bert.accountId };
    await service.made(operator.changeAccount, { params, body: { disabled: true, confirm_running: true } });
    service.clock.advance({ minutes: 1 });
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 3 }) } });
    await other.server.pushes(2);
    await expect.poll(() => waiting(disabled.ven)).toEqual([]);
    expect(states(disabled.server)).toEqual(["far 0"]);
    disabled.server.status = 200;
    await service.made(operator.changeAccount, { params, body: { disabled: false } });
    await disabled.server.pushes(2);
    expect(states(disabled.server)).toEqual(["far 0", "far 1"]);
  });

  test("rule 15: a change during a push is pushed after it", async () => {
    const bert = await service.newParticipant();
    const { server, ven } = await pushed(bert);
    server.status = null;
    const { id } = await newDispatch(service, await newProgram(service, [bert]));
    await server.pushes(1);
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 3 }) } });
    await expect.poll(() => waiting(ven)).toEqual([1]);
    server.status = 200;
    server.answerHeld(200);
    await server.pushes(2);
    await expect.poll(() => openadr(id, ven)).toEqual(expect.arrayContaining(["delivered 0", "delivered 1"]));
    expect(states(server)).toEqual(["far 0", "far 1"]);
  });

  test("rule 15: a cancelled dispatch that a VEN never received is not pushed to it", async () => {
    const bert = await service.newParticipant();
    const { id } = await newDispatch(service, await newProgram(service, [bert]));
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    const { server, ven } = await pushed(bert);
    await expect.poll(() => waiting(ven)).toEqual([1]);
    service.clock.advance({ minutes: 2 });
    await expect.poll(() => waiting(ven)).toEqual([]);
    expect(server.received).toEqual([]);
  });
});

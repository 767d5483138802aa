import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { untilAlarms } from "../../support/alarms.js";
import { dispatched, phone, prepare, prepareOther, service, unsent } from "../../support/calls-by-phone.js";
import { ahead } from "../../support/dispatching.js";
import { evidenceOf, said } from "../../support/evidence.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";

beforeAll(prepare);

const attention = async (id: string) => service.made(operator.getDispatchAttention, { params: { id } });

describe("an account that was notified by phone", () => {
  test("counts as reached: its alarm clears, and the board and the evidence say so", async () => {
    const { account_id, id } = await dispatched();
    await unsent(id, 1);
    const about = { kind: "notice_failed", id };
    await untilAlarms(service, about, 1);
    expect(await attention(id)).toMatchObject({ accounts: 1, reached: 0, unreached: [{ account_id, contact: null }] });
    const { status, body } = await phone(id, { account_id });
    expect(status).toBe(201);
    expect(body).toMatchObject({ modification_number: 0, at: ahead(service, {}), by: "operator", by_name: null });
    expect(await attention(id)).toMatchObject({ reached: 1, reached_by: { phone: 1, rest: 0 }, unreached: [] });
    const [item] = (await evidenceOf(service, id)).filter(({ channel }) => channel === "phone");
    expect(item).toMatchObject({
      what: "reached",
      account_id,
      detail: { modification_number: 0, person: "Ana Lopez", note: "starts the generator", by: "operator" },
    });
    await untilAlarms(service, about, 0);
  });

  test("is not notified of a change made after the call, whenever the call is recorded", async () => {
    const { account_id, id } = await dispatched();
    const calledAt = ahead(service, { seconds: 10 });
    service.clock.advance({ seconds: 60 });
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 5 }) } });
    expect((await phone(id, { account_id, at: calledAt })).body).toMatchObject({
      modification_number: 0,
      at: calledAt,
    });
    expect((await phone(id, { account_id, modification_number: 0 })).body).toMatchObject({ modification_number: 0 });
    expect(await attention(id)).toMatchObject({ modification_number: 1, reached: 0 });
    expectError(
      await phone(id, { account_id, at: calledAt, modification_number: 1 }),
      400,
      /before modification 1.*leave modification_number out/,
    );
    expect((await phone(id, { account_id })).body).toMatchObject({ modification_number: 1 });
    expect(await attention(id)).toMatchObject({ reached: 1, reached_by: { phone: 1 } });
    // Each call stays in the evidence.
    expect(said(await evidenceOf(service, id)).filter((each) => each === "phone reached")).toHaveLength(3);
  });

  test("has one call if the request is repeated", async () => {
    const { account_id, id } = await dispatched();
    const headers = { "idempotency-key": `call-${id}` };
    const body = { account_id, person: "Ana", note: "x" };
    const send = () => service.operator(operator.recordPhoneCall, { params: { id }, body, headers });
    expect((await send()).body).toEqual((await send()).body);
    expect((await attention(id)).reached_by.phone).toBe(1);
    expect(said(await evidenceOf(service, id)).filter((each) => each === "phone reached")).toHaveLength(1);
  });
});

describe("a call is refused", () => {
  beforeAll(prepareOther);

  test("for an auditor", async () => {
    const { account_id, id } = await dispatched();
    const auditor = await newBrowser(service, "auditor");
    const body = { account_id, person: "Ana", note: "x" };
    const answer = await auditor.operator(operator.recordPhoneCall, { params: { id }, body });
    expectError(answer, 404, /for the role auditor/);
  });
});

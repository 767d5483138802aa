import { operator as contract, getDispatch, listDispatches } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anna, block, period, prepare, prepareBlock, service, siteId } from "../../support/blocked-sites.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";

beforeAll(prepare);

const stored = async () => (await service.operator(contract.listSchedule, { params: { id: siteId } })).body.items;

// Specification, endpoint 5: when availability is turned off, the site is not dispatched in the period; G18.
describe("a dispatch over a block", () => {
  beforeEach(prepareBlock);

  test("leaves the site out and says so to the operator", async () => {
    const ben = await service.newParticipant();
    const program = await newProgram(service, [anna, ben]);
    await block(2, 4);
    const { body } = await service.operator(contract.createDispatch, {
      body: { program_id: program, ...period(3, 5) },
    });
    expect(body.sites).toMatchObject([{ id: ben.sites[0]?.id }]);
    expect(body.excluded_sites).toEqual([{ site_id: siteId, reason: expect.stringMatching(/not available/) }]);
    expect((await anna.call(listDispatches)).body.dispatches).toEqual([]);
  });

  test("is refused when no site is left", async () => {
    const program = await newProgram(service, [anna]);
    await block(1, 5);
    const body = { program_id: program, ...period(2, 3) };
    expectError(await service.operator(contract.createDispatch, { body }), 400, /no site is available in the period/);
    const named = { ...body, sites: [{ site_id: siteId }] };
    expectError(
      await service.operator(contract.createDispatch, { body: named }),
      400,
      /no site is available in the period/,
    );
  });

  test("that holds the site already stays as it is", async () => {
    const program = await newProgram(service, [anna]);
    const { id } = await newDispatch(service, program, period(2, 4));
    const before = await anna.call(getDispatch, { params: { id } });
    expect((await block(1, 5)).status).toBe(200);
    expect((await anna.call(getDispatch, { params: { id } })).text).toBe(before.text);
  });

  test("holds the site again when the operator removed the block", async () => {
    const program = await newProgram(service, [anna]);
    await block(1, 5);
    const [kept] = await stored();
    expect((await service.operator(contract.deleteScheduleBlock, { params: { id: kept?.id ?? "" } })).status).toBe(204);
    expect((await newDispatch(service, program, period(2, 3))).id).toMatch(/^dis_/);
  });
});

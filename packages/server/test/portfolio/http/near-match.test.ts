import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
beforeAll(async () => {
  service = await running();
});

const NO_BREAK = "\u00a0";

const createAccount = (name: string, more = {}) =>
  service.operator(operator.createAccount, { body: { name, ...more } });
const count = async () => (await service.made(operator.listAccounts)).items.length;

const accountWith = async (...sites: ReadonlyArray<Readonly<Record<string, string>>>) => {
  const { id } = await service.made(operator.createAccount, { body: { name: crypto.randomUUID() } });
  const create = (body: object) =>
    service.operator(operator.createSite, { params: { id }, body: { name: "Store", ...body } });
  for (const site of sites) expect((await create(site)).status).toBe(201);
  return create;
};

// G70: almost the same name or identifier.
describe("an account of almost the same name", () => {
  beforeAll(async () => {
    expect((await createAccount("Caf\u00e9 Nord")).status).toBe(201);
  });

  test.for([
    ["with its accent apart", "Cafe\u0301 Nord"],
    ["with a no-break space", `Caf\u00e9${NO_BREAK}Nord`],
    ["in other case", "CAF\u00c9 nord"],
    ["with two spaces", "Caf\u00e9  Nord"],
  ])("%s is created only if it is confirmed", async ([, name = ""]) => {
    const before = await count();
    const refused = await createAccount(name);
    expectError(refused, 400, /^Send confirm_near_match: true to create this account: .*"Caf\u00e9 Nord" for/);
    expect(await count()).toBe(before);
  });

  test("that is confirmed is created, and so is another one of exactly the same name", async () => {
    expect((await createAccount("caf\u00e9 nord", { confirm_near_match: true })).status).toBe(201);
    expect((await createAccount("Caf\u00e9 Nord")).status).toBe(201);
    expect((await createAccount("Caf\u00e9 S\u00fcd")).status).toBe(201);
  });
});

describe("a site that is almost another one of its account", () => {
  test("by its identifier, without the zeros that a spreadsheet drops, is created only if it is confirmed", async () => {
    const create = await accountWith({ name: "Store 1", customer_location_id: "0001" });
    const near = { name: "Another", customer_location_id: "1" };
    expectError(await create(near), 400, /a customer_location_id that is almost the same, "0001" for "1"/);
    expect((await create({ ...near, confirm_near_match: true })).status).toBe(201);
    expect((await create({ name: "Another", customer_location_id: "10" })).status).toBe(201);
  });

  test("by its name counts where one of both has no identifier", async () => {
    const create = await accountWith({ name: "Store 1", customer_location_id: "A" }, { name: "Depot" });
    expectError(await create({ name: "STORE 1" }), 400, /a name that is almost the same, "Store 1" for "STORE 1"/);
    expectError(await create({ name: "depot", customer_location_id: "D" }), 400, /"Depot" for "depot"/);
    expect((await create({ name: "STORE 1", customer_location_id: "B" })).status).toBe(201);
  });

  test("of another account does not count", async () => {
    await accountWith({ name: "Mill" });
    const create = await accountWith();
    expect((await create({ name: "MILL" })).status).toBe(201);
  });
});

const change = (id: string, body: object) => service.operator(operator.changeAccount, { params: { id }, body });
const rename = (id: string, body: object) => service.operator(operator.changeMeter, { params: { id }, body });

describe("a change to almost another one's name", () => {
  test("of an account is made only if it is confirmed; its own spelling is corrected without a question", async () => {
    const [first, second] = [
      await service.made(operator.createAccount, { body: { name: "Bakery Ost" } }),
      await service.made(operator.createAccount, { body: { name: "Mill" } }),
    ];
    expectError(await change(second.id, { name: "bakery ost" }), 400, /to change this account: .*"Bakery Ost" for/);
    expect((await service.made(operator.getAccount, { params: { id: second.id } })).name).toBe("Mill");
    expect((await change(second.id, { name: "bakery ost", confirm_near_match: true })).status).toBe(200);
    // It is near another one already, which is not asked again.
    expect((await change(second.id, { disabled: true })).status).toBe(200);
    expect((await change(first.id, { name: "Bakery OST", confirm_near_match: true })).status).toBe(200);
    const { id } = await service.made(operator.createAccount, { body: { name: "dairy" } });
    expect((await change(id, { name: "Dairy" })).status).toBe(200);
  });

  test("or identifier of a site is made only if it is confirmed", async () => {
    const create = await accountWith({ name: "Store 1", customer_location_id: "0001" }, { name: "Depot" });
    const { id } = (await create({ name: "Yard", customer_location_id: "2" })).body;
    const set = (body: object) => service.operator(operator.changeSite, { params: { id }, body });
    expectError(await set({ customer_location_id: "1" }), 400, /to change this site: .*"0001" for "1"/);
    expectError(await set({ name: "depot" }), 400, /"Depot" for "depot". Nothing was changed/);
    expect((await set({ name: "YARD", customer_location_id: "02" })).status).toBe(200);
    expect((await set({ customer_location_id: "1", confirm_near_match: true })).status).toBe(200);
    expect((await set({ name: "Yard", dispatch_group: "north" })).status).toBe(200);
    expectError(await set({ name: "depot" }), 400, /"Depot" for "depot"/);
  });

  test("of a meter is made, and such a meter is added, only if it is confirmed", async () => {
    const { id } = (await (await accountWith())({ meters: [{ name: "Main meter" }] })).body;
    const add = (body: object) =>
      service.operator(operator.createMeter, { params: { id }, body: { name: "", ...body } });
    expectError(await add({ name: `main${NO_BREAK}meter` }), 400, /to create this meter: .*"Main meter" for/);
    const { body } = await add({ name: "main meter", confirm_near_match: true });
    expect((await add({ name: "Main meter" })).status).toBe(201);
    const { body: roof } = await add({ name: "Roof" });
    expectError(await rename(roof.id, { name: "MAIN meter" }), 400, /to change this meter: /);
    expect((await rename(roof.id, { name: "ROOF" })).status).toBe(200);
    expect((await rename(body.id, { asset_type: "generator" })).status).toBe(200);
    expect((await rename(roof.id, { name: "MAIN meter", confirm_near_match: true })).status).toBe(200);
  });
});

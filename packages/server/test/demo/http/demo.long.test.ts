import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { demoService, untilDemo } from "../../support/demo.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import type { Running } from "../../support/running.js";

const ON = /^The demo is on: remove it before you add accounts of your own\.$/;
const csv = "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type\nNew,Site,S1,,UTC,main,load\n";

describe("a service without accounts", () => {
  let service: Running;
  beforeAll(async () => {
    service = await demoService();
  });

  test("starts one demo, however many start it", async () => {
    const [one, other] = await Promise.all([service.made(operator.startDemo), service.made(operator.startDemo)]);
    expect(one).toMatchObject({ state: "preparing", can_start: false, reason: null });
    expect(other.started_at).toBe(one.started_at);
    const { items } = await service.made(operator.listAudit, { query: { action: "demo.start" } });
    expect(items).toHaveLength(1);
  });

  test("takes no account while the demo is there, whichever way", async () => {
    const refused = async () => {
      expectError(await service.operator("POST", "/accounts", { name: "New" }), 400, ON);
      expectError(await service.operator(operator.importSites, { body: { csv, dry_run: false } }), 400, ON);
    };
    await refused();
    await untilDemo(service, "on");
    await refused();
    const { accounts } = await service.made(operator.getDemo);
    expect((await service.made(operator.listAccounts)).items).toHaveLength(accounts);
  });

  test("tells participants, too, that nothing is real", async () => {
    await untilDemo(service, "on");
    const [account] = (await service.made(operator.listAccounts)).items;
    const viewer = await newBrowser(service, "participant-viewer", account?.id);
    expect((await viewer.console(participantConsole.getDemoState)).body).toEqual({ state: "on" });
  });

  test("has no half account from a file with sites of the demo", async () => {
    const mixed = `${csv}Prairie Markets,Store 999,PM-999,,UTC,main,load\n`;
    expectError(await service.operator(operator.importSites, { body: { csv: mixed, dry_run: false } }), 400, ON);
    const { items } = await service.made(operator.listAllSites, { query: { search: "Store 999" } });
    expect(items).toEqual([]);
  });

  test("refuses accounts and another start until the demo is removed", async () => {
    const removing = await service.made(operator.removeDemo);
    expect(removing).toMatchObject({ state: "removing", can_start: false, accounts: 6, sites: 40 });
    expectError(await service.operator("POST", "/demo"), 400, /being removed/);
    expectError(await service.operator("POST", "/accounts", { name: "New" }), 400, ON);
    await untilDemo(service, "off");
    await service.made(operator.createAccount, { body: { name: "New" } });
  });

  test("audits who started and removed it, and what that was", async () => {
    const { items } = await service.made(operator.listAudit, { query: { subject: "demo" } });
    expect(items).toMatchObject([
      { action: "demo.remove", actor: "operator", before: { accounts: 6, sites: 40 }, after: null },
      { action: "demo.start", actor: "operator", before: null, after: {} },
    ]);
  });
});

import { existsSync } from "node:fs";
import { operator } from "@curtail/contract";
import { gateway } from "@curtail/testing/gateway";
import { mailbox } from "@curtail/testing/mailbox";
import { receiver } from "@curtail/testing/receiver";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, describe, expect, test } from "vitest";
import { caughtUp } from "../../support/caught-up.js";
import { DEMO_MS, demoService, rowCounts, startedDemo, untilDemo } from "../../support/demo.js";
import { ahead } from "../../support/dispatching.js";
import { choose } from "../../support/noticing.js";
import { type Browser, newBrowser } from "../../support/people.js";
import type { Running } from "../../support/running.js";
import { archived, mayDiffer, notFilled, usingAccount } from "../../support/used-account.js";

describe("removing a demo that was used", () => {
  let service: Running;
  let olivia: Browser;
  let before: Record<string, number>;
  let full: Record<string, number>;

  beforeAll(async () => {
    const [inbox, phones] = await Promise.all([mailbox(), gateway()]);
    service = await demoService({
      CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example`,
      CURTAIL_SMS_URL: phones.url,
      CURTAIL_GATEWAY_TOKEN: "token-of-the-gateway",
    });
    olivia = await newBrowser(service, "operator-admin");
    await choose(olivia, { dispatches: { mail: true, push: false } });
    await service.made(operator.createProgram, { body: wireProgram({ name: "Our own", program_type: "energy" }) });
    await service.made(operator.createBusinessLogic, { body: { name: "Price feed" } });
    await caughtUp(service.database.pool, "openadr3-projection");
    before = await rowCounts(service);
    await startedDemo(service);
    const { items } = await service.made(operator.listAccounts);
    const anna = await service.participantOf(items[0]?.id ?? "");
    const program = (await service.made(operator.listPrograms)).items.find(({ name }) => name === "Peak relief");
    await usingAccount(service, await receiver())(anna, program?.id ?? "");
    const shift = { from_time: ahead(service, { hours: -1 }), to_time: ahead(service, {}) };
    await service.made(operator.keepShiftReport, { body: shift });
    full = await rowCounts(service);
  }, DEMO_MS);

  test("the tables of accounts have rows before", () => {
    const empty = Object.entries(full).filter(([name, count]) => count === 0 && !notFilled.has(name));
    expect(empty.map(([name]) => name)).toEqual(["simulated_site"]);
  });

  test("returns at once, refuses another start, and leaves each table as it was before", {
    timeout: DEMO_MS,
  }, async () => {
    expect(await service.made(operator.removeDemo)).toMatchObject({ state: "removing" });
    await untilDemo(service, "off");
    const after = await rowCounts(service);
    const different = Object.keys(after).filter((name) => after[name] !== before[name] && !(name in mayDiffer));
    expect(Object.fromEntries(different.map((name) => [name, [before[name], after[name]]]))).toEqual({});
  });

  test("removes the files of archived readings", async () => {
    expect(existsSync(await archived(service, "2026-01"))).toBe(false);
  });

  test("keeps operators, their sessions and their programs", async () => {
    expect((await olivia.operator(operator.listPrograms)).body.items).toMatchObject([{ name: "Our own" }]);
  });

  test("lets accounts be added again, and another demo be started without them", async () => {
    expect(await service.made(operator.getDemo)).toMatchObject({ state: "off", can_start: true, reason: null });
    await service.made(operator.createAccount, { body: { name: "A real one" } });
    expect(await service.made(operator.getDemo)).toMatchObject({ can_start: false });
  });
});

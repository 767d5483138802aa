import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { demoService } from "../../support/demo.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import type { Running } from "../../support/running.js";

describe("a service without accounts", () => {
  let service: Running;
  beforeAll(async () => {
    service = await demoService();
  });

  test("can start a demo", async () => {
    expect(await service.made(operator.getDemo)).toEqual({
      state: "off",
      can_start: true,
      reason: null,
      progress: null,
      started_at: null,
      accounts: 0,
      sites: 0,
    });
  });

  test("has nothing to remove", async () => {
    expect(await service.made(operator.removeDemo)).toMatchObject({ state: "off", can_start: true });
  });

  test("lets only administrators start and remove one, and others see it", async () => {
    const [ops, auditor] = [await newBrowser(service, "operator"), await newBrowser(service, "auditor")];
    for (const { operator: call } of [ops, auditor]) {
      expectError(await call("POST", "/demo"), 404);
      expectError(await call("DELETE", "/demo"), 404);
      expect((await call(operator.getDemo)).body).toMatchObject({ state: "off" });
    }
  });
});

describe("a service with accounts", () => {
  test("refuses a demo, and says what to do", async () => {
    const service = await demoService();
    await service.newParticipant();
    expectError(await service.operator("POST", "/demo"), 400, /^The service has accounts: .* database of its own\.$/);
    const { can_start, reason } = await service.made(operator.getDemo);
    expect([can_start, reason]).toEqual([false, expect.stringMatching(/^The service has accounts/)]);
  });
});

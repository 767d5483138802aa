import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { running } from "../../support/running.js";
import { clear, hook, packets, port, prepare, register } from "../../support/webhook-addresses.js";

beforeAll(prepare);

afterAll(clear);

describe("a webhook's url", () => {
  test("G49: may not lead to loopback where people reach the service under another address", async () => {
    const behindProxy = await running({ CURTAIL_PUBLIC_URL: "https://dr.example.com" });
    const eve = await behindProxy.newParticipant();
    expectError(await register(eve, `https://127.0.0.1:${port()}/`), 400, /blocked_address/);
    expectError(await register(eve, `https://localhost:${port()}/`), 400, /blocked_address/);
    expect(packets).toBe(0);
  });

  test.each([
    { CURTAIL_OPERATOR_PORT: "0", CURTAIL_OPERATOR_HOST: "0.0.0.0", CURTAIL_OPERATOR_PUBLIC_URL: "http://127.0.0.1:9" },
    { CURTAIL_OPERATOR_PORT: "0", CURTAIL_OPERATOR_PUBLIC_URL: "https://operators.example.com" },
  ])("G49: may not lead to loopback where operators reach the service from elsewhere: %o", async (settings) => {
    const own = await running(settings);
    expectError(await register(await own.newParticipant(), `https://127.0.0.1:${port()}/`), 400, /blocked_address/);
    expect(packets).toBe(0);
  });

  test.each(["http://localhost:8080", "http://127.0.0.1:9000", "https://[::1]:8080"])(
    "G49: may lead to loopback where people reach the service at %s",
    async (publicUrl) => {
      const own = await running({ CURTAIL_PUBLIC_URL: publicUrl });
      expect((await register(await own.newParticipant(), hook.url)).status).toBe(200);
    },
  );
});

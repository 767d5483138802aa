import { describe, expect, test } from "vitest";
import { explain } from "../../../src/access/domain/request-explanation.js";
import { keptAddress, keptMessage, keptPath, shownRoute } from "../../../src/access/domain/request-log.js";

const key = `ctp_0123456789abcdef_${"0f".repeat(36)}`;

describe("what is kept of a request", () => {
  test("is its path with ids, and the names of the query's parameters", () => {
    expect(keptPath("/v/dispatches/:id", { id: "dis_1" }, [])).toBe("/v/dispatches/dis_1");
    expect(keptPath("/v/telemetry/kw", {}, ["site_id", "start_time", "site_id"])).toBe(
      "/v/telemetry/kw?site_id&start_time",
    );
    expect(shownRoute("/v/dispatches/:id/sites/:site_id")).toBe("/v/dispatches/{id}/sites/{site_id}");
  });

  test("is an address that is none, as it was sent", () => {
    expect(keptAddress("/v/dispatch/1?a=2&b", ["a", "b"])).toBe("/v/dispatch/1?a&b");
    expect(keptAddress(`/${"x".repeat(300)}`, [])).toBe(`/${"x".repeat(199)}`);
    expect(keptAddress(`/v/${key.replaceAll("_", "%5F")}`, [])).toBe("/v/[secret]");
    expect(keptAddress("/v/%zz%00", [])).toBe("/v/zz00");
  });

  test("is short, whatever was sent", () => {
    expect(keptPath("/v/:id", { id: "x".repeat(65) }, [])).toBe(`/v/${"x".repeat(64)}`);
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    expect(keptPath("/v", {}, names)).toBe(`/v?${names.slice(0, 10).join("&")}`);
    expect(keptMessage("x".repeat(1001))).toBe("x".repeat(1000));
  });

  test("is no key and no secret, wherever it stood", () => {
    const secret = "whsec_c2VjcmV0c2VjcmV0";
    expect(keptMessage(`id is "${key}", not ${secret}; check it`)).toBe('id is "[secret]", not [secret]; check it');
    // If cut before the search, the rest of a key would not be recognised.
    expect(keptPath("/v/:id", { id: key }, [key, "a"])).toBe("/v/[secret]?[secret]&a");
    expect(keptMessage(`${"x".repeat(990)} ${key}`)).not.toContain("ctp_");
    expect(keptMessage("a\0b")).toBe("a\ufffdb");
  });
});

const of = (status: number, method: string, path: string, message: string | null = null) =>
  explain({ status, method, path: `/2022-04-15${path}`, message });

describe("the explanation", () => {
  test("is none of a success", () => {
    expect(of(200, "GET", "/dispatches")).toBeNull();
    expect(of(308, "GET", "/")).toBeNull();
  });

  test.each([
    [401, "GET", "/dispatches", "Permission denied", /revoked, expired/],
    [401, "GET", "/dispatches", "this API key was revoked; send", /sends a revoked key/],
    [401, "GET", "/dispatches", "this API key has expired; issue", /an expired key/],
    [401, "GET", "/dispatches", "the account of this API key is disabled; ask", /operator has disabled/],
    [401, "GET", "/dispatches", "this is a production API key, and", /sent to the sandbox/],
    [401, "GET", "/dispatches", "this is a sandbox API key, and", /sent to production/],
    [404, "GET", "/dispatch", "There is nothing at this address and method; the", /no such address/],
    [404, "GET", "/dispatches", "Version 2020-12-30 is not served; use", /no longer served/],
    [404, "DELETE", "/scenarios/scn_1", "No such scenario", /GET \/scenarios lists them/],
    [400, "POST", "/dispatches", "this Idempotency-Key was used for another", /identifies one request/],
    [429, "GET", "/dispatches", "wait", /polled too often/],
    [429, "GET", "/dispatches/{id}", "wait", /seldom changes/],
    [429, "POST", "/telemetry", "wait", /many meters in one upload/],
    [404, "GET", "/dispatches/dis_1?x", "No such dispatch", /sandbox and production ids differ/],
    [404, "POST", "/schedule/sites/site_1", "No such site", /GET \/sites lists them/],
    [404, "DELETE", "/webhooks/wh_1", "No such webhook", /GET \/webhooks lists them/],
    [400, "POST", "/telemetry", "telemetry[0].interval_seconds is 45; it must be divisible by 30", /multiple of 30/],
    [400, "POST", "/telemetry", "telemetry[0].timestamp is 2030, which is in the future", /clock/],
    [400, "POST", "/telemetry", "telemetry[3] names no meter of this account", /Use the ids from GET \/sites/],
    [400, "POST", "/telemetry", 'telemetry[0].timestamp is "x"; give RFC 3339 with an offset', /with an offset/],
    [400, "POST", "/telemetry", "telemetry[0] has no power", /Nothing was stored/],
    [400, "POST", "/telemetry", "the body is not valid JSON at 5", /Send JSON/],
    [400, "POST", "/webhooks", "the test request to the url failed", /not registered/],
    [400, "POST", "/dispatches", "available is true", /correct the part/],
    [500, "GET", "/sites", "internal error; no partial change was made", /report the reference in the message/],
  ])("of %i for %s %s, %s, says %s", (status, method, path, message, said) => {
    expect(of(status, method, path, message)).toMatch(said);
  });
});

import { describe, expect, test } from "vitest";
import { checkWebhookUrl } from "../../../src/notification/domain/webhook.js";
import { type AddressPolicy, delayAfterMs, isRedirect, isSuccess } from "../../../src/platform/attempt.js";
import { isRefusal } from "../../../src/platform/refusal.js";

const strict: AddressPolicy = { allowedNetworks: [], allowLoopback: false, allowHttp: false };
const refused = (url: string, policy = strict): boolean => isRefusal(checkWebhookUrl(url, policy));

describe("retries (G30)", () => {
  test("come 2, 6, 18 and 54 seconds after a failure, and no more", () => {
    expect([1, 2, 3, 4, 5].map((failures) => delayAfterMs(failures, 0.5))).toEqual([2000, 6000, 18_000, 54_000, null]);
  });

  test("vary by a fifth either way", () => {
    expect(delayAfterMs(1, 0)).toBe(1600);
    expect(delayAfterMs(4, 0)).toBe(43_200);
    expect(delayAfterMs(4, 1)).toBe(64_800);
  });
});

test("of all statuses four are success and two redirects (Events 5)", () => {
  const statuses = Array.from({ length: 500 }, (_, i) => i + 100);
  expect(statuses.filter(isSuccess)).toEqual([200, 201, 202, 204]);
  expect(statuses.filter(isRedirect)).toEqual([301, 302]);
});

describe("the url of a webhook", () => {
  test.each([
    "https://example.com",
    "https://example.com:8443/a?b=c",
    "HTTPS://EXAMPLE.com/",
    "https://[2606:4700::1]/",
  ])("%s is one", (url) => expect(checkWebhookUrl(url, strict)).toBeInstanceOf(URL));

  test.each(["", "/hooks", "example.com", "https://", "https://exa mple.com", "https://a:99999/"])(
    "%j is none (L4)",
    (url) => expect(refused(url)).toBe(true),
  );

  test.each([
    "file:///etc/passwd",
    "ftp://a.test/",
    "gopher://a.test/",
    "data:,x",
    "javascript:alert(1)",
    "ws://a.test/",
  ])("%s has a scheme that is refused, whatever is allowed (L5)", (url) =>
    expect(refused(url, { allowedNetworks: ["0.0.0.0/0"], allowLoopback: true, allowHttp: true })).toBe(true),
  );

  test.each(["https://user@a.test/", "https://user:word@a.test/", "https://:word@a.test/"])(
    "%s holds a user or password",
    (url) => expect(refused(url)).toBe(true),
  );

  test("has 2048 characters at most", () => {
    const url = "https://example.com/".padEnd(2048, "x");
    expect(refused(url)).toBe(false);
    expect(refused(`${url}x`)).toBe(true);
  });

  test("may be http only where some address could be reached so", () => {
    const url = "http://example.com/";
    expect(refused(url)).toBe(true);
    expect(refused(url, { ...strict, allowHttp: true })).toBe(false);
    expect(refused(url, { ...strict, allowLoopback: true })).toBe(false);
    expect(refused(url, { ...strict, allowedNetworks: ["10.0.0.0/8"] })).toBe(false);
  });
});

import { describe, expect, test } from "vitest";
import {
  certificateCheck,
  clockCheck,
  readingsCheck,
  schemeCheck,
  webhooksCheck,
} from "../src/participant/doctor-checks.js";
import { proxyFor } from "../src/participant/network.js";

const NOW = Date.parse("2026-07-01T18:00:00Z");
const HEADER = "Wed, 01 Jul 2026 18:00:00 GMT";

test.for([
  [500, "ok"],
  [-5000, "warning"],
  [7000, "warning"],
  [200_000, "failed"],
  [-200_000, "failed"],
] as const)("a clock %d ms off is %s", ([offMs, result]) => {
  expect(clockCheck(HEADER, NOW + offMs, NOW + offMs).result).toBe(result);
});

test("a response without a date leaves the clock unknown", () => {
  expect(clockCheck(null, NOW, NOW).result).toBe("warning");
});

test.for([
  ["https://curtail.example.com", undefined],
  ["http://127.0.0.1:8080", "ok"],
  ["http://[::1]:8080", "ok"],
  ["http://127.example.com", "failed"],
  ["http://curtail.example.com", "failed"],
] as const)("%s without TLS: %s", ([url, result]) => {
  expect(schemeCheck(url)?.result).toBe(result);
});

test("a certificate that ends within two weeks is a warning", () => {
  expect(certificateCheck("Jul 31 18:00:00 2026 GMT", NOW).result).toBe("ok");
  expect(certificateCheck("Jul 10 18:00:00 2026 GMT", NOW).result).toBe("warning");
});

const site = (name: string, newestMs: number | null) => ({ name, meters: 1, newestMs });

test("sites without readings are named before those with old ones", () => {
  const [fresh, old, none] = [site("A", NOW - 30_000), site("B", NOW - 3_600_000), site("C", null)];
  expect(readingsCheck([fresh], NOW)).toMatchObject({ result: "ok", detail: "all sites, newest 30 s ago" });
  expect(readingsCheck([fresh, old], NOW).detail).toBe("older than 15 minutes: B");
  expect(readingsCheck([fresh, old, none], NOW).detail).toBe("none in the last 24 hours: C");
});

const hook = (...names: string[]) => ({ events: names.map((name) => ({ name })) });

test("webhooks must cover both events together", () => {
  expect(webhooksCheck([]).result).toBe("warning");
  expect(webhooksCheck([hook("dispatch.create")]).detail).toBe("no webhook for dispatch.update");
  expect(webhooksCheck([hook("dispatch.create"), hook("dispatch.update")]).result).toBe("ok");
});

describe("the proxy of an address", () => {
  const proxies = { HTTPS_PROXY: "http://proxy:3128", HTTP_PROXY: "http://plain:3128" };
  test.for([
    ["https://dr.example.com", proxies, "http://proxy:3128"],
    ["http://dr.example.com", proxies, "http://plain:3128"],
    ["https://dr.example.com", { ...proxies, https_proxy: "http://lower:1" }, "http://lower:1"],
    ["https://dr.example.com", { ...proxies, NO_PROXY: "example.com" }, null],
    ["https://dr.example.com", { ...proxies, NO_PROXY: "other.org, .example.com" }, null],
    ["https://notexample.com", { ...proxies, NO_PROXY: "example.com" }, "http://proxy:3128"],
    ["https://dr.example.com:444", { ...proxies, NO_PROXY: "dr.example.com:443" }, "http://proxy:3128"],
    ["https://dr.example.com", { ...proxies, NO_PROXY: "*" }, null],
    ["https://dr.example.com", {}, null],
  ] as const)("%s with %j is %s", ([url, environment, proxy]) => {
    expect(proxyFor(url, environment)).toBe(proxy);
  });
});

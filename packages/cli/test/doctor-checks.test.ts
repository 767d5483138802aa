import { describe, expect, test } from "vitest";
import {
  certificateCheck,
  clockCheck,
  keyCheck,
  readingsCheck,
  schemeCheck,
  strangerCheck,
  unreachedCheck,
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

const [plain, secure] = ["http://dr.example.com", "https://dr.example.com"];
test.for([
  [secure, "ENOTFOUND", null, "the name is unknown"],
  [secure, "ECONNREFUSED", null, "nothing listens there"],
  [secure, "ECONNREFUSED", "http://proxy:3128", "the proxy does not let it through"],
  [secure, "Proxy response (407)", "http://proxy:3128", "the proxy does not let it through"],
  [secure, "ERR_TLS_CERT_ALTNAME_INVALID", null, "of another name"],
  [secure, "CERT_HAS_EXPIRED", null, "must renew the certificate, unless the clock"],
  [secure, "CERT_NOT_YET_VALID", null, "check the clock"],
  [secure, "DEPTH_ZERO_SELF_SIGNED_CERT", "http://proxy:3128", "NODE_EXTRA_CA_CERTS"],
  [secure, "UNABLE_TO_VERIFY_LEAF_SIGNATURE", null, "NODE_EXTRA_CA_CERTS"],
  [secure, "ERR_SSL_WRONG_VERSION_NUMBER", null, "does not speak TLS"],
  [plain, "UND_ERR_SOCKET", null, "begins with https://"],
  [secure, "UND_ERR_SOCKET", null, "check the network"],
  [secure, "no answer in time", null, "check the network"],
] as const)("%s that fails with %s, proxy %s: %s", ([url, why, proxy, advice]) => {
  const check = unreachedCheck({ url, why, proxy });
  expect(check).toMatchObject({ result: "failed", advice: expect.stringContaining(advice) });
  expect(check.detail).toContain(proxy ?? why);
});

test.for([
  [{ status: 200, body: '{"sites":[]}' }, null],
  [{ status: 401, body: '{"message":"no","type":"Unauthorized"}' }, null],
  [{ status: 404, body: '{"message":"no","type":"Not Found"}' }, "check the address"],
  [{ status: 200, body: "<html>" }, "check the address"],
  [{ status: 200, body: "null" }, "check the address"],
  [{ status: 308, body: "", location: "https://other.example.com/" }, "use the address of the service itself"],
  [{ status: 502, body: "bad gateway" }, "in front of the service"],
] as const)("a response %j: %s", ([reply, advice]) => {
  const check = strangerCheck(secure, { location: null, ...reply });
  if (advice === null) expect(check).toBeNull();
  else expect(check).toMatchObject({ result: "failed", advice: expect.stringContaining(advice) });
});

const refused = (message: string) => ({ status: 401, location: null, body: JSON.stringify({ message }) });

test("a refused key is told with the service's words, and where it is from", () => {
  expect(keyCheck({ status: 200, location: null, body: "{}" }, "profile x").result).toBe("ok");
  const revoked = keyCheck(refused("Permission denied: this API key was revoked."), "profile x");
  expect(revoked.detail).toBe("Permission denied: this API key was revoked. The key is from profile x.");
  expect(revoked.advice).toBe("ask the operator for a new key, and store another one with `curtail login`");
  const other = "Permission denied: this is a production API key, and this is the sandbox's address.";
  expect(keyCheck(refused(other), "the environment").advice).toContain("or the address of the other one");
  const faulty = keyCheck({ status: 500, location: null, body: '{"message":"fault 7"}' }, "profile x");
  expect(faulty).toMatchObject({ result: "failed", detail: "fault 7" });
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
    ["https://dr.example.com", { HTTPS_PROXY: "proxy.example.com:3128" }, "http://proxy.example.com:3128"],
  ] as const)("%s with %j is %s", ([url, environment, proxy]) => {
    expect(proxyFor(url, environment)).toBe(proxy);
  });

  test.for(["socks5://proxy:1080", "http://", "ftp://proxy"])("%s is refused by the name of its variable", (proxy) => {
    expect(() => proxyFor("https://dr.example.com", { https_proxy: proxy })).toThrow(/^HTTPS_PROXY is not the address/);
  });
});

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { httpClient, type Send } from "../support/http-client.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, "Authentication", 2: keys are issued through a one-time secure link.
let service: Running;
let anyone: Send;
let anna: Participant;

beforeAll(async () => {
  service = await running();
  anyone = httpClient(service.url);
});

beforeEach(async () => {
  anna = await service.newParticipant();
});

const issue = (body: object = {}) =>
  service.made<{ id: string; claim_url: string }>("POST", `/accounts/${anna.accountId}/keys`, {
    environment: "production",
    ...body,
  });
const claim = (url: string, method = "POST", headers = {}) => anyone(method, new URL(url).pathname, undefined, headers);
const sitesWith = (key: string) =>
  httpClient(`${service.url}/2022-04-15`, { "x-service-api-key": key })("GET", "/sites");

describe("a one-time link", () => {
  test("opened shows a page with a button, as often as it is opened, and no key", async () => {
    const { claim_url } = await issue();
    const first = await claim(claim_url, "GET");
    expect([first.status, first.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(first.text).toMatch(/<form method="post"><button/);
    expect(first.text).not.toMatch(/ct[ps]_/);
    expect((await claim(claim_url, "GET")).text).toBe(first.text);
    expect((await claim(claim_url)).status).toBe(200);
    expect((await claim(claim_url, "GET")).text).toBe(first.text);
    expect((await anyone("GET", "/claim/unknown")).text).toBe(first.text);
  });

  test("pressed shows the key once, and the key works", async () => {
    const { claim_url } = await issue();
    const { status, body } = await claim(claim_url);
    expect([status, Object.keys(body)]).toEqual([200, ["api_key"]]);
    expect((await sitesWith(body.api_key)).status).toBe(200);
    expectError(await claim(claim_url), 404);
  });

  test("used, expired, revoked and unknown is answered alike", async () => {
    const [used, late, revoked] = [await issue(), await issue(), await issue()];
    await claim(used.claim_url);
    await service.operator("DELETE", `/keys/${revoked.id}`);
    service.clock.advance({ hours: 24 });
    const texts = [];
    for (const url of [used.claim_url, late.claim_url, revoked.claim_url, `${service.url}/claim/unknown`]) {
      const answer = await claim(url);
      expectError(answer, 404, /used, has expired, or never was/);
      texts.push(answer.text);
    }
    expect(new Set(texts).size).toBe(1);
  });

  test("lives for 24 hours", async () => {
    const link = await issue();
    expect(link).toMatchObject({ claim_expires_at: ahead(service, { hours: 24 }) });
    service.clock.advance({ hours: 23, minutes: 59, seconds: 59 });
    expect((await claim(link.claim_url)).status).toBe(200);
  });

  test("pressed in a browser shows a page with the key, and the same page for all that are spent", async () => {
    const { claim_url } = await issue();
    const form = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
    const shown = await anyone("POST", new URL(claim_url).pathname, "", form);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const key = /<output>(ctp_[0-9a-z_]+)<\/output>/.exec(shown.text)?.[1] ?? "";
    expect((await sitesWith(key)).status).toBe(200);
    const used = await claim(claim_url, "POST", { accept: "text/html" });
    const unknown = await anyone("POST", "/claim/unknown", undefined, { accept: "text/html" });
    expect([used.status, used.text]).toEqual([404, unknown.text]);
    expect(used.text).toMatch(/used, has expired, or never was/);
  });

  test("is never kept by anyone on the way, whatever the answer", async () => {
    const { claim_url } = await issue();
    const answers = [
      await claim(claim_url, "GET"),
      await claim(claim_url),
      await claim(claim_url),
      await claim(claim_url, "POST", { accept: "text/html" }),
    ];
    for (const { headers } of answers) expect(headers.get("cache-control")).toBe("no-store");
    for (const { headers } of answers) expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("pressed by many at once shows the key to one of them", async () => {
    const { claim_url } = await issue();
    const answers = await Promise.all(Array.from({ length: 10 }, () => claim(claim_url)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });
});

import { listSites } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import {
  accountOf,
  anna,
  anyone,
  expectRedirect,
  prepare,
  prepareHeader,
  prepareKey,
  service,
  sitesWith,
} from "../../support/addresses-of-service.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { running } from "../../support/running.js";

beforeAll(prepare);

// Specification, "Versioning"; G19, G41, G42. No request here has a key.
describe("addresses", () => {
  beforeAll(prepareKey);

  describe("an address without a version", () => {
    test("the bare one redirects to the latest version's", async () => {
      await expectRedirect("GET", "/", "/2022-04-15/");
      await expectRedirect("POST", "/", "/2022-04-15/", {});
    });

    test("a path of the interface redirects to the same path of the latest version, method, body and query kept", async () => {
      await expectRedirect("GET", "/dispatches", "/2022-04-15/dispatches");
      await expectRedirect("GET", "/dispatches/dis_1", "/2022-04-15/dispatches/dis_1");
      await expectRedirect("POST", "/scenarios", "/2022-04-15/scenarios", { scenario_type: "basic" });
      await expectRedirect("POST", "/schedule/sites/site_1", "/2022-04-15/schedule/sites/site_1", { available: false });
      await expectRedirect("GET", "/sites", "/2022-04-15/sites");
      await expectRedirect("POST", "/telemetry", "/2022-04-15/telemetry", { telemetry: [] });
      await expectRedirect(
        "GET",
        "/telemetry/kw?site_id=a&start_time=b%2B02:00",
        "/2022-04-15/telemetry/kw?site_id=a&start_time=b%2B02:00",
      );
      await expectRedirect("DELETE", "/webhooks/whk_1", "/2022-04-15/webhooks/whk_1");
    });

    test("followed with a key arrives with its body", async () => {
      const anna = await service.newParticipant();
      const response = await fetch(`${service.url}/telemetry`, {
        method: "POST",
        headers: { "x-brand-api-key": anna.key, "content-type": "application/json" },
        body: JSON.stringify({ telemetry: [] }),
      });
      expect([response.status, await response.json()]).toEqual([200, { received: 0 }]);
    });
  });

  describe("the version", () => {
    test("before the current one is not served, and says which one is (G41)", async () => {
      for (const path of ["/2020-12-30", "/2020-12-30/", "/2020-12-30/dispatches", "/2020-12-30/facilities"]) {
        expectError(await anyone("GET", path), 404, /2022-04-15/);
      }
    });
  });

  describe("the reference needs no key (G42)", () => {
    test.each(["/2022-04-15", "/operator/v1"])("%s has a page whose every asset is there and its own", async (base) => {
      const { status, headers, text } = await anyone("GET", `${base}/docs`);
      expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      const assets = [...text.matchAll(/(?:src|href|data-document)="([^"]+)"/g)].map((match) => match[1] ?? "");
      expect(assets.length).toBeGreaterThanOrEqual(4);
      for (const asset of assets) {
        expect(asset).toMatch(/^\/(?!\/)/);
        const answer = await anyone("GET", asset);
        expect(answer.status, asset).toBe(200);
        expect(answer.text.length).toBeGreaterThan(0);
      }
    });
  });
});

// Specification, "Authentication"; G1, G7.
describe("the header of the key", () => {
  beforeAll(prepareHeader);

  test("has the name that the operator set, in any case", async () => {
    expect((await anna.call(listSites)).status).toBe(200);
    expect((await sitesWith({ "X-BRAND-api-KEY": anna.key })).status).toBe(200);
  });
});

describe("the addresses in the console", () => {
  test("an account's users see the addresses for its systems, which work", async () => {
    const service = await running({ CURTAIL_API_KEY_HEADER: "X-Our-Key" });
    const { participant, account } = await accountOf(service);
    expect(account).toEqual({
      id: participant.accountId,
      name: "Anna's works",
      rest_url: `${service.url}/2022-04-15`,
      sandbox_url: `${service.sandboxUrl}/2022-04-15`,
      openadr_url: null,
      openadr3_url: null,
      api_key_header: "X-Our-Key",
    });
    const headers = { [account.api_key_header]: participant.key };
    expect((await httpClient(account.rest_url, headers)("GET", "/sites")).status).toBe(200);
  });
});

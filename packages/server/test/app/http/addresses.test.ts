import { readFile } from "node:fs/promises";
import { listSites, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { httpClient, type Send } from "../../support/http-client.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_API_KEY_HEADER: "X-Brand-API-Key" });
});

const documentOf = async (url = "") => (await httpClient(url)("GET", "/openapi.json")).body;

// Specification, "Versioning"; G19, G41, G42. No request here has a key.
describe("addresses", () => {
  let anyone: Send;

  beforeAll(async () => {
    anyone = httpClient(service.url);
  });

  const expectRedirect = async (method: string, path: string, to: string, body?: unknown): Promise<void> => {
    const answer = await anyone(method, path, body);
    expect([answer.status, answer.headers.get("location")], `${method} ${path}`).toEqual([308, to]);
  };

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

    test("any other is not found, in the shape of the interface", async () => {
      for (const path of ["/nope", "/2022-04-16/dispatches", "/v1/dispatches", "/dispatchesx", "/2022-04-15/nope"]) {
        expectError(await anyone("GET", path), 404);
      }
    });

    test("never redirects to another host", async () => {
      for (const path of ["//example.com/dispatches", "/dispatches//example.com", "/\\example.com"]) {
        const location = (await anyone("GET", path)).headers.get("location");
        expect(new URL(location ?? "/", service.url).origin).toBe(service.url);
      }
    });
  });

  describe("the version", () => {
    test("itself redirects to its reference", async () => {
      await expectRedirect("GET", "/2022-04-15", "/2022-04-15/docs");
      await expectRedirect("GET", "/2022-04-15/", "/2022-04-15/docs");
    });

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

    test("the participants' document names the key header of this service (G7)", async () => {
      const { status, headers, body } = await anyone("GET", "/2022-04-15/openapi.json");
      expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
      expect(body.components.securitySchemes.apiKey.name).toBe("X-Brand-API-Key");
      expect(Object.keys(body.paths)).toContain("/telemetry/kw");
      expect(Object.keys(body.paths)).not.toContain("/scenarios");
    });

    test("the document of each environment names its own address and the other one's, and the signed requests of webhooks", async () => {
      const [production, sandbox] = [service.url, service.sandboxUrl].map((url) => `${url}/2022-04-15`);
      const [own, other] = [await documentOf(production), await documentOf(sandbox)];
      expect(own.servers).toEqual([
        { url: production, description: "Production" },
        { url: sandbox, description: "Sandbox" },
      ]);
      expect(other.servers).toEqual([
        { url: sandbox, description: "Sandbox" },
        { url: production, description: "Production" },
      ]);
      for (const { webhooks } of [own, other]) {
        expect(Object.keys(webhooks)).toEqual(["dispatch.create", "dispatch.update", "test"]);
        const names = webhooks["dispatch.create"].post.parameters.map(({ name }: { name: string }) => name);
        expect(names).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"]);
      }
    });

    test("its icon is that of the pages", async () => {
      const icon = await readFile(new URL("../../../../web/public/icon.svg", import.meta.url), "utf8");
      expect((await anyone("GET", "/reference/icon.svg")).text).toBe(icon);
    });

    test("the operator's document is there too", async () => {
      const { status, body } = await anyone("GET", "/operator/v1/openapi.json");
      expect([status, body.info.version]).toEqual([200, "v1"]);
    });

    test("the viewer's folder shows nothing but the viewer", async () => {
      for (const file of ["package.json", "index.html", "../package.json", "%2e%2e/package.json", ""]) {
        expectError(await anyone("GET", `/reference/${file}`), 404);
      }
    });
  });
});

const sitesWith = (headers: Record<string, string>) =>
  httpClient(`${service.url}/2022-04-15`, headers)("GET", "/sites");

// Specification, "Authentication"; G1, G7.
describe("the header of the key", () => {
  let anna: Participant;

  beforeAll(async () => {
    anna = await service.newParticipant();
  });

  test("has the name that the operator set, in any case", async () => {
    expect((await anna.call(listSites)).status).toBe(200);
    expect((await sitesWith({ "X-BRAND-api-KEY": anna.key })).status).toBe(200);
  });

  test("is not taken under its usual name, nor as a bearer token, once it has another", async () => {
    expectError(await sitesWith({ "x-service-api-key": anna.key }), 401, /permission denied/i);
    expectError(await sitesWith({ authorization: `Bearer ${anna.key}` }), 401, /permission denied/i);
  });
});

const accountOf = async (service: Running) => {
  const participant = await service.newParticipant({ name: "Anna's works" });
  const viewer = await newBrowser(service, "participant-viewer", participant.accountId);
  return { participant, account: (await viewer.console(participantConsole.getOwnAccount)).body };
};

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

  test("behind a public address they have that host with the ports, and the certificate's first name for VENs", async () => {
    const service = await running({
      CURTAIL_PUBLIC_URL: "http://dr.example.com",
      CURTAIL_OPENADR_HOSTNAMES: "ven.example.com,dr.example.com",
    });
    const port = await service.listenToVens();
    const openadr3 = new URL(await service.listenToOpenadr3());
    expect((await accountOf(service)).account).toMatchObject({
      rest_url: "http://dr.example.com/2022-04-15",
      sandbox_url: `http://dr.example.com:${new URL(service.sandboxUrl).port}/2022-04-15`,
      openadr_url: `https://ven.example.com:${port}`,
      openadr3_url: `http://dr.example.com:${openadr3.port}/openadr3/3.1.0`,
    });
  });

  test("what the operator set as addresses counts", async () => {
    const service = await running({
      CURTAIL_PUBLIC_URL: "http://dr.example.com",
      CURTAIL_SANDBOX_PUBLIC_URL: "https://sandbox.example.com/",
      CURTAIL_OPENADR_PUBLIC_URL: "https://ven.example.com:443",
      CURTAIL_OPENADR3_PUBLIC_URL: "https://openadr.example.com/",
    });
    expect((await accountOf(service)).account).toMatchObject({
      sandbox_url: "https://sandbox.example.com/2022-04-15",
      openadr_url: "https://ven.example.com:443",
      openadr3_url: "https://openadr.example.com/openadr3/3.1.0",
    });
  });
});

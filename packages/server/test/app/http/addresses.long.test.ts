import { readFile } from "node:fs/promises";
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

const documentOf = async (url = "") => (await httpClient(url)("GET", "/openapi.json")).body;

// Specification, "Versioning"; G19, G41, G42. No request here has a key.
describe("addresses", () => {
  beforeAll(prepareKey);

  describe("an address without a version", () => {
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
  });

  describe("the reference needs no key (G42)", () => {
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

// Specification, "Authentication"; G1, G7.
describe("the header of the key", () => {
  beforeAll(prepareHeader);

  test("is not taken under its usual name, nor as a bearer token, once it has another", async () => {
    expectError(await sitesWith({ "x-service-api-key": anna.key }), 401, /permission denied/i);
    expectError(await sitesWith({ authorization: `Bearer ${anna.key}` }), 401, /permission denied/i);
  });
});

describe("the addresses in the console", () => {
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

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { downloadRoutes } from "../../../src/app/routes/downloads.js";
import { setPageLanguage } from "../../../src/platform/http/page-language.js";
import { type Running, running } from "../../support/running.js";

const addresses = () => ({
  production: "https://curtail.example.com",
  sandbox: "https://sandbox.example.com",
  openadr: null,
  openadr3: null,
});

/** A folder as the downloads are built into, with a file beside it that nobody may read. */
const temporaryDownloads = async (): Promise<string> => {
  const parent = await mkdtemp(join(tmpdir(), "curtail-downloads-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, "downloads");
  await mkdir(folder);
  for (const [name, text] of Object.entries({
    "curtail.mjs": "#!/usr/bin/env node\n",
    "curtail-client-1.2.3.tgz": "packed",
    "curtail-node-red-1.2.3.tgz": "packed",
    SHA256SUMS: "0a1b  curtail.mjs\n",
    ".built": "",
  }))
    await writeFile(join(folder, name), text);
  await writeFile(join(parent, "secret.txt"), "");
  return folder;
};

const served = async (folder: string | null) => {
  const app = Fastify();
  setPageLanguage(app, "en");
  onTestFinished(() => app.close());
  await downloadRoutes(app, folder, addresses);
  return (url: string, headers = {}) => app.inject({ url, headers });
};

describe("the downloads", () => {
  test.for([
    ["curtail.mjs", "text/javascript; charset=utf-8", 'attachment; filename="curtail.mjs"'],
    ["curtail-client-1.2.3.tgz", "application/gzip", 'attachment; filename="curtail-client-1.2.3.tgz"'],
    ["SHA256SUMS", "text/plain; charset=utf-8", undefined],
  ] as const)("%s is sent as %s, and asked for again only if it changed", async ([name, type, disposition]) => {
    const get = await served(await temporaryDownloads());
    const { statusCode, headers } = await get(`/downloads/${name}`);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ "content-type": type, "cache-control": "no-cache" });
    expect(headers["content-disposition"]).toBe(disposition);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    const byTag = { "if-none-match": headers.etag };
    const byTime = { "if-modified-since": headers["last-modified"] };
    for (const condition of [byTag, byTime])
      expect((await get(`/downloads/${name}`, condition)).statusCode, JSON.stringify(condition)).toBe(304);
  });

  test("an address without a version leads to the one that is there", async () => {
    const get = await served(await temporaryDownloads());
    for (const name of ["curtail-client", "curtail-node-red"]) {
      const { statusCode, headers } = await get(`/downloads/${name}.tgz`);
      expect([statusCode, headers.location]).toEqual([302, `/downloads/${name}-1.2.3.tgz`]);
    }
  });

  test("are listed on a page without scripts, with the commands for this service", async () => {
    const get = await served(await temporaryDownloads());
    expect((await get("/downloads")).headers.location).toBe("/downloads/");
    const { headers, body } = await get("/downloads/");
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["content-security-policy"]).toMatch(/default-src 'none'; style-src 'sha256-/);
    expect(body.match(/(?<=href=")[^"/]+/g)).toEqual([
      "SHA256SUMS",
      "curtail-client-1.2.3.tgz",
      "curtail-node-red-1.2.3.tgz",
      "curtail.mjs",
    ]);
    expect(body).toContain("curl -O https://curtail.example.com/downloads/curtail.mjs");
    expect(body).toContain("node curtail.mjs login --url https://sandbox.example.com");
  });

  test("nothing beside their folder is served", async () => {
    const get = await served(await temporaryDownloads());
    for (const path of [
      "curtail-client-1.2.2.tgz",
      "../secret.txt",
      "%2e%2e/secret.txt",
      "%2e%2e%2fsecret.txt",
      ".built",
    ])
      expect((await get(`/downloads/${path}`)).statusCode, path).toBe(404);
  });

  test("it is said how to build them if they are not built", async () => {
    const get = await served(null);
    for (const address of ["/downloads", "/downloads/", "/downloads/curtail.mjs"]) {
      const { statusCode, body } = await get(address);
      expect([statusCode, body], address).toEqual([404, expect.stringContaining("npm run build")]);
    }
  });
});

describe("a running service", () => {
  let service: Running;
  beforeAll(async () => {
    service = await running({});
  });

  test("answers a download that it does not have with 404, and says where to look", async () => {
    for (const url of [service.url, service.sandboxUrl]) {
      const response = await fetch(`${url}/downloads/curtail-client-0.0.1.tgz`);
      expect(response.status).toBe(404);
      const text = await response.text();
      // The second one where nothing is built.
      expect(text).toMatch(/\/downloads\/ lists those|npm run build/);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});

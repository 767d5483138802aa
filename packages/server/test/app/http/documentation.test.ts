import Fastify from "fastify";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { documentationFolder, documentationRoutes } from "../../../src/app/routes/documentation.js";
import { type Running, running } from "../../support/running.js";
import { temporarySite } from "../../support/temporary-site.js";

const served = async (folder: string | null) => {
  const app = Fastify();
  onTestFinished(() => app.close());
  await documentationRoutes(app, folder);
  return (url: string, headers = {}) => app.inject({ url, headers });
};

describe("the documentation", () => {
  test("begins at /docs", async () => {
    const get = await served(await temporarySite());
    for (const address of ["/docs", "/docs/"])
      expect((await get(address)).headers.location, address).toBe("/docs/index.html");
    expect((await get("/docs/index.html")).headers["content-type"]).toBe("text/html; charset=utf-8");
  });

  test("allows only what comes from this host, and no script or style in a page", async () => {
    const get = await served(await temporarySite());
    const policy = String((await get("/docs/index.html")).headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toContain("unsafe");
  });

  test("is sent compressed; browsers keep what is named by its content, and ask again for pages", async () => {
    const get = await served(await temporarySite());
    const page = await get("/docs/index.html", { "accept-encoding": "br, gzip" });
    expect(page.headers).toMatchObject({
      "content-encoding": "br",
      "cache-control": "no-cache",
      vary: "accept-encoding",
    });
    const style = await get("/docs/assets/site-1a2b3c4d.css");
    expect(style.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const again = await get("/docs/index.html", { "accept-encoding": "br, gzip", "if-none-match": page.headers.etag });
    expect(again.statusCode).toBe(304);
  });

  test("has its index for language models at the root of the host, too", async () => {
    const get = await served(await temporarySite());
    const { statusCode, headers, body } = await get("/llms.txt");
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(body).toBe((await get("/docs/llms.txt")).body);
  });

  test("serves nothing beside its folder", async () => {
    const get = await served(await temporarySite());
    for (const address of ["/docs/missing.html", "/docs/../package.json", "/docs/%2e%2e/secret.txt", "/docs/.built"])
      expect((await get(address)).statusCode, address).toBe(404);
  });

  test("says how to build it if it is not built", async () => {
    const get = await served(null);
    for (const address of ["/docs", "/docs/", "/docs/index.html"]) {
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

  test("links to the documentation from its references", async () => {
    for (const path of ["/2022-04-15/docs", "/operator/v1/docs"])
      expect(await (await fetch(service.url + path)).text(), path).toContain('href="/docs/index.html"');
  });

  test.runIf(documentationFolder())("answers a missing page, however deep, with a page that leads on", async () => {
    for (const path of ["/docs/missing.html", "/docs/a/b/missing.html?x=1"]) {
      const response = await fetch(service.url + path);
      expect([response.status, response.headers.get("content-type")], path).toEqual([404, "text/html; charset=utf-8"]);
      const page = await response.text();
      expect(page).toContain("<h1");
      expect(page).toContain("Page not found");
      expect(page).toContain('href="/docs/index.html"');
      // Relative addresses would lead elsewhere, depending on the depth.
      expect(page.match(/(?:href|src|data-search|data-root)="(?!\/docs\/|#)[^"]*"/g)).toBeNull();
      expect(response.headers.get("content-security-policy")).toContain("script-src 'self'");
    }
  });

  test.runIf(documentationFolder())("leads from the name of a page to the page, and serves the index", async () => {
    const location = async (path: string) =>
      (await fetch(service.url + path, { redirect: "manual" })).headers.get("location");
    for (const path of ["/docs/start", "/docs/start/", "/docs/start.md", "/docs/start?x=1"])
      expect(await location(path), path).toBe("/docs/start.html");
    expect(await location("/docs/decisions")).toBe("/docs/decisions/index.html");
    for (const path of ["/docs/nothing", "/docs/..%2fstart", "/docs/assets"])
      expect((await fetch(service.url + path, { redirect: "manual" })).status, path).toBe(404);
    expect((await fetch(`${service.url}/docs/start`)).status).toBe(200);
    const index = await (await fetch(`${service.url}/llms.txt`)).text();
    const links = [...index.matchAll(/\]\((\/docs\/[^)]*)\)/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(40);
    for (const link of links) expect((await fetch(service.url + link)).status, link).toBe(200);
  });

  test("a call below the documentation that reads nothing is answered like any other", async () => {
    const response = await fetch(`${service.url}/docs/missing.html`, { method: "POST" });
    expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ type: "Not Found" })]);
  });
});

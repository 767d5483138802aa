import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { visit } from "../support/visit.js";

/** A host that has one page and nothing else, not even an icon. */
const hostOf = async (html: string): Promise<string> => {
  const server = createServer(({ url }, response) => {
    if (url !== "/") return void response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": "text/html",
      "content-security-policy": "default-src 'none'; script-src 'unsafe-inline'; connect-src 'self'",
    });
    response.end(`<!doctype html><title>A page</title><h1>A page</h1>${html}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test.skipIf(!hasChromium)("a browser's own requests and lines are no faults of a page", async ({ browser }) => {
  const { page, faults } = await visit(browser, await hostOf(""));
  await page.goto("/");
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
  expect(faults).toEqual([]);
});

test.skipIf(!hasChromium)("real faults of a page are found in any browser", async ({ browser }) => {
  const script = `
    console.error("said by the page");
    console.warn("feared by the page");
    setTimeout(() => { throw new Error("not caught"); });
    void fetch("/missing");
    document.body.append(Object.assign(new Image(), { src: "/refused.png" }));`;
  const { page, faults } = await visit(browser, await hostOf(`<script>${script}</script>`));
  await page.goto("/");
  for (const wanted of [
    /^error: said by the page/,
    /^warning: feared by the page/,
    /^uncaught: not caught/,
    /^error: 404 \(Not Found\): GET .*\/missing$/,
    /Content.Security.Policy/i,
  ])
    await expect.poll(() => faults).toContainEqual(expect.stringMatching(wanted));
});

import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSoundInEachLook } from "../support/looks.js";
import { type Looks, type Visit, visit } from "../support/visit.js";

const page = (style: string, body = "") =>
  `<!doctype html><html lang="en"><title>A page</title><meta name="viewport" content="width=device-width">
   <style>body { background: #fff; color: #000 } ${style}</style><main><h1>A page</h1><p>Words</p>${body}</main></html>`;

const look = (browser: Browser, html: string, name: string): Promise<void> => {
  const open = async (looks: Looks): Promise<Visit> => {
    const visited = await visit(browser, "http://page.test", looks);
    await visited.page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: html }));
    return visited;
  };
  // Nothing on these pages is redrawn.
  return expectSoundInEachLook(open, [{ address: "/", name }], 500);
};

describe.skipIf(!hasChromium)("what every page is held against", () => {
  test("is met by a plain page", ({ browser }) => look(browser, page(""), "plain"));

  test.for([
    ["is wider than a phone", page("p { width: 800px }"), /wider than its window/],
    ["is wider than a wall", page("@media (min-width: 1000px) { p { width: 2000px } }"), /wider than its window/],
    ["has a picture without a text", page("", "<img src='data:,'>"), /image-alt/],
    ["can hardly be read", page("p { color: #ccc }"), /color-contrast/],
    [
      "can hardly be read by night",
      page("@media (prefers-color-scheme: dark) { p { color: #ccc } }"),
      /color-contrast/,
    ],
    ["writes an error to the console", page("", "<script>console.error('no')</script>"), /error: no/],
    ["has two first headings", page("", "<h1>Another</h1>"), /to be 1/],
  ] as const)("is not met by a page that %s", async ([what, html, words], { browser }) => {
    await expect(look(browser, html, what)).rejects.toThrow(words);
  });
});

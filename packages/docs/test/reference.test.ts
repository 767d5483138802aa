import { expect, test } from "vitest";
import { pageGroups } from "../src/index.js";

const pages = (await pageGroups()).flatMap((group) => group.pages);
const operator = (name: string) => pages.find(({ address }) => address === `api/operator/${name}.html`);

test("the reference has every request of the operator API, below the noun it belongs to", () => {
  expect(operator("dispatches")?.markdown).toContain("`POST /operator/v1/dispatches`");
  expect(operator("index")?.html).toContain('href="dispatches.html#issue-a-dispatch"');
});

test("members of a body are listed with type and meaning, nested ones below their parents", () => {
  const text = operator("dispatches")?.markdown ?? "";
  expect(text).toMatch(/^\| `start_time` \| time[^|]*\| .+ \|$/m);
  expect(text).toMatch(/^\| `sites\[\]\.site_id` \| string \|/m);
});

test("what the service sends to webhooks is in the reference of the participants", () => {
  const page = pages.find(({ address }) => address === "api/participant/webhooks.html");
  expect(page?.markdown).toContain("POST to your webhook (dispatch.create)");
  expect(page?.markdown).toContain("`webhook-signature`");
});

test("the reference of the sandbox has scenarios only: the rest is the same interface", () => {
  const sandbox = pages.filter(({ address }) => address.startsWith("api/sandbox/"));
  expect(sandbox.map(({ address }) => address)).toEqual(["api/sandbox/index.html", "api/sandbox/scenarios.html"]);
});

test("the index of a document links to the heading of each request", () => {
  for (const index of pages.filter(({ address }) => /^api\/\w+\/index\.html$/.test(address))) {
    const folder = index.address.replace("index.html", "");
    for (const [, page, id] of index.html.matchAll(/href="([\w-]+\.html)#([^"]+)"/g)) {
      const ids = pages.find(({ address }) => address === folder + page)?.sections.map((section) => section.id);
      expect(ids, `${folder}${page}`).toContain(decodeURIComponent(id ?? ""));
    }
  }
});

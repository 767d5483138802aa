import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { noticesRoute } from "../../../src/app/routes/notices.js";
import { running } from "../../support/running.js";

const served = async (text: Buffer | null) => {
  const app = Fastify();
  onTestFinished(() => app.close());
  noticesRoute(app, text);
  return app.inject({ url: "/third-party-notices.txt" });
};

test("the licences of others are a text that everybody may read", async () => {
  const { statusCode, headers, body } = await served(Buffer.from("uplot 1.6.32 (MIT)\n"));
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(body).toBe("uplot 1.6.32 (MIT)\n");
});

test("an installation without them says how to make them", async () => {
  const { statusCode, body } = await served(null);
  expect(statusCode).toBe(404);
  expect(body).toContain("npm run build");
});

test("every listener with pages or downloads has them at the same address, and the page of downloads leads there", async () => {
  const service = await running({ CURTAIL_OPERATOR_PORT: "0" });
  for (const url of [service.url, service.sandboxUrl, service.operatorUrl]) {
    const answer = await fetch(`${url}/third-party-notices.txt`);
    const text = await answer.text();
    expect(`${answer.status} ${text.split("\n")[0]}`, url).toMatch(
      /^(?:200 Third-party notices|404 The third-party notices are not built\. .*)$/,
    );
  }
  const page = await (await fetch(`${service.url}/downloads/`)).text();
  expect(page).toMatch(/href="\/third-party-notices\.txt"|not built/);
});

// Takes a picture of every page of a running demo, at four widths, in light and dark, for people to look at:
//   npm run pictures -- --url http://127.0.0.1:8080 --data-dir data-demo --out pictures [--only dispatch]
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { chromiumArguments, findChromium } from "../scripts/find-chromium.mjs";
import { operatorPages, participantPages } from "./page-addresses.mjs";

const widthsPx = [390, 1024, 1440, 1920];
const themes = ["light", "dark"];
const HEIGHT_PX = 900;
/** Streams stay open, so a page is complete when it shows no "Loading…" and its charts had time to be drawn. */
const SETTLED_MS = 700;

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8080" },
    "data-dir": { type: "string", default: "data-demo" },
    out: { type: "string", default: "pictures" },
    only: { type: "string", default: "" },
  },
});

const { people } = JSON.parse(readFileSync(join(values["data-dir"], "demo.json"), "utf8")).made;

const main = async () => {
  mkdirSync(values.out, { recursive: true });
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  try {
    await picture(browser, null, () => [["sign-in", "/sign-in"]]);
    for (const person of people)
      await picture(browser, person, ({ request }) =>
        (person.of === "the operator" ? operatorPages : participantPages)(getWith(request)),
      );
  } finally {
    await browser.close();
  }
};

const picture = async (browser, person, pages) => {
  const context = await browser.newContext({ baseURL: values.url });
  if (person !== null) await signIn(context, person);
  const page = await context.newPage();
  for (const [name, address] of await pages(context))
    if (name.includes(values.only)) await eachLook(page, name, address);
  await context.close();
};

const signIn = async (context, { email, password }) => {
  const answer = await context.request.post("/auth/sign-in", { data: { email, password } });
  if (!answer.ok()) throw new Error(`sign-in of ${email}: ${answer.status()}`);
};

const eachLook = async (page, name, address) => {
  await page.setViewportSize({ width: widthsPx[0], height: HEIGHT_PX });
  await page.goto(address);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of widthsPx) {
      await page.setViewportSize({ width, height: HEIGHT_PX });
      await page.locator("text=Loading… >> visible=true").first().waitFor({ state: "detached" });
      await page.waitForTimeout(SETTLED_MS);
      await page.screenshot({ path: join(values.out, `${name}-${width}-${theme}.png`), fullPage: true });
    }
  }
};

const getWith = (request) => async (address) => {
  const answer = await request.get(address);
  if (!answer.ok()) throw new Error(`${address}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
};

await main();

// Takes a picture of every page of a running demo, at four widths, in light and dark, for people to look at:
//   npm run pictures -- --url http://127.0.0.1:8080 --data-dir data-demo --out pictures [--only dispatch]
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { chromiumArguments, findChromium } from "../scripts/find-chromium.mjs";

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
        person.of === "the operator" ? operator(request) : participant(request),
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

/** Pages of operators: name and address. An address with an id that the demo lacks is left out. */
const operator = async (request) => {
  const first = firstOf(request, "/operator/v1");
  const running = await first("dispatches?state=active");
  const past = await first("dispatches?state=past");
  const [account, site, program] = [await first("accounts"), await first("sites"), await first("programs")];
  const [statement, event] = [await first("statements"), await first("openadr3-events")];
  return below("/operations", {
    board: "",
    dispatches: "/dispatches",
    "dispatches-past": "/dispatches?state=past",
    dispatch: running && `/dispatches/${running}`,
    "dispatch-evidence": running && `/dispatches/${running}?tab=evidence`,
    "dispatch-past": past && `/dispatches/${past}`,
    "dispatch-report": past && `/dispatches/${past}/report`,
    "dispatch-drawer": running && site && `/dispatches/${running}?site=${site}`,
    wall: "/wall",
    "new-dispatch": "/dispatches/new",
    alarms: "/alarms",
    telemetry: "/telemetry",
    "telemetry-of-site": site && `/telemetry/${site}`,
    reports: "/reports",
    "reports-by-dispatch": "/reports?by=dispatch",
    accounts: "/accounts",
    account: account && `/accounts/${account}`,
    sites: "/sites",
    site: site && `/sites/${site}`,
    programs: "/programs",
    program: program && `/programs/${program}`,
    openadr3: "/openadr3",
    "openadr3-programs": "/openadr3?tab=programs",
    "openadr3-business-logic": "/openadr3?tab=business-logic",
    "openadr3-new-event": "/openadr3/events/new",
    "openadr3-event": event && `/openadr3/events/${event}`,
    statements: "/statements",
    statement: statement && `/statements/${statement}`,
    onboarding: "/onboarding",
    users: "/users",
    audit: "/audit",
    import: "/import",
  });
};

/** Pages of participants. */
const participant = async (request) => {
  const answer = await request.get("/console/v1/dispatches");
  const dispatches = answer.ok() ? Object.values(await answer.json()).flat() : [];
  const running = dispatches.find((each) => !isPast(each))?.id;
  const past = dispatches.find(isPast)?.id;
  return below("/dashboard", {
    now: "",
    dispatches: "/dispatches",
    dispatch: running && `/dispatches/${running}`,
    "dispatch-past": past && `/dispatches/${past}`,
    "dispatch-report": past && `/dispatches/${past}/report`,
    energy: "/energy",
    power: "/energy?view=power",
    reports: "/reports",
    availability: "/availability",
    statements: "/statements",
    connect: "/connect",
    webhooks: "/webhooks",
    keys: "/keys",
    requests: "/requests",
    contacts: "/contacts",
    users: "/users",
    you: "/../you",
  });
};

const isPast = ({ end_time }) => end_time !== null && Date.parse(end_time) < Date.now();

const firstOf = (request, prefix) => async (path) => {
  const answer = await request.get(`${prefix}/${path}`);
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return (await answer.json()).items[0]?.id;
};

const below = (side, pages) =>
  Object.entries(pages).flatMap(([name, path]) =>
    path === undefined
      ? []
      : [[`${side.slice(1)}-${name}`, new URL(side + path, "http://any").href.slice("http://any".length)]],
  );

await main();

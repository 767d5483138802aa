import type { Browser, BrowserContext, Page } from "playwright-core";
import { withBrowser } from "./browser.js";
import type { BenchCluster } from "./database.js";
import { fiveDispatches, newPerson, PASSWORD } from "./pages-portfolio.js";
import { atMost, median, report } from "./report.js";
import { type BenchService, startService } from "./service.js";

const ROUNDS = Number(process.env["BENCH_PAGES_ROUNDS"] ?? 5);

/** A phone at the edge of its network. */
const slowNetwork = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const SLOW_PROCESSOR = 4;

const wanted = {
  wordsMs: 2000,
  interactiveMs: 5000,
  slowProcessorMs: 1500,
  layoutShift: 0.02,
  scripts: 8,
  kb: 250,
} as const;

interface Opened {
  /** First contentful paint, with words in it. */
  readonly wordsMs: number;
  /** The page's heading and data are there, and it reacts to a click. */
  readonly interactiveMs: number;
  readonly layoutShift: number;
  readonly scripts: number;
  readonly kb: number;
}

/** The start pages of both sides and the sign-in, opened with an empty cache. */
export const pages = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_pages");
  const service = await startService(database);
  const { accountId } = await fiveDispatches(service);
  const people = {
    "/sign-in": null,
    "/operations": await newPerson(service, "operator-admin", null),
    "/dashboard": await newPerson(service, "participant-admin", accountId),
  };
  await withBrowser(async (browser) => {
    for (const [address, email] of Object.entries(people)) await measureStart(browser, service, address, email);
  });
  await service.stop();
  await database.drop();
};

const measureStart = async (
  browser: Browser,
  service: BenchService,
  address: string,
  email: string | null,
): Promise<void> => {
  const context = await browser.newContext({ baseURL: service.url, bypassCSP: true });
  if (email !== null) await context.request.post("/auth/sign-in", { data: { email, password: PASSWORD } });
  const [slowNet, slowCpu]: [Opened[], Opened[]] = [[], []];
  // The first round warms up the service.
  for (let round = -1; round < ROUNDS; round++) {
    const [first, second] = [await open(context, address, "network"), await open(context, address, "processor")];
    if (round < 0) continue;
    slowNet.push(first);
    slowCpu.push(second);
  }
  const of = (rounds: readonly Opened[], name: keyof Opened): number => median(rounds.map((each) => each[name]));
  const shift = Math.max(...[...slowNet, ...slowCpu].map(({ layoutShift }) => layoutShift));
  report(`first load of ${address}`, {
    "words at 400 kbit/s and 400 ms, ms": judged(of(slowNet, "wordsMs"), wanted.wordsMs),
    "interactive, ms": judged(of(slowNet, "interactiveMs"), wanted.interactiveMs),
    "complete on a processor of a quarter, ms": judged(of(slowCpu, "interactiveMs"), wanted.slowProcessorMs),
    "layout shift, worst": atMost(shift, wanted.layoutShift, (value) => value.toFixed(3)),
    scripts: judged(of(slowNet, "scripts"), wanted.scripts),
    "kB over the network": judged(of(slowNet, "kb"), wanted.kb),
  });
  await context.close();
};

const judged = (measured: number, most: number): string => atMost(measured, most, (value) => String(Math.round(value)));

/** Collects what the browser knows about its own paints and shifts. */
const observe = `
  window.seen = { words: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") seen.words = startTime;
  }).observe({ type: "paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) seen.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
`;

const complete = `(() => {
  const text = document.body?.innerText ?? "Loading…";
  return document.querySelector("h1") !== null && !text.includes("Loading…") && performance.now();
})()`;

const open = async (context: BrowserContext, address: string, slow: "network" | "processor"): Promise<Opened> => {
  const page = await context.newPage();
  await page.addInitScript(observe);
  const traffic = await slowed(page, slow);
  await page.goto(address, { waitUntil: "commit" });
  const drawn = await page.waitForFunction(complete, undefined, { timeout: 60_000, polling: "raf" });
  const interactiveMs = Number(await drawn.jsonValue());
  // What arrives late may still move what is read.
  await page.waitForTimeout(1500);
  const seen = await page.evaluate<{ words: number; shift: number }>("window.seen");
  await page.close();
  return { wordsMs: seen.words, interactiveMs, layoutShift: seen.shift, ...traffic() };
};

const slowed = async (page: Page, slow: "network" | "processor"): Promise<() => { scripts: number; kb: number }> => {
  const client = await page.context().newCDPSession(page);
  let [scripts, bytes] = [0, 0];
  client.on("Network.responseReceived", ({ type }) => (scripts += type === "Script" ? 1 : 0));
  client.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await client.send("Network.enable");
  await client.send("Network.setCacheDisabled", { cacheDisabled: true });
  if (slow === "network") await client.send("Network.emulateNetworkConditions", slowNetwork);
  else await client.send("Emulation.setCPUThrottlingRate", { rate: SLOW_PROCESSOR });
  return () => ({ scripts, kb: bytes / 1000 });
};

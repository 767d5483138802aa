import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redeemLink } from "@curtail/client";
import { operator } from "@curtail/contract";
import type { Browser, BrowserContext } from "playwright-core";
import { withBrowser } from "./browser.js";
import type { BenchCluster } from "./database.js";
import { newPortfolio, PAST, SITES } from "./operations-portfolio.js";
import { atMost, figure, median, report } from "./report.js";
import { type BenchService, startService } from "./service.js";

const ROUNDS = Number(process.env["BENCH_LARGE_ROUNDS"] ?? 5);
const PASSWORD = "correct horse battery";
const EMAIL = "operator@example.com";
/** What a person waits for on a busy machine. */
const WANTED = { numbersMs: 2000, curveMs: 2000, allMs: 5000 } as const;

interface Opened {
  readonly numbersMs: number;
  readonly curveMs: number;
  readonly allMs: number;
  readonly requests: number;
  readonly nodes: number;
  readonly kb: number;
}

/** The page of a dispatch of all sites: prepared by the service before, and by a service that was just started. */
export const largeDispatch = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_large_dispatch");
  // Secrets in the database can be read with the key of this folder only.
  const dataDir = await mkdtemp(join(tmpdir(), "curtail-bench-large-"));
  const start = () => startService(database, { log: "ignore", settings: { CURTAIL_DATA_DIR: dataDir } });
  const service = await start();
  const dispatchId = await newPortfolio(service, database);
  await newOperator(service);
  await withBrowser(async (browser) => {
    const prepared = await rounds(browser, service, dispatchId);
    await service.stop();
    const unprepared = [];
    for (let round = 0; round < ROUNDS; round++) unprepared.push(await openedFirst(browser, await start(), dispatchId));
    tell("prepared by the service before", prepared);
    tell("of a service that was just started", unprepared);
  });
  await database.drop();
  await rm(dataDir, { recursive: true });
};

const newOperator = async (service: BenchService): Promise<void> => {
  const body = { email: EMAIL, name: "Viewer", role: "operator-admin" as const, account_id: null };
  const { invitation_url } = await service.operate(operator.createUser, { body });
  await redeemLink(invitation_url, { password: PASSWORD });
};

const rounds = async (browser: Browser, service: BenchService, dispatchId: string): Promise<Opened[]> => {
  const context = await signedIn(browser, service);
  const opened: Opened[] = [];
  // The first round fills the cache of the browser.
  for (let round = -1; round < ROUNDS; round++) {
    const each = await open(context, dispatchId);
    if (round >= 0) opened.push(each);
  }
  await context.close();
  return opened;
};

const openedFirst = async (browser: Browser, service: BenchService, dispatchId: string): Promise<Opened> => {
  const context = await signedIn(browser, service);
  const opened = await open(context, dispatchId);
  await context.close();
  await service.stop();
  return opened;
};

const signedIn = async (browser: Browser, { url }: BenchService): Promise<BrowserContext> => {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, bypassCSP: true });
  await context.request.post("/auth/sign-in", { data: { email: EMAIL, password: PASSWORD } });
  return context;
};

/** When a part of the page was first drawn, in milliseconds since it was opened; `false` before. */
const drawn = {
  numbers: `/delivers [\\d,]+/.test(document.querySelector("h1")?.textContent ?? "") && performance.now()`,
  curve: `document.querySelector("figure canvas") !== null && performance.now()`,
  all: `document.querySelectorAll("[aria-label='Sites of the dispatch'] tbody tr").length > 10 && !document.body.innerText.includes("Loading…") && !document.body.innerText.includes("so far. The readings") && performance.now()`,
} as const;

const open = async (context: BrowserContext, dispatchId: string): Promise<Opened> => {
  const page = await context.newPage();
  let [requests, bytes] = [0, 0];
  const client = await context.newCDPSession(page);
  client.on("Network.requestWillBeSent", ({ request }) => {
    requests += request.url.includes("/operator/v1") ? 1 : 0;
  });
  client.on("Network.dataReceived", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await client.send("Network.enable");
  await page.goto(`/operations/dispatches/${dispatchId}`, { waitUntil: "commit" });
  const when = async (expression: string): Promise<number> =>
    Number(await (await page.waitForFunction(expression, undefined, { timeout: 120_000, polling: "raf" })).jsonValue());
  const [numbersMs, curveMs, allMs] = await Promise.all([when(drawn.numbers), when(drawn.curve), when(drawn.all)]);
  const nodes = await page.evaluate<number>("document.querySelectorAll('*').length");
  await page.close();
  return { numbersMs, curveMs, allMs, requests, nodes, kb: bytes / 1000 };
};

const tell = (what: string, opened: readonly Opened[]): void => {
  const of = (name: keyof Opened) => median(opened.map((each) => each[name]));
  const timed = (name: keyof typeof WANTED) => {
    const worst = Math.max(...opened.map((each) => each[name]));
    return `${Math.round(of(name))}, worst ${atMost(worst, WANTED[name], (value) => String(Math.round(value)))}`;
  };
  report(`page of a dispatch of ${SITES} sites, ${what}; ${PAST} past dispatches`, {
    "first numbers, ms": timed("numbersMs"),
    "curve, ms": timed("curveMs"),
    "all, ms": timed("allMs"),
    "requests of the page to the service": of("requests"),
    "elements in the page": of("nodes"),
    "kB of the answers": figure(of("kb")),
  });
};

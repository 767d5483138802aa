import { createServer } from "node:net";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { atEnd } from "../../../packages/server/test/support/at-end.js";
import { hasChromium, startBrowser } from "../support/chromium.js";
import { type ColdStores, callFor, curtail, newColdStores, runUsually } from "../support/cold-stores.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess, temporaryFolder } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";

const MINUTE_MS = 60_000;
const DAY_OF_CHANGES = 2880;
const LOST = /Connection lost/;
/** Seen: 0.6 MB, as a heap breathes. Whatever were kept of each change would make more. */

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });

describe.skipIf(!hasChromium)("a page that is left open", () => {
  let settings: Readonly<Record<string, string>>;
  let service: ServiceProcess;
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  let stores: ColdStores;
  let email: string;
  let dispatch: string;

  const start = async (): Promise<ServiceProcess> => {
    const started = await startProcess(settings);
    atEnd(async () => void (await started.end("SIGTERM")));
    return started;
  };

  beforeAll(async () => {
    const folder = await temporaryFolder();
    atEnd(() => folder.remove());
    // The service comes back where the page knows it.
    const port = String(await freePort());
    settings = { CURTAIL_DATA_DIR: folder.path, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN, CURTAIL_PORT: port };
    [service, browser] = await Promise.all([start(), startBrowser()]);
    stores = await newColdStores(service.url);
    email = await newUser(service.url, "participant-viewer", stores.accountId);
    await runUsually(service.url, stores);
    dispatch = await callFor(service.url, stores.programId, [-30, 90]);
  }, 120_000);

  test("says that its data is old while the service does not answer, and is live again by itself", async () => {
    const { page } = await signIn(browser, service.url, email);
    await page.goto("/dashboard/dispatches");
    await live(page).waitFor();
    // Frozen, the connection stays: only that nothing comes any more tells it.
    process.kill(service.pid, "SIGSTOP");
    try {
      await page.getByText(LOST).first().waitFor({ timeout: 40_000 });
    } finally {
      process.kill(service.pid, "SIGCONT");
    }
    await live(page).waitFor({ timeout: 40_000 });
    expect(await page.getByText(LOST).count()).toBe(0);
  }, 120_000);

  test("shows after a crash of the service what was changed meanwhile", async () => {
    const { page } = await signIn(browser, service.url, email);
    await page.goto("/dashboard/dispatches");
    await live(page).waitFor();
    await service.end("SIGKILL");
    await page.getByText(LOST).first().waitFor({ timeout: 40_000 });
    service = await start();
    await callFor(service.url, stores.programId, [400, 500], { test: true });
    await live(page).waitFor({ timeout: 40_000 });
    await page.getByRole("region", { name: "Coming" }).getByText("test").waitFor();
  }, 120_000);

  test("keeps its memory over a day of changes", async () => {
    const { page, context } = await signIn(browser, service.url, email);
    for (const site of stores.sites) await curtail(service.url, stores.key, site, Date.now() - 30 * MINUTE_MS, 1);
    const snapshot = await performanceOf(page, dispatch);
    // Each connection tells a quarter of a day, and ends as they do at night: the page connects again.
    let connections = 0;
    await page.route("**/performance/stream", async (route) => {
      connections++;
      const changes = Array.from({ length: DAY_OF_CHANGES / 4 }, (_, n) => event("change", moved(snapshot, n)));
      await route.fulfill({
        contentType: "text/event-stream",
        body: [event("snapshot", snapshot), ...changes].join(""),
      });
    });
    await page.goto(`/dashboard/dispatches/${dispatch}`);
    const memory = await context.newCDPSession(page);
    await expect.poll(() => connections, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    const before = await heapOf(memory);
    await expect.poll(() => connections, { timeout: 60_000 }).toBeGreaterThanOrEqual(6);
    const after = await heapOf(memory);
    expect(after.nodes).toBeLessThan(before.nodes * 1.5 + 500);
  }, 180_000);
});

const live = (page: Page) => page.getByRole("status").getByText("Live", { exact: true }).first();

const performanceOf = async (page: Page, dispatch: string): Promise<Performance> =>
  page.evaluate(`fetch("/console/v1/dispatches/${dispatch}/performance").then((answer) => answer.json())`);

interface Performance {
  readonly as_of: string;
  readonly sites: readonly object[];
}

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The same, some half-minutes later. */
const moved = (performance: Performance, n: number): Performance => ({
  ...performance,
  as_of: new Date(Date.parse(performance.as_of) + n * 30_000).toISOString(),
});

interface Inspector {
  send(method: "HeapProfiler.collectGarbage"): Promise<unknown>;
  send(method: "Runtime.getHeapUsage"): Promise<{ usedSize: number }>;
  send(method: "Memory.getDOMCounters"): Promise<{ nodes: number }>;
}

const heapOf = async (inspector: Inspector): Promise<{ usedSize: number; nodes: number }> => {
  await inspector.send("HeapProfiler.collectGarbage");
  const { usedSize } = await inspector.send("Runtime.getHeapUsage");
  const { nodes } = await inspector.send("Memory.getDOMCounters");
  return { usedSize, nodes };
};

import type { BrowserContext, Page, Route } from "playwright-core";
import { expect } from "vitest";

/** Measured every half-minute. */
const CHANGES = 2880;
const CONNECTIONS = 4;
const PATIENT = { timeout: 60_000 };

interface Performance {
  readonly as_of: string;
  readonly sites: readonly object[];
}

interface Memory {
  readonly usedSize: number;
  readonly nodes: number;
}

/**
 * Sends a day of changes of a dispatch to a page that shows it, and measures the page's memory before and after. Each
 * connection delivers a quarter of a day and ends, as at night: the page reconnects, and asks for all curves anew.
 */
export const overADay = async (
  { page, context }: { readonly page: Page; readonly context: BrowserContext },
  {
    address,
    performance,
    isBoard,
  }: {
    readonly address: string;
    readonly performance: string;
    /** The board follows no dispatch: it asks for all of them again at each connection. */
    readonly isBoard: boolean;
  },
): Promise<{ readonly before: Memory; readonly after: Memory }> => {
  const snapshot = await page.evaluate<Performance>(`fetch("${performance}").then((answer) => answer.json())`);
  let connections = 0;
  let answers = 0;
  let overviews = 0;
  await page.route(/\/performance(\/curve)?(\?.*)?$/, (route) => otherPower(route, ++answers));
  await page.route("**/operator/v1/overview", (route) => otherPower(route, ++overviews));
  await page.route("**/changes/stream", (route) => route.fulfill(stream([event("ready", {})])));
  await page.route("**/performance/stream", async (route) => {
    connections++;
    const changes = Array.from({ length: CHANGES / CONNECTIONS }, (_, n) => event("change", moved(snapshot, n)));
    await route.fulfill(stream([event("snapshot", snapshot), ...changes]));
  });
  await page.goto(address);
  const memory = await context.newCDPSession(page);
  const rounds = () => (isBoard ? overviews : connections);
  await expect.poll(rounds, PATIENT).toBeGreaterThanOrEqual(2);
  await page.getByRole("img").first().waitFor();
  const drawings = () => (isBoard ? overviews : answers);
  const [before, drawn] = [await memoryOf(memory), drawings()];
  await expect.poll(rounds, PATIENT).toBeGreaterThanOrEqual(2 + CONNECTIONS);
  await expect.poll(drawings, PATIENT).toBeGreaterThan(drawn + 2);
  const after = await memoryOf(memory);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  return { before, after };
};

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const stream = (events: readonly string[]) => ({ contentType: "text/event-stream", body: events.join("") });

/** The same, some half-minutes later. */
const moved = (performance: Performance, n: number): Performance => ({
  ...performance,
  as_of: new Date(Date.parse(performance.as_of) + n * 30_000).toISOString(),
});

/** The service's answer with other power each time, so that curves are drawn anew. */
const otherPower = async (route: Route, n: number): Promise<void> => {
  const response = await route.fetch();
  const other = (key: string, value: unknown) =>
    key.endsWith("_kw") && typeof value === "number" ? value * (1 + n / 1000) : value;
  await route.fulfill({ response, json: JSON.parse(await response.text(), other) });
};

interface Inspector {
  send(method: "HeapProfiler.collectGarbage"): Promise<unknown>;
  send(method: "Runtime.getHeapUsage"): Promise<{ usedSize: number }>;
  send(method: "Memory.getDOMCounters"): Promise<{ nodes: number }>;
}

const memoryOf = async (inspector: Inspector): Promise<Memory> => {
  await inspector.send("HeapProfiler.collectGarbage");
  const { usedSize } = await inspector.send("Runtime.getHeapUsage");
  const { nodes } = await inspector.send("Memory.getDOMCounters");
  return { usedSize, nodes };
};

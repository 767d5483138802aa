import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { Agent } from "undici";
import { withBrowser } from "./browser.js";
import type { BenchCluster } from "./database.js";
import { postReadings } from "./load.js";
import { fiveDispatches, newPerson, PASSWORD } from "./pages-portfolio.js";
import { figure, median, report } from "./report.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";

const MINUTES = Number(process.env["BENCH_BOARD_MINUTES"] ?? 120);
const INTERVAL_SECONDS = 30;
/** Readings of so many intervals between two looks at the heap. */
const INTERVALS_PER_SAMPLE = 4;
/** Of the first megabytes, once the page has seen everything. */
const MOST_GROWTH = 0.1;

/** A board that stays open beside five dispatches and live readings: what its heap keeps after each collection. */
export const openBoard = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_board");
  const service = await startService(database);
  const participant = await fiveDispatches(service);
  const email = await newPerson(service, "operator-admin", null);
  await withBrowser(async (browser) => {
    const context = await browser.newContext({ baseURL: service.url });
    await context.request.post("/auth/sign-in", { data: { email, password: PASSWORD } });
    const page = await context.newPage();
    await page.goto("/operations");
    tell(await heapSizes(page, service, participant));
  });
  await service.stop();
  await database.drop();
};

/** In megabytes. */
const heapSizes = async (
  page: Page,
  service: BenchService,
  participant: BenchParticipant,
): Promise<readonly number[]> => {
  const client = await page.context().newCDPSession(page);
  const dispatcher = new Agent({ connections: 1 });
  const sizes: number[] = [];
  const endMs = performance.now() + MINUTES * 60_000;
  while (performance.now() < endMs) {
    for (let interval = 0; interval < INTERVALS_PER_SAMPLE; interval++) {
      await postReadings(service.url, participant.key, readingsNow(participant), dispatcher);
      await sleep(INTERVAL_SECONDS * 1000);
    }
    await client.send("HeapProfiler.collectGarbage");
    const { usedSize } = await client.send("Runtime.getHeapUsage");
    sizes.push(usedSize / 1e6);
  }
  await dispatcher.close();
  return sizes;
};

/** Of the interval that has just ended, between 10 and 20 kW. */
const readingsNow = ({ meterIds }: BenchParticipant): Buffer => {
  const endMs = Math.floor(Date.now() / (INTERVAL_SECONDS * 1000)) * INTERVAL_SECONDS * 1000;
  const timestamp = `${new Date(endMs).toISOString().slice(0, 19)}Z`;
  const telemetry = meterIds.map((meter_id, index) => ({
    meter_id,
    interval_seconds: INTERVAL_SECONDS,
    timestamp,
    kW: 15 + 5 * Math.sin(endMs / 600_000 + index),
  }));
  return Buffer.from(JSON.stringify({ telemetry }));
};

const tell = (sizes: readonly number[]): void => {
  const sixth = Math.ceil(sizes.length / 6);
  // Scripts and queries of the page come in the first minutes.
  const [first, last] = [median(sizes.slice(sixth, 2 * sixth)), median(sizes.slice(-sixth))];
  const growth = last / first - 1;
  report(`heap of a board open for ${MINUTES} minutes, after each collection`, {
    "second sixth, MB": figure(first),
    "last sixth, MB": figure(last),
    growth: `${(growth * 100).toFixed(1)}% (at most ${MOST_GROWTH * 100}%${growth <= MOST_GROWTH ? "" : ", MISSED"})`,
    "each 20 minutes, MB": sizes
      .filter((_, index) => index % 10 === 0)
      .map(figure)
      .join(" "),
  });
};

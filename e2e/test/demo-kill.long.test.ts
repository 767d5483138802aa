import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { startedLater } from "@curtail/testing/clock-ahead";
import { type CrashPoint, crashingAt } from "@curtail/testing/crash";
import { beforeAll, expect, test, vi } from "vitest";
import { operate } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { type ServiceProcess, startProcess, underLoad } from "./support/service-process.js";

// A demo is whole, or gone, wherever the service was killed while it prepared or removed it.
const CRASHES_MS = 300_000;
const LASTING = { timeout: 90_000, interval: 100 };
/** Each process is started this much after the one before: the lease of a killed one has ended by then. */
const APART_MS = 30_000;

const preparing: readonly CrashPoint[] = [
  "before the commit of a demo's fleet",
  "before the record of a demo's readings",
  "before the commit of a demo's dispatches",
];
const removing: readonly CrashPoint[] = [
  "after the deletion of a demo's telemetry",
  "before the commit of a demo's end",
];

let settings: Readonly<Record<string, string>>;
let service: ServiceProcess | undefined;
let started = 0;

const start = async (its: typeof settings): Promise<ServiceProcess> =>
  (service = await startProcess(startedLater(APART_MS * started++, its)));

/** Goes on with what the one before left, up to a point; `ask` begins it the first time. */
const dieAt = async (point: CrashPoint, ask: (url: string) => Promise<unknown>): Promise<void> => {
  const victim = await start({ ...settings, ...crashingAt(point) });
  await ask(victim.url).catch(() => undefined);
  expect([point, await victim.ended()]).toEqual([point, "SIGKILL"]);
};

const untilState = (url: string, state: string): Promise<unknown> =>
  vi.waitUntil(async () => (await operate(url, operator.getDemo)).state === state, LASTING);

const countOf = async (url: string) => ({
  accounts: (await operate(url, operator.listAccounts)).items.length,
  sites: (await operate(url, operator.listAllSites, { query: { limit: 500 } })).items.length,
  programs: (await operate(url, operator.listPrograms)).items.length,
  dispatches: (await operate(url, operator.listAllDispatches)).items.length,
});

beforeAll(async () => {
  const folder = await preparedFolder();
  atEnd(folder.remove);
  atEnd(async () => void (await service?.end("SIGTERM")));
  settings = underLoad(folder.dataDir);
});

test(
  "a demo whose service was killed while it prepared it is prepared once",
  async () => {
    for (const point of preparing) await dieAt(point, (url) => operate(url, operator.startDemo));
    const healthy = await start(settings);
    const { url } = healthy;
    await untilState(url, "on");
    expect(await countOf(url)).toEqual({ accounts: 6, sites: 40, programs: 2, dispatches: 3 });
    const { items } = await operate(url, operator.listAudit, { query: { action: "demo.start" } });
    expect(items).toHaveLength(1);
    await healthy.end("SIGTERM");
  },
  CRASHES_MS,
);

test(
  "a demo whose service was killed while it removed it is removed",
  async () => {
    for (const point of removing) await dieAt(point, (url) => operate(url, operator.removeDemo));
    const healthy = await start(settings);
    const { url } = healthy;
    await untilState(url, "off");
    expect(await countOf(url)).toEqual({ accounts: 0, sites: 0, programs: 0, dispatches: 0 });
    await operate(url, operator.createAccount, { body: { name: "A real one" } });
    await healthy.end("SIGTERM");
  },
  CRASHES_MS,
);

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atEnd } from "@curtail/testing/at-end";
import { expect, test, vi } from "vitest";
import { noSettings, type ProcessGroup, postgresIn, startGroup } from "./support/process-group.js";
import { temporaryFolder } from "./support/service-process.js";

const command = fileURLToPath(new URL("../../demo/dist/demo.js", import.meta.url));
const folder = await temporaryFolder();
atEnd(folder.remove);

const small = ["--sites", "1", "--history-days", "1", "--showcase-days", "0", "--port", "0"];

const startDemo = (name: string, run: readonly string[]): { group: ProcessGroup; service: string } => {
  const dataDir = join(folder.path, name);
  const [file = "", ...args] = run;
  const group = startGroup(file, [...args, ...small, "--data-dir", dataDir], noSettings);
  return { group, service: join(dataDir, "service") };
};

const until = (isThen: () => boolean): Promise<boolean> => vi.waitUntil(isThen, { timeout: 120_000, interval: 1 });

/** PostgreSQL processes, even if their folder does not exist yet. */
const leftIn = (service: string): Promise<number[]> =>
  existsSync(service) ? postgresIn(service) : Promise.resolve([]);

test("Ctrl-C twice while the demo starts its service ends both, which is no failure", async () => {
  const { group, service } = startDemo("starting", [process.execPath, command]);
  await until(() => existsSync(join(service, "..", "demo.json")));
  group.signalAll("SIGINT");
  group.signalAll("SIGINT");
  expect(await group.ended(), group.log()).toBe("exit 0");
  expect(await leftIn(service)).toEqual([]);
}, 90_000);

test("SIGTERM to npm while the service of the demo makes its database leaves nothing running", async () => {
  const { group, service } = startDemo("npm", ["npm", "run", "demo", "--"]);
  await until(() => existsSync(join(service, "postgres")));
  group.leader.kill("SIGTERM");
  await group.ended();
  await expect.poll(() => leftIn(service), { timeout: 60_000 }).toEqual([]);
}, 180_000);

test("a demo whose output is no longer read continues, and Ctrl-C twice ends it with its service", async () => {
  const { group, service } = startDemo("unread", [process.execPath, command]);
  await until(() => existsSync(join(service, "postgres", "postmaster.pid")));
  // As `npm run demo | head` does.
  group.leader.stdout?.destroy();
  group.leader.stderr?.destroy();
  const memory = join(service, "..", "demo.json");
  await until(() => group.hasEnded() || (JSON.parse(readFileSync(memory, "utf8")) as { made: unknown }).made !== null);
  expect(group.hasEnded()).toBe(false);
  group.signalAll("SIGINT");
  group.signalAll("SIGINT");
  expect(await group.ended()).toBe("exit 0");
  expect(await leftIn(service)).toEqual([]);
}, 180_000);

// `npm run bench:hostile`, or selected attacks: `npm run bench:hostile -- bodies reads`.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type BenchCluster, startCluster } from "./database.js";
import type { Order } from "./hostile/attacker.js";
import type { Attack } from "./hostile/attacks/attack.js";
import { attacks } from "./hostile/attacks.js";
import { experience } from "./hostile/bystanders.js";
import { MemoryWatch } from "./hostile/memory.js";
import { type Stage, setStage } from "./hostile/stage.js";
import { printHeader, printRow } from "./hostile/table.js";
import { type Experience, judge, type Strain } from "./hostile/verdict.js";
import { isEnding, onSignal } from "./on-signal.js";

/** Duration of each quiet run and of each attack. */
const SECONDS = Number(process.env["BENCH_HOSTILE_SECONDS"] ?? 60);
const WARM_UP_SECONDS = 4;
const SETTLE_SECONDS = 5;
/** Low priority, so that the sender does not take CPU from the service: in reality it would have its own machine. */
const SENDER_NICENESS = 10;
/** After this, a sender that does not end is killed. */
const OVERDUE_MS = 20_000;

interface Outcome extends Strain {
  readonly quiet: Experience;
  readonly attacked: Experience;
  readonly answers: Readonly<Record<string, number>>;
}

const measured = async (cluster: BenchCluster, name: string, attack: Attack): Promise<Outcome> => {
  const stage = await setStage(cluster, name);
  const memory = new MemoryWatch(stage.service.pid);
  try {
    await attack.prepare?.(stage);
    const others = attack.isDispatched === undefined ? stage : withAttackers(stage);
    await experience(others, WARM_UP_SECONDS);
    const quiet = await experience(others, SECONDS);
    const [attacked, answers] = await Promise.all([experience(others, SECONDS), sent(name, stage)]);
    await sleep(SETTLE_SECONDS * 1000);
    const { peakMb, nowMb: afterMb } = memory;
    return { quiet, attacked, answers, peakMb, afterMb, isAlive: stage.service.isAlive() };
  } finally {
    memory.stop();
    await stage.stop();
  }
};

/** The operator's dispatches include the attackers' sites, in the quiet run as well. */
const withAttackers = (stage: Stage): Stage => {
  const siteIds = stage.target.attackers.flatMap(({ siteIds }) => siteIds.slice(0, 1));
  return { ...stage, notified: { ...stage.notified, siteIds: [...stage.notified.siteIds, ...siteIds] } };
};

const sent = async (name: string, { target }: Stage): Promise<Outcome["answers"]> => {
  const child: ChildProcess = fork(fileURLToPath(new URL("./hostile/attacker.js", import.meta.url)));
  setPriority(child.pid ?? 0, SENDER_NICENESS);
  const forget = onSignal(async () => void child.kill("SIGKILL"));
  const overdue = setTimeout(() => child.kill("SIGKILL"), SECONDS * 1000 + OVERDUE_MS);
  const order: Order = { name, seconds: SECONDS, target };
  child.send(order);
  const [answers] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [
    Outcome["answers"] | number,
  ];
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  clearTimeout(overdue);
  forget();
  return typeof answers === "object" && answers !== null ? answers : { "the sender was killed": 1 };
};

if (!(SECONDS >= 1)) throw new Error("BENCH_HOSTILE_SECONDS must be a number of seconds, 1 or more");
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(attacks);
const unknown = wanted.find((name) => !Object.hasOwn(attacks, name));
if (unknown !== undefined)
  throw new Error(`there is no attack ${unknown}; choose from ${Object.keys(attacks).join(", ")}`);

const cluster = await startCluster();
try {
  printHeader(SECONDS);
  for (const [name, attack] of Object.entries(attacks)) {
    if (!wanted.includes(name)) continue;
    const outcome = await measured(cluster, name, attack);
    printRow({ name, title: attack.title, ...outcome, ...judge(outcome.quiet, outcome.attacked, outcome) });
  }
} catch (error) {
  // What was stopped by it fails; the signal ends the process once all is stopped.
  if (!isEnding()) throw error;
  await new Promise(() => {});
} finally {
  await cluster.stop();
}

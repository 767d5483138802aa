import type { Call } from "@curtail/simulation";
import type { Demo } from "../domain/demo.js";
import { nextToFill } from "../domain/demo.js";
import type { Fleet } from "./fleet.js";
import { type PreparePorts, prepareStep } from "./prepare-demo.js";
import type { Removing } from "./remove-demo.js";

/** Lets one process at a time work on the demo. */
export interface DemoLease {
  /** The demo, if this process may work on it now; null also if there is none. */
  claim(now: Date): Promise<Demo | null>;
  release(): Promise<void>;
}

/** What the sites of the fleet know of dispatches, by site, from what their accounts have read. */
export type LearnedCalls = (endingAfter: Date) => Promise<ReadonlyMap<string, readonly Call[]>>;

export interface RunPorts extends PreparePorts {
  readonly fleet: Fleet;
  readonly lease: DemoLease;
  readonly learned: LearnedCalls;
  readonly removing: Removing;
}

/** Load rebounds for less than this after a dispatch. */
const AFTERMATH_MS = 3_600_000;

/** Takes the next step of a demo, in whichever state it is. */
export const demoStep = async (ports: RunPorts): Promise<{ readonly isDone: boolean }> => {
  const demo = await ports.lease.claim(ports.clock.now());
  if (demo === null) return { isDone: true };
  switch (demo.state) {
    case "preparing":
      await prepareStep(ports, demo);
      return { isDone: false };
    case "on":
      return { isDone: !(await live(ports, demo)) };
    case "removing":
      return { isDone: await ports.removing.step() };
  }
};

/** The accounts poll, and their meters send what is due; returns whether there is more. */
const live = async (ports: RunPorts, { filledUntil }: Demo): Promise<boolean> => {
  const { fleet } = ports;
  const accounts = await fleet.accounts();
  await fleet.poll(accounts);
  const now = ports.clock.now();
  const stretch = nextToFill(filledUntil ?? now, now);
  if (stretch === null) return false;
  const calls = await ports.learned(new Date(stretch.from.getTime() - AFTERMATH_MS));
  await fleet.upload(accounts, stretch, ({ id }) => calls.get(id) ?? []);
  await ports.transact(async ({ demo }) => {
    const current = await demo.lock();
    if (current?.state === "on") await demo.save({ ...current, filledUntil: stretch.to });
  });
  return true;
};

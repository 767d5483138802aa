import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { test, vi } from "vitest";
import { preparedFolder } from "../support/prepared-data.js";
import { act, type Whereabouts } from "../support/recipients/act.js";
import { inventionsOf, standingAlarms } from "../support/recipients/evidence.js";
import { type Facts, faults, type Success } from "../support/recipients/judge.js";
import { type Kind, kinds } from "../support/recipients/kinds.js";
import { mailed } from "../support/recipients/mailed.js";
import { type Actor, programOf, type Surroundings, setUp } from "../support/recipients/set-up.js";
import { rage } from "../support/recipients/storm.js";
import { startWebhookServers } from "../support/recipients/webhook-servers.js";
import { type ServiceProcess, startProcess, underLoad } from "../support/service-process.js";
import { openadrUrlOf } from "../support/ven.js";

const sizeOf = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
/** One of each kind, or more of them in turn: `CHAOS_ACCOUNTS=200 CHAOS_DISPATCHES=50` for a long run. */
const ACCOUNTS = sizeOf("CHAOS_ACCOUNTS", kinds.length);
const DISPATCHES = sizeOf("CHAOS_DISPATCHES", 6);
const KILLS = Math.max(3, Math.floor(DISPATCHES / 5));
/**
 * G45's minute, the mail's first three attempts over 40 s, the lease of a killed process for 15 s, and room for a busy
 * machine.
 */
const PATIENCE_MS = 170_000 + ACCOUNTS * DISPATCHES * 20;
const LOOK_EVERY_MS = 2000;
/** A long run may end in thousands of faults. */
const MOST_SHOWN = 100;
const MOST_LOG = 3000;

interface Run {
  readonly facts: Facts;
  /** An account like the others, but without any dispatch. */
  readonly leftOut: Actor;
  readonly inventions: readonly string[];
  /** The service's output on standard error since the last kill. */
  readonly log: string;
}

const run = async (): Promise<Run> => {
  const folder = await preparedFolder();
  const mail = await mailbox();
  const successes: Success[] = [];
  const note = (success: Success): void => void successes.push(success);
  const webhooks = await startWebhookServers(note);
  const settings = { ...underLoad(folder.dataDir), CURTAIL_SMTP_URL: mail.url };
  let service = await startProcess(settings);
  let stop: (() => Promise<void>) | undefined;
  try {
    const whereabouts: Whereabouts = addressesOf(service);
    const [leftOut, ...recipients] = await actorsOf({ ...whereabouts, webhooks });
    webhooks.beginRefusing();
    refuseSome(mail, recipients);
    const programId = await programOf(service.url, recipients);
    stop = act(recipients, whereabouts, note);
    const onRestart = async (next: ServiceProcess, kills: number): Promise<void> => {
      service = next;
      Object.assign(whereabouts, addressesOf(next));
      // For a while there is no mail server at all.
      if (kills === 1) await mail.close();
      if (kills === 2) await mail.open();
    };
    const dispatches = await rage(service, { programId, dispatches: DISPATCHES, kills: KILLS, settings, onRestart });
    const factsNow = async (): Promise<Facts> => ({
      recipients,
      dispatches,
      successes: [...successes, ...mailed(mail.received, recipients)],
      alarms: await standingAlarms(service.url),
    });
    const facts = await settled(factsNow);
    return { facts, leftOut, inventions: await inventionsOf(service.url, factsNow), log: service.log() };
  } finally {
    await stop?.();
    await service.end("SIGTERM");
    webhooks.close();
    await folder.remove();
  }
};

const refuseSome = (mail: Mailbox, recipients: readonly Actor[]): void => {
  for (const { email, isTaken } of recipients.flatMap(({ contacts }) => contacts))
    if (!isTaken) mail.refused.add(email);
};

const addressesOf = (service: ServiceProcess): Whereabouts => ({
  url: service.url,
  openadrUrl: openadrUrlOf(service),
});

const kindOf = (index: number): Kind => kinds[index % kinds.length] ?? { name: "nothing", contacts: [] };

/** Kinds in turn; the first actor is the one left out. */
const actorsOf = async (surroundings: Surroundings): Promise<[Actor, ...Actor[]]> => {
  const actors: [Actor, ...Actor[]] = [await setUp(surroundings, kindOf(0))];
  for (let index = 0; index < ACCOUNTS; index++) actors.push(await setUp(surroundings, kindOf(index)));
  return actors;
};

/** The facts once nothing is missing, or when time is up. */
const settled = async (factsNow: () => Promise<Facts>): Promise<Facts> => {
  let facts = await factsNow();
  const look = async (): Promise<void> => {
    facts = await factsNow();
    if (faults(facts).length > 0) throw new Error("somebody is missing still");
  };
  await vi.waitFor(look, { timeout: PATIENCE_MS, interval: LOOK_EVERY_MS }).catch(() => {});
  return facts;
};

/** Every account that was not reached has an alarm, whatever is killed meanwhile. */
export const testChaosOfRecipients = (): void =>
  test(
    `${DISPATCHES} dispatches of ${ACCOUNTS} accounts, ${KILLS} kills: whoever was not reached has an alarm that names it`,
    async ({ expect }) => {
      const { facts, leftOut, inventions, log } = await run();
      expect.soft(faults(facts).slice(0, MOST_SHOWN), log.slice(-MOST_LOG)).toEqual([]);
      expect.soft(inventions.slice(0, MOST_SHOWN)).toEqual([]);
      expect(facts.dispatches.length).toBeGreaterThanOrEqual(DISPATCHES);
      for (const by of ["webhook", "chat", "mail", "poll", "VEN"] as const)
        expect(facts.successes.filter((success) => success.by === by).length).toBeGreaterThan(0);
      // Control: for an account without dispatches, the same judge reports a fault for every dispatch.
      expect(faults({ ...facts, recipients: [leftOut] })).toHaveLength(facts.dispatches.length);
    },
    PATIENCE_MS + 900_000,
  );

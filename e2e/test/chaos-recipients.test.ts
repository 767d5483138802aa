import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { mailbox } from "../../packages/server/test/support/mailbox.js";
import { operate } from "./support/participant.js";
import { act, type Whereabouts } from "./support/recipients/act.js";
import {
  type Claim,
  type Facts,
  faults,
  type StandingAlarm,
  type Success,
  unfounded,
} from "./support/recipients/judge.js";
import { kinds } from "./support/recipients/kinds.js";
import { type Actor, programOf, setUp } from "./support/recipients/set-up.js";
import { rage } from "./support/recipients/storm.js";
import { startWebhookServers } from "./support/recipients/webhook-servers.js";
import { type ServiceProcess, startProcess, temporaryFolder, underLoad } from "./support/service-process.js";
import { openadrUrlOf } from "./support/ven.js";

const sizeOf = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
/** One of each kind, or more of them in turn: `CHAOS_ACCOUNTS=200 CHAOS_DISPATCHES=50` for a long run. */
const ACCOUNTS = sizeOf("CHAOS_ACCOUNTS", kinds.length);
const DISPATCHES = sizeOf("CHAOS_DISPATCHES", 6);
const KILLS = Math.max(3, Math.floor(DISPATCHES / 5));
/** G45's minute, the mail's first three tries over 40 s, what a kill held for 15 s, and room for a busy machine. */
const PATIENCE_MS = 170_000 + ACCOUNTS * DISPATCHES * 10;
const LOOK_EVERY_MS = 2000;

interface Run {
  readonly facts: Facts;
  /** An account like the others that no dispatch was for. */
  readonly leftOut: Actor;
  readonly inventions: readonly string[];
}

const run = async (): Promise<Run> => {
  const folder = await temporaryFolder();
  const mail = await mailbox();
  const successes: Success[] = [];
  const webhooks = await startWebhookServers((accountId, dispatchId) =>
    successes.push({ accountId, dispatchId, by: "webhook" }),
  );
  const settings = { ...underLoad(join(folder.path, "data")), CURTAIL_SMTP_URL: mail.url };
  let service = await startProcess(settings);
  let stop = async (): Promise<void> => {};
  const whereabouts: Whereabouts = addressesOf(service);
  try {
    const everyone = await actorsOf({ ...whereabouts, webhooks });
    webhooks.beginRefusing();
    for (const { email, isTaken } of everyone.flatMap(({ contacts }) => contacts))
      if (!isTaken) mail.refused.add(email);
    const [leftOut, ...recipients] = everyone;
    if (leftOut === undefined) throw new Error("there are no recipients");
    const programId = await programOf(service.url, recipients);
    stop = act(recipients, whereabouts, (success) => successes.push(success));
    let restarts = 0;
    const onRestart = async (next: ServiceProcess): Promise<void> => {
      service = next;
      Object.assign(whereabouts, addressesOf(next));
      restarts += 1;
      // For a while the mail server is not there at all.
      if (restarts === 1) await mail.close();
      if (restarts === 2) await mail.open();
    };
    const { dispatches } = await rage(service, {
      programId,
      dispatches: DISPATCHES,
      kills: KILLS,
      settings,
      onRestart,
    });
    const factsNow = async (): Promise<Facts> => ({
      recipients,
      dispatches,
      successes: [...successes, ...mailed(mail.received, recipients)],
      alarms: await listed<StandingAlarm>(service.url, "/alarms"),
    });
    const facts = await settled(factsNow);
    return { facts, leftOut, inventions: await inventionsOf(service.url, await factsNow()) };
  } finally {
    await stop();
    await service.end("SIGTERM");
    webhooks.close();
    await folder.remove();
  }
};

const addressesOf = (service: ServiceProcess): Whereabouts => ({
  url: service.url,
  openadrUrl: openadrUrlOf(service),
});

/** One of every kind in turn; the first of them is the one that is left out. */
const actorsOf = async (surroundings: Parameters<typeof setUp>[0]): Promise<Actor[]> => {
  const actors: Actor[] = [];
  for (let index = -1; index < ACCOUNTS; index++) {
    const kind = kinds[Math.max(0, index) % kinds.length];
    if (kind !== undefined) actors.push(await setUp(surroundings, kind));
  }
  return actors;
};

/** What the mail server took, as far as it names a dispatch. */
const mailed = (
  received: ReadonlyArray<{ readonly to: readonly string[]; readonly content: string }>,
  recipients: readonly Actor[],
): Success[] => {
  const accounts = new Map(
    recipients.flatMap(({ accountId, contacts }) => contacts.map(({ email }) => [email, accountId])),
  );
  return received.flatMap(({ to, content }) => {
    const dispatchId = /dis_\w+/.exec(content)?.[0] ?? "";
    return to.flatMap((email) => {
      const accountId = accounts.get(email);
      return accountId === undefined ? [] : [{ accountId, dispatchId, by: "mail" as const }];
    });
  });
};

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

const listed = async <T>(url: string, path: string): Promise<T[]> => {
  const items: T[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const from = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page<T> = await operate(url, "GET", `${path}?limit=500${from}`);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
};

/** Successes that the service's evidence claims and nobody saw. */
const inventionsOf = async (url: string, facts: Facts): Promise<string[]> => {
  const inventions: string[] = [];
  for (const { id } of facts.dispatches)
    inventions.push(...unfounded(facts, id, await listed<Claim>(url, `/dispatches/${id}/evidence`)));
  return inventions;
};

/** The facts once nothing lacks, or when patience is over. */
const settled = async (factsNow: () => Promise<Facts>): Promise<Facts> => {
  let facts = await factsNow();
  await vi
    .waitUntil(
      async () => {
        facts = await factsNow();
        return faults(facts).length === 0;
      },
      { timeout: PATIENCE_MS, interval: LOOK_EVERY_MS },
    )
    .catch(() => {});
  return facts;
};

test(
  `${DISPATCHES} dispatches of ${ACCOUNTS} accounts, ${KILLS} kills: whoever was not reached has an alarm that names it`,
  async () => {
    const { facts, leftOut, inventions } = await run();
    expect(faults(facts)).toEqual([]);
    expect(inventions).toEqual([]);
    // The kills fell into dispatches that were under way, and did not keep them all from being issued.
    expect(facts.dispatches.length).toBeGreaterThanOrEqual(DISPATCHES / 2);
    for (const by of ["webhook", "mail", "poll", "VEN"] as const)
      expect(facts.successes.filter((success) => success.by === by).length).toBeGreaterThan(0);
    // Control: an account that no dispatch was for is found out by the same judge, for every dispatch.
    const found = faults({ ...facts, recipients: [...facts.recipients, leftOut] });
    expect(found).toHaveLength(facts.dispatches.length);
    expect(found.every((fault) => fault.startsWith(leftOut.accountId))).toBe(true);
  },
  PATIENCE_MS + 600_000,
);

import type { Actor } from "../../access/domain/account.js";
import { type AccountStores, changeAccount } from "../../access/operations/manage-accounts.js";
import type { IssuingStores } from "../../dispatch/operations/create-dispatch.js";
import { everyItem, type PageRequest } from "../../platform/page.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import { DEMO_ID, type Demo, type DemoSize } from "../domain/demo.js";

export interface DemoStore {
  find(): Promise<Demo | null>;
  /** Locks the row until the end of the transaction. */
  lock(): Promise<Demo | null>;
  /** Waits until no account is being added, and lets none be until the end of the transaction. */
  awaitAccounts(): Promise<void>;
  insert(demo: Demo): Promise<void>;
  save(demo: Demo): Promise<void>;
  size(): Promise<DemoSize>;
}

export type DemoStores = AccountStores & IssuingStores & { readonly demo: DemoStore };

/** A demo with its size, as an operator sees it; null: there is none. */
export interface SeenDemo {
  readonly demo: Demo | null;
  readonly size: DemoSize;
}

export type DemoPorts = Ports<DemoStores>;

const SUBJECT = { id: DEMO_ID, accountId: null };

export const findDemo = async ({ stores }: Pick<DemoPorts, "stores">): Promise<SeenDemo> => {
  const [demo, size] = await Promise.all([stores.demo.find(), stores.demo.size()]);
  return { demo, size };
};

/** Why a demo cannot be started; null if it can be, or there is one already. */
export const refuseStart = ({ demo, size }: SeenDemo): Refusal | null => {
  if (demo?.state === "removing") return invalid("The demo is being removed: start it again when it is gone.");
  if (demo !== null || size.accounts === 0) return null;
  return invalid(
    "The service has accounts: a demo can be started only without any, also without the simulated site. Try it on a service of its own, with a database of its own.",
  );
};

/** Starts the demo, on a service without accounts; one that there is already is left as it is. */
export const startDemo = ({ transact, clock }: DemoPorts, actor: Actor): Promise<Result<SeenDemo>> =>
  transact(async (stores): Promise<Result<SeenDemo>> => {
    await stores.demo.awaitAccounts();
    const seen = await findDemo({ stores });
    const refusal = refuseStart(seen);
    if (refusal !== null) return refusal;
    if (seen.demo !== null) return seen;
    const demo: Demo = {
      state: "preparing",
      startedAt: clock.now(),
      startedBy: actor,
      programIds: [],
      filledUntil: null,
      progress: 0,
    };
    await stores.demo.insert(demo);
    const { startedAt } = demo;
    await stores.audit.append({ actor, at: startedAt }, "demo.start", SUBJECT, { after: { startedAt } });
    return { demo, size: seen.size };
  });

/** Begins to remove the demo. From now on its accounts are disabled: nothing is sent to them, and nobody gets in. */
export const removeDemo = (ports: DemoPorts, actor: Actor): Promise<Result<SeenDemo>> =>
  ports.transact(async (stores): Promise<Result<SeenDemo>> => {
    const demo = await stores.demo.lock();
    const size = await stores.demo.size();
    if (demo === null || demo.state === "removing") return { demo, size };
    await disableAccounts({ ...ports, stores, transact: (work) => work(stores) }, actor);
    const removing: Demo = { ...demo, state: "removing", progress: 0 };
    await stores.demo.save(removing);
    const before = { startedAt: demo.startedAt, ...size };
    await stores.audit.append({ actor, at: ports.clock.now() }, "demo.remove", SUBJECT, { before });
    return { demo: removing, size };
  });

const disableAccounts = async (within: Ports<DemoStores>, actor: Actor): Promise<void> => {
  const accounts = everyItem((page: PageRequest) => within.stores.accounts.list(page));
  for await (const { id } of accounts) {
    const changed = await changeAccount(
      within,
      actor,
      id,
      { disabled: true },
      { isNearConfirmed: true, isRunningConfirmed: true },
    );
    if (isRefusal(changed)) throw new Error(`an account of the demo could not be disabled: ${changed.message}`);
  }
};

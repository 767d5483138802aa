import { settleOverdue } from "../../notification/operations/escalate-owed.js";
import type { NotificationStores } from "../../notification/operations/notification-stores.js";
import { type Alarm, type AlarmKind, type Condition, reconcile, type Verdict } from "../../platform/alarm.js";
import type { AlarmStores } from "../../platform/alarm-ports.js";
import type { Ports } from "../../platform/ports.js";
import { raisedFrom } from "../../platform/raise-alarms.js";
import type { Result } from "../../platform/refusal.js";

/** An alarm that is not cleared. An earlier version may have had a kind that this one does not. */
export type StandingAlarm = Pick<Alarm, "id" | "subject" | "accountId"> & {
  readonly kind: string;
  /** Whether it ends although its cause remains: somebody acknowledged it with its group, and its dispatch is over. */
  readonly isSeen: boolean;
};

/** Alarms and their causes. */
interface AlarmLook {
  readonly standing: readonly StandingAlarm[];
  readonly found: readonly Condition[];
  /** Whether there are emails to accounts that nothing reached in time, which may have been reached since. */
  readonly hasUnsettled: boolean;
  /** Those asked for, by name. */
  readonly settings: ReadonlyMap<string, string>;
}

interface AlarmQuestion {
  readonly at: Date;
  readonly kinds: readonly AlarmKind[];
  /** Names of settings. */
  readonly settings: readonly string[];
}

export interface AlarmLookStore {
  /** Those that have rules. */
  readonly kinds: readonly AlarmKind[];
  /**
   * Evaluates the rules of some kinds, by one statement, or a second one if it shows that more may be wrong. Alarms are not read
   * after causes: one that is committed with its cause meanwhile is not taken for one that is over.
   */
  look(asked: AlarmQuestion): Promise<AlarmLook>;
}

type LookStores = AlarmStores & { readonly alarmLooks: AlarmLookStore };

export type AlarmPorts = Ports<LookStores & Pick<NotificationStores, "owed">> & { readonly observed?: Observed };

/** Conditions that no rule finds. */
export interface Observed {
  /** Names of the settings that they depend on. */
  readonly settings: readonly string[];
  readonly conditions: (settings: AlarmLook["settings"]) => Promise<readonly Condition[]>;
}

interface AlarmFault {
  /** Of the kind that could not be evaluated; null: each could be, but not all together. */
  readonly kind: AlarmKind | null;
  readonly error: unknown;
}

export interface AlarmChanges {
  readonly raised: readonly Alarm[];
  readonly cleared: readonly StandingAlarm[];
  readonly faults: readonly AlarmFault[];
}

/**
 * Raises new alarms and clears those that are over; does nothing while another process does it. Most often nothing changes,
 * which needs one statement. Alarms of kinds with a fault stay as they are.
 */
export const judgeAlarms = async (ports: AlarmPorts): Promise<Result<AlarmChanges>> => {
  const { stores, transact, clock, newId, observed = NOTHING } = ports;
  const asked = { at: clock.now(), kinds: stores.alarmLooks.kinds, settings: observed.settings };
  const { look, seen, faults } = await lookAround(stores, asked);
  const found = await observed.conditions(seen.settings);
  const sound = withoutFaults(asked, faults);
  const isQuiet = changesNothing(verdictOn(seen, found, sound));
  const unchanged = { raised: [], cleared: [], faults };
  if (isQuiet && !seen.hasUnsettled) return unchanged;
  return transact(async ({ alarms, alarmLooks, owed }) => {
    if (!(await alarms.takeTurn())) return unchanged;
    // Again, and by the time of this look: another process may have had its turn meanwhile, and an alarm that ends now must not
    // seem to have ended before its cause did.
    const at = clock.now();
    if ((await settleOverdue(owed, at)) === 0 && isQuiet) return unchanged;
    const { seen: now } = await look({ alarms, alarmLooks }, { ...sound, at });
    const { raise, clear } = verdictOn(now, found, sound);
    const ids = clear.map(({ id }) => id);
    await alarms.clear(ids, at);
    await owed.settle(seenMails(clear), at);
    return { raised: await alarms.raise(raisedFrom(raise, at, newId)), cleared: clear, faults };
  });
};

interface Looked {
  readonly seen: AlarmLook;
  readonly faults: readonly AlarmFault[];
}

type Look = (stores: LookStores, asked: AlarmQuestion) => Promise<Looked>;

/**
 * Looks at all kinds at once or, if that fails, at each by itself: one rule that fails, or takes too long with the others, must
 * not silence them. `look` is the way that worked. Throws if the database is away.
 */
const lookAround = async (stores: LookStores, asked: AlarmQuestion): Promise<Looked & { readonly look: Look }> => {
  try {
    return { look: atOnce, ...(await atOnce(stores, asked)) };
  } catch (error) {
    const { seen, faults } = await oneByOne(stores, asked);
    return { look: oneByOne, seen, faults: faults.length > 0 ? faults : [{ kind: null, error }] };
  }
};

const atOnce: Look = async ({ alarmLooks }, asked) => ({ seen: await alarmLooks.look(asked), faults: [] });

const oneByOne: Look = async ({ alarms, alarmLooks }, asked) => {
  // First what needs no rule: it fails if the database is away.
  const seen = await alarmLooks.look({ ...asked, kinds: [] });
  const found: Condition[] = [];
  const faults: AlarmFault[] = [];
  for (const kind of asked.kinds) {
    try {
      found.push(...(await alarms.conditions(asked.at, [kind])));
    } catch (error) {
      faults.push({ kind, error });
    }
  }
  return { seen: { ...seen, found }, faults };
};

const NOTHING: Observed = { settings: [], conditions: async () => [] };

type Sound = AlarmQuestion & { readonly failed: ReadonlySet<string> };

const withoutFaults = (asked: AlarmQuestion, faults: readonly AlarmFault[]): Sound => {
  const failed = new Set<string>(faults.flatMap(({ kind }) => kind ?? []));
  return { ...asked, failed, kinds: asked.kinds.filter((kind) => !failed.has(kind)) };
};

const verdictOn = (
  { standing, found }: AlarmLook,
  others: readonly Condition[],
  { failed }: Sound,
): Verdict<StandingAlarm> => {
  const known = standing.filter(({ kind }) => !failed.has(kind));
  const { raise, clear } = reconcile(known, [...found, ...others]);
  return { raise, clear: [...new Set([...clear, ...known.filter(({ isSeen }) => isSeen)])] };
};

const seenMails = (cleared: readonly StandingAlarm[]): readonly string[] =>
  cleared.flatMap(({ isSeen, kind, subject }) => (isSeen && kind === "notice_failed" ? [subject] : []));

const changesNothing = ({ raise, clear }: Verdict<StandingAlarm>): boolean => raise.length + clear.length === 0;

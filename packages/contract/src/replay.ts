// The state of a dispatch at a moment, from its events: what `GET /dispatches/{id}/replay` is for. No imports: browsers load this file,
// not the schemas.

/** What the rule needs of an event; the API has more. */
export interface ReplayedEvent {
  /** From when it was known, as RFC 3339. */
  readonly at: string;
  readonly what: string;
  readonly account_id?: string;
  readonly account_name?: string;
  readonly sites?: number;
  readonly commitment_kw?: number;
  readonly modification_number?: number;
  readonly channel?: string;
  readonly record?: boolean;
  readonly start_time?: string;
  readonly end_time?: string | null;
  readonly alarm_id?: string;
  readonly alarm_kind?: string;
}

export interface ReplayedAccount {
  readonly account_id: string;
  readonly account_name: string;
  readonly sites: number;
  readonly commitment_kw: number;
  /** The first channel that notified it of the modification, or of a later one; null: it was not notified. */
  readonly notified: { readonly at: string; readonly channel: string } | null;
}

export interface ReplayedAlarm {
  readonly alarm_id: string;
  readonly alarm_kind: string;
  readonly account_id: string | null;
  readonly raised_at: string;
  /** null: nobody had acknowledged it. */
  readonly acknowledged_at: string | null;
}

export interface ReplayedState {
  /** null: it was not issued yet. */
  readonly modification_number: number | null;
  /** `false`: it was cancelled, or void. */
  readonly authorized: boolean;
  readonly start_time: string | null;
  readonly end_time: string | null;
  /** Accounts that were not disabled, in the order of their events: the largest commitments first. */
  readonly accounts: readonly ReplayedAccount[];
  /** Those of them that were not notified; none of a record, of which nobody is notified. */
  readonly not_notified: readonly ReplayedAccount[];
  /** Alarms about the dispatch that were not cleared, oldest first. */
  readonly alarms: readonly ReplayedAlarm[];
}

interface Notified {
  readonly modification: number;
  readonly at: string;
  readonly channel: string;
}

interface Known {
  revision: ReplayedEvent | null;
  isRecord: boolean;
  readonly accounts: Map<string, ReplayedEvent>;
  readonly disabled: Set<string>;
  readonly notified: Map<string, Notified[]>;
  readonly alarms: Map<string, ReplayedAlarm>;
}

/**
 * The state of a dispatch as it was known at a moment.
 *
 * @param events all events of the dispatch, oldest first
 */
export const stateAt = (events: readonly ReplayedEvent[], at: Date): ReplayedState => {
  const known = knownAt(events, at.getTime());
  const { revision, alarms } = known;
  const accounts = accountsOf(known);
  return {
    modification_number: revision?.modification_number ?? null,
    authorized: revision !== null && isAuthorized(revision.what),
    start_time: revision?.start_time ?? null,
    end_time: revision?.end_time ?? null,
    accounts,
    not_notified: known.isRecord ? [] : accounts.filter(({ notified }) => notified === null),
    alarms: [...alarms.values()],
  };
};

const knownAt = (events: readonly ReplayedEvent[], ms: number): Known => {
  const known: Known = {
    revision: null,
    isRecord: false,
    accounts: new Map(),
    disabled: new Set(),
    notified: new Map(),
    alarms: new Map(),
  };
  for (const event of events) {
    if (Date.parse(event.at) > ms) break;
    learn(known, event);
  }
  return known;
};

const learn = (known: Known, event: ReplayedEvent): void => {
  const { what, account_id: account = "", alarm_id: alarm = "" } = event;
  switch (what) {
    case "issued":
    case "changed":
    case "cancelled":
    case "voided":
      known.revision = event;
      known.isRecord ||= event.record ?? false;
      return;
    case "targeted":
      known.accounts.set(account, event);
      return;
    case "disabled":
      known.disabled.add(account);
      return;
    case "enabled":
      known.disabled.delete(account);
      return;
    case "notified":
    case "phoned":
      known.notified.set(account, [...(known.notified.get(account) ?? []), notifiedBy(event)]);
      return;
    case "alarm_raised":
      known.alarms.set(alarm, raisedBy(event));
      return;
    case "alarm_acknowledged":
      acknowledge(known.alarms, alarm, event.at);
      return;
    case "alarm_cleared":
      known.alarms.delete(alarm);
      return;
    // A version that adds kinds of events must not break what reads these.
    default:
      return;
  }
};

const notifiedBy = ({ modification_number: modification = 0, at, channel = "phone" }: ReplayedEvent): Notified => ({
  modification,
  at,
  channel,
});

const raisedBy = ({ alarm_id = "", alarm_kind = "", account_id, at }: ReplayedEvent): ReplayedAlarm => ({
  alarm_id,
  alarm_kind,
  account_id: account_id ?? null,
  raised_at: at,
  acknowledged_at: null,
});

const acknowledge = (alarms: Map<string, ReplayedAlarm>, id: string, at: string): void => {
  const alarm = alarms.get(id);
  if (alarm !== undefined) alarms.set(id, { ...alarm, acknowledged_at: at });
};

const isAuthorized = (what: string): boolean => what === "issued" || what === "changed";

const accountsOf = ({ accounts, disabled, notified, revision }: Known): ReplayedAccount[] => {
  const newest = revision?.modification_number ?? 0;
  return [...accounts.values()]
    .filter(({ account_id = "" }) => !disabled.has(account_id))
    .map(({ account_id = "", account_name = "", sites = 0, commitment_kw = 0 }) => ({
      account_id,
      account_name,
      sites,
      commitment_kw,
      // One that was notified of an earlier modification alone is owed the newest.
      notified: notified.get(account_id)?.find(({ modification }) => modification >= newest) ?? null,
    }));
};

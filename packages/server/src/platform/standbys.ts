import type { Condition } from "./alarm.js";

/** A standby as the primary sees it. */
interface SeenStandby {
  readonly name: string;
  readonly streams: boolean;
  /** Whether commits may wait for it. */
  readonly isSynchronous: boolean;
  readonly lagBytes: number;
}

/** A place in the log that a standby left; the primary keeps the log from there on. */
interface SeenSlot {
  readonly name: string;
  readonly keptBytes: number;
}

/** What a primary knows of its standbys. */
export interface ReplicationState {
  /** `synchronous_standby_names`. */
  readonly asked: string;
  readonly standbys: readonly SeenStandby[];
  readonly slots: readonly SeenSlot[];
}

/** When a person has to look. */
export interface StandbyLimits {
  /** Synchronous standbys that the database should have; null: as many as it asks for itself. */
  readonly wanted: number | null;
  readonly lagBytes: number;
  readonly slotBytes: number;
}

/** How many standbys PostgreSQL waits for: `FIRST 2 (a, b)`, `ANY 1 (a, b)`, `2 (a, b)`, `a, b`, `*` or nothing. */
const askedStandbys = (names: string): number => {
  if (names.trim() === "") return 0;
  const [, count] = /^\s*(?:first\s|any\s)?\s*(\d+)\s*\(/i.exec(names) ?? [];
  return count === undefined ? 1 : Number(count);
};

/** The alarms about what would make a failover slow, or lose data: before it happens. */
export const standbyConditions = (state: ReplicationState, limits: StandbyLimits): readonly Condition[] => [
  ...missing(state, limits),
  ...state.standbys.filter(({ lagBytes }) => lagBytes > limits.lagBytes).map(lagging),
  ...state.slots.filter(({ keptBytes }) => keptBytes > limits.slotBytes).map(growing),
];

const missing = ({ asked, standbys }: ReplicationState, { wanted }: StandbyLimits): readonly Condition[] => {
  const needed = Math.max(wanted ?? 0, askedStandbys(asked));
  const present = standbys.filter(({ streams, isSynchronous }) => streams && isSynchronous).length;
  if (present >= needed) return [];
  return [
    condition(
      "standbys",
      `The database has ${present} of ${needed} synchronous standbys. If the primary fails now, there is no failover, or answered data is lost. ` +
        "Start the standby again, and check its machine and network.",
    ),
  ];
};

const lagging = ({ name, lagBytes }: SeenStandby): Condition =>
  condition(
    `standby ${name}`,
    `The standby ${name} is ${megabytes(lagBytes)} MB behind the primary: a failover would take longer. Check its machine and network.`,
  );

const growing = ({ name, keptBytes }: SeenSlot): Condition =>
  condition(
    `slot ${name}`,
    `The primary keeps ${megabytes(keptBytes)} MB of its log for the replication slot ${name}, and its disk may fill. ` +
      "Start the standby of the slot again, or drop the slot.",
  );

const condition = (subject: string, message: string): Condition => ({
  kind: "standby_degraded",
  subject,
  accountId: null,
  message,
});

const megabytes = (bytes: number): number => Math.floor(bytes / 1_000_000);

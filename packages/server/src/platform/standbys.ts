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

/** A piece of the log that could not be archived. */
interface FailedArchiving {
  readonly file: string;
  /** Since a piece was last archived. */
  readonly seconds: number;
}

/** What a primary knows of its standbys and of its archive. */
export interface ReplicationState {
  /** `synchronous_standby_names`. */
  readonly asked: string;
  readonly standbys: readonly SeenStandby[];
  readonly slots: readonly SeenSlot[];
  /** null: it archives, or is not to. */
  readonly archiving: FailedArchiving | null;
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

/** PostgreSQL tries again each minute, and an archive may be away for a while. */
const ARCHIVING_FAILED_SECONDS = 300;

/** The alarm about a log that is not archived: what is changed since cannot be restored. */
export const archivingConditions = ({ archiving }: Pick<ReplicationState, "archiving">): readonly Condition[] =>
  archiving === null || archiving.seconds < ARCHIVING_FAILED_SECONDS
    ? []
    : [
        {
          kind: "archiving_failed",
          subject: "archive",
          accountId: null,
          message:
            `PostgreSQL has not archived its log for ${Math.floor(archiving.seconds / 60)} minutes, and last failed at ${archiving.file}: changes since ` +
            "cannot be restored to a point in time, and its disk fills. See its log for the reason, and check the archive.",
        },
      ];

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

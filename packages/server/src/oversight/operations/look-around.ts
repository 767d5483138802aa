import type { AlarmKind, Condition } from "../../platform/alarm.js";
import type { AlarmStores } from "../../platform/alarm-ports.js";
import type { AlarmLook, AlarmLookStores, AlarmQuestion } from "./alarm-look-ports.js";

export interface AlarmFault {
  /** Of the kind that could not be evaluated; null: each could be, but not all together. */
  readonly kind: AlarmKind | null;
  readonly error: unknown;
}

interface Looked {
  readonly seen: AlarmLook;
  readonly faults: readonly AlarmFault[];
}

type Look = (stores: AlarmLookStores & AlarmStores, asked: AlarmQuestion) => Promise<Looked>;

/**
 * Looks at all kinds at once or, if that fails, at each by itself: one rule that fails, or takes too long with the others, must
 * not silence them. `look` is the way that worked. Throws if the database is away.
 */
export const lookAround = async (
  stores: AlarmLookStores & AlarmStores,
  asked: AlarmQuestion,
): Promise<Looked & { readonly look: Look }> => {
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

/** The longest name of an object. */
const NAME_CHARACTERS = 128;

/** The name of a report's resource that stands for several; no resource may be named so. */
export const AGGREGATED_REPORT = "AGGREGATED_REPORT";

export interface Named {
  /** Unique. */
  readonly id: string;
  /** What it should be named; may be empty, too long, or given twice. */
  readonly name: string;
}

/**
 * A unique name for each, in order: the own name if it can be one and no earlier one has it, else the id. Names that
 * others gave to their objects are `taken`.
 */
export const uniqueNames = (named: readonly Named[], taken: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const used = new Set(taken);
  const names = new Map<string, string>();
  for (const { id, name } of named) {
    const free = [...candidates(id, name)].find((candidate) => !used.has(candidate)) ?? id;
    used.add(free);
    names.set(id, free);
  }
  return names;
};

/** As many as names could be taken on purpose: after that, the id. */
const ATTEMPTS = 1000;

// A generator: nearly always the first one is free.
const candidates = function* (id: string, name: string): Generator<string> {
  const trimmed = name.trim();
  if (trimmed !== "" && trimmed.length <= NAME_CHARACTERS && trimmed !== AGGREGATED_REPORT) yield trimmed;
  yield id;
  for (let count = 2; count < ATTEMPTS; count++) yield `${id}-${count}`;
};

/** One member that a change changed, by its name and those it is in; undefined where it was not there. */
export interface Changed {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** Said beside the change anyway. */
const known = new Set(["id", "account_id", "created_at"]);

/** What differs between two states, member by member. */
export const differences = (before: object | null, after: object | null): readonly Changed[] =>
  between(before === null ? null : whole(before), after === null ? null : whole(after), []).filter(
    ({ path: [name = ""] }) => !known.has(name),
  );

/** A state whose lists say how many more elements they have. */
const whole = (state: object): Members => {
  const { omitted = {}, ...members } = state as Members & { readonly omitted?: Readonly<Record<string, number>> };
  const lists = Object.entries(omitted).map(([name, count]) => [name, [members[name], `and ${count} more`].flat()]);
  return { ...members, ...Object.fromEntries(lists) };
};

const between = (before: unknown, after: unknown, path: readonly string[]): readonly Changed[] => {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [membersOf(before), membersOf(after)];
  if (old === null && now === null) return [{ path, before, after }];
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
  return [...names].flatMap((name) => between(old?.[name], now?.[name], [...path, name]));
};

const membersOf = (state: unknown): Members | null =>
  typeof state === "object" && state !== null && !Array.isArray(state) ? (state as Members) : null;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A value to read; null for one that is not there. */
export const shown = (value: unknown, momentWords: (at: string) => string): string | null => {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return MOMENT.test(value) ? momentWords(value) : value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length === 0 ? null : value.map((each) => elementWords(each)).join("; ");
};

/** One of several: its members one after the other. */
const elementWords = (element: unknown): string => {
  const members = membersOf(element);
  if (members === null) return typeof element === "string" ? element : JSON.stringify(element);
  return Object.values(members)
    .map((each) => (typeof each === "string" ? each : JSON.stringify(each)))
    .join(" ");
};

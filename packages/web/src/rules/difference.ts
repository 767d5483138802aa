import { say } from "@curtail/words/page";
/** A changed member by its path; undefined where it did not exist. */
export interface Changed {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** Members that the list of changes shows elsewhere. */
const known = new Set(["id", "account_id", "created_at"]);

/** Compares two states member by member. */
export const differences = (before: object | null, after: object | null): readonly Changed[] =>
  between(before === null ? null : whole(before), after === null ? null : whole(after), []).filter(
    ({ path: [name = ""] }) => !known.has(name),
  );

/** A state whose shortened lists have the number of omitted elements. */
const whole = (state: object): Members => {
  const { omitted = {}, ...members } = state as Members & { readonly omitted?: Readonly<Record<string, number>> };
  const lists = Object.entries(omitted).map(([name, count]) => [
    name,
    [members[name], say("and {n} more", { n: count })].flat(),
  ]);
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

/** A value as text; null if there is none. */
export const shown = (value: unknown, momentWords: (at: string) => string): string | null => {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "boolean") return value ? say("yes") : say("no");
  if (typeof value === "string") return MOMENT.test(value) ? momentWords(value) : value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length === 0 ? null : value.map((each) => elementWords(each)).join("; ");
};

/** An element of a list: its members in a row. */
const elementWords = (element: unknown): string => {
  const members = membersOf(element);
  if (members === null) return typeof element === "string" ? element : JSON.stringify(element);
  return Object.values(members)
    .map((each) => (typeof each === "string" ? each : JSON.stringify(each)))
    .join(" ");
};

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

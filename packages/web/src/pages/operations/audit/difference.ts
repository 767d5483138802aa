/** One member that a change changed; undefined where it was not there. */
export interface Changed {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Said beside the change anyway. */
const known = new Set(["id", "accountId", "account_id", "createdAt", "created_at"]);

/** What differs between two states, member by member; members of members are named `openadr.level`. */
export const differences = (before: unknown, after: unknown, name = ""): readonly Changed[] => {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [membersOf(before), membersOf(after)];
  if (old === null && now === null) return [{ name, before, after }];
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
  return [...names]
    .filter((each) => name !== "" || !known.has(each))
    .flatMap((each) => differences(old?.[each], now?.[each], name === "" ? each : `${name}.${each}`));
};

const membersOf = (state: unknown): Readonly<Record<string, unknown>> | null =>
  typeof state === "object" && state !== null && !Array.isArray(state) ? (state as Record<string, unknown>) : null;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A value to read; null for one that is not there. */
export const shown = (value: unknown, momentWords: (at: string) => string): string | null => {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return MOMENT.test(value) ? momentWords(value) : value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length === 0 ? null : value.map((each) => entryWords(each)).join("; ");
};

/** One of several: its members one after the other. */
const entryWords = (entry: unknown): string => {
  const members = membersOf(entry);
  if (members === null) return typeof entry === "string" ? entry : JSON.stringify(entry);
  return Object.values(members)
    .map((each) => (typeof each === "string" ? each : JSON.stringify(each)))
    .join(" ");
};

/** `displayEnabled` and `display_enabled` as `display enabled`. */
export const memberWords = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[_.]/g, " ")
    .toLowerCase();

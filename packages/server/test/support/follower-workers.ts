import { atEnd } from "@curtail/testing/at-end";
import type { JournalEntry } from "../../src/platform/journal.js";
import { cloneDatabase, type TestDatabase } from "./database.js";
import { marksIn } from "./following.js";

export let database: TestDatabase;
export let marks: Awaited<ReturnType<typeof marksIn>>;

export const prepare = async () => {
  database = await cloneDatabase();
  marks = await marksIn(database);
  atEnd(() => database.drop());
};

let count = 0;
export const newName = (): string => `follower ${++count}`;

export const faultsOf = async (follower: string) =>
  (
    await database.pool.query<{ subject: string; failures: number; next_attempt_at: Date | null }>(
      "select subject, failures, next_attempt_at from follower_faults where follower = $1 order by seq",
      [follower],
    )
  ).rows;

export const entry = (
  seq: number,
  kind: string,
  subject: string,
  accounts: readonly string[] | null = null,
): JournalEntry => ({
  seq,
  kind,
  subject,
  accounts,
  environment: "production",
  at: new Date(0),
  ref: null,
});

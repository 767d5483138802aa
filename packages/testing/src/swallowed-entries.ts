import type { OwnDatabase } from "./database.js";

/** Told from other triggers by the guards of the tests, which then let commits through. */
const TRIGGER = "swallows_on_purpose";

/** Runs `work` while the journal swallows what is appended: followers of changes do not see them. */
export const swallowingEntries = async <T>({ run }: Pick<OwnDatabase, "run">, work: () => Promise<T>): Promise<T> => {
  await run(`create or replace function swallow_entry() returns trigger language plpgsql as 'begin return null; end';
    create trigger ${TRIGGER} before insert on journal for each row execute function swallow_entry()`);
  try {
    return await work();
  } finally {
    await run(`drop trigger ${TRIGGER} on journal`);
  }
};

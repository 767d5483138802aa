import { type Check, good, warning } from "@curtail/cli";
import { type UnusedKey, unusedKeys } from "../../../access/storage/unused-keys.js";
import type { Read } from "./reading.js";

const DAY_MS = 86_400_000;
const UNUSED_DAYS = 90;
const SHOWN = 5;

export const keysCheck = (unused: readonly UnusedKey[]): Check => {
  if (unused.length === 0) return good("keys", `all were used within ${UNUSED_DAYS} days`);
  const named = unused.slice(0, SHOWN).map(({ id, accountName, lastUsedAt }) => {
    const since = lastUsedAt === null ? "never" : `last on ${lastUsedAt.toISOString().slice(0, 10)}`;
    return `${id} of ${accountName} (${since})`;
  });
  const more = unused.length > SHOWN ? ` and ${unused.length - SHOWN} more` : "";
  return warning(
    "keys",
    `not used for ${UNUSED_DAYS} days: ${named.join(", ")}${more}`,
    "ask the accounts, and revoke what nobody needs (`curtail admin keys revoke`)",
  );
};

export const lookAtKeys = (read: Read, now: Date): Promise<readonly Check[]> =>
  read(async (client) => [keysCheck(await unusedKeys(client, new Date(now.getTime() - UNUSED_DAYS * DAY_MS), now))]);

import type { Queryable } from "../../platform/database/database.js";
import { findSetting, keepFirst } from "../../platform/database/setting-store.js";
import { equalHashes, hashToken, newToken } from "../../platform/runtime/secrets.js";

const SETTING = "operator_token_sha256";
const ASK_AGAIN_MS = 500;

/** Creates the operator token at the first start and returns it once; null afterwards. Only its hash is stored. */
export const makeOperatorToken = async (db: Queryable): Promise<string | null> => {
  const token = `cto_${newToken()}`;
  const isFirst = await keepFirst(db, SETTING, hashToken(token).toString("hex"));
  return isFirst ? token : null;
};

/** Compares with the configured token, or else with the generated one. */
export const operatorTokenCheck = (db: Queryable, configured: string | null): ((token: string) => Promise<boolean>) => {
  const fixed = configured === null ? null : hashToken(configured);
  let made: { readonly hash: Promise<Buffer | null>; readonly untilMs: number } | undefined;
  return async (token) => {
    if (fixed !== null) return equalHashes(fixed, hashToken(token));
    const nowMs = performance.now();
    if (made === undefined || made.untilMs < nowMs) made = { hash: findHash(db), untilMs: nowMs + ASK_AGAIN_MS };
    const hash = await made.hash;
    return hash !== null && equalHashes(hash, hashToken(token));
  };
};

const findHash = async (db: Queryable): Promise<Buffer | null> => {
  const hex = await findSetting(db, SETTING);
  return hex === null ? null : Buffer.from(hex, "hex");
};

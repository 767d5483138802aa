import type { Queryable } from "../platform/database/database.js";
import { findSetting } from "../platform/database/setting-store.js";
import type { Config } from "../platform/runtime/config.js";
import { FOLD_AFTER_SETTING, foldAfterIn } from "../telemetry/domain/fold-after.js";

/** The settings, with what the store says where the operator says nothing. */
export const withStoreSettings = async (config: Config, db: Queryable): Promise<Config> => ({
  ...config,
  foldAfter: foldAfterIn(config.foldAfter, await findSetting(db, FOLD_AFTER_SETTING)),
});

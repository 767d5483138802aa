import { backupConditions } from "../../backup/domain/backup-state.js";
import { holdConditions } from "../../backup/domain/delivery-hold.js";
import { BACKUP_SETTING, backupStateFrom } from "../../backup/storage/backup-state-store.js";
import { HOLD_SETTING, holdFrom } from "../../backup/storage/delivery-hold.js";
import type { Observed } from "../../oversight/operations/watch-alarms.js";
import type { Condition } from "../../platform/alarm.js";
import { unfoldedConditions } from "../../telemetry/domain/fold-after.js";
import { oldestLoggedMs } from "../../telemetry/storage/fold-store.js";
import type { Basis } from "../basis.js";
import { mqttConditions } from "./openadr-3-mqtt.js";
import { diskConditions } from "./watched-disk.js";
import { watchedNodes } from "./watched-nodes.js";
import { watchedStandbys } from "./watched-standbys.js";

/** What alarms are about besides the rules: the disk, standbys, nodes, the log of readings, the broker, a delivery hold and daily backups. */
export const wireObserved = (basis: Pick<Basis, "config" | "pool" | "clock" | "disk" | "logger">): Observed => {
  const standbys = watchedStandbys(basis);
  const nodes = basis.config.databaseUrl === null ? async () => [] : watchedNodes(basis.pool);
  return {
    settings: [HOLD_SETTING, BACKUP_SETTING],
    async conditions(settings) {
      const hold = holdFrom(settings.get(HOLD_SETTING) ?? null);
      return [
        ...(await diskConditions(basis.disk, basis.config.dataDir)),
        ...(await standbys()),
        ...(await nodes()),
        ...unfoldedConditions(await oldestLoggedMs(basis.pool), basis.config.foldAfter),
        ...(await mqttConditions(basis)),
        ...holdConditions(hold),
        // None is made while delivery is held.
        ...(hold === null ? backupAlarms(basis.clock.now(), settings) : []),
      ];
    },
  };
};

/**
 * The same for every process: daily backups that a process made are missed although it has ended, until one is made or the
 * setting says that none are wanted.
 */
const backupAlarms = (now: Date, settings: ReadonlyMap<string, string>): readonly Condition[] =>
  backupConditions(backupStateFrom(settings.get(BACKUP_SETTING) ?? null), now);

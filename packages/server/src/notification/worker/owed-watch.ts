import type { LoopClock } from "../../platform/clock.js";
import type { Log } from "../../platform/log.js";
import { Polling } from "../../platform/polling.js";
import { isRefusal } from "../../platform/refusal.js";
import { RARELY_MS } from "../../platform/timetable.js";
import { escalateOwed, type OwedPorts } from "../operations/escalate-owed.js";

/** Checks which accounts were not reached in time, and mails them; until stopped, and when it is woken. */
export const owedWatch = (ports: OwedPorts & { readonly clock: LoopClock }, log: Pick<Log, "error">): Polling =>
  new Polling({
    look: async () => {
      const looked = await escalateOwed(ports);
      return !isRefusal(looked) && looked;
    },
    onError: (error) =>
      log.error({ err: error }, "accounts without a successful notification could not be read; retrying"),
    clock: ports.clock,
    everyMs: RARELY_MS,
    restsFirst: true,
  });

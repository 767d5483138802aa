import { listed, listedUntil } from "../../dispatch/operations/dispatch-service.js";
import type { ShownList } from "../../dispatch/operations/follow-dispatches.js";
import type { Clock } from "../../platform/clock.js";
import { earliest } from "../../platform/earliest.js";
import { type Scenario, stateAt } from "../domain/scenario.js";
import { movingDispatch } from "./fixed-data.js";
import type { ScenarioStore } from "./scenario-service.js";

/**
 * What accounts see in the sandbox: the dispatches of their current scenario, else the fixed one. A scenario never
 * changes once it plays, so only new ones are read.
 */
export const scenarioLists = (scenarios: Pick<ScenarioStore, "currentIds" | "find">, clock: Clock) => {
  let held = new Map<string, Scenario>();
  return async (accountIds: readonly string[]): Promise<readonly ShownList[]> => {
    const playing = new Map<string, Scenario>();
    for (const { accountId, id } of await scenarios.currentIds(accountIds)) {
      const known = held.get(accountId);
      const scenario = known?.id === id ? known : await scenarios.find(id);
      if (scenario !== null) playing.set(accountId, scenario);
    }
    held = playing;
    const now = clock.now();
    return accountIds.map((id) => listAt(playing.get(id), now) ?? fixedList(clock));
  };
};

const fixedList = (clock: Clock): ShownList => ({ dispatches: [movingDispatch(clock)()], until: null });

const listAt = (scenario: Scenario | undefined, now: Date): ShownList | null => {
  if (scenario === undefined) return null;
  const current = scenario.dispatches.flatMap((states) => stateAt(states, now) ?? []);
  const coming = scenario.dispatches.flat().map(({ changedAt }) => (changedAt > now ? changedAt : null));
  return { dispatches: listed(current, now), until: earliest([listedUntil(current, now), ...coming]) };
};

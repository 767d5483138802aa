import { type BodyOf, createScenario, createWebhook, listDispatches, type ReplyOf } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import type { Send } from "./http-client.js";
import { nothingUnderWay } from "./recorded.js";
import type { Participant, Running } from "./running.js";

export const LAKESIDE = "site_sandbox_lakeside";
export const LAKESIDE_METER = "mtr_sandbox_lakeside";

export const program = {
  name: "Peak",
  timezone: "America/Chicago",
  market: "ERCOT",
  program_type: "ancillary_services",
} as const;
export const sites = [{ name: "Lakeside Store", customer_location_id: "STORE-0012", commitment: 100 }];

type ScenarioBody = BodyOf<typeof createScenario>;

/** A participant in the sandbox, with a webhook there. */
export interface Player {
  readonly participant: Participant;
  readonly call: Send;
  readonly hook: Receiver;
  /** Starts a scenario; times are minutes from now. */
  play(
    type: ScenarioBody["scenario_type"],
    more?: { readonly [Key in keyof ScenarioBody]?: ScenarioBody[Key] | undefined },
  ): Promise<ReplyOf<typeof createScenario>>;
}

export const newPlayer = async (service: Running): Promise<Player> => {
  const participant = await service.newParticipant();
  const [call, hook] = [await service.sandboxCall(participant), await receiver()];
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  await call(createWebhook, { body: { url: hook.url, events } });
  return {
    participant,
    call,
    hook,
    async play(scenario_type, more = {}) {
      const answer = await call(createScenario, { body: scenarioOf(service, scenario_type, more) });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.body;
    },
  };
};

/** Notified in 10 minutes, from 30 to 90 minutes from now. */
export const scenarioOf = <Type extends string>(service: Running, scenario_type: Type, more: object = {}) => ({
  scenario_type,
  notification_time: inMinutes(service, 10),
  start_time: inMinutes(service, 30),
  end_time: inMinutes(service, 90),
  sites,
  program,
  ...more,
});

export const inMinutes = (service: Running, minutes: number): string =>
  new Date(service.clock.now().getTime() + minutes * 60_000).toISOString().replace(".000Z", "Z");

/** What the participant's poll returns. */
// A test looks into what it was sent; each expectation is the check.
// oxlint-disable-next-line typescript/no-explicit-any
export const listed = async ({ call }: Pick<Player, "call">): Promise<any[]> =>
  (await call(listDispatches)).body.dispatches;

/** Waits until every attempt is recorded: moving the clock before would end its lease and repeat it. */
export const attemptsRecorded = (service: Running): Promise<void> => nothingUnderWay(service, "sandbox");

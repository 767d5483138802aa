import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { type Running, running } from "../support/running.js";
import { inMinutes, newPlayer, type Player } from "../support/scenario.js";
import { listeningToVens, type TestVen, type Vens } from "../support/vens.js";

let service: Running;
let vens: Vens;

beforeAll(async () => {
  service = await running();
  vens = await listeningToVens(service);
});

const scene = async (): Promise<{ player: Player; ven: TestVen }> => {
  const player = await newPlayer(service);
  return { player, ven: await vens.newVen(player.participant, { environment: "sandbox" }) };
};

const states = async (ven: TestVen): Promise<string[]> =>
  (await ven.events()).map(
    ({ descriptor: { eventId, status, modificationNumber } }) => `${eventId} ${status} ${modificationNumber}`,
  );

describe("rule 13", () => {
  test("rule 13: a VEN of the sandbox sees its account's newest scenario and nothing else", async () => {
    const { player, ven } = await scene();
    const program = await newProgram(service, [player.participant]);
    await newDispatch(service, program);
    expect(await ven.events()).toEqual([]);
    const { dispatches } = await player.play("basic");
    expect(await ven.events()).toEqual([]);
    service.clock.advance({ minutes: 10 });
    const [event] = await ven.events();
    expect(event).toMatchObject({
      descriptor: { eventId: dispatches[0]?.id, status: "far", priority: 1 },
      signals: [{ intervals: [{ level: 1 }] }],
      responseRequired: "always",
    });
    await ven.answer(await ven.events());
    expect((await ven.events())[0]?.responseRequired).toBe("never");
    const inProduction = await vens.newVen(player.participant);
    expect((await inProduction.events()).map(({ descriptor }) => descriptor.eventId)).not.toContain(dispatches[0]?.id);
  });

  test("rule 13: when a scenario is replaced its events are cancelled, until that is acknowledged", async () => {
    const { player, ven } = await scene();
    const { dispatches: before } = await player.play("basic", { notification_time: inMinutes(service, 0) });
    expect(await states(ven)).toEqual([`${before[0]?.id} far 0`]);
    const { dispatches: after } = await player.play("basic", { notification_time: inMinutes(service, 0) });
    expect(await states(ven)).toEqual([`${before[0]?.id} cancelled 1`, `${after[0]?.id} far 0`]);
    expect((await ven.events()).map(({ descriptor }) => descriptor.priority)).toEqual([1, 2]);
    await ven.answer(await ven.events());
    expect(await states(ven)).toEqual([`${after[0]?.id} far 0`]);
  });

  test("rule 13: changes of a scenario come at their times", async () => {
    const { player, ven } = await scene();
    const { dispatches } = await player.play("cancellation", { notification_time: inMinutes(service, 0) });
    const id = dispatches[0]?.id;
    await ven.answer(await ven.events());
    service.clock.advance({ minutes: 59 });
    expect(await states(ven)).toEqual([`${id} active 0`]);
    service.clock.advance({ minutes: 1 });
    expect(await states(ven)).toEqual([`${id} cancelled 1`]);
  });
});

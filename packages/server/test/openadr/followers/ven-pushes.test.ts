import { type BodyOf, operator } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { VEN_PUSHES } from "../../../src/openadr/followers/ven-pushes.js";
import { caughtUp } from "../../support/caught-up.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { KILL_POINTS, killedAt } from "../../support/killing-followers.js";
import { type Running, running } from "../../support/running.js";

/** It does not listen to VENs, so that all pushes wait. */
let service: Running;
beforeAll(async () => {
  service = await running();
  await service.another();
  service.rebuildsNothing();
});

type Act = "ven" | "address" | "dispatch" | "planned" | "change" | "cancel" | "disable" | "enable";
const acts = fc.array(
  fc.constantFrom<Act>("ven", "address", "dispatch", "dispatch", "planned", "change", "cancel", "disable", "enable"),
  { minLength: 4, maxLength: 10 },
);

let count = 0;
const PUSHED = { push_url: "https://vens.example/push" };

/** A participant to whom things happen, and what its VENs are to be pushed. */
const playing = async () => {
  const participant = await service.newParticipant();
  const { accountId } = participant;
  const program = await newProgram(service, [participant]);
  const addVen = (transport: "pull" | typeof PUSHED) =>
    service.made(operator.createVen, { params: { id: accountId }, body: { ven_id: `pushed-${++count}`, transport } });
  const polling = await addVen("pull");
  const vens = new Set([(await addVen(PUSHED)).id]);
  const modifications = new Map<string, number>();
  let isDisabled = false;
  const disable = (disabled: boolean) => {
    isDisabled = disabled;
    return service.made(operator.changeAccount, { params: { id: accountId }, body: { disabled } });
  };
  const dispatch = async (body = {}) =>
    // One that is disabled is not dispatched.
    !isDisabled && modifications.set((await newDispatch(service, program, body)).id, 0);
  const change = async (body: BodyOf<typeof operator.changeDispatch>): Promise<string | undefined> => {
    const [id, number] = [...modifications].at(-1) ?? [];
    if (id === undefined || number === undefined) return undefined;
    await service.made(operator.changeDispatch, { params: { id }, body });
    modifications.set(id, number + 1);
    return id;
  };
  const does: Readonly<Record<Act, () => Promise<unknown>>> = {
    ven: async () => vens.add((await addVen(PUSHED)).id),
    address: async () => {
      await service.made(operator.changeVen, { params: { id: polling.id }, body: { transport: PUSHED } });
      vens.add(polling.id);
    },
    dispatch: () => dispatch(),
    planned: () => dispatch({ notification_time: ahead(service, { seconds: 5 }) }),
    change: () => change({ end_time: ahead(service, { hours: 3 + ++count }) }),
    cancel: async () => modifications.delete((await change({ authorized: false })) ?? ""),
    disable: () => disable(true),
    enable: () => disable(false),
  };
  return { does, disable, vens, modifications };
};

/** What waits to be pushed to a VEN, but for what is cancelled. */
const waitingFor = async (ven: string): Promise<string[]> => {
  const { rows } = await service.database.pool.query<{ dispatch: string }>(
    `select dispatch_id || ' ' || ven_pushes.modification_number as dispatch
     from ven_pushes join dispatches on id = dispatch_id
     where ven = $1 and next_attempt_at is not null and authorized order by 1`,
    [ven],
  );
  return rows.map(({ dispatch }) => dispatch);
};

test.for(KILL_POINTS)(
  "each VEN with an address is to be pushed each dispatch as it is now, if processes are killed %s",
  { timeout: 120_000 },
  async (point) => {
    await fc.assert(
      fc.asyncProperty(acts, async (taken) => {
        const { does, disable, vens, modifications } = await playing();
        await killedAt(service.database, { point, effectOn: "ven_pushes" }, async () => {
          for (const act of taken) await does[act]();
        });
        await disable(false);
        const expected = [...modifications].map(([id, number]) => `${id} ${number}`).toSorted();
        await expect
          .poll(
            async () => {
              service.clock.advance({ seconds: 1 });
              await caughtUp(service.database.pool, VEN_PUSHES);
              return Promise.all([...vens].map(waitingFor));
            },
            { timeout: 20_000 },
          )
          .toEqual([...vens].map(() => expected));
      }),
      { numRuns: propertyRuns(2, { atMost: 10 }) },
    );
  },
);

import { operator } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { PROJECTION } from "../../../src/openadr-3/domain/projection.js";
import { caughtUp } from "../../support/caught-up.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { KILL_POINTS, killedAt } from "../../support/killing-followers.js";
import { addVenClient, dispatchEvents, objectsOf } from "../../support/openadr3-objects.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
beforeAll(async () => {
  service = await running();
  await service.another();
  service.rebuildsNothing();
});

type Act = "rename" | "dispatch" | "change" | "cancel" | "disable" | "enable" | "client" | "site";
const acts = fc.array(
  fc.constantFrom<Act>("rename", "dispatch", "dispatch", "change", "cancel", "disable", "enable", "client", "site"),
  { minLength: 4, maxLength: 10 },
);

/** A participant with a VEN, to whom things happen. */
const playing = async () => {
  const participant = await service.newParticipant({ sites: [["a"], ["b"]] });
  const clients = [await addVenClient(service, participant)];
  const program = await newProgram(service, [participant]);
  const dispatched: string[] = [];
  let number = 0;
  let isDisabled = false;
  const disable = (disabled: boolean) => {
    isDisabled = disabled;
    return service.made(operator.changeAccount, { params: { id: participant.accountId }, body: { disabled } });
  };
  const does: Readonly<Record<Act, () => Promise<unknown>>> = {
    rename: () =>
      service.made(operator.changeSite, {
        params: { id: participant.sites[0]?.id ?? "" },
        body: { customer_location_id: `renamed ${participant.accountId} ${number++}` },
      }),
    // One that is disabled is not dispatched.
    dispatch: async () => !isDisabled && dispatched.push((await newDispatch(service, program)).id),
    change: async () =>
      dispatched.length > 0 &&
      service.made(operator.changeDispatch, {
        params: { id: dispatched.at(-1) ?? "" },
        body: { end_time: ahead(service, { hours: 3 + number++ }) },
      }),
    cancel: async () =>
      dispatched.length > 0 &&
      service.made(operator.changeDispatch, { params: { id: dispatched.pop() ?? "" }, body: { authorized: false } }),
    disable: () => disable(true),
    enable: () => disable(false),
    client: async () => clients.push(await addVenClient(service, participant)),
    site: () =>
      service.made(operator.createSite, {
        params: { id: participant.accountId },
        body: { name: `Another ${number++}`, meters: [{ name: "main" }] },
      }),
  };
  return { does, clients, dispatched, disable };
};

/** How often objects of a ven were told to begin, of those that there are now. */
const begun = async (venId: string): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await service.database.pool.query<{ object_id: string; count: number }>(
    `select object_id, count(*)::int as count from openadr3_changes
     where ven_id = $1 and source is not null and operation = 'CREATE' group by object_id`,
    [venId],
  );
  return new Map(rows.map(({ object_id, count }) => [object_id, count]));
};

test.for(KILL_POINTS)(
  "objects are what they would be without kills, and told once, if processes are killed %s",
  { timeout: 120_000 },
  async (point) => {
    await fc.assert(
      fc.asyncProperty(acts, async (taken) => {
        const { does, clients, dispatched, disable } = await playing();
        await killedAt(service.database, { point, effectOn: "openadr3_notices" }, async () => {
          for (const act of taken) await does[act]();
        });
        await disable(false);
        await expect
          .poll(async () => {
            service.clock.advance({ seconds: 1 });
            await caughtUp(service.database.pool, PROJECTION);
            return (await Promise.all(clients.map(({ venId }) => dispatchEvents(service, venId)))).map((events) =>
              events.map(({ source_id }) => String(source_id)).toSorted(),
            );
          })
          .toEqual(clients.map(() => dispatched.toSorted()));
        for (const { venId } of clients) {
          const objects = [...(await objectsOf(service, "RESOURCE", venId)), ...(await dispatchEvents(service, venId))];
          const told = await begun(venId);
          expect(objects.map(({ id }) => told.get(id))).toEqual(objects.map(() => 1));
        }
      }),
      { numRuns: propertyRuns(2, { atMost: 10 }) },
    );
  },
);

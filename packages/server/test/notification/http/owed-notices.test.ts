import { getDispatch, listDispatches } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { lookOnce } from "../../support/owed.js";
import {
  change,
  created,
  inbox,
  mailed,
  notMailed,
  prepare,
  reachable,
  service,
  states,
} from "../../support/owed-notices.js";
import { recorded } from "../../support/recorded.js";
import { poll, subscribe } from "../../support/unreachable.js";

beforeAll(prepare);

describe("an account without a channel for the event is mailed at once", () => {
  test("if it has no webhook and no VEN, and does not poll", async () => {
    const { programId } = await reachable();
    const { id } = await newDispatch(service, programId);
    await mailed(id, created);
    expect(inbox.received.filter(({ content }) => content.includes(id))).toHaveLength(1);
  });

  test("at the notification, not before, and once for all changes before it", async () => {
    const { programId } = await reachable();
    const { id } = await newDispatch(service, programId, { notification_time: ahead(service, { minutes: 30 }) });
    await change(id, { end_time: ahead(service, { hours: 3 }) });
    service.clock.advance({ minutes: 29 });
    await notMailed(id);
    service.clock.advance({ minutes: 1 });
    await mailed(id, created);
  });
});

describe("an account with a channel has 60 s", () => {
  test("to take a notice at its webhook; then it is mailed, once, though the webhook fails for good later", async () => {
    const { participant, programId } = await reachable();
    const hook = await receiver();
    await subscribe(participant, hook);
    hook.answer = 503;
    const { id } = await newDispatch(service, programId);
    await recorded(service, id, 1);
    for (const [index, seconds] of [3, 8, 23].entries()) {
      service.clock.advance({ seconds });
      await recorded(service, id, index + 2);
    }
    service.clock.advance({ seconds: 25 });
    await notMailed(id);
    service.clock.advance({ seconds: 1 });
    await mailed(id, created);
    service.clock.advance({ seconds: 60 });
    await recorded(service, id, 5);
    await lookOnce(service);
    expect(await states(id)).toEqual([created]);
  });

  test("nor after a poll or a fetch that carried the dispatch", async () => {
    const [anna, ben] = [await reachable(), await reachable()];
    const program = await newProgram(service, [anna.participant, ben.participant]);
    for (const { participant } of [anna, ben]) {
      const hook = await receiver();
      await subscribe(participant, hook);
      hook.answer = 503;
    }
    const { id } = await newDispatch(service, program);
    await recorded(service, id, 2);
    await anna.participant.call(listDispatches);
    await ben.participant.call(getDispatch, { params: { id } });
    service.clock.advance({ seconds: 61 });
    await notMailed(id);
  });
});

describe("two processes over one database", () => {
  test("mail what is owed once", async () => {
    await service.another();
    const program = await newProgram(
      service,
      await Promise.all(Array.from({ length: 8 }, async () => (await reachable()).participant)),
    );
    const { id } = await newDispatch(service, program);
    await poll(() => states(id), Array(8).fill(created));
    expect(inbox.received.filter(({ content }) => content.includes(id))).toHaveLength(8);
  });
});

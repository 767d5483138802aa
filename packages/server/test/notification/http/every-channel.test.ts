import { operator } from "@curtail/contract";
import { addressedChannels, addressWords } from "@curtail/contract/lists/channels";
import { beforeAll, expect, test } from "vitest";
import { addRoom, evidenceOn, noticesIn, openRoom, prepare, service } from "../../support/chat.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { poll } from "../../support/unreachable.js";

beforeAll(() => prepare());

test.each(addressedChannels)(
  "a dispatch is said on channel %s in every form, which is evidence and reaches the account",
  async (channel) => {
    for (const form of [undefined, ...Object.keys(addressWords(channel).forms ?? {})]) {
      const account = await service.newParticipant({ name: "Mills" });
      const room = openRoom();
      expect((await addRoom(account, room, { channel, ...(form === undefined ? {} : { form }) })).status).toBe(201);
      const { id } = await newDispatch(service, await newProgram(service, [account]));
      await poll(
        async () => (await evidenceOn(channel, id)).map(({ what }) => what),
        ["notified", "attempt", "delivered"],
      );
      expect(JSON.stringify(noticesIn(room))).toMatch(/reduce 50 kW.*Peak/);
      const { reached_by } = await service.made(operator.getDispatchAttention, { params: { id } });
      expect(reached_by[channel]).toBe(1);
    }
  },
);

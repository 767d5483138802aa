import { createWebhook } from "@curtail/contract";
import { addressedChannels } from "@curtail/contract/lists/channels";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, expect, test } from "vitest";
import { addRoom, noticesIn, openRoom, prepare, service } from "../../support/chat.js";
import { deadEndpoints, hangingKinds } from "../../support/dead-endpoints.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";

const DEAD = 1000;
const DISPATCHES = 4;

beforeAll(() => prepare());

/** By SQL, because an address that does not answer cannot be added. Before there were keys, secrets were plain. */
const addDead = async (accountId: string, channel: string): Promise<void> => {
  const urlOf = await deadEndpoints();
  const urls = Array.from({ length: DEAD }, (_, index) =>
    urlOf(hangingKinds[index % hangingKinds.length] ?? "deaf", index),
  );
  await service.database.pool.query(
    `insert into channel_addresses (id, account_id, channel, name, address, hint, created_at)
     select 'adr_dead_' || $2 || n, $1, $2, 'Dead ' || n, url, '', now() from unnest($3::text[]) with ordinality as given (url, n)`,
    [accountId, channel, urls],
  );
};

const dead = async (channel: string, condition: string): Promise<number> => {
  const { rows } = await service.database.pool.query<{ count: number }>(
    `select count(*) as count from messages where recipient like 'adr_dead_%' and channel = $1 and ${condition}`,
    [channel],
  );
  return Number(rows[0]?.count);
};

// Shown by order, not by a clock.
test.each(addressedChannels)(
  "beside 1,000 addresses that hang, a live one and a webhook have every notice before any that hangs has ended its first attempt: %s",
  async (channel) => {
    const [anna, neighbour] = [await service.newParticipant(), await service.newParticipant()];
    // First in every order of creation.
    await addDead(neighbour.accountId, channel);
    const [room, hook] = [openRoom(), await receiver()];
    await addRoom(anna, room, { channel });
    await anna.call(createWebhook, { body: { url: hook.url, events: [{ name: "dispatch.create" }] } });
    const program = await newProgram(service, [anna, neighbour]);
    for (let count = 1; count <= DISPATCHES; count++) {
      await newDispatch(service, program);
      await expect.poll(() => noticesIn(room).length).toBe(count);
      await hook.notices(count);
      expect(await dead(channel, "failures > 0")).toBe(0);
    }
    // Control: those that hang were in flight.
    await expect.poll(() => dead(channel, "leased_until is not null")).toBe(DEAD);
    await expect.poll(() => dead(channel, "failures > 0"), { timeout: 30_000 }).toBeGreaterThan(0);
  },
  120_000,
);

import type { ServerResponse } from "node:http";
import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { untilAlarms } from "../../support/alarms.js";
import {
  addRoom,
  evidenceOn,
  noticesIn,
  openRoom,
  prepare,
  reachedBy,
  service,
  states,
  withRoom,
} from "../../support/chat.js";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { poll } from "../../support/unreachable.js";

beforeAll(() => prepare());

const sent = (state: string, failures = 0, event = "dispatch.create") => ({ event, state, failures });

const listOf = async ({ accountId }: { readonly accountId: string }) =>
  (await service.made(operator.listChannelAddresses, { params: { id: accountId } })).items;

describe("an address", () => {
  test("is added once its receiver took a test message, and never returned", async () => {
    const account = await service.newParticipant({ name: "Mills & Sons" });
    const room = openRoom();
    const { status, body } = await addRoom(account, room, { name: "Night shift" });
    expect(status).toBe(201);
    expect(room.posts).toEqual([
      {
        text: "*Test message from Curtail for Mills &amp; Sons*\nDispatches and their changes will be announced here.",
      },
    ]);
    expect(body).toMatchObject({ channel: "chat", name: "Night shift", form: "slack", last_error: null });
    expect(body.hint).toMatch(/^127\.0\.0\.1:\d+ ….{4}$/);
    expect(await listOf(account)).toEqual([body]);
    const { rows } = await service.database.pool.query("select address from channel_addresses where id = $1", [
      body.id,
    ]);
    expect(rows[0].address).toMatch(/^enc1:/);
    const audit = await service.made(operator.listAudit, { query: { subject: body.id } });
    expect(audit.items).toMatchObject([
      { action: "channel_address.create", before: null, after: { name: "Night shift", hint: body.hint } },
    ]);
    expect(JSON.stringify([audit, body])).not.toContain(room.address);
  });

  test("whose receiver refuses the test message is not added", async () => {
    const account = await service.newParticipant();
    const room = openRoom();
    room.answer = 404;
    expectError(
      await addRoom(account, room),
      400,
      /test message to the address failed \(status_404\).*Nothing was created/,
    );
    expect(await listOf(account)).toEqual([]);
  });

  test.each([
    ["not an address", /address must be a complete address/],
    ["ftp://chat.example/x", /address must begin with https/],
    ["https://me:secret@chat.example/x", /address must not contain a user or password$/],
    ["http://169.254.169.254/latest", /address_not_allowed|failed/],
  ])("%s is refused", async (address, why) => {
    const account = await service.newParticipant();
    expectError(await addRoom(account, { address }), 400, why);
  });

  test("has a form of its channel", async () => {
    const account = await service.newParticipant();
    expectError(await addRoom(account, openRoom(), { form: "irc" }), 400, /form/);
  });

  test("is one of twenty at most", async () => {
    const account = await service.newParticipant();
    for (let each = 0; each < 20; each++) expect((await addRoom(account, openRoom())).status).toBe(201);
    const room = openRoom();
    expectError(await addRoom(account, room), 400, /already has 20 addresses/);
    expect(room.posts).toEqual([]);
  });

  test("is tested and removed by its own account, and by no other", async () => {
    const { account, room, addressId } = await withRoom();
    const own = { params: { id: addressId } };
    const stranger = await newBrowser(service, "participant-admin", (await service.newParticipant()).accountId);
    expectError(await stranger.console(participantConsole.testOwnChannelAddress, own), 404, /channel address/);
    expectError(await stranger.console(participantConsole.deleteOwnChannelAddress, own), 404, /channel address/);
    const viewer = await newBrowser(service, "participant-viewer", account.accountId);
    expectError(await viewer.console(participantConsole.testOwnChannelAddress, own), 404, /role participant-viewer/);
    expect(room.posts).toHaveLength(1);
    const admin = await newBrowser(service, "participant-admin", account.accountId);
    const { body } = await admin.console(participantConsole.testOwnChannelAddress, own);
    expect(body).toMatchObject({ ok: true, status: 200, error: null });
    expect(room.posts).toHaveLength(2);
    for (let each = 0; each < 4; each++) await admin.console(participantConsole.testOwnChannelAddress, own);
    expectError(await admin.console(participantConsole.testOwnChannelAddress, own), 429, /5 test messages a minute/);
    expect((await admin.console(participantConsole.deleteOwnChannelAddress, own)).status).toBe(204);
    expect(await listOf(account)).toEqual([]);
    const { rows } = await service.database.pool.query("select address from channel_addresses where id = $1", [
      addressId,
    ]);
    expect(rows).toEqual([{ address: null }]);
    expectError(await admin.console(participantConsole.testOwnChannelAddress, own), 404, /channel address/);
  });
});

describe("a dispatch", () => {
  test("is announced in a chat room, and so is each change; this notifies the account", async () => {
    const { room, addressId, programId } = await withRoom();
    const { id } = await newDispatch(service, programId);
    await poll(() => states(id), [sent("delivered")]);
    expect(noticesIn(room)).toEqual([
      {
        text: expect.stringMatching(
          new RegExp(
            `^\\*Curtail: reduce 50 kW from .* until further notice\\. Peak\\*\\n.*: 50 kW\\n<http.*/dashboard/dispatches/${id}\\|Open the dispatch>$`,
          ),
        ),
      },
    ]);
    expect(await reachedBy(id)).toEqual({ reached: 1, chat: 1, unreached: 0 });
    service.clock.advance({ seconds: 1 });
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await poll(() => states(id), [sent("delivered"), sent("delivered", 0, "dispatch.update")]);
    // Without figures, which would read as what to reduce.
    expect(noticesIn(room)[1]?.text).toMatch(/^\*Curtail: CANCELLED, stop reducing\. .*\*\nMills, site 1\n<http/);
    const evidence = await evidenceOn("chat", id);
    expect(evidence.map(({ what }) => what)).toEqual([
      "notified",
      "attempt",
      "delivered",
      "notified",
      "attempt",
      "delivered",
    ]);
    expect(evidence[1]?.detail).toMatchObject({ number: 1, status: 200, error: null, name: "Control room" });
    expect(evidence[2]?.detail).toMatchObject({
      address_id: addressId,
      modification_number: 0,
      // As it was sent (G63).
      text: expect.stringMatching(/^Curtail: reduce 50 kW/),
    });
    const { items } = await service.made(operator.getDispatchTimeline, { params: { id } });
    expect(items.filter(({ what }) => what === "reached").map(({ channel }) => channel)).toEqual(["chat", "chat"]);
  });

  test("is announced in Teams as a card, with names as they are", async () => {
    const { room, programId } = await withRoom({ form: "teams" });
    const { id } = await newDispatch(service, programId);
    await poll(() => states(id), [sent("delivered")]);
    const [card] = noticesIn(room);
    expect(card).toMatchObject({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: {
            type: "AdaptiveCard",
            body: [
              { inlines: [{ text: expect.stringMatching(/^Curtail: reduce 50 kW/), weight: "Bolder" }] },
              { inlines: [{ text: expect.stringMatching(/: 50 kW$/) }] },
            ],
            actions: [{ type: "Action.OpenUrl", url: expect.stringContaining(`/dashboard/dispatches/${id}`) }],
          },
        },
      ],
    });
  });

  test("that a room does not take is said again later, and raises an alarm until it takes one", async () => {
    const { account, room, addressId, programId } = await withRoom();
    room.answer = 503;
    const { id } = await newDispatch(service, programId);
    for (const [index, seconds] of [5, 15].entries()) {
      await poll(() => states(id), [sent("pending", index + 1)]);
      service.clock.advance({ seconds });
    }
    await poll(() => states(id), [sent("pending", 3)]);
    const about = { kind: "address_failing", id: addressId };
    const [raised] = await untilAlarms(service, about, 1);
    expect(raised?.message).toMatch(
      /^The address Control room \(chat\) of account Mills .* does not take messages \(status_503\)\. Ask/,
    );
    expect((await listOf(account))[0]).toMatchObject({ last_error: "status_503" });
    room.answer = 200;
    service.clock.advance({ seconds: 30 });
    await poll(() => states(id), [sent("delivered", 3)]);
    await untilAlarms(service, about, 0);
    expect(
      (await evidenceOn("chat", id)).filter(({ what }) => what === "attempt").map(({ detail }) => detail.error),
    ).toEqual(["status_503", "status_503", "status_503", null]);
  });

  test("that a room refuses for good mails the account's contacts, and a test that succeeds ends the alarm", async () => {
    const { room, addressId, programId } = await withRoom();
    room.answer = 410;
    const { id } = await newDispatch(service, programId);
    await poll(() => states(id), [sent("failed", 1)]);
    expect((await evidenceOn("chat", id)).at(-1)).toMatchObject({
      what: "failed",
      detail: { reason: "address_refused", error: "status_410" },
    });
    const about = { kind: "address_failing", id: addressId };
    await untilAlarms(service, about, 1);
    service.clock.advance({ seconds: 61 });
    await poll(
      async () => (await evidenceOn("mail", id)).map(({ what, detail }) => [what, detail.reason]),
      [
        ["notified", undefined],
        ["failed", "no_contacts"],
      ],
    );
    room.answer = 200;
    await service.made(operator.testChannelAddress, { params: { id: addressId } });
    await untilAlarms(service, about, 0);
  });

  test("that a room takes while it is removed was announced there, and evidence has the text", async () => {
    const { room, addressId, programId } = await withRoom();
    const waiting: ServerResponse[] = [];
    room.answer = (response) => void waiting.push(response);
    const { id } = await newDispatch(service, programId);
    await poll(async () => noticesIn(room).length, 1);
    await service.operator(operator.deleteChannelAddress, { params: { id: addressId } });
    expect(await states(id)).toEqual([sent("dropped")]);
    for (const response of waiting) response.writeHead(200).end("ok");
    await poll(() => states(id), [sent("delivered")]);
    const text = expect.stringMatching(/^Curtail: reduce 50 kW/);
    expect((await evidenceOn("chat", id)).at(-1)).toMatchObject({ what: "delivered", detail: { text } });
    expect(await reachedBy(id)).toEqual({ reached: 1, chat: 1, unreached: 0 });
  });

  test("is not announced in a room that is removed, nor for an account that is disabled", async () => {
    const [removed, disabled] = [await withRoom(), await withRoom()];
    for (const { room } of [removed, disabled]) room.answer = 503;
    const ids = [
      (await newDispatch(service, removed.programId)).id,
      (await newDispatch(service, disabled.programId)).id,
    ] as const;
    for (const id of ids) await poll(() => states(id), [sent("pending", 1)]);
    await service.operator(operator.deleteChannelAddress, { params: { id: removed.addressId } });
    await service.made(operator.changeAccount, {
      params: { id: disabled.account.accountId },
      body: { disabled: true },
    });
    service.clock.advance({ seconds: 5 });
    for (const id of ids) await poll(() => states(id), [sent("dropped", 1)]);
    const reasons = await Promise.all(ids.map(async (id) => (await evidenceOn("chat", id)).at(-1)?.detail.reason));
    expect(reasons).toEqual(["address_deleted", "account_disabled"]);
    for (const { room } of [removed, disabled]) expect(noticesIn(room)).toHaveLength(1);
  });

  test("says who would be told in a chat room before it is issued", async () => {
    const { addressId, programId } = await withRoom({ name: "Hall 3" });
    const body = { program_id: programId, start_time: ahead(service, { hours: 1 }) };
    const preview = async () => (await service.made(operator.previewDispatch, { body })).accounts[0];
    expect(await preview()).toMatchObject({
      channels: expect.arrayContaining([{ channel: "chat", description: "Hall 3", last_seen_at: expect.any(String) }]),
      warnings: [
        expect.stringMatching(/no webhook and no VEN and has never polled/),
        expect.stringMatching(/no contacts/),
      ],
    });
    await service.database.pool.query("update channel_addresses set failures = 3 where id = $1", [addressId]);
    expect((await preview())?.warnings).toContain("Messages to chat Hall 3 fail.");
  });
});

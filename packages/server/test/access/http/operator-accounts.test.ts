import { operator, uploadTelemetry } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { type Running, running } from "../../support/running.js";

// The operator API: accounts, contacts, sites and meters.
let service: Running;
let now: string;

beforeAll(async () => {
  service = await running();
  now = ahead(service, {});
});

const send = async (method: string, path: string, body?: unknown) => (await service.operator(method, path, body)).body;

test("nobody gets in without the operator token", async () => {
  for (const authorization of ["", "Bearer ", "Bearer wrong", "Basic b3BlcmF0b3I6"]) {
    const stranger = httpClient(`${service.url}/operator/v1`, { authorization });
    expectError(await stranger("GET", "/accounts"), 401, /permission denied/i);
    expectError(await stranger("POST", "/accounts", { name: "Mine" }), 401);
  }
  expect((await send("GET", "/accounts")).items).toEqual([]);
});

describe("an account", () => {
  test("is created, retrieved, renamed, disabled and listed", async () => {
    const account = await send("POST", "/accounts", { name: "Anna's Stores" });
    expect(account).toEqual({
      id: expect.stringMatching(/^acc_/),
      name: "Anna's Stores",
      disabled: false,
      language: null,
      simulated: false,
      created_at: now,
    });
    expect(await send("GET", `/accounts/${account.id}`)).toEqual(account);
    const changed = await send("PATCH", `/accounts/${account.id}`, { name: "Anna", disabled: true });
    expect(changed).toEqual({ ...account, name: "Anna", disabled: true });
    expect((await send("GET", "/accounts")).items).toContainEqual(changed);
  });

  test("may be created disabled, and is not found when it is not there", async () => {
    expect(await send("POST", "/accounts", { name: "Later", disabled: true })).toMatchObject({ disabled: true });
    for (const [method, path, body] of [
      ["GET", "/accounts/acc_0"],
      ["PATCH", "/accounts/acc_0", { name: "x" }],
      ["POST", "/accounts/acc_0/sites", { name: "x" }],
      ["GET", "/accounts/acc_0/sites"],
      ["POST", "/accounts/acc_0/keys", { environment: "production" }],
      ["GET", "/accounts/acc_0/keys"],
      ["POST", "/accounts/acc_0/contacts", { name: "x", email: "x@example.com" }],
      ["GET", "/accounts/acc_0/contacts"],
    ] as const) {
      expectError(await service.operator(method, path, body), 404, /No such account/);
    }
  });

  test("has contacts, which come and go", async () => {
    const { id } = await send("POST", "/accounts", { name: "Ben" });
    const contact = await send("POST", `/accounts/${id}/contacts`, { name: "Ben", email: "ben@example.com" });
    expect(contact).toEqual({
      id: expect.stringMatching(/^con_/),
      name: "Ben",
      email: "ben@example.com",
      phone: null,
      sms: false,
      voice: false,
      language: null,
      created_at: now,
    });
    expect((await send("GET", `/accounts/${id}/contacts`)).items).toEqual([contact]);
    const called = { name: "Ann", email: "ann@example.com", phone: "+1 555 010 0200" };
    const second = await send("POST", `/accounts/${id}/contacts`, called);
    expect(second).toMatchObject(called);
    for (const phone of ["", "5".repeat(51), "1\n2"]) {
      expectError(
        await service.operator(operator.createContact, { params: { id }, body: { ...called, phone } }),
        400,
        /phone/,
      );
    }
    expect((await service.operator(operator.deleteContact, { params: { id: second.id } })).status).toBe(204);
    expect((await service.operator(operator.deleteContact, { params: { id: contact.id } })).status).toBe(204);
    expect((await send("GET", `/accounts/${id}/contacts`)).items).toEqual([]);
    expectError(await service.operator(operator.deleteContact, { params: { id: contact.id } }), 404);
  });
});

describe("a site", () => {
  test("is created with its meters, retrieved, changed and listed", async () => {
    const { id: accountId } = await send("POST", "/accounts", { name: "Cleo" });
    const body = { name: "Plant", customer_location_id: "7", dispatch_group: "north", timezone: "America/Chicago" };
    const meters = [{ name: "grid" }, { name: "roof", asset_type: "generator" }];
    const site = await send("POST", `/accounts/${accountId}/sites`, { ...body, meters });
    const meter = {
      id: expect.stringMatching(/^mtr_/),
      kwh_means: "energy",
      last_reading: null,
      last_charge: null,
    };
    expect(site).toEqual({
      id: expect.stringMatching(/^site_/),
      account_id: accountId,
      created_at: now,
      display_enabled: false,
      display_enabled_at: null,
      measured_meters: null,
      simulated: false,
      latitude: null,
      longitude: null,
      ...body,
      meters: [
        { ...meter, name: "grid", asset_type: "load" },
        { ...meter, name: "roof", asset_type: "generator" },
      ],
    });
    expect(await send("GET", `/sites/${site.id}`)).toEqual(site);
    const changed = await send("PATCH", `/sites/${site.id}`, { name: "Works", dispatch_group: "", timezone: "UTC" });
    expect(changed).toEqual({ ...site, name: "Works", dispatch_group: "", timezone: "UTC" });
    expect((await send("GET", `/accounts/${accountId}/sites`)).items).toEqual([changed]);
  });

  test("has only a name by default", async () => {
    const { id } = await send("POST", "/accounts", { name: "Dora" });
    const site = await send("POST", `/accounts/${id}/sites`, { name: "Shop" });
    expect(site).toMatchObject({ customer_location_id: "", dispatch_group: "", timezone: "UTC", meters: [] });
    expectError(
      await service.operator(operator.changeSite, { params: { id: site.id }, body: { timezone: "Mars/Base" } }),
      400,
      /IANA time zone/,
    );
    expectError(
      await service.operator(operator.changeSite, { params: { id: site.id }, body: { timezone: "+02:00" } }),
      400,
      /IANA time zone/,
    );
  });

  test("is given meters, which are renamed and show their newest reading", async () => {
    const eve = await service.newParticipant({ sites: [[]] });
    const siteId = eve.sites[0]?.id;
    const meter = await send("POST", `/sites/${siteId}/meters`, { name: "battery", asset_type: "battery" });
    expect(meter).toMatchObject({ name: "battery", asset_type: "battery", last_reading: null });
    const reading = (timestamp: string, kW: number) => ({ meter_id: meter.id, interval_seconds: 30, timestamp, kW });
    await eve.call(uploadTelemetry, {
      body: {
        telemetry: [reading("2026-01-01T00:00:30Z", 1), reading("2026-01-01T02:00:00Z", -7.5)],
      },
    });
    const changed = await send("PATCH", `/meters/${meter.id}`, { name: "cell", asset_type: "poi" });
    const last_reading = { timestamp: "2026-01-01T02:00:00Z", value: -7.5 };
    expect(changed).toEqual({
      id: meter.id,
      name: "cell",
      asset_type: "poi",
      kwh_means: "energy",
      last_reading,
      last_charge: null,
    });
    expect((await send("GET", `/sites/${siteId}`)).meters).toEqual([changed]);
    expect((await send("GET", `/accounts/${eve.accountId}/sites`)).items[0].meters).toEqual([changed]);
    expectError(await service.operator(operator.changeMeter, { params: { id: "mtr_0" }, body: { name: "x" } }), 404);
    expectError(await service.operator(operator.createMeter, { params: { id: "site_0" }, body: { name: "x" } }), 404);
  });
});

import { request } from "node:http";
import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { type Answer, httpClient } from "../../support/http-client.js";
import { freshMetrics } from "../../support/metrics.js";
import { deviceOf, newPerson, PASSWORD, type Person, trySignIn } from "../../support/people.js";
import { OPERATOR_TOKEN, type Running, running } from "../../support/running.js";

// Comparing passwords is slow, and these are many.
vi.setConfig({ testTimeout: 120_000 });

const WRONG = "wrong horse battery";

let direct: Running;
let proxied: Running;
let ann: Person;
let count = 0;

beforeAll(async () => {
  [direct, proxied] = await Promise.all([running(), running({ CURTAIL_TRUSTED_PROXIES: "127.0.0.0/8" })]);
});

beforeEach(async () => {
  // Failures of the previous test no longer count.
  for (const { clock } of [direct, proxied]) clock.advance({ hours: 1 });
  ann = await newPerson(proxied, "operator");
});

/** Signs in over a connection from a local address; returns the status. */
const statusFrom = (localAddress: string, email: string, password: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = { method: "POST", localAddress, agent: false, headers: { "content-type": "application/json" } };
    const sent = request(`${direct.url}/auth/sign-in`, options, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end(JSON.stringify({ email, password }));
  });

interface From {
  readonly address: string;
  readonly email?: string;
  readonly device?: string;
}

/** Signs in from an address that a trusted proxy reports. */
const from = ({ address, email = ann.email, device }: From, password = WRONG): Promise<Answer> => {
  const cookie = device === undefined ? {} : { cookie: `curtail_device=${device}` };
  return trySignIn(proxied, { email, password }, { "x-forwarded-for": address, ...cookie });
};

const fail = async (times: number, where: From): Promise<void> => {
  const answers = await Promise.all(Array.from({ length: times }, () => from(where)));
  for (const answer of answers) expectError(answer, 401);
};

/** An IPv4 address that no test has used. */
const newAddress = (): string => `10.${++count >> 16}.${(count >> 8) & 255}.${count & 255}`;

/** Uses up an email's limit for all addresses together. */
const guessFromEverywhere = async (): Promise<void> => {
  for (let round = 0; round < 5; round++) await fail(10, { address: newAddress() });
};

const signedInDevice = async (): Promise<string> => {
  const answer = await from({ address: newAddress() }, PASSWORD);
  expect(answer.body.state).toBe("signed_in");
  return deviceOf(answer);
};

describe("failed sign-ins with an email", () => {
  test("bar the address that they came from, and not the owner at another, however they mix", async () => {
    const { email } = await newPerson(direct, "operator");
    const attack = Array.from({ length: 14 }, () => statusFrom("127.0.0.2", email, WRONG));
    const owner = Array.from({ length: 3 }, () => statusFrom("127.0.0.1", email, PASSWORD));
    expect(await Promise.all(owner)).toEqual([200, 200, 200]);
    const statuses = await Promise.all(attack);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    expect(await statusFrom("127.0.0.2", email, PASSWORD)).toBe(429);
    expect(await statusFrom("127.0.0.1", email, PASSWORD)).toBe(200);
  });

  test("are distinguished by the address that a trusted proxy reports", async () => {
    const [attacker, owner] = [newAddress(), newAddress()];
    await fail(10, { address: attacker });
    expectError(await from({ address: attacker }, PASSWORD), 429, /too many sign-ins have failed/);
    expect((await from({ address: owner }, PASSWORD)).body.state).toBe("signed_in");
  });

  test("from many addresses bar the email at addresses that are new to it after 50 within an hour", async () => {
    await guessFromEverywhere();
    const barred = await from({ address: newAddress() }, PASSWORD);
    expectError(barred, 429);
    expect(barred.headers.get("retry-after")).toBe("3600");
    proxied.clock.advance({ hours: 1 });
    expect((await from({ address: newAddress() }, PASSWORD)).body.state).toBe("signed_in");
  });

  test("from many addresses are not forgotten when the owner signs in", async () => {
    const device = await signedInDevice();
    await guessFromEverywhere();
    expect((await from({ address: newAddress(), device }, PASSWORD)).body.state).toBe("signed_in");
    expectError(await from({ address: newAddress() }), 429);
  });

  test("count an IPv6 network of one customer as one address", async () => {
    for (let index = 0; index < 10; index++) await fail(1, { address: `2001:db8:1:2::${index + 1}` });
    expectError(await from({ address: "2001:db8:1:2:ffff::1" }), 429);
    await fail(1, { address: "2001:db8:1:3::1" });
  });
});

describe("a device that signed in before", () => {
  test("passes while the email is barred everywhere, and its own address for every email", async () => {
    const device = await signedInDevice();
    await guessFromEverywhere();
    expect((await from({ address: newAddress(), device }, PASSWORD)).body.state).toBe("signed_in");
    const shared = newAddress();
    for (let index = 0; index < 30; index++) await fail(1, { address: shared, email: `${index}@example.com` });
    expectError(await from({ address: shared }, PASSWORD), 429);
    expect((await from({ address: shared, device }, PASSWORD)).body.state).toBe("signed_in");
  });

  test("is blocked by ten failures of its own, and blocks nobody else", async () => {
    const [device, other] = [await signedInDevice(), await signedInDevice()];
    await fail(10, { address: newAddress(), device });
    expectError(await from({ address: newAddress(), device }, PASSWORD), 429);
    for (const where of [{ address: newAddress() }, { address: newAddress(), device: other }])
      expect((await from(where, PASSWORD)).body.state).toBe("signed_in");
  });

  test("is one for the person who signed in with it, not for others", async () => {
    const ben = await newPerson(proxied, "operator");
    const address = newAddress();
    const device = deviceOf(await from({ address, email: ben.email }, PASSWORD));
    await fail(10, { address, device });
    expectError(await from({ address, device }, PASSWORD), 429);
    expect((await from({ address, email: ben.email, device }, PASSWORD)).body.state).toBe("signed_in");
  });

  test("keeps its cookie for a year, out of reach of scripts, and only its hash is stored", async () => {
    const answer = await from({ address: newAddress() }, PASSWORD);
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith("curtail_device="));
    expect(cookie).toMatch(/^curtail_device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    const { rows } = await proxied.database.pool.query("select string_agg(d::text, '') as text from devices d");
    const device = deviceOf(answer);
    for (const form of [device, Buffer.from(device).toString("hex")]) expect(rows[0].text).not.toContain(form);
  });

  test("is forgotten after a year, and cannot be invented by the browser", async () => {
    const device = await signedInDevice();
    await fail(10, { address: "192.0.2.1", device: "x".repeat(43) });
    expectError(await from({ address: "192.0.2.1", device: "x".repeat(43) }), 429);
    proxied.clock.advance({ days: 366 });
    await fail(10, { address: "192.0.2.2", device });
    expectError(await from({ address: "192.0.2.2" }), 429);
  });
});

const callWith = (token: string, address: string) =>
  httpClient(`${proxied.url}/operator/v1`)("GET", "/accounts?limit=1", undefined, {
    authorization: `Bearer ${token}`,
    "x-forwarded-for": address,
  });

describe("wrong operator tokens", () => {
  test("are refused with 429 after 100 a minute from one address, while the right one goes on", async () => {
    const [attacker, other] = [newAddress(), newAddress()];
    for (let index = 0; index < 100; index++) expectError(await callWith(`wrong${index}`, attacker), 401);
    const barred = await callWith("wrong", attacker);
    expectError(barred, 429, /too many wrong operator tokens/);
    expect(barred.headers.get("retry-after")).toBe("60");
    expect((await callWith(OPERATOR_TOKEN, attacker)).status).toBe(200);
    expectError(await callWith("wrong", other), 401);
    const none = { "x-forwarded-for": attacker };
    expectError(await httpClient(`${proxied.url}/operator/v1`)("GET", "/accounts", undefined, none), 401, /or sign in/);
    proxied.clock.advance({ minutes: 1 });
    expectError(await callWith("wrong", attacker), 401);
  });
});

const refusedOf = (kind: string, metrics: string): number => {
  const found = new RegExp(`^curtail_refused_credentials_total\\{kind="${kind}"\\} (\\d+)$`, "m").exec(metrics);
  return Number(found?.[1] ?? 0);
};

describe("whoever is refused", () => {
  test("is counted by what was wrong, and leaves no row in the audit log", async () => {
    const kinds = ["password", "sign_in_barred", "operator_token", "invitation"];
    const counts = async () => {
      const metrics = await freshMetrics(proxied);
      return kinds.map((kind) => refusedOf(kind, metrics));
    };
    const newestEntry = async () => (await proxied.operator(operator.listAudit, { query: { limit: 1 } })).text;
    const [before, entry] = [await counts(), await newestEntry()];
    const address = newAddress();
    await fail(10, { address });
    expectError(await from({ address }), 429);
    const headers = { authorization: "Bearer wrong" };
    expectError(await httpClient(`${proxied.url}/operator/v1`)("GET", "/users", undefined, headers), 401);
    expectError(await httpClient(proxied.url)("POST", "/invitation/unknown", { password: PASSWORD }), 404);
    expect(await counts()).toEqual(before.map((number, index) => number + ([10, 1, 1, 1][index] ?? 0)));
    expect(await newestEntry()).toBe(entry);
  });
});

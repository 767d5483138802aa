import { request } from "node:http";
import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Client31, clientOf, runningVtn, type Secret31, tokenOf, type Vtn } from "../support/openadr-3.js";

const SOON_MS = 15_000;

let vtn: Vtn;
let ven: Client31 & Secret31;

beforeAll(async () => {
  vtn = await runningVtn();
  const bl = await vtn.bl();
  ven = await vtn.ven({ targets: ["north"] });
  const { id: programID } = await bl.programs.made({ programName: "Prices ä" });
  for (const priority of [1, 2])
    await bl.events.made({ programID, priority, targets: priority === 1 ? ["north", "south"] : [] });
  // What follows a new VEN must not come between two polls that are compared.
  await vi.waitFor(async () => expect((await get("/events", bearer(ven))).text).toContain('"Telemetry"'), SOON_MS);
});

type Headers = Readonly<Record<string, string | readonly string[]>>;

const get = (path: string, headers: Headers, url = vtn.vtnUrl) =>
  new Promise<{ status: number | undefined; headers: object; text: string }>((resolve, reject) => {
    const sending = request(`${url}${path}`, { headers: headers as Record<string, string> }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () => {
        const { date: _date, "x-ratelimit-remaining": _rest, ...rest } = response.headers;
        resolve({ status: response.statusCode, headers: rest, text: Buffer.concat(pieces).toString() });
      });
    });
    sending.on("error", reject).end();
  });

const bearer = (client: Pick<Client31, "token">): Headers => ({ authorization: `Bearer ${client.token}` });
/** Sends a request that the lane leaves to the framework. */
const BY_FRAMEWORK = { "content-length": "0" };

const PATHS = ["/events", "/events?active=true&limit=1", "/programs?targets=north&targets=south", "/vens"];

describe("polls of VENs ahead of the framework", () => {
  test.each(PATHS)("are answered as the framework does, byte for byte: %s", async (path) => {
    await get(path, bearer(ven));
    const ahead = await get(path, bearer(ven));
    expect(ahead).toMatchObject({ status: 200 });
    expect(ahead).toEqual(await get(path, { ...bearer(ven), ...BY_FRAMEWORK }));
  });

  test("are compressed where the client asks for it and the answer is large", async () => {
    const bl = await vtn.bl();
    const { id: programID } = await bl.programs.made({ programName: "Large" });
    for (let nth = 0; nth < 20; nth++)
      await bl.events.made({
        programID,
        eventName: "x".repeat(120),
        attributes: [],
        intervals: Array.from({ length: 10 }, (_, id) => ({ id, payloads: [{ type: "PRICE", values: [id] }] })),
      });
    await get("/events", bearer(ven));
    expect(await get("/events", bearer(ven))).toEqual(await get("/events", { ...bearer(ven), ...BY_FRAMEWORK }));
    expect((await get("/events", bearer(ven))).headers).toMatchObject({ vary: "accept-encoding" });
    const zipped = await get("/events", { ...bearer(ven), "accept-encoding": "gzip" });
    expect(zipped.headers).toMatchObject({ "content-encoding": "gzip" });
  });

  test("count against the rate of their client, together with its other requests", async () => {
    const limited = await runningVtn({ CURTAIL_RATE_LIMIT: "5" });
    const client = await limited.ven();
    const statuses: unknown[] = [];
    for (let nth = 0; nth < 7; nth++) statuses.push((await get("/events", bearer(client), limited.vtnUrl)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  test("with another form, an unknown token, or without the scope get the framework's refusal", async () => {
    await get("/events", bearer(ven));
    expect(await get("/events", {})).toMatchObject({ status: 401 });
    expect(await get("/events", { authorization: "Bearer none" })).toMatchObject({ status: 403 });
    const scoped = clientOf(vtn.vtnUrl, await tokenOf(vtn.vtnUrl, ven, "write_reports"));
    expect(await get("/events", bearer(scoped))).toMatchObject({ status: 403 });
    expect(await get("/events?limit=51", bearer(ven))).toMatchObject({ status: 400 });
    expect(await get("/events", { authorization: [`Bearer ${ven.token}`, "Bearer other"] })).toMatchObject({
      status: 400,
    });
  });

  test("are refused at once after the client was revoked through another process, and with an expired token", async () => {
    const other = await vtn.ven();
    await get("/events", bearer(other));
    expect(await get("/events", bearer(other))).toMatchObject({ status: 200 });
    const second = await vtn.second();
    const revoking = await fetch(`${second.url}/operator/v1/openadr3-clients/${other.id}`, {
      method: "DELETE",
      headers: { authorization: "Bearer operator-token-of-the-tests" },
    });
    expect(revoking.ok).toBe(true);
    expect(await get("/events", bearer(other))).toMatchObject({ status: 403 });
    expect(await get("/events", bearer(ven))).toMatchObject({ status: 200 });
    vtn.clock.advance({ hours: 1 });
    expect(await get("/events", bearer(ven))).toMatchObject({ status: 401 });
  });
});

test("an account that is disabled gets no answer from memory", async () => {
  const participant = await vtn.newParticipant();
  const own = await vtn.ven({ participant });
  await get("/programs", bearer(own));
  expect(await get("/programs", bearer(own))).toMatchObject({ status: 200 });
  await vtn.made(operator.changeAccount, { params: { id: participant.accountId }, body: { disabled: true } });
  expect(await get("/programs", bearer(own))).toMatchObject({ status: 403 });
});

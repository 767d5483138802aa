import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { AnswerBudget } from "../../../src/platform/http/answer-budget.js";
import { chosenEncoding } from "../../../src/platform/http/compression.js";
import { pointsOf, read } from "../../support/metering.js";
import { head, open } from "../../support/raw-request.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { acceptedFrom } from "../../support/server-side.js";

// Answers of GET /telemetry/kw that are sent in pieces: 4 sites × 6 meters × 9,996 points are 23 MB.
const SITES = 4;
const HOURS = 84;
const FIRST_HOUR = Date.parse("2026-03-01T00:00:00Z") / 3_600_000;
const at = (hour: number): string => new Date((FIRST_HOUR + hour) * 3_600_000).toISOString();

let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  service.clock.set(new Date("2026-07-01T00:00:00Z"));
  anna = await newReader();
});

const newReader = async (): Promise<Participant> => {
  const meters = Array.from({ length: 6 }, (_, meter) => `meter ${meter}`);
  const participant = await service.newParticipant({ sites: Array.from({ length: SITES }, () => meters) });
  await service.database.pool.query(
    `insert into telemetry_hours (site, meter, hour, kw)
     select sites.key, meters.key, hour, array(select meters.key * 1000 + hour % 100 + n / 8.0 from generate_series(1, 119) as n)
     from sites join meters on meters.site_id = sites.id cross join generate_series($2::int, $2::int + $3::int - 1) as hour
     where account_id = $1`,
    [participant.accountId, FIRST_HOUR, HOURS],
  );
  return participant;
};

// 119 cells an hour: 84 hours are 9,996 points.
const window = { start_time: at(0), end_time: at(HOURS) };
const ids = () => anna.sites.map(({ id }) => id);

const addressOf = (participant: Participant): string => {
  const query = new URLSearchParams(window);
  for (const { id } of participant.sites) query.append("site_id", id);
  return `/2022-04-15/telemetry/kw?${query.toString()}`;
};

const begin = async (participant: Participant, headers: Record<string, string> = {}): Promise<IncomingMessage> => {
  const request = get(service.url + addressOf(participant), {
    agent: false,
    headers: { "x-service-api-key": participant.key, ...headers },
  });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return answer;
};

const rest = async (answer: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Sends a request, and reads no more than the beginning of the answer. */
const stalled = async (participant: Participant): Promise<Socket> => {
  const socket = await open(service.url);
  socket.write(head("GET", addressOf(participant), { "x-service-api-key": participant.key }));
  await once(socket, "data");
  socket.pause();
  return socket;
};

describe("a large answer", () => {
  test("has of every site and meter what small ones have", async () => {
    const large = await read(anna, ids(), window);
    expect(large.headers.get("content-length")).toBeNull();
    expect(large.body.data.sites.map((site) => site.site_id)).toEqual(ids());
    for (const { id, meters } of [anna.sites[0], anna.sites[3]].flatMap((site) => site ?? [])) {
      for (const hour of [0, 40, 83]) {
        const small = await read(anna, [id], { start_time: at(hour), end_time: at(hour + 1) });
        expect(small.headers.get("content-length")).not.toBeNull();
        for (const meter of meters)
          expect(pointsOf(large, meter).slice(hour * 119, (hour + 1) * 119)).toEqual(pointsOf(small, meter));
      }
    }
  }, 60_000);

  test.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const)(
    "is compressed by %s for those who ask for it, and is the same",
    async (encoding, unpack) => {
      const [plain, compressed] = [await begin(anna), await begin(anna, { "accept-encoding": encoding })];
      expect(plain.headers["content-encoding"]).toBeUndefined();
      expect(compressed.headers).toMatchObject({ "content-encoding": encoding, vary: "accept-encoding" });
      const [whole, packed] = await Promise.all([rest(plain), rest(compressed)]);
      expect(packed.length).toBeLessThan(whole.length / 5);
      expect(unpack(packed).equals(whole)).toBe(true);
    },
    60_000,
  );

  test("breaks off where the database fails, so that no half passes for whole", async () => {
    for (const headers of [{}, { "accept-encoding": "gzip" }, { "accept-encoding": "br" }]) {
      const answer = await begin(anna, headers);
      expect(answer.statusCode).toBe(200);
      await service.database.pool.query("alter table telemetry_hours rename to telemetry_gone");
      try {
        await expect(rest(answer)).rejects.toThrow(/aborted/);
      } finally {
        await service.database.pool.query("alter table telemetry_gone rename to telemetry_hours");
      }
    }
  }, 60_000);
});

describe("readers that take nothing", () => {
  test("hold no connection of the database, let others read, and give their share back when they leave", async () => {
    const ben = await newReader();
    const sockets = [await stalled(anna), await stalled(anna)];
    await expect.poll(() => busyConnections()).toBe(0);
    // Both use up the share of their key: its third request waits, one with another key does not.
    const third = begin(anna);
    let isAnswered = false;
    void third.then(() => (isAnswered = true));
    expect((await rest(await begin(ben))).length).toBeGreaterThan(20_000_000);
    expect(isAnswered).toBe(false);
    for (const socket of sockets) socket.destroy();
    expect((await rest(await third)).length).toBeGreaterThan(20_000_000);
  }, 60_000);

  test("get 429 while their key uses its whole share", async () => {
    const sockets = await Promise.all([stalled(anna), stalled(anna)]);
    const asked = vi.spyOn(AnswerBudget.prototype, "take");
    onTestFinished(() => asked.mockRestore());
    // The wait for room is ten seconds long.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldClearNativeTimers: true });
    onTestFinished(() => void vi.useRealTimers());
    const third = read(anna, ids(), window);
    await vi.waitUntil(() => asked.mock.calls.length === 1);
    vi.advanceTimersByTime(10_000);
    const refused = await third;
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(refused.text).toMatch(/too many large responses are being read at once/);
    for (const socket of sockets) socket.destroy();
  }, 60_000);
});

test("a reader that takes nothing for too long is cut off and releases its share", async () => {
  const accepted = (await Promise.all([stalled(anna), stalled(anna)])).map(acceptedFrom);
  const third = begin(anna);
  let isAnswered = false;
  void third.then(() => (isAnswered = true));
  expect(accepted.map(({ timeout }) => timeout)).toEqual([15_000, 15_000]);
  expect(isAnswered).toBe(false);
  for (const socket of accepted) socket.setTimeout(250);
  const answer = await third;
  expect(answer.statusCode).toBe(200);
  expect((await rest(answer)).length).toBeGreaterThan(20_000_000);
}, 60_000);

const busyConnections = (): number => {
  const { totalCount, idleCount } = service.database.pool;
  return totalCount - idleCount;
};

test("the encoding is the one that is wanted most of those there are", () => {
  expect([undefined, "", "deflate", "identity", "gzip;q=0", "br;q=x"].map(chosenEncoding)).toEqual(Array(6).fill(null));
  expect(["gzip", "br;q=0.4, gzip;q=0.5", "GZIP ; q=0.1"].map(chosenEncoding)).toEqual(Array(3).fill("gzip"));
  expect(["br", "gzip, deflate, br", "gzip;q=0.9, Br"].map(chosenEncoding)).toEqual(Array(3).fill("br"));
});

import { gunzipSync } from "node:zlib";
import { propertyRuns } from "@curtail/testing/property-runs";
import { expect, test } from "vitest";
import { createParticipant, type TelemetryReading, upload } from "../src/index.js";

const readings = (count: number): TelemetryReading[] =>
  Array.from({ length: count }, (_, index) => ({
    meter_id: "mtr_1",
    interval_seconds: 60,
    timestamp: new Date(Date.UTC(2026, 6, 1, 18, index)).toISOString(),
    kW: index / 7,
  }));

/** What a service, or what lies before it, does with a request. */
interface Answer {
  readonly status?: number;
  /** Its Accept-Encoding header. */
  readonly accepts?: string;
  /** Whether it understands compressed bodies. */
  readonly unpacks?: boolean;
  /** What a refusal says. */
  readonly message?: string;
}

const UNREAD = "Content-Encoding gzip is not supported";
const NAMED = "telemetry[3].timestamp is in the future; it must be at most 5 minutes ahead. Nothing was stored";

/** A service that gives these answers in turn, the last of them from then on. */
const serving = (...answers: readonly Answer[]) => {
  const sent: string[] = [];
  const stored: TelemetryReading[] = [];
  let next = 0;
  const answer: typeof fetch = async (address, init) => {
    const request = new Request(address, init);
    const encoding = request.headers.get("content-encoding");
    const bytes = Buffer.from(await request.arrayBuffer());
    sent.push(encoding ?? "plain");
    const {
      status = 200,
      accepts,
      unpacks = true,
      message = UNREAD,
    } = answers[Math.min(next++, answers.length - 1)] ?? {};
    const headers = accepts === undefined ? {} : { "accept-encoding": accepts };
    const isRefused = status !== 200 || (encoding !== null && !unpacks);
    if (isRefused) return Response.json({ message }, { status: status === 200 ? 400 : status, headers });
    const { telemetry } = JSON.parse((encoding === null ? bytes : gunzipSync(bytes)).toString());
    stored.push(...telemetry);
    return Response.json({ received: telemetry.length }, { headers });
  };
  const settings = { url: "http://curtail.example", key: "ctp_1", fetch: answer, retry: { attempts: 1 } };
  return { sent, stored, participant: createParticipant(settings) };
};

/** Place of the reading that a service refuses; -1: there is none. */
const bad = (body: { telemetry: readonly TelemetryReading[] }): number =>
  body.telemetry.findIndex(({ kW = 0 }) => kW > 10 && kW < 10.2);

const send = ({ participant }: ReturnType<typeof serving>, count = 100) => upload(participant, readings(count));

test("uploads are compressed once an answer has said that they may be, and as long as the latest does", async () => {
  const service = serving({ accepts: "gzip" }, { accepts: "br, GZIP" }, { accepts: "br" }, {}, { accepts: "gzip" });
  for (let call = 0; call < 6; call++) expect(await send(service)).toMatchObject({ stored: 100 });
  expect(service.sent).toEqual(["plain", "gzip", "gzip", "plain", "plain", "gzip"]);
  expect(service.stored).toEqual(Array(6).fill(readings(100)).flat());
});

test("a service that never says so never gets a compressed upload", async () => {
  const service = serving({});
  for (let call = 0; call < 5; call++) await send(service);
  expect(new Set(service.sent)).toEqual(new Set(["plain"]));
});

test("short bodies are sent as they are", async () => {
  const service = serving({ accepts: "gzip" });
  for (const count of [1, 10, 11, 100]) await send(service, count);
  expect(service.sent).toEqual(["plain", "plain", "plain", "gzip"]);
});

test("what one upload knows holds for its own operation only", async () => {
  const service = serving({ accepts: "gzip" });
  await send(service);
  const load = {
    site_id: "s",
    interval_seconds: 900,
    timestamp: "2026-07-01T18:00:00Z",
    units: "kW" as const,
    value: 1,
  };
  await service.participant
    .uploadControllableLoad({ controllable_load: Array.from({ length: 50 }, () => load) })
    .catch(() => {});
  expect(service.sent).toEqual(["plain", "plain"]);
});

test.each([400, 415])(
  "a compressed upload that could not be read (%i) is sent again as it is, and so are the next hundred",
  async (status) => {
    const service = serving({ accepts: "gzip" }, { status, accepts: "gzip" }, { accepts: "gzip" });
    for (let call = 0; call < 104; call++) expect(await send(service, 20)).toMatchObject({ stored: 20, setAside: [] });
    expect(service.sent).toEqual(["plain", "gzip", ...Array(101).fill("plain"), "gzip", "gzip"]);
  },
);

test("one that is refused for what it says is not sent again, whatever the service may do then", async () => {
  const refusal = { status: 400, accepts: "gzip", message: NAMED };
  const service = serving({ accepts: "gzip" }, refusal, { accepts: "gzip" });
  await send(service);
  await expect(service.participant.uploadTelemetry({ telemetry: readings(100) })).rejects.toThrow("telemetry[3]");
  for (let call = 0; call < 2; call++) await send(service);
  expect(service.sent).toEqual(["plain", "gzip", "gzip", "gzip"]);
});

test("readings that are refused are set aside with as many requests as of a service that knows no compression", async () => {
  const counts = await Promise.all(
    ["gzip", ""].map(async (accepts) => {
      let requests = 0;
      const judging: typeof fetch = async (address, init) => {
        const request = new Request(address, init);
        const bytes = Buffer.from(await request.arrayBuffer());
        const isPacked = request.headers.get("content-encoding") === "gzip";
        const body = JSON.parse((isPacked ? gunzipSync(bytes) : bytes).toString());
        requests += 1;
        const at = bad(body);
        const headers = { "accept-encoding": accepts };
        if (at < 0) return Response.json({ received: body.telemetry.length }, { headers });
        return Response.json({ message: `telemetry[${at}].kW is too much` }, { status: 400, headers });
      };
      const participant = createParticipant({ url: "http://curtail.example", key: "ctp_1", fetch: judging });
      for (let call = 0; call < 3; call++)
        expect(await upload(participant, readings(100))).toMatchObject({ stored: 99, setAside: [{ index: 71 }] });
      return requests;
    }),
  );
  expect(counts[0]).toBe(counts[1]);
});

test("a refusal twice, compressed and as it is, does not end compression", async () => {
  const other = { status: 400, accepts: "gzip", message: "the account is closed" };
  const service = serving({ accepts: "gzip" }, other, other, { accepts: "gzip" });
  await send(service);
  await expect(service.participant.uploadTelemetry({ telemetry: readings(100) })).rejects.toThrow("400");
  await send(service);
  expect(service.sent).toEqual(["plain", "gzip", "plain", "gzip"]);
});

test("no reading is lost or set aside, whatever becomes of compression on the way", async () => {
  const kinds: readonly Answer[] = [{}, { accepts: "gzip" }, { accepts: "br" }].flatMap((kind) => [
    { ...kind, unpacks: true },
    { ...kind, unpacks: false },
  ]);
  const threes = kinds.flatMap((first) => kinds.flatMap((second) => kinds.map((third) => [first, second, third])));
  // All of them in a long run.
  const step = Math.max(1, Math.floor(threes.length / propertyRuns(16)));
  for (const answers of threes.filter((_, at) => at % step === 0)) {
    const service = serving(...answers);
    for (let call = 0; call < 4; call++) expect(await send(service, 20)).toMatchObject({ stored: 20, setAside: [] });
    expect(service.stored).toEqual(Array.from({ length: 4 }, () => readings(20)).flat());
    expect(service.sent[0]).toBe("plain");
  }
});

import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { participantClient } from "@curtail/client";
import { uploadTelemetry } from "@curtail/contract";
import type { Participant } from "./participant.js";

const HOUR_MS = 3_600_000;
const DAY = { start: "2026-06-01T00:00:00Z", points: 2880 } as const;
/** Together more than the kernel buffers per connection. */
const DAYS = 12;

/** Requests in flight when the service is asked to stop. */
export interface UnderWay {
  /** Continues them, and returns their outcomes. */
  finish(): Promise<Outcome>;
}

export interface Outcome {
  /** Status line of the upload. */
  readonly upload: string;
  /** Whether the read was complete, or what was missing. */
  readonly read: string;
}

/** An upload that is half sent, and a read whose answer has begun and is not consumed. */
export const requestsUnderWay = async (url: string, participant: Participant, powerKw: number): Promise<UnderWay> => {
  const upload = await halfAnUpload(url, participant, powerKw);
  const read = await slowRead(url, participant);
  return {
    async finish() {
      const answered = await upload.finish();
      return { upload: answered, read: await read.finish() };
    },
  };
};

/** Uploads readings that make the slow read's answer long. */
export const fillForSlowReads = async (url: string, participant: Participant): Promise<void> => {
  const [site] = participant.sites;
  for (let day = 0; day < DAYS; day++) {
    const startMs = Date.parse(DAY.start) + day * 24 * HOUR_MS;
    const telemetry = Array.from({ length: DAY.points }, (_, index) => ({
      meter_id: site?.meterId ?? "",
      interval_seconds: 30,
      timestamp: whole(startMs + (index + 1) * 30_000),
      kW: index / 7,
    }));
    await participantClient({ url, key: participant.key }).call(uploadTelemetry, { body: { telemetry } });
  }
};

const whole = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

interface Pending<T> {
  finish(): Promise<T>;
}

const halfAnUpload = async (url: string, participant: Participant, powerKw: number): Promise<Pending<string>> => {
  const reading = {
    meter_id: participant.sites[0]?.meterId,
    interval_seconds: 30,
    timestamp: "2026-05-01T00:00:30Z",
    kW: powerKw,
  };
  const body = JSON.stringify({ telemetry: [reading] });
  const half = body.length / 2;
  const socket = connectionTo(url);
  // The interim answer shows that the service has the request.
  socket.write(
    `POST /2022-04-15/telemetry HTTP/1.1\r\nhost: test\r\nx-service-api-key: ${participant.key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  );
  const [interim]: Buffer[] = await once(socket, "data");
  const answer = interim?.toString() ?? "nothing";
  if (!answer.startsWith("HTTP/1.1 100")) throw new Error(`no interim answer, but ${answer}`);
  socket.write(body.slice(0, half));
  const { text } = collected(socket);
  return {
    async finish() {
      socket.write(body.slice(half));
      await closed(socket);
      return text().split("\r\n")[0] ?? "";
    },
  };
};

const slowRead = async (url: string, { key, sites }: Participant): Promise<Pending<string>> => {
  const query = new URLSearchParams({ site_id: sites[0]?.id ?? "", start_time: DAY.start, interval_seconds: "30" });
  query.set("end_time", whole(Date.parse(DAY.start) + 10_000 * 30_000));
  const reads = Array.from({ length: 8 }, async () => {
    const socket = connectionTo(url);
    socket.write(
      `GET /2022-04-15/telemetry/kw?${query.toString()} HTTP/1.1\r\nhost: test\r\nx-service-api-key: ${key}\r\n\r\n`,
    );
    await once(socket, "readable");
    return socket;
  });
  const sockets = await Promise.all(reads);
  return {
    async finish() {
      for (const socket of sockets) {
        const { text } = collected(socket);
        await closed(socket);
        const missing = whatIsMissing(text());
        if (missing !== "") return missing;
      }
      return "whole";
    },
  };
};

const whatIsMissing = (answer: string): string => {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  if (!head.startsWith("HTTP/1.1 200")) return head;
  const points = rest.join("").match(/"timestamp"/g)?.length ?? 0;
  return points === 10_000 ? "" : `${points} points of 10,000`;
};

const connectionTo = (url: string): Socket => {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  // A cut connection shows in the missing data.
  socket.on("error", () => {});
  return socket;
};

const collected = (socket: Socket): { text: () => string } => {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  return { text: () => Buffer.concat(chunks).toString() };
};

const closed = async (socket: Socket): Promise<void> => {
  if (!socket.closed) await once(socket, "close");
};

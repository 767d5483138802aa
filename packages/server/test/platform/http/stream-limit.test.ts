import { beforeAll, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { openStreamAt } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Event streams: 20 at once per person or key.
let service: Running;
let anna: Participant;
let dispatchId: string;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
  dispatchId = (await newDispatch(service, await newProgram(service, [anna]))).id;
});

const path = () => `/dispatches/${dispatchId}/performance/stream`;
const streamOf = (participant: Participant) =>
  openStreamAt(`${service.url}/2022-04-15${path()}`, { "x-service-api-key": participant.key });

test("a key has 20 streams at once, and room again as one of them ends", async () => {
  const streams = await Promise.all(Array.from({ length: 20 }, () => streamOf(anna)));
  const refused = await anna.call("GET", path());
  expectError(refused, 429, /20 event streams are already open.*close one/);
  expect(refused.headers.get("retry-after")).toBe("5");
  streams.pop()?.close();
  await expect
    .poll(() =>
      streamOf(anna)
        .then((stream) => streams.push(stream))
        .catch(() => 0),
    )
    .toBe(20);
  for (const stream of streams) stream.close();
});

test("of 30 that are asked for at once, 20 are opened", async () => {
  const opened = await Promise.allSettled(Array.from({ length: 30 }, () => streamOf(anna)));
  const streams = opened.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  expect(streams).toHaveLength(20);
  for (const stream of streams) stream.close();
});

test("a person's are counted over all sessions and kinds of streams; those of others do not count", async () => {
  const person = await newBrowser(service, "participant-viewer", anna.accountId);
  const other = await newBrowser(service, "participant-viewer", anna.accountId);
  const open = ({ token }: { readonly token: string }, of: string) =>
    openStreamAt(`${service.url}/console/v1${of}`, { cookie: `curtail_session=${token}` });
  const kinds = ["/changes/stream", path()];
  const streams = await Promise.all(Array.from({ length: 20 }, (_, index) => open(person, kinds[index % 2] ?? "")));
  for (const kind of kinds) await expect(open(person, kind)).rejects.toThrow(/429/);
  streams.push(await open(other, "/changes/stream"));
  for (const stream of streams) stream.close();
});

// A meter gateway as a process, for tests that kill it: appends readings to a spool and says which are safe, and uploads
// what is in the spool.
import { createParticipant, upload } from "@curtail/client";
import { drain, openSpool } from "@curtail/spool";
import { readingAt } from "./spool-readings.mjs";

const { folder, url, key, meters, startMs, from, to, pauseMs, batch, order } = JSON.parse(process.argv[2]);
const LONGEST_WAIT_MS = 20;
const AT_ONCE = 20;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const say = (line) => process.stdout.write(`${line}\n`);

/** A small first segment soon leads to others. */
const spool = await openSpool(folder, { segmentBytes: 20_000 });
const participant = createParticipant({ url, key, retry: { attempts: 1 } });

const appendAll = async () => {
  for (let first = from; first < to; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, to - first) }, (_, index) => first + index);
    await Promise.all(numbers.map((number) => spool.append(JSON.stringify(readingAt(number, { meters, startMs })))));
    say(`safe ${first + numbers.length}`);
    await sleep(pauseMs);
  }
};

const uploadBatch = async (readings) => {
  const result = await upload(participant, readings);
  say("uploaded");
  return result;
};

/** The control: what a careless uploader does. */
const drainCarelessly = async () => {
  for (let records = await spool.take(batch); records.length > 0; records = await spool.take(batch)) {
    await spool.retire(records.at(-1).position);
    const readings = records.map(({ payload }) => JSON.parse(new TextDecoder().decode(payload)));
    for (let isStored = false; !isStored; ) {
      isStored = await uploadBatch(readings).then(
        () => true,
        () => sleep(LONGEST_WAIT_MS).then(() => false),
      );
    }
  }
};

const drainAll = () =>
  order === "retire first"
    ? drainCarelessly()
    : drain(spool, uploadBatch, { batch, sleep: (ms) => sleep(Math.min(ms, LONGEST_WAIT_MS)) });

const appending = appendAll();
await drainAll();
await appending;
await drainAll();
await spool.close();
say("empty");

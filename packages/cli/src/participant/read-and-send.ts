import type { Participant } from "@curtail/client";
import type { Spool } from "@curtail/spool";
import { usageFault } from "../admin-io.js";
import { type Progress, progressLines, readingsText } from "../replay-progress.js";
import { accountOf, foldersLeft, isKnown, isNamedFolder, learn, whoseFolder } from "./earlier-readings.js";
import { untilAborted } from "./input.js";
import { Outage } from "./outage.js";
import type { Run } from "./participant-call.js";
import { readInto } from "./read-input.js";
import { openReadings } from "./reading-spool.js";
import { arrivalOrEnd, sendSpool } from "./send-spool.js";
import { sitesOf } from "./sites-of.js";
import { isOfKey, type SpoolPlace } from "./spool-folders.js";
import type { UploadOptions } from "./upload-options.js";
import type { Kind } from "./upload-readings.js";
import type { UploadReport } from "./upload-report.js";
import type { Account } from "./whose-readings.js";

export type Input = AsyncIterable<Uint8Array>;

export interface Uploading {
  readonly place: SpoolPlace;
  readonly folder: string;
  readonly kind: Kind;
  readonly spool: Spool;
  readonly report: UploadReport;
  /** Of inputs that cannot be read, and of readings that are left. */
  readonly faults: string[];
  /** Folders with readings of earlier keys that are not uploaded yet. */
  readonly earlier: string[];
}

export const keptWords = ({ spool, folder }: Pick<Uploading, "spool" | "folder">): string =>
  `${readingsText(spool.state.waiting)} kept in ${folder}`;

/** Reads and sends at the same time; both end when one fails. What earlier keys of the account left is sent first. */
export const readAndSend = async (
  run: Run<UploadOptions>,
  uploading: Uploading,
  { source, signal: interrupted }: { readonly source: Input | null; readonly signal: AbortSignal },
): Promise<void> => {
  const { io, print, access, connect } = run;
  const { spool } = uploading;
  const [failing, over] = [new AbortController(), new AbortController()];
  const signal = AbortSignal.any([interrupted, failing.signal]);
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    failing.abort(error);
  };
  const wait = async (ms: number, until = signal): Promise<void> => {
    await io.wait(ms, AbortSignal.any([signal, until]));
    signal.throwIfAborted();
  };
  const passing: Passing = {
    run,
    uploading,
    // Sending waits for outages itself.
    participant: await connect({ retry: { attempts: 1 } }),
    outage: new Outage(print, access()),
    progress: progressLines(io.stderr, spool.state.waiting),
    signal,
    wait,
  };
  const own = { ...uploading, source: source === null ? null : untilAborted(source, signal), over: over.signal };
  const { read, send } = passage(passing, own);
  const sending = async (): Promise<void> => {
    await sendEarlier(passing, over.signal);
    await send();
  };
  const reading = async (): Promise<void> => {
    await read();
    over.abort();
  };
  await Promise.all([reading().catch(fail), sending().catch(fail)]);
  if (failures.length > 0) throw failures[0];
};

interface Passing {
  readonly run: Run<UploadOptions>;
  readonly uploading: Uploading;
  readonly participant: Participant;
  readonly outage: Outage;
  readonly progress: Progress & { grow(readings: number): void };
  readonly signal: AbortSignal;
  readonly wait: (ms: number, until?: AbortSignal) => Promise<void>;
}

interface Passage {
  readonly folder: string;
  readonly spool: Spool;
  readonly source: Input | null;
  /** Aborted when nothing more comes. */
  readonly over: AbortSignal;
}

/** The way of readings through the spool of a folder: in, and out to the service. */
const passage = (
  { run: { io, options, print }, uploading, participant, outage, progress, signal, wait }: Passing,
  { folder, spool, source, over }: Passage,
): { readonly read: () => Promise<void>; readonly send: () => Promise<void> } => {
  const { kind, report, faults } = uploading;
  const both = { participant, spool, kind, signal, wait };
  let firstOwn: number | null = null;
  const onFirst = (position: number): void => {
    firstOwn ??= position;
  };
  const onKept = (records: number): void => progress.grow(records);
  const onFault = (message: string): void => void faults.push(message);
  const reading = { ...both, folder, options, now: io.now(), print, outage, onFirst, onKept, onFault };
  const sending = {
    ...both,
    over,
    onSent({ stored, setAside, warnings }: Parameters<Parameters<typeof sendSpool>[0]["onSent"]>[0]) {
      outage.ended();
      report.stored += stored;
      report.warn(warnings);
      progress.add(stored + setAside.length);
    },
    onRefused(position: number, refused: object | string, reason: string) {
      const index = firstOwn === null || position < firstOwn ? null : position - firstOwn;
      report.refuse([{ index, reading: refused, reason }]);
    },
    onOutage: (error: unknown) => outage.began(error, `${keptWords({ spool, folder })}; trying again`),
  };
  return { read: () => readInto(reading, source), send: () => sendSpool(sending) };
};

/** Learns whose the key is, and uploads what earlier keys of the same account left in other folders. */
const sendEarlier = async (passing: Passing, over: AbortSignal): Promise<void> => {
  const { run, uploading, signal } = passing;
  const { access } = run;
  const { place, folder, kind, spool, earlier } = uploading;
  earlier.push(...(await foldersLeft(place, kind, folder)));
  if (earlier.length === 0) {
    await arrivalOrEnd({ spool, over, signal });
    if (spool.state.waiting === 0 || isKnown(folder, access())) return;
  }
  const account = accountOf(access(), await sitesOf(passing, () => keptWords(uploading)));
  if (!isOfKey(folder, access())) await refuseForeign(passing, account);
  learn(place, folder, access(), account);
  for (let [next] = earlier; next !== undefined; [next] = earlier) {
    await sendFolder(passing, next, account);
    earlier.shift();
  }
};

const refuseForeign = async ({ run: { io, access }, uploading }: Passing, account: Account): Promise<void> => {
  const { place, folder, kind } = uploading;
  if ((await whoseFolder(io, { place, folder, kind, access: access(), account })) !== "another's") return;
  throw usageFault(`${folder} keeps readings of other sites than those of this key; nothing of them was sent`);
};

const sendFolder = async (passing: Passing, folder: string, account: Account): Promise<void> => {
  const { run, uploading } = passing;
  const { io, print, access, options } = run;
  const { place, kind, faults } = uploading;
  const isNamed = isNamedFolder(place, folder);
  const whose = await whoseFolder(io, { place, folder, kind, access: access(), account });
  if (whose === "another's") {
    if (isNamed)
      print.note(`curtail: ${folder} keeps readings of other sites; those of this key are kept in ${uploading.folder}`);
    return;
  }
  // Draining a folder by its name means everything in it.
  if (whose === "perhaps" && !(isNamed && options.drain === true)) {
    const words = `${folder} keeps readings that may not be of this account and address; \`curtail upload --drain --spool ${folder}\` uploads them with this key`;
    return options.drain === true ? void faults.push(words) : print.note(`curtail: ${words}`);
  }
  const spool = await openReadings(folder, kind);
  try {
    const { waiting, setAside } = spool.state;
    if (waiting > 0) print.note(`${readingsText(waiting)} of an earlier key come first`);
    passing.progress.grow(waiting);
    const { read, send } = passage(passing, { folder, spool, source: null, over: AbortSignal.abort() });
    if (kind === "telemetry") await read();
    await send();
    const refused = spool.state.setAside - setAside;
    if (refused > 0) print.note(`${readingsText(refused)} of an earlier key were set aside in ${folder}`);
  } finally {
    await spool.close();
  }
};

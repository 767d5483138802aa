import { join } from "node:path";
import { ErrorResponse } from "@curtail/client";
import { CommandFailure, messageOf } from "../admin-io.js";
import { harmless } from "../human-form.js";
import { grouped, readingsText } from "../replay-progress.js";
import { accountFor, type FoundUploads, uploadFound } from "./found-upload.js";
import { isOfDisk } from "./of-disk.js";
import { Outage } from "./outage.js";
import type { Run } from "./participant-call.js";
import { failureOf } from "./participant-failure.js";
import { untilInterrupted } from "./until-interrupted.js";
import type { UploadOptions } from "./upload-options.js";
import type { Moving } from "./watch-kept.js";
import { claimPlaces, faultsFileOf, type Places, placesIn, SUMMARY } from "./watch-places.js";
import { isMovedBefore, tallyText, WatchState } from "./watch-state.js";
import { type FoundFile, fileAt, isSameFile, lookInto, Settling } from "./watched-files.js";

/** Uploads files as they come into a folder, and moves each to `done` or `refused`, until it is interrupted. */
export const watchFolder = async (run: Run<UploadOptions>, folder: string): Promise<void> => {
  const places = placesIn(folder);
  const release = await claimPlaces(places);
  try {
    const watch = new FolderWatch(run, places);
    const participant = await run.connect({ retry: { attempts: PATIENCE } });
    await untilInterrupted(run.io, (signal) => watch.follow({ participant, signal }));
    run.print.note(`stopped watching ${folder}; ${watch.soFar}`);
  } catch (error) {
    run.print.note(`files that are not uploaded stay in ${folder}`);
    throw error;
  } finally {
    await release();
  }
};

/** Attempts of each request before the watch says that the service is away; then it goes on. */
const PATIENCE = 3;
const SETTLED_SECONDS = 30;
const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
const MOST_SAID = 1000;
const MOST_POSTPONED_SECONDS = 3600;

class FolderWatch {
  private readonly outage: Outage;
  private readonly state: WatchState;
  private readonly said = new Set<string>();
  /** Files that could not be uploaded, and when they are looked at again. */
  private readonly postponed = new Map<string, number>();

  constructor(
    private readonly run: Run<UploadOptions>,
    private readonly places: Places,
  ) {
    this.outage = new Outage(run.print, run.access());
    this.state = WatchState.open(places, this.today());
  }

  private get settledSeconds(): number {
    return this.run.options.settled ?? SETTLED_SECONDS;
  }

  get soFar(): string {
    return tallyText(this.state.tally);
  }

  async follow({ participant, signal }: Pick<FoundUploads, "participant" | "signal">): Promise<void> {
    const { run, places, outage } = this;
    const wait = async (ms: number): Promise<void> => {
      await run.io.wait(ms, signal);
      signal.throwIfAborted();
    };
    const by = { run, places, outage, participant, signal, wait, say: (words: string) => this.say(words) };
    // A wrong key is said now, and not at night.
    await accountFor(by);
    run.print.note(`watching ${places.folder}`);
    const settledMs = this.settledSeconds * 1000;
    const settling = new Settling(settledMs);
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, settledMs / 3));
    for (;;) {
      await this.unlessDisk(() => this.look(settling, by));
      await wait(pauseMs);
    }
  }

  private async look(settling: Settling, by: FoundUploads): Promise<void> {
    const { state, places } = this;
    await this.move();
    const over = state.turnTo(this.today(), by.say);
    if (over !== null) this.print(over, tallyText(over));
    const leftOut = this.leftOut();
    const { files, hasMore, notUtf8 } = await lookInto(places.folder, leftOut);
    if (hasMore) this.say(`${places.folder} has very many files; they are taken some at a time`);
    for (const name of notUtf8) this.say(`the name ${harmless(name)} is not UTF-8; rename it: it cannot be uploaded`);
    let changed: readonly FoundFile[] = [];
    await this.unlessDisk(async () => {
      changed = await state.changed(this.run.io.now());
    });
    const found = [...files, ...changed.filter(({ name }) => !leftOut.has(name))];
    for (const file of settling.settled(found, performance.now())) {
      if (state.isFull) return this.say("other files wait until those that are dealt with can be moved");
      await this.unlessDisk(() => this.take(file, by));
    }
  }

  /** Names that are no files to upload, or not now. */
  private leftOut(): ReadonlySet<string> {
    for (const [name, untilMs] of this.postponed) if (untilMs <= performance.now()) this.postponed.delete(name);
    return new Set([SUMMARY, ...this.state.waiting, ...this.postponed.keys()]);
  }

  /** A failure of one file does not stop the others. A refused key or a full disk concerns all of them. */
  private async take(file: FoundFile, by: FoundUploads): Promise<void> {
    try {
      await this.upload(file, by);
    } catch (error) {
      by.signal.throwIfAborted();
      const isOfOthers = isOfDisk(error) && pathOf(error) !== join(this.places.folder, file.name);
      if (isOfOthers || isOfKey(error)) throw error;
      // It was taken away meanwhile.
      if ((await fileAt(this.places.folder, file.name)) === null) return;
      const reason = failureOf(error, this.run.access())?.message ?? harmless(messageOf(error));
      this.say(`${harmless(file.name)}: ${reason}; it stays where it is, and is tried again`);
      const askedFor = error instanceof ErrorResponse ? (error.retryAfter ?? 0) : 0;
      const seconds = Math.max(2 * this.settledSeconds, askedFor);
      this.postponed.set(file.name, performance.now() + Math.min(MOST_POSTPONED_SECONDS, seconds) * 1000);
    }
  }

  private async upload(file: FoundFile, by: FoundUploads): Promise<void> {
    const { faults, finish, ...counts } = await uploadFound(by, file);
    const now = await fileAt(this.places.folder, file.name);
    // It went on growing, and is read again.
    if (now === null || !isSameFile(now, file)) return finish();
    const verdict = faults === null ? "done" : "refused";
    this.state.decide({ file, verdict, to: this.state.placeFor(file, verdict), ...counts }, faults);
    await this.move();
    finish();
  }

  private async move(): Promise<void> {
    for await (const moved of this.state.move(this.run.io.now(), (words) => this.say(words))) this.report(moved);
  }

  private report(moved: Moving): void {
    const { file, verdict, to, stored, setAside } = moved;
    this.print(
      { file: file.name, verdict, moved_to: to, stored, set_aside_count: setAside },
      `${harmless(file.name)} ${verdict}${isMovedBefore(file.name) ? " again" : ""}: ${countsText(moved)}`,
    );
  }

  /** A full disk, or a folder that cannot be read or written, is said and tried again: nothing is lost meanwhile. */
  private async unlessDisk(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isOfDisk(error)) throw error;
      this.say(`${harmless(messageOf(error))}; files stay where they are, and it is tried again`);
    }
  }

  private print(json: object, text: string): void {
    const { print } = this.run;
    print.line(print.isJson ? JSON.stringify(json) : text);
  }

  /** Each once: a fault that lasts would fill the log. */
  private say(words: string): void {
    if (this.said.size >= MOST_SAID) this.said.clear();
    if (this.said.has(words)) return;
    this.said.add(words);
    this.run.print.note(`curtail: ${words}`);
  }

  /** In the zone of the machine. */
  private today(): string {
    const now = this.run.io.now();
    return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  }
}

const isOfKey = (error: unknown): boolean =>
  error instanceof ErrorResponse && (error.status === 401 || error.status === 403);

/** The file that a failure of the file system is about. */
const pathOf = (error: unknown): unknown =>
  error instanceof CommandFailure ? pathOf(error.cause) : (error as NodeJS.ErrnoException).path;

const countsText = ({ verdict, to, stored, setAside }: Moving): string => {
  const counts = `${readingsText(stored)} stored`;
  if (verdict === "done") return counts;
  const faults = `see ${harmless(faultsFileOf(to))}`;
  return stored + setAside === 0 ? faults : `${counts}, ${grouped(setAside)} refused: ${faults}`;
};

const two = (part: number): string => String(part).padStart(2, "0");

import { messageOf } from "../admin-io.js";
import { harmless } from "../human-form.js";
import { grouped, readingsText } from "../replay-progress.js";
import { type FoundUploads, sitesFor, uploadFound } from "./found-upload.js";
import { isOfDisk } from "./of-disk.js";
import { Outage } from "./outage.js";
import type { Run } from "./participant-call.js";
import { untilInterrupted } from "./until-interrupted.js";
import type { UploadOptions } from "./upload-options.js";
import { claimPlaces, faultsFileOf, freePlace, type Places, placesIn, SUMMARY } from "./watch-places.js";
import { type Moving, tallyText, WatchState } from "./watch-state.js";
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

class FolderWatch {
  private readonly outage: Outage;
  private readonly state: WatchState;
  private readonly said = new Set<string>();

  constructor(
    private readonly run: Run<UploadOptions>,
    private readonly places: Places,
  ) {
    this.outage = new Outage(run.print, run.access());
    this.state = WatchState.open(places, this.today());
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
    await sitesFor(by);
    run.print.note(`watching ${places.folder}`);
    const settledMs = (run.options.settled ?? SETTLED_SECONDS) * 1000;
    const settling = new Settling(settledMs);
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, settledMs / 3));
    for (;;) {
      await this.unlessDisk(() => this.look(settling, by));
      await wait(pauseMs);
    }
  }

  private async look(settling: Settling, by: FoundUploads): Promise<void> {
    this.report(await this.state.move());
    const over = this.state.turnTo(this.today());
    if (over !== null) this.print(over, tallyText(over));
    const { folder } = this.places;
    const { files, hasMore } = await lookInto(folder, new Set([SUMMARY]));
    if (hasMore) this.say(`${folder} has very many files; they are taken some at a time`);
    for (const file of settling.settled(files, performance.now())) await this.unlessDisk(() => this.take(file, by));
  }

  private async take(file: FoundFile, by: FoundUploads): Promise<void> {
    const { folder } = this.places;
    const { faults, finish, ...counts } = await uploadFound(by, file);
    const now = await fileAt(folder, file.name);
    // It went on growing, and is read again.
    if (now === null || !isSameFile(now, file)) return finish();
    const verdict = faults === null ? "done" : "refused";
    this.state.decide({ file, verdict, to: freePlace(folder, verdict, file.name), ...counts }, faults);
    this.report(await this.state.move());
    finish();
  }

  private report(moved: Moving | null): void {
    if (moved === null) return;
    const { file, verdict, to, stored, setAside } = moved;
    this.print(
      { file: file.name, verdict, moved_to: to, stored, set_aside_count: setAside },
      `${harmless(file.name)} ${verdict}: ${countsText(moved)}`,
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

const countsText = ({ verdict, to, stored, setAside }: Moving): string => {
  const counts = `${readingsText(stored)} stored`;
  if (verdict === "done") return counts;
  const faults = `see ${harmless(faultsFileOf(to))}`;
  return stored + setAside === 0 ? faults : `${counts}, ${grouped(setAside)} refused: ${faults}`;
};

const two = (part: number): string => String(part).padStart(2, "0");

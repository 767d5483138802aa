import { createHash } from "node:crypto";
import { join } from "node:path";
import { CommandFailure } from "../admin-io.js";
import { replaceFile, textIn, unusable } from "../whole-file.js";
import type { SeenEvents } from "./listen-events.js";
import { claimState } from "./listen-state.js";
import type { VtnClient } from "./vtn.js";

/** What `curtail listen --openadr3` remembers for a client and a target. */
export interface EventsState {
  /** The bearer token that requests to the target carry. */
  readonly token: string;
  readonly seen: SeenEvents;
}

export interface EventsStore {
  /** null at the first start. */
  readonly before: EventsState | null;
  readonly save: (state: EventsState) => void;
  /** Lets another process use it. */
  readonly release: () => Promise<void>;
}

/** A client keeps its id when its secret is rotated, so it names the file. */
export const openEventsState = async (
  stateFolder: string,
  { url, id }: VtnClient,
  target: string,
): Promise<EventsStore> => {
  const name = createHash("sha256").update(`${url} ${id} ${target}`).digest("hex").slice(0, 16);
  const file = join(stateFolder, `openadr3-${name}.json`);
  const release = await claimState(file, target, "client");
  return {
    before: stateIn(file),
    save(state) {
      try {
        replaceFile(file, JSON.stringify({ ...state, url, target }), 0o600);
      } catch (error) {
        throw unusable(file, "written", { error });
      }
    },
    release,
  };
};

const stateIn = (file: string): EventsState | null => {
  const text = textIn(file);
  if (text === null) return null;
  try {
    const state = JSON.parse(text) as EventsState;
    if (typeof state.token === "string" && typeof state.seen === "object") return state;
  } catch {
    // Reported below, like any other content that is not ours.
  }
  throw new CommandFailure(
    `${file} is not the state of \`curtail listen --openadr3\`; remove it to start from scratch`,
  );
};

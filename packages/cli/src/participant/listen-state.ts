import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { WatchState } from "@curtail/client";
import { lockFolder, SpoolInUse } from "@curtail/spool";
import { CommandFailure } from "../admin-io.js";
import { replaceFile, textIn, unusable } from "../whole-file.js";
import type { Access } from "./access.js";
import { environmentOf } from "./environment-kind.js";
import type { Forwarded } from "./listen-notice.js";
import type { Resent } from "./listen-resends.js";
import { keyMark } from "./spool-folders.js";
import { type Account, whoseReadings } from "./whose-readings.js";

/** What `curtail listen` remembers for an account and a target. */
export interface ListenState {
  readonly secret: string;
  readonly forwarded: Forwarded;
  readonly watched: WatchState | null;
  /** Null, or absent in states of earlier versions: the service was not asked yet. */
  readonly resent?: Resent | null;
  /** Milliseconds. Resends from then on are forwarded as soon as the service lists any; absent: it did when it was first asked. */
  readonly resendsFromMs?: number;
  /** Of what it is, as far as it is known; absent in states of earlier versions, as are the next three. */
  readonly url?: string;
  readonly target?: string;
  /** Marks of the keys of the account that it was used with. */
  readonly keys?: readonly string[];
  /** Ids of the account's sites and meters, from the last answer of the service. */
  readonly ids?: readonly string[];
}

interface Kept {
  readonly file: string;
  readonly state: ListenState;
}

/** Targets that were listened for, by any key or client. */
export const listenersIn = (stateFolder: string): ReadonlyArray<{ readonly url: string; readonly target: string }> =>
  filesIn(stateFolder, /^(?:listen|openadr3)-\w+\.json$/).flatMap((file) => {
    const { url, target } = (contentOf(textIn(file)) ?? {}) as Partial<ListenState>;
    return url === undefined || target === undefined ? [] : [{ url, target }];
  });

const statesIn = (stateFolder: string): readonly Kept[] =>
  filesIn(stateFolder, /^listen-\w+\.json$/).flatMap((file) => {
    const state = parsed(textIn(file));
    return state === null ? [] : [{ file, state }];
  });

const filesIn = (folder: string, name: RegExp): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder) : []).filter((each) => name.test(each)).map((each) => join(folder, each));

export interface ListenStore {
  /** null at the first start. */
  readonly before: ListenState | null;
  /** Called with what the service says of the account. */
  readonly learn: (account: Account) => void;
  readonly save: (state: ListenState) => void;
  /** Lets another process use it. */
  readonly release: () => Promise<void>;
}

/**
 * Opens the state of an account, its service and a target. It goes on with the state of an earlier key of the account, as
 * spools do. What one has forwarded that nothing tells the account of counts, too, since a notice that is forwarded once
 * more does no harm, and one that is lost does; but that file may be another account's, so it stays as it is.
 *
 * @param accountOf asks the service; called only if this key is new and another was used for the target
 */
export const openListenState = async (
  stateFolder: string,
  { access, target }: { readonly access: Access; readonly target: string },
  accountOf: () => Promise<Account>,
): Promise<ListenStore> => {
  // Earlier versions named the file by the key; so does this one until the account has a file.
  const own = join(stateFolder, `listen-${digestOf(`${access.url} ${access.api_key} ${target}`)}.json`);
  const { file, from } = await filesOf(stateFolder, { access, target, own }, accountOf);
  const release = await claimState(file, target, "account");
  const before = stateIn(from);
  let { keys = [], ids = [] } = from === file && before !== null ? before : {};
  keys = [...new Set([...keys, keyMark(access)])];
  return {
    before,
    learn(account) {
      ids = [...new Set([...ids, ...account.ids])].toSorted();
    },
    save(state) {
      try {
        replaceFile(file, JSON.stringify({ ...state, url: access.url, target, keys, ids }), 0o600);
      } catch (error) {
        throw unusable(file, "written", { error });
      }
    },
    release,
  };
};

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

const only = (file: string) => ({ file, from: file });

/** The file that is the account's, and the one to go on from. */
const filesOf = async (
  stateFolder: string,
  { access, target, own }: { readonly access: Access; readonly target: string; readonly own: string },
  accountOf: () => Promise<Account>,
): Promise<{ readonly file: string; readonly from: string }> => {
  const sameTarget = statesIn(stateFolder).filter(({ state }) => state.url === access.url && state.target === target);
  const ofKey = sameTarget.find(({ state }) => state.keys?.includes(keyMark(access)) === true);
  if (ofKey !== undefined) return only(ofKey.file);
  // The sandbox shows everybody the same sites, which identify no account.
  if (existsSync(own) || sameTarget.length === 0 || environmentOf(access) === "sandbox") return only(own);
  const account = await accountOf();
  const judged = sameTarget.map(({ file, state }) => ({ file, whose: whoseState(state, account) }));
  const found = judged.find(({ whose }) => whose === "the account's");
  if (found !== undefined) return only(found.file);
  return { file: own, from: judged.find(({ whose }) => whose === "perhaps")?.file ?? own };
};

/** The sites that its dispatches named are the account's. */
const whoseState = ({ watched, ids = [] }: ListenState, account: Account) => {
  const named = Object.values(watched?.seen ?? {}).flatMap(({ dispatch }) => dispatch.sites.map(({ id }) => id));
  return whoseReadings(
    { note: { url: account.url, keys: [], ids }, isOfAddress: true, named: new Set(named) },
    account,
  );
};

/** One process at a time: two would forward everything twice, and each would undo what the other remembers. */
export const claimState = async (
  file: string,
  target: string,
  of: "account" | "client",
): Promise<() => Promise<void>> => {
  const folder = file.replace(/\.json$/, "");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return await lockFolder(folder);
  } catch (error) {
    if (!(error instanceof SpoolInUse)) throw unusable(file, "written", { error });
    const message = `process ${error.pid} forwards to ${target} for this ${of}; stop it first, or forward to another address`;
    throw new CommandFailure(message, undefined, { cause: error });
  }
};

const stateIn = (file: string): ListenState | null => {
  const text = textIn(file);
  const state = parsed(text);
  if (text === null || state !== null) return state;
  throw new CommandFailure(`${file} is not the state of \`curtail listen\`; remove it to start from scratch`);
};

const parsed = (text: string | null): ListenState | null => {
  const state = contentOf(text) as ListenState | null;
  return typeof state?.secret === "string" && typeof state.forwarded === "object" ? state : null;
};

const contentOf = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
};

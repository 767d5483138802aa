import { FLEET_SITES, fleetOf, pastCallsOf, pastDispatches, type SiteSpec } from "@curtail/simulation";
import { announce } from "./announce.js";
import { type Api, operatorApi } from "./api.js";
import { callBook } from "./calls.js";
import { hearAll, hearOf, poll } from "./fetch-dispatches.js";
import { uploadHistory } from "./history.js";
import { openHooks } from "./hooks.js";
import type { Made, MemoryFile } from "./memory.js";
import type { Options } from "./options.js";
import { type Participant, participantsOf } from "./participants.js";
import { recordPast } from "./record-past.js";
import { say } from "./say.js";
import type { Listening } from "./service.js";
import { setUp } from "./set-up.js";
import { stream } from "./stream.js";

const POLL_MS = 10_000;
const QUICK_POLL_MS = 2000;
const DAY_MS = 86_400_000;

export interface Stage {
  readonly options: Options;
  readonly memory: MemoryFile;
  readonly listening: Listening;
  readonly signal: AbortSignal;
}

/** Simulates the fleet against a running service until aborted. */
export const run = async ({ options, memory, listening, signal }: Stage): Promise<void> => {
  const operatorCall = operatorApi(listening.url, memory.memory.operatorToken);
  const made = memory.memory.made ?? (await begin(operatorCall, listening.url, { options, memory }));
  const participants = participantsOf(listening.url, made, fleet(options));
  const oldestMs = Date.now() - options.historyDays * DAY_MS;
  if (memory.memory.filledUntilMs < oldestMs)
    memory.remember({ filledUntilMs: Math.floor(oldestMs / DAY_MS) * DAY_MS });

  const book = callBook();
  const hooks = await openHooks(memory.memory.hookPort, (participant, id) => hearOf(participant, id, book));
  signal.addEventListener("abort", () => hooks.close());
  memory.remember({ hookPort: hooks.port });
  for (const each of participants) {
    if (each.isTold) await hooks.register(each, operatorCall);
    await hearAll(each, book);
  }
  const everyMs = options.reactsQuickly ? QUICK_POLL_MS : POLL_MS;
  const streaming = stream({ participants, book, memory, signal });
  announce(listening, made, memory.memory.operatorToken);
  const polling = participants.filter(({ isTold }) => !isTold).map((each) => poll(each, { book, everyMs, signal }));
  await Promise.all([streaming, ...polling]);
};

const fleet = ({ reactsQuickly }: Options): readonly SiteSpec[] =>
  fleetOf(FLEET_SITES).map((site) =>
    reactsQuickly ? { ...site, response: { ...site.response, delaySeconds: 0, rampSeconds: 0 } } : site,
  );

/** The first run: creates everything and uploads the past; it counts as done only after that. */
const begin = async (call: Api, url: string, { options, memory }: Pick<Stage, "options" | "memory">): Promise<Made> => {
  const specs = fleet(options).slice(0, options.sites);
  const made = await setUp(call, specs);
  say(`set up: ${made.sites.length} sites of ${made.accounts.length} accounts`);
  const participants: readonly Participant[] = participantsOf(url, made, specs);
  const nowMs = Date.now();
  const past = pastDispatches(nowMs, options.historyDays);
  const history = { nowMs, days: options.historyDays, showcaseDays: options.showcaseDays };
  const filledUntilMs = await uploadHistory(participants, history, ({ spec }) => pastCallsOf(spec, past));
  await recordPast(call, made, past);
  memory.remember({ made, filledUntilMs });
  return made;
};

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { FLEET_SITES } from "@curtail/simulation";

export interface Options {
  readonly dataDir: string;
  readonly isFresh: boolean;
  readonly sites: number;
  readonly historyDays: number;
  /** Days of history of one site; 0 for none. */
  readonly showcaseDays: number;
  /** Sites respond at once, and poll more often. */
  readonly reactsQuickly: boolean;
  /** null: 8080, or a free one if that is taken. */
  readonly port: number | null;
}

const USAGE = `npm run demo -- [options]
  --fresh                begin anew: deletes what an earlier run kept
  --sites <n>            sites of the fleet, 1 to ${FLEET_SITES} (${FLEET_SITES})
  --history-days <n>     days of readings before now, 1 to 60 (21)
  --showcase-days <n>    days of readings of the first site, 0 to 366 (365)
  --react-quickly        sites curtail without delay
  --port <n>             port of the service (8080 or, where it is taken, a free one); 0 takes free ports
  --data-dir <folder>    where the demo keeps its data (data-demo)
`;

/** Parses the command line; returns what to print instead if it asks for help or is wrong. */
export const readOptions = (args: readonly string[]): Options | { readonly say: string; readonly isFault: boolean } => {
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true });
    if (values.help) return { say: USAGE, isFault: false };
    return {
      dataDir: resolve(values["data-dir"]),
      isFresh: values.fresh,
      sites: whole("sites", values.sites, [1, FLEET_SITES]),
      historyDays: whole("history-days", values["history-days"], [1, 60]),
      showcaseDays: whole("showcase-days", values["showcase-days"], [0, 366]),
      reactsQuickly: values["react-quickly"],
      port: values.port === undefined ? null : whole("port", values.port, [0, 65_535]),
    };
  } catch (error) {
    return { say: `demo: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, isFault: true };
  }
};

const options = {
  help: { type: "boolean" },
  fresh: { type: "boolean", default: false },
  sites: { type: "string", default: String(FLEET_SITES) },
  "history-days": { type: "string", default: "21" },
  "showcase-days": { type: "string", default: "365" },
  "react-quickly": { type: "boolean", default: false },
  port: { type: "string" },
  "data-dir": { type: "string", default: "data-demo" },
} as const;

const whole = (name: string, text: string, [least, most]: readonly [number, number]): number => {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Error(`--${name} is "${text}"; give a whole number from ${least} to ${most}`);
};

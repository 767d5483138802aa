import type { OutputConfig, SiteConfig } from "../config/config.js";
import { formatDuration } from "../config/duration.js";
import type { Played, WriteEntry } from "./played.js";

/** A minute later than the start is not late. */
const LATE_MS = 60_000;

/** Outputs that the day shows to have no effect, or another one than somebody may think. */
export const outputFindings = (site: SiteConfig, played: Played): readonly string[] => {
  if (site.outputs.length === 0) return ["it has no output: a dispatch changes nothing here"];
  return site.outputs.flatMap((output) => {
    const writes = played.entries
      .filter((entry) => entry.kind === "write")
      .filter((entry) => entry.site === site.name && entry.output === output.name);
    const texts = [
      ...valueFindings(writes),
      ...boundFindings(output, site, played),
      ...rampFindings(output, writes, played),
    ];
    return texts.map((text) => `the output ${output.name} ${text}`);
  });
};

const valueFindings = (writes: readonly WriteEntry[]): readonly string[] => {
  const faults = new Set(writes.flatMap(({ fault }) => (fault === null ? [] : [fault])));
  const values = new Set(writes.filter(({ fault }) => fault === null).map(({ value }) => value));
  const [only] = values;
  return [
    ...[...faults].map((fault) => `could not be written: ${fault}`),
    ...(values.size === 1 && faults.size === 0 ? [`never changed: it was ${only} all day`] : []),
  ];
};

/** `min` and `max` cut the requested value. */
const boundFindings = (output: OutputConfig, site: SiteConfig, { entries }: Played): readonly string[] => {
  if (output.curtail !== "commitment") return [];
  const kws = entries
    .filter((entry) => entry.kind === "site")
    .filter((entry) => entry.site === site.name && entry.phase === "curtailing")
    .flatMap(({ commitmentKw }) => (commitmentKw === null ? [] : [commitmentKw]));
  const [min, max] = output.bounds;
  const [low, high] = [Math.min(...kws), Math.max(...kws)];
  return [
    ...(low < min ? [`cannot follow a commitment of ${low} kW: \`min\` is ${min}`] : []),
    ...(high > max ? [`cannot follow a commitment of ${high} kW: \`max\` is ${max}`] : []),
  ];
};

const rampFindings = ({ ramp }: OutputConfig, writes: readonly WriteEntry[], { asked }: Played): readonly string[] => {
  if (ramp === null) return [];
  const jumps = writes.some(({ from, value }) => from === "released" && value !== "released");
  const lateMs = Math.max(
    0,
    ...writes.flatMap(({ atMs, untilMs }) =>
      asked
        .filter(({ startMs, endMs }) => atMs <= startMs + 1_000 && untilMs > startMs && untilMs < endMs)
        .map(({ startMs }) => untilMs - startMs),
    ),
  );
  return [
    ...(jumps ? ["jumps in spite of its `ramp`: after `normal: release` there is no value to begin at"] : []),
    ...(lateMs > LATE_MS
      ? [`reaches its value up to ${formatDuration(lateMs)} after a start: begin before it with \`lead\``]
      : []),
  ];
};

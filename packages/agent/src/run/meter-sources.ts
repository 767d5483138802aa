import type { MeterConfig, SourceConfig } from "../config/config.js";
import { CsvTail } from "../devices/csv-tail.js";
import type { AskedSource, Links } from "../devices/links.js";
import type { MqttMessage } from "../devices/mqtt.js";
import { numberIn } from "../devices/number-text.js";
import type { MeterSampler } from "../readings/meter-sampler.js";
import type { Clock } from "./clock.js";
import { repeat } from "./loops.js";

interface SourceContext {
  readonly links: Links;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly failed: (error: unknown) => void;
}

/** Starts to collect the values of meters; resolves when the signal is aborted. */
export const collect = async (samplers: readonly MeterSampler[], context: SourceContext): Promise<void> => {
  for (const sampler of samplers) if (sampler.meter.source.protocol === "mqtt") listen(sampler, context);
  const loops = [
    ...groupsOf(samplers).map((group) => poll(group, context)),
    ...samplers.flatMap((sampler) => (sampler.meter.source.protocol === "csv" ? [follow(sampler, context)] : [])),
  ];
  await Promise.all(loops);
};

const listen = (sampler: MeterSampler, { links, clock }: SourceContext): void => {
  const { source } = sampler.meter;
  if (source.protocol !== "mqtt") return;
  const link = links.mqtt(source.connection);
  const note = (trouble: string | null): void =>
    sampler.miss(trouble === null ? null : `${link.name}, topic ${source.topic}: ${trouble}`);
  link.onTrouble(note);
  const take = ({ text, isRetained }: MqttMessage): void => {
    // The broker kept it from some time before: nobody knows when it was measured.
    if (isRetained) return;
    const read = numberIn(text, source.path);
    if ("value" in read) sampler.add(read.value, clock.now());
    else note(read.fault);
  };
  link.subscribe(source.topic, take, note);
};

const follow = async (sampler: MeterSampler, { clock, signal, failed }: SourceContext): Promise<void> => {
  const { source, pollMs } = sampler.meter;
  if (source.protocol !== "csv") return;
  const tail = new CsvTail(source);
  const read = async (): Promise<void> => {
    const { values, fault } = await tail.read();
    for (const { value, atMs } of values) sampler.add(value, atMs ?? clock.now());
    if (fault !== null) sampler.miss(fault);
  };
  await repeat(pollMs, signal, read, failed);
};

/** Meters that are read in the same requests. */
type Group = readonly [MeterSampler, ...MeterSampler[]];

const groupsOf = (samplers: readonly MeterSampler[]): readonly Group[] => {
  const groups = new Map<string, [MeterSampler, ...MeterSampler[]]>();
  for (const sampler of samplers) {
    const { source, pollMs, id } = sampler.meter;
    if (!isAsked(source)) continue;
    const key = `${source.protocol} ${"connection" in source ? source.connection : id} ${pollMs}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [sampler]);
    else group.push(sampler);
  }
  return [...groups.values()];
};

export const isAsked = (source: SourceConfig): source is SourceConfig & AskedSource =>
  source.protocol !== "mqtt" && source.protocol !== "csv";

const poll = async (group: Group, { links, clock, signal, failed }: SourceContext): Promise<void> => {
  const sources = group.map(({ meter }) => meter.source).filter(isAsked);
  const { pollMs }: MeterConfig = group[0].meter;
  const read = async (): Promise<number> => {
    const begunAt = clock.monotonic();
    const results = await links.read(sources);
    for (const [index, sampler] of group.entries()) {
      const result = results[index] ?? { fault: "was not read" };
      if ("value" in result) sampler.add(result.value, clock.now());
      else sampler.miss(result.fault);
    }
    // From begin to begin: a slow device must not thin out its values.
    return pollMs - (clock.monotonic() - begunAt);
  };
  await repeat(0, signal, async () => Math.max(await read(), 100), failed);
};

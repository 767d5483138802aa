import { createParticipant } from "@curtail/client";
import type { AgentConfig, MeterConfig, OutputConfig } from "../config/config.js";
import { CsvTail } from "../devices/csv-tail.js";
import { messageOf, type PointResult } from "../devices/device.js";
import { Links } from "../devices/links.js";
import { numberIn } from "../devices/number-text.js";
import { toKw } from "../readings/convert.js";
import { isAsked } from "./meter-sources.js";

const MESSAGE_MS = 15_000;

/** Reads every point once and asks the service for the sites. Prints a line each; false if anything is wrong. */
export const checkOnce = async (config: AgentConfig, print: (line: string) => void): Promise<boolean> => {
  const links = new Links(config, null);
  const lines = await Promise.all([
    ...serviceLines(config),
    ...config.sites.flatMap(({ name, meters }) => meters.map((meter) => meterLine(name, meter, links))),
    ...config.sites.flatMap(({ name, outputs }) => outputs.map((output) => outputLine(name, output, links))),
  ]);
  await links.close();
  for (const { isRight, text } of lines) print(`${isRight ? "ok   " : "WRONG"} ${text}`);
  return lines.every(({ isRight }) => isRight);
};

interface Line {
  readonly isRight: boolean;
  readonly text: string;
}

/** A meter that the service does not know would have every upload refused. */
const serviceLines = ({ service, sites }: AgentConfig): ReadonlyArray<Promise<Line>> => {
  const participant = createParticipant({ ...service, retry: { attempts: 1 } });
  const listed = participant.listSites();
  return sites.map(async ({ id, name, meters }): Promise<Line> => {
    try {
      const site = (await listed).sites.find((each) => each.id === id);
      if (site === undefined) return { isRight: false, text: `service: has no site ${id} for this key` };
      const unknown = meters.filter((meter) => !site.meters.some((each) => each.id === meter.id));
      return unknown.length === 0
        ? { isRight: true, text: `service: knows ${name} (${id})` }
        : { isRight: false, text: `service: ${name} has no meter ${unknown.map((meter) => meter.id).join(", ")}` };
    } catch (error) {
      return { isRight: false, text: `service: ${messageOf(error)}` };
    }
  });
};

const meterLine = async (site: string, meter: MeterConfig, links: Links): Promise<Line> => {
  const read = await readOnce(meter, links);
  const place = `meter ${meter.name} of ${site}`;
  if ("fault" in read) return { isRight: false, text: `${place}: ${read.fault}` };
  const converted = toKw(read.value, meter.conversion);
  return "kw" in converted
    ? { isRight: true, text: `${place}: ${converted.kw} kW (read: ${read.value})` }
    : { isRight: false, text: `${place}: ${converted.why} (read: ${read.value})` };
};

const readOnce = async ({ source }: MeterConfig, links: Links): Promise<PointResult> => {
  if (source.protocol === "csv") {
    const { values, fault } = await new CsvTail(source).read();
    const last = values.at(-1);
    return last === undefined ? { fault: fault ?? "the file has no lines" } : { value: last.value };
  }
  if (source.protocol === "mqtt") return await firstMessage(links, source);
  return isAsked(source) ? ((await links.read([source]))[0] ?? { fault: "was not read" }) : { fault: "cannot be read" };
};

const firstMessage = (
  links: Links,
  { connection, topic, path }: { readonly connection: string; readonly topic: string; readonly path: string | null },
): Promise<PointResult> =>
  new Promise((resolve) => {
    const link = links.mqtt(connection);
    const fault = (): PointResult => ({
      fault: `${link.name}, topic ${topic}: ${link.fault ?? `no new message came within ${MESSAGE_MS / 1000} s`}`,
    });
    const timer = setTimeout(() => resolve(fault()), MESSAGE_MS);
    link.subscribe(topic, ({ text, isRetained }) => {
      if (isRetained) return;
      clearTimeout(timer);
      resolve(numberIn(text, path));
    });
  });

const outputLine = async (site: string, { name, target, scale }: OutputConfig, links: Links): Promise<Line> => {
  const place = `output ${name} of ${site}`;
  const held = await links.readBack(target);
  if (held === null) return { isRight: true, text: `${place}: cannot be read back; nothing was written` };
  return "value" in held
    ? { isRight: true, text: `${place}: holds ${held.value / scale}` }
    : { isRight: false, text: `${place}: ${held.fault}` };
};

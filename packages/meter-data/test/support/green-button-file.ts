const START = 1_780_272_000; // 2026-06-01T00:00:00Z
export const BASE = "/espi/1_1/resource/Subscription/1/UsagePoint";

export const entry = (links: Readonly<Record<string, readonly string[]>>, title: string, content: string): string => {
  const all = Object.entries(links).flatMap(([rel, hrefs]) =>
    hrefs.map((href) => `<link rel="${rel}" href="${href}"/>`),
  );
  return `<entry><id>urn:uuid:1</id>${all.join("")}<title>${title}</title><content>${content}</content></entry>`;
};

export const meterReading = (id = "01", type = "07", of = "A1"): string =>
  entry(
    {
      self: [`${BASE}/${of}/MeterReading/${id}`],
      up: [`${BASE}/${of}/MeterReading`],
      related: [`${BASE}/${of}/MeterReading/${id}/IntervalBlock`, `/espi/1_1/resource/ReadingType/${type}`],
    },
    "Consumption",
    `<MeterReading xmlns="http://naesb.org/espi"/>`,
  );

export const energyType = { accumulationBehaviour: 4, flowDirection: 1, powerOfTenMultiplier: 0, uom: 72 };
export const readingType = (members: Readonly<Record<string, number>> = energyType, id = "07"): string =>
  entry(
    { self: [`/espi/1_1/resource/ReadingType/${id}`] },
    "Type",
    `<ReadingType xmlns="http://naesb.org/espi">${Object.entries(members)
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join("")}</ReadingType>`,
  );

export interface Read {
  readonly at: number;
  readonly value: number | string;
  readonly seconds?: number | "";
  readonly quality?: readonly number[];
}

export const reading = ({ at, value, seconds = 900, quality = [] }: Read): string =>
  `<IntervalReading>${quality.map((each) => `<ReadingQuality><quality>${each}</quality></ReadingQuality>`).join("")}<timePeriod>${
    seconds === "" ? "" : `<duration>${seconds}</duration>`
  }<start>${START + at}</start></timePeriod><value>${value}</value></IntervalReading>`;

export const block = (readings: readonly Read[], id = "01", of = "A1"): string =>
  entry(
    {
      self: [`${BASE}/${of}/MeterReading/${id}/IntervalBlock/1`],
      up: [`${BASE}/${of}/MeterReading/${id}/IntervalBlock`],
    },
    "",
    `<IntervalBlock xmlns="http://naesb.org/espi"><interval><duration>86400</duration><start>${START}</start></interval>\n${readings.map(reading).join("\n")}\n</IntervalBlock>`,
  );

export const feed = (...entries: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:uuid:0</id>\n${entries.join("\n")}\n</feed>\n`;

import type { StatedMapping } from "../../src/index.js";

/** A load as it was, and the layout in which a made-up utility writes it. */
export interface Layout {
  readonly language: keyof typeof languages;
  readonly delimiter: "," | ";" | "\t" | "|";
  readonly decimal: "." | ",";
  readonly thousands: boolean;
  readonly time:
    | "one"
    | "date and clock"
    | "range"
    | "date and range"
    | "start and end"
    | "start and end in four"
    | "hour"
    | "24:00";
  readonly date: keyof typeof dates;
  readonly clock: "24h" | "12h" | "seconds";
  readonly label: "start" | "end";
  readonly isLabelNamed: boolean;
  readonly unit: "Wh" | "kWh" | "MWh" | "W" | "kW" | "MW";
  readonly kind: "interval" | "cumulative";
  readonly unitPlace: "header" | "column" | "line" | "nowhere";
  readonly shape: "one" | "wide" | "long" | "matrix" | "matrix with an hour at the end" | "matrix with an hour inside";
  readonly titles: 0 | 1 | 2 | 3;
  readonly extras: ReadonlyArray<"cost" | "temperature" | "note" | "empty">;
  readonly isTimeLast: boolean;
  readonly order: "rises" | "falls" | "by meter";
  readonly hasTotal: boolean;
  readonly hasComment: boolean;
  readonly skipsAreListed: boolean;
  readonly lineEnd: "\n" | "\r\n";
  readonly bom: boolean;
}

export interface Load {
  readonly zone: string;
  readonly startMs: number;
  readonly minutes: number;
  /** kWh in steps of 0.001, by meter. */
  readonly energies: readonly (readonly number[])[];
}

const languages = {
  en: {
    date: "Date",
    clock: "Time",
    time: "Date/Time",
    start: "Start",
    end: "End",
    value: "Usage",
    meter: "Meter",
    unit: "Unit",
    total: "Total",
    cost: "Cost ($)",
    register: "Meter reading",
    hour: "Hour",
  },
  de: {
    date: "Datum",
    clock: "Uhrzeit",
    time: "Zeitstempel",
    start: "Beginn",
    end: "Ende",
    value: "Verbrauch",
    meter: "Zähler",
    unit: "Einheit",
    total: "Summe",
    cost: "Kosten (EUR)",
    register: "Zählerstand",
    hour: "Stunde",
  },
  nl: {
    date: "Datum",
    clock: "Tijd",
    time: "Tijdstip",
    start: "Van",
    end: "Tot",
    value: "Verbruik",
    meter: "Meternummer",
    unit: "Eenheid",
    total: "Totaal",
    cost: "Kosten",
    register: "Meterstand",
    hour: "Uur",
  },
  fr: {
    date: "Jour",
    clock: "Heure",
    time: "Horodate",
    start: "Début",
    end: "Fin",
    value: "Consommation",
    meter: "Compteur",
    unit: "Unité",
    total: "Total",
    cost: "Coût",
    register: "Relevé",
    hour: "Heure",
  },
  es: {
    date: "Fecha",
    clock: "Hora",
    time: "Fecha hora",
    start: "Inicio",
    end: "Fin",
    value: "Consumo",
    meter: "Contador",
    unit: "Unidad",
    total: "Total",
    cost: "Coste",
    register: "Lectura",
    hour: "Hora",
  },
  it: {
    date: "Data",
    clock: "Ora",
    time: "Data ora",
    start: "Inizio",
    end: "Fine",
    value: "Consumo",
    meter: "Contatore",
    unit: "Unità",
    total: "Totale",
    cost: "Costo",
    register: "Lettura",
    hour: "Ora",
  },
} as const;

const names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (value: number): string => String(value).padStart(2, "0");

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const dates = {
  iso: { format: "year_first", of: ({ year, month, day }: Parts) => `${year}-${two(month)}-${two(day)}` },
  "iso offset": { format: "year_first", of: ({ year, month, day }: Parts) => `${year}-${two(month)}-${two(day)}` },
  slashed: { format: "year_first", of: ({ year, month, day }: Parts) => `${year}/${month}/${day}` },
  german: { format: "day_first", of: ({ year, month, day }: Parts) => `${two(day)}.${two(month)}.${year}` },
  british: { format: "day_first", of: ({ year, month, day }: Parts) => `${two(day)}/${two(month)}/${year}` },
  short: { format: "day_first", of: ({ year, month, day }: Parts) => `${two(day)}-${two(month)}-${two(year % 100)}` },
  american: { format: "month_first", of: ({ year, month, day }: Parts) => `${month}/${day}/${year}` },
  named: { format: "month_name", of: ({ year, month, day }: Parts) => `${day} ${names[month - 1]} ${year}` },
  "named, american": {
    format: "month_name",
    of: ({ year, month, day }: Parts) => `${names[month - 1]} ${day}, ${year}`,
  },
  compact: { format: "compact", of: ({ year, month, day }: Parts) => `${year}${two(month)}${two(day)}` },
  unix: { format: "unix_seconds", of: () => "" },
  "unix ms": { format: "unix_milliseconds", of: () => "" },
} as const;
export const dateForms = Object.keys(dates) as (keyof typeof dates)[];
export const languageNames = Object.keys(languages) as (keyof typeof languages)[];

const formats = new Map<string, Intl.DateTimeFormat>();
/** Local time as if it were UTC. */
export const localOf = (zone: string, ms: number): number => {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  formats.set(zone, format);
  return Date.parse(`${format.format(ms).replace(" ", "T")}Z`);
};

const DAY_MS = 86_400_000;

/** Local midnight of a day, as an instant. */
export const midnightOf = (zone: string, dayMs: number): number => {
  let ms = dayMs - (localOf(zone, dayMs) - dayMs);
  ms -= localOf(zone, ms) - dayMs;
  return ms;
};

const partsOf = (localMs: number): Parts => {
  const date = new Date(localMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
};

/** Clocks and dates of an instant, as the layout writes them. */
class Writer {
  constructor(
    private readonly layout: Layout,
    private readonly zone: string,
  ) {}

  clock(localMs: number): string {
    const date = new Date(localMs);
    const [hour, minute] = [date.getUTCHours(), two(date.getUTCMinutes())];
    switch (this.layout.clock) {
      case "12h":
        return `${hour % 12 || 12}:${minute} ${hour < 12 ? "AM" : "PM"}`;
      case "seconds":
        return `${two(hour)}:${minute}:00`;
      default:
        return `${two(hour)}:${minute}`;
    }
  }

  date(localMs: number): string {
    return dates[this.layout.date].of(partsOf(localMs));
  }

  /** In one cell. */
  whole(ms: number): string {
    const { date } = this.layout;
    if (date === "unix") return String(ms / 1000);
    if (date === "unix ms") return String(ms);
    return this.local(localOf(this.zone, ms), (localOf(this.zone, ms) - ms) / 60_000);
  }

  local(localMs: number, offset: number): string {
    const { date } = this.layout;
    if (date === "iso offset") {
      const sign = offset < 0 ? "-" : "+";
      const size = Math.abs(offset);
      return `${this.date(localMs)}T${new Date(localMs).toISOString().slice(11, 19)}${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`;
    }
    if (date === "compact")
      return `${this.date(localMs)}${new Date(localMs).toISOString().slice(11, 16).replace(":", "")}`;
    return `${this.date(localMs)} ${this.clock(localMs)}`;
  }

  /** Cells of the time of an interval. */
  cells(fromMs: number, toMs: number): string[] {
    return this.plainCells(fromMs, toMs).map((cell) => quotedIn(this.layout, cell));
  }

  private plainCells(fromMs: number, toMs: number): string[] {
    const { time, label } = this.layout;
    const [from, to] = [localOf(this.zone, fromMs), localOf(this.zone, toMs)];
    const at = label === "start" ? from : to;
    switch (time) {
      case "one":
        return [this.whole(label === "start" ? fromMs : toMs)];
      case "date and clock":
        return [this.date(at), this.clock(at)];
      case "range":
        return [`${this.whole(fromMs)} - ${this.whole(toMs)}`];
      case "date and range":
        return [this.date(from), `${this.clock(from)} - ${this.clock(to)}`];
      case "start and end":
        return [this.whole(fromMs), this.whole(toMs)];
      case "start and end in four":
        return [this.date(from), this.clock(from), this.date(to), this.clock(to)];
      case "hour":
        return to % DAY_MS === 0 ? [this.date(to - 1), "24"] : [this.date(to), String((to % DAY_MS) / 3_600_000)];
      case "24:00":
        return to % DAY_MS === 0
          ? [this.date(to - 1), "24:00"]
          : [this.date(to), new Date(to).toISOString().slice(11, 16)];
    }
  }

  names(): string[] {
    const { language, time, label, isLabelNamed } = this.layout;
    const word = languages[language];
    switch (time) {
      case "one":
      case "range":
        return [isLabelNamed && time === "one" ? (label === "start" ? word.start : word.end) : word.time];
      case "start and end":
        return [word.start, word.end];
      case "start and end in four":
        return [
          `${word.start} ${word.date}`,
          `${word.start} ${word.clock}`,
          `${word.end} ${word.date}`,
          `${word.end} ${word.clock}`,
        ];
      case "hour":
        return [word.date, word.hour];
      case "date and range":
        return [word.date, word.clock];
      default:
        return [word.date, isLabelNamed ? `${word.clock} ${label === "start" ? word.start : word.end}` : word.clock];
    }
  }
}

const isEnergy = (unit: Layout["unit"]): boolean => unit.endsWith("h");
const factor = { Wh: 1000, kWh: 1, MWh: 0.001, W: 1000, kW: 1, MW: 0.001 };

/** A number as the layout writes it, without a loss. */
const numberText = ({ decimal, thousands, delimiter }: Layout, value: number): string => {
  const [whole = "", fraction = ""] = Math.abs(value)
    .toFixed(9)
    .replace(/\.?0+$/, "")
    .split(".");
  const grouped = thousands ? whole.replaceAll(/\B(?=(\d{3})+$)/g, decimal === "." ? "," : ".") : whole;
  const text = `${value < 0 ? "-" : ""}${grouped}${fraction === "" ? "" : decimal + fraction}`;
  return quotedIn({ delimiter }, text);
};

const quotedIn = ({ delimiter }: Pick<Layout, "delimiter">, text: string): string =>
  text.includes(delimiter) ? `"${text}"` : text;

export const meterNames = ["Halle 1", "Dach", "Pumpe"];

/** The file. */
export const written = (layout: Layout, load: Load): string => {
  const lines = layout.shape.startsWith("matrix") ? matrixLines(layout, load) : rowLines(layout, load);
  const title = ["Lastgang / Load profile", `Export${layout.delimiter}12345678`, ""].slice(0, layout.titles);
  const comment = layout.hasComment ? ["# made by a made-up utility"] : [];
  return `${layout.bom ? "\ufeff" : ""}${[...comment, ...title, ...lines].join(layout.lineEnd)}${layout.lineEnd}`;
};

const valueName = (layout: Layout, meter: number): string => {
  const { value, register } = languages[layout.language];
  const base = layout.kind === "cumulative" ? register : value;
  const name = layout.shape === "wide" ? `${meterNames[meter]} ${base}` : base;
  return layout.unitPlace === "header" ? `${name} (${layout.unit})` : name;
};

const extraName = ({ language }: Layout, extra: Layout["extras"][number]): string =>
  extra === "cost"
    ? languages[language].cost
    : extra === "temperature"
      ? "Temperature (°C)"
      : extra === "note"
        ? "Note"
        : "";
const extraCell = (layout: Layout, extra: Layout["extras"][number], at: number): string =>
  extra === "cost" || extra === "temperature"
    ? numberText(layout, (at % 17) / 4 + 1.5)
    : extra === "note" && at % 5 === 0
      ? "ok"
      : "";

const valueOf = (layout: Layout, load: Load, meter: number, at: number): number => {
  const energies = load.energies[meter] ?? [];
  const kwh =
    layout.kind === "cumulative"
      ? Math.round(4_000_000 + energies.slice(0, at).reduce((sum, each) => sum + each * 1000, 0)) / 1000
      : (energies[at] ?? 0);
  return (isEnergy(layout.unit) ? kwh : (kwh * 60) / load.minutes) * factor[layout.unit];
};

interface Line {
  readonly meter: number;
  readonly at: number;
  readonly cells: readonly string[];
}

const rowLines = (layout: Layout, load: Load): string[] => {
  const writer = new Writer(layout, load.zone);
  const { shape, unitPlace, extras, isTimeLast } = layout;
  const word = languages[layout.language];
  const stepMs = load.minutes * 60_000;
  const meters = load.energies.map((_, meter) => meter);
  const count = (load.energies[0]?.length ?? 0) + (layout.kind === "cumulative" ? 1 : 0);
  const shift = layout.kind === "cumulative" ? -1 : 0;
  const joined = (times: readonly string[], rest: readonly string[]): string[] =>
    isTimeLast ? [...rest, ...times] : [...times, ...rest];
  const row = (at: number, of: readonly number[]): string[] => {
    const from = load.startMs + (at + shift) * stepMs;
    const values = of.map((meter) => numberText(layout, valueOf(layout, load, meter, at)));
    return joined(writer.cells(from, from + stepMs), [
      ...(shape === "long" ? [meterNames[of[0] ?? 0] ?? ""] : []),
      ...values,
      ...(unitPlace === "column" ? [layout.unit] : []),
      ...extras.map((extra) => extraCell(layout, extra, at)),
    ]);
  };
  const groups = shape === "long" ? meters.map((meter) => [meter]) : [meters];
  let lines: Line[] = groups.flatMap((of, group) =>
    Array.from({ length: count }, (_, at) => ({ meter: group, at, cells: row(at, of) })),
  );
  if (layout.order !== "by meter") lines = lines.toSorted((a, b) => a.at - b.at || a.meter - b.meter);
  if (layout.order === "falls") lines = lines.toReversed();
  const header = joined(writer.names(), [
    ...(shape === "long" ? [word.meter] : []),
    ...(shape === "wide" ? meters : [0]).map((meter) => valueName(layout, meter)),
    ...(unitPlace === "column" ? [word.unit] : []),
    ...extras.map((extra) => extraName(layout, extra)),
  ]);
  const units =
    unitPlace === "line"
      ? [
          header.map((name) =>
            name.includes(languages[layout.language].value) || name.includes(languages[layout.language].register)
              ? `[${layout.unit}]`
              : "",
          ),
        ]
      : [];
  const total = layout.hasTotal
    ? [[word.total, ...header.slice(1).map((_, at) => (at === header.length - 2 ? "1" : ""))]]
    : [];
  return [header, ...units, ...lines.map(({ cells }) => cells), ...total].map((cells) => cells.join(layout.delimiter));
};

/** A line for a day of a meter. */
const matrixLines = (layout: Layout, load: Load): string[] => {
  const { shape, unitPlace, extras } = layout;
  const word = languages[layout.language];
  const writer = new Writer(layout, load.zone);
  const [usual, hour] = [1440 / load.minutes, 60 / load.minutes];
  const stepMs = load.minutes * 60_000;
  const hasExtra = shape !== "matrix";
  const extraAt = shape === "matrix with an hour inside" ? 3 * hour : usual;
  const clocks = Array.from({ length: usual }, (_, at) => new Date(at * stepMs).toISOString().slice(11, 16));
  const columns = hasExtra
    ? clocks.toSpliced(
        extraAt,
        0,
        ...Array.from({ length: hour }, (_, at) =>
          shape.endsWith("inside") ? (clocks[2 * hour + at] ?? "") : `25h ${at + 1}`,
        ),
      )
    : clocks;
  const header = [
    word.date,
    ...(load.energies.length > 1 ? [word.meter] : []),
    ...(unitPlace === "column" ? [word.unit] : []),
    ...columns.map((name) => (unitPlace === "header" ? `${name} ${layout.unit}` : name)),
    ...extras.map((extra) => extraName(layout, extra)),
  ];
  const lines: string[][] = [];
  for (const [meter, energies] of load.energies.entries()) {
    for (let ms = load.startMs, at = 0; at < energies.length; ) {
      const dayMs = Math.floor(localOf(load.zone, ms) / DAY_MS) * DAY_MS;
      const next = midnightOf(load.zone, dayMs + DAY_MS);
      const count = (next - ms) / stepMs;
      const cells = Array.from({ length: count }, (_, index) =>
        numberText(layout, valueOf(layout, load, meter, at + index)),
      );
      const skippedAt = Array.from({ length: usual }, (_, index) => index).find(
        (index) => index > 0 && localOf(load.zone, ms + index * stepMs) - dayMs > index * stepMs,
      );
      const blank = layout.skipsAreListed ? "0" : "";
      const short =
        count < usual
          ? cells.toSpliced(skippedAt ?? usual, 0, ...Array.from({ length: usual - count }, () => blank))
          : cells;
      const day =
        hasExtra && count <= usual ? short.toSpliced(extraAt, 0, ...Array.from({ length: hour }, () => "")) : short;
      lines.push([
        quotedIn(layout, writer.date(dayMs)),
        ...(load.energies.length > 1 ? [meterNames[meter] ?? ""] : []),
        ...(unitPlace === "column" ? [layout.unit] : []),
        ...day.slice(0, columns.length),
        ...extras.map((extra) => extraCell(layout, extra, at)),
      ]);
      at += count;
      ms = next;
    }
  }
  const ordered = layout.order === "falls" ? lines.toReversed() : lines;
  return [header, ...ordered].map((cells) => cells.join(layout.delimiter));
};

/** What is true of a layout, by the member of a doubt: how a person would answer it. */
export const truthOf = (layout: Layout, load: Load): Readonly<Record<string, StatedMapping>> => ({
  "time.format": { time: { format: dates[layout.date].format } },
  "time.label": { time: { label: layout.time === "hour" || layout.time === "24:00" ? "end" : layout.label } },
  "values[].unit": { values: [{ unit: layout.unit }] },
  "values[].kind": {
    values: [{ kind: layout.kind === "cumulative" ? "cumulative" : isEnergy(layout.unit) ? "energy" : "power" }],
  },
  decimal: { decimal: layout.decimal },
  interval_seconds: { interval_seconds: load.minutes * 60 },
  "matrix.clock": { matrix: { clock: "local" } },
});

/** Words of a layout that tell it from others. */
export const layoutKey = (layout: Layout): string =>
  [
    layout.delimiter,
    layout.decimal,
    layout.time,
    layout.date,
    layout.clock,
    layout.unit,
    layout.kind,
    layout.shape,
  ].join("/");

import type { Page } from "playwright-core";

/**
 * A language in which each text is its English with accents, whether a catalogue has it or not: what is left without
 * them was not said. It takes the place of German.
 */
export const speakAccented = async (page: Page): Promise<void> => {
  await page.route(/\/assets\/words-de-[^/]*\.js$/, (route) =>
    route.fulfill({ contentType: "text/javascript", body: `(${accented.toString()})()` }),
  );
};

const accented = (): void => {
  const marks: Record<string, string> = { a: "á", e: "é", i: "í", o: "ó", u: "ú", y: "ý" };
  /** Names of values and keywords of plurals stand at odd depths of braces. */
  const withAccents = (text: string): string => {
    let [depth, isTag] = [0, false];
    return text
      .split("")
      .map((letter) => {
        if (letter === "{") depth++;
        if (letter === "}") depth--;
        if (letter === "<") isTag = true;
        if (letter === ">") isTag = false;
        return depth % 2 === 0 && !isTag ? (marks[letter] ?? letter) : letter;
      })
      .join("");
  };
  const texts = new Proxy({}, { get: (_, key) => withAccents(String(key).replace(/ \[[^\]]*\]$/, "")) });
  Object.assign(globalThis, { curtailWords: { language: "de", texts } });
};

/** Members of answers that people wrote, or that are the same in every language. */
const OF_PEOPLE =
  /name$|email|^(subjects|tags|dispatch_group|group|market|ven_id|summary|note|timezone|version|currency|unit|units)$/;

/** Names of people, sites and programs in the answers that a page gets. */
export const namesSeen = (page: Page): ReadonlySet<string> => {
  const names = new Set<string>();
  page.on("response", (response) => {
    if (!(response.headers()["content-type"] ?? "").includes("json")) return;
    response.json().then(
      (body: unknown) => collect(body, names),
      () => undefined,
    );
  });
  return names;
};

const collect = (value: unknown, names: Set<string>, isOfPeople = false): void => {
  if (typeof value === "string" && isOfPeople) names.add(value);
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value))
    collect(member, names, Array.isArray(value) ? isOfPeople : OF_PEOPLE.test(key));
};

/** Dates and zones are written by the browser; ids, products and units are the same in every language. */
const SAME_EVERYWHERE = [
  /Mozilla.*/g,
  /[\w.+-]+@[\w.-]+/g,
  /\b[A-Z]\w+\/[\w-]+(\/[\w-]+)?/g,
  /\b(UTC|GMT[+−-]?\d*|MESZ|MEZ)\b/g,
  /\b[a-z0-9]+_[a-z0-9_]+\b/g,
  /\b\d+ (h|min|s)\b/g,
  /\bkW\/min\b/g,
  /\b(Curtail|OpenADR|Node\.js|Parquet|Firefox|Chrome|Linux|kWh?|MWh?|therm)\b/g,
];

const ofDate = (options: Intl.DateTimeFormatOptions): readonly string[] => {
  const format = new Intl.DateTimeFormat("de", { timeZone: "UTC", ...options });
  // Each month, and each day of a week.
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2026, month, month + 1))).concat(
    Array.from({ length: 7 }, (_, day) => format.format(Date.UTC(2026, 0, day + 1))),
  );
};

const dateWords = (): readonly string[] => {
  const zones = ["America/Chicago", "Europe/Berlin"].flatMap((timeZone) =>
    (["longGeneric", "long", "shortGeneric"] as const).map(
      (timeZoneName) =>
        new Intl.DateTimeFormat("de", { timeZone, timeZoneName })
          .formatToParts(0)
          .find(({ type }) => type === "timeZoneName")?.value ?? "",
    ),
  );
  const words = [
    ...ofDate({ month: "long" }),
    ...ofDate({ month: "short" }),
    ...ofDate({ weekday: "long" }),
    ...ofDate({ weekday: "short" }),
    ...zones,
  ];
  return words.flatMap((word) => [word, word.replace(/\.$/, "")]);
};

const DATES = dateWords().toSorted((a, b) => b.length - a.length);

/** What a text says without accents; null if nothing. */
export const unsaidIn = (text: string, names: ReadonlySet<string>): string | null => {
  let rest = text;
  for (const name of [...names].filter((name) => name.length > 1).toSorted((a, b) => b.length - a.length))
    rest = rest.replaceAll(name, "");
  for (const same of SAME_EVERYWHERE) rest = rest.replace(same, "");
  for (const date of DATES) rest = rest.replaceAll(date, "");
  const unsaid = rest.replace(/[A-Za-z]*[áéíóúý][A-Za-záéíóúý]*/g, "");
  return /[A-Za-z]*[aeiouy][A-Za-z]*/.test(unsaid) ? text : null;
};

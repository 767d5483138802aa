/** What a query asks of a metric: `curtail_open_alarms{kind="disk_low"}`. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

interface Matcher {
  readonly label: string;
  readonly operator: "=" | "!=" | "=~" | "!~";
  readonly value: string;
}

const OPERATORS = new Set(["and", "or", "unless", "offset", "bool", "group_left", "group_right"]);
const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;
const SELECTOR = /([a-zA-Z_:][\w:]*)\s*(?:\{([^}]*)\})?(?!\w|\s*\()/g;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;

/** The metrics of a query, with the labels that it compares. Enough of PromQL for the rules and the dashboard. */
export const selectorsIn = (query: string): readonly Selector[] =>
  [
    ...query
      .replaceAll(GROUPING, " ")
      .replaceAll(/\[[^\]]*\]/g, "")
      .replaceAll(/\b\d[\w.]*/g, "")
      .matchAll(SELECTOR),
  ]
    .filter(([, name = ""]) => !OPERATORS.has(name))
    .map(([, metric = "", matchers = ""]) => ({ metric, matchers: [...matchers.matchAll(MATCHER)].map(matcherOf) }));

const matcherOf = ([, label = "", operator, value = ""]: RegExpMatchArray): Matcher => ({
  label,
  operator: operator as Matcher["operator"],
  value,
});

/** The labels by which a query groups or joins. */
export const groupedIn = (query: string): readonly string[] =>
  [...query.matchAll(GROUPING)].flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()));

/** Metrics of a scrape: the values of each label. */
export type Scraped = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

export const scraped = (text: string): Scraped => {
  const metrics = new Map<string, Map<string, Set<string>>>();
  for (const [, metric = "", labels = ""] of text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gim)) {
    const known = metrics.get(metric) ?? new Map<string, Set<string>>();
    metrics.set(metric, known);
    for (const [, label = "", value = ""] of labels.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value));
  }
  return metrics;
};

import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { groupedIn, type Scraped, selectorsIn } from "./promql.js";

/** A file of `examples`. */
export const example = (name: string): string => new URL(`../../../../examples/${name}`, import.meta.url).pathname;
const read = (name: string): string => readFileSync(example(name), "utf8");

/** A query, and the labels that its text names. */
export interface Query {
  readonly where: string;
  readonly query: string;
  readonly named: readonly string[];
}

export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

export const alertRules: readonly Rule[] = (
  parse(read("prometheus/curtail.rules.yml")) as { groups: ReadonlyArray<{ rules: readonly Rule[] }> }
).groups.flatMap(({ rules }) => rules);

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly uid: string };
  readonly targets?: ReadonlyArray<{ readonly expr: string; readonly legendFormat: string }>;
}

export const dashboard = JSON.parse(read("grafana/curtail.json")) as {
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: ReadonlyArray<{ readonly name: string; readonly type: string }> };
};

const namesIn = (text: string, form: RegExp): readonly string[] =>
  [...text.matchAll(form)].map(([, name = ""]) => name);

export const ruleQueries: readonly Query[] = alertRules.map(({ alert, expr, annotations }) => ({
  where: alert,
  query: expr,
  named: namesIn(JSON.stringify(annotations), /\$labels\.(\w+)/g),
}));

export const dashboardQueries: readonly Query[] = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({
    where: title,
    query: expr.replaceAll("$__rate_interval", "5m"),
    named: namesIn(legendFormat, /\{\{(\w+)\}\}/g),
  })),
);

/** Prometheus adds them to what it scrapes. */
const OF_PROMETHEUS = ["job", "instance"];
/** Any HTTP status may come. */
const isOpen = (label: string): boolean => label === "status";

/** What a query asks of the service that a scrape does not have. */
export const faultsOf = ({ where, query, named }: Query, metrics: Scraped): readonly string[] => {
  const selectors = selectorsIn(query).filter(({ metric }) => metric !== "up");
  const unknown = selectors.filter(({ metric }) => !metrics.has(metric)).map(({ metric }) => metric);
  const labels = new Set([
    ...OF_PROMETHEUS,
    "le",
    ...selectors.flatMap(({ metric }) => [...(metrics.get(metric) ?? new Map()).keys()]),
  ]);
  const unlabelled = [...groupedIn(query), ...named].filter((label) => !labels.has(label));
  const unmatched = selectors.flatMap(({ metric, matchers }) =>
    matchers
      .filter(({ label }) => !OF_PROMETHEUS.includes(label))
      .flatMap(({ label, operator, value }) => {
        const values = metrics.get(metric)?.get(label);
        if (values === undefined) return [`${metric}{${label}}`];
        if (isOpen(label)) return [];
        return wanted(operator, value)
          .filter((pattern) => ![...values].some((each) => new RegExp(`^(?:${pattern})$`).test(each)))
          .map((pattern) => `${metric}{${label}="${pattern}"}`);
      }),
  );
  return [...unknown, ...unlabelled, ...unmatched].map((what) => `${where}: ${what}`);
};

/** Each of several names has to exist; a pattern has to match once. */
const wanted = (operator: string, value: string): readonly string[] =>
  operator.endsWith("~") && /^[\w|]+$/.test(value) ? value.split("|") : [value];

/** Prints one result, one figure per line. */
export const report = (title: string, figures: Readonly<Record<string, string | number>>): void => {
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  process.stdout.write(`\n${title}\n`);
  for (const [name, shown] of Object.entries(figures)) process.stdout.write(`  ${name.padEnd(width)}  ${shown}\n`);
};

export const figure = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

export const ratio = (value: number, target: number): string =>
  `${value.toFixed(2)} (target ${target}${value >= target ? "" : ", MISSED"})`;

/** @param show writes the value */
export const atMost = (value: number, most: number, show: (value: number) => string = figure): string =>
  `${show(value)} (at most ${most}${value <= most ? "" : ", MISSED"})`;

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Each round's value, for example its ratio. */
export const spread = (values: readonly number[]): string => values.map(figure).join(" ");

import { Gauge, type Registry } from "prom-client";

/** A gauge that is read at each scrape. */
export interface ReadGauge {
  readonly name: string;
  readonly help: string;
  /** Name of a label; the gauge then has a number for each of its values. */
  readonly label?: string;
  /** null: unknown. */
  readonly read: () => Promise<number | null | ReadonlyMap<string, number>>;
}

/** No sample is better than an old one or a 0 that was never read. */
export const showWhileReadable = (
  { name, help, label, read }: ReadGauge,
  onError: (error: unknown, gauge: string) => void,
  registers: Registry[],
): void => {
  const set = async (gauge: Gauge): Promise<void> => {
    const found = await read();
    if (typeof found === "number") gauge.set(found);
    else if (label !== undefined) for (const [value, number] of found ?? []) gauge.set({ [label]: value }, number);
  };
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers,
    async collect() {
      gauge.reset();
      if (label === undefined) gauge.remove();
      await set(gauge).catch((error: unknown) => onError(error, name));
    },
  });
};

export const unitNames = ["Wh", "kWh", "MWh", "W", "kW", "MW"] as const;
export type UnitName = (typeof unitNames)[number];

/** Factor to kW or kWh, and whether it is an energy. */
export interface Unit {
  readonly name: UnitName;
  readonly factor: number;
  readonly isEnergy: boolean;
}

const units: readonly Unit[] = [
  { name: "Wh", factor: 1e-3, isEnergy: true },
  { name: "kWh", factor: 1, isEnergy: true },
  { name: "MWh", factor: 1e3, isEnergy: true },
  { name: "W", factor: 1e-3, isEnergy: false },
  { name: "kW", factor: 1, isEnergy: false },
  { name: "MW", factor: 1e3, isEnergy: false },
];

/** Active energy or power by its name in any case; null for other units. */
export const unitOf = (name: string): Unit | null =>
  units.find((unit) => unit.name.toLowerCase() === name.toLowerCase()) ?? null;

/** Mean power of a value over an interval. Divides by 1000 rather than multiplying by 0.001, which is not exact. */
export const powerOf = (value: number, { factor, isEnergy }: Unit, seconds: number): number => {
  const kilo = factor < 1 ? value / Math.round(1 / factor) : value * factor;
  return isEnergy ? (kilo * 3600) / seconds : kilo;
};

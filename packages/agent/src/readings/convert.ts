import type { Conversion } from "../config/config.js";

const KW = { W: 0.001, kW: 1, MW: 1000 } as const;

export type Converted = { readonly kw: number } | { readonly why: string };

/** The load in kW of a raw value, or why it is not plausible. Positive is load, negative is export. */
export const toKw = (raw: number, { unit, scale, offset, positive, range }: Conversion): Converted => {
  const value = (raw * scale + offset) * KW[unit] * (positive === "export" ? -1 : 1);
  // Avoids a negative zero.
  const kw = value === 0 ? 0 : value;
  if (!Number.isFinite(kw)) return { why: `${raw} is not a number` };
  return kw >= range[0] && kw <= range[1] ? { kw } : { why: `${kw} kW is not within ${range[0]} to ${range[1]} kW` };
};

/** The raw value that `toKw` makes a load of; 0 where every raw value means the same. */
export const rawOf = (kw: number, { unit, scale, offset, positive }: Conversion): number =>
  scale === 0 ? 0 : ((kw / KW[unit]) * (positive === "export" ? -1 : 1) - offset) / scale;

import type { MeterConfig } from "../config/config.js";
import { messageOf } from "../devices/device.js";
import { decodeRegisters, encodeRegisters } from "../devices/modbus-registers.js";
import { rawOf } from "../readings/convert.js";
import type { MeterSampler } from "../readings/meter-sampler.js";

/** How often a source is assumed to send by itself. */
const TELLS_MS = 10_000;

/** The load that a meter shows all day: two fifths of its plausible range, in three digits. */
export const loadOf = ({ conversion: { range } }: Pick<MeterConfig, "conversion">): number =>
  Number((range[0] + 0.4 * (range[1] - range[0])).toPrecision(3));

/** How often a value of the meter comes. */
export const everyMs = ({ source, pollMs, sampling }: MeterConfig): number =>
  source.protocol === "mqtt" ? Math.min(TELLS_MS, sampling.staleMs) : pollMs;

/** Gives a sampler the value that its source would have: through the register, where it is one. */
export const sample = (sampler: MeterSampler, nowMs: number): void => {
  const { source, conversion } = sampler.meter;
  const raw = rawOf(loadOf(sampler.meter), conversion);
  try {
    const isRegister = source.protocol === "modbus" && source.type !== "bit";
    sampler.add(isRegister ? decodeRegisters(encodeRegisters(raw, source), source) : raw, nowMs);
  } catch (error) {
    sampler.miss(`${sampler.place}: ${messageOf(error)}`);
  }
};

import type { AgentConfig, TargetConfig } from "../config/config.js";
import type { PointResult, WriteContext } from "../devices/device.js";
import { decodeRegisters, encodeRegisters } from "../devices/modbus-registers.js";
import { placeOf } from "../devices/place.js";
import type { OutputDevices } from "../run/output-runner.js";

/** What a device is sent. */
export interface Written {
  readonly context: WriteContext;
  readonly target: TargetConfig;
  /** After `scale`; null: the point is released. */
  readonly value: number | null;
  readonly fault: string | null;
}

/** Devices that hold in memory what is written, and outlive the agent. */
export class MemoryDevices implements OutputDevices {
  private readonly held = new Map<TargetConfig, number | null>();

  constructor(
    private readonly config: AgentConfig,
    private readonly written: (write: Written) => void,
  ) {
    for (const { outputs } of config.sites)
      for (const { target, normal, scale } of outputs) this.held.set(target, normal === null ? null : normal * scale);
  }

  write(target: TargetConfig, value: number | null, context: WriteContext): Promise<void> {
    try {
      this.held.set(target, value === null ? null : taken(target, value));
      this.written({ context, target, value, fault: null });
      return Promise.resolve();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const fault = `${placeOf(target, this.config.connections)}: ${reason}`;
      this.written({ context, target, value, fault });
      return Promise.reject(new Error(fault));
    }
  }

  /** As with the devices themselves: topics and programs cannot be asked, and nobody knows what a released point has. */
  readBack(target: TargetConfig): Promise<PointResult | null> {
    const value = this.held.get(target) ?? null;
    const isAsked = target.protocol === "modbus" || target.protocol === "bacnet";
    return Promise.resolve(isAsked && value !== null ? { value } : null);
  }
}

/**
 * The value that a point then has.
 *
 * @throws RangeError if a register cannot hold it
 */
const taken = (target: TargetConfig, value: number): number => {
  if (target.protocol === "bacnet" && target.object.startsWith("binary")) return value === 0 ? 0 : 1;
  if (target.protocol === "bacnet" && target.object.startsWith("multi-state")) return Math.round(value);
  if (target.protocol !== "modbus") return value;
  return target.table === "coil" ? Number(value !== 0) : decodeRegisters(encodeRegisters(value, target), target);
};

/** What a point is sent, in words. */
export const sentOf = (target: TargetConfig, value: number | null, context: WriteContext): string => {
  switch (target.protocol) {
    case "modbus":
      return `${target.type} ${registerOf(target, value)}`;
    case "bacnet":
      return `${value === null ? "null" : taken(target, value)} at priority ${target.priority}`;
    case "mqtt":
      return `"${value ?? ""}"${target.retain ? ", retained" : ""}`;
    case "command":
      return `${[...target.args, ""].join(" ")}with value ${value} for ${context.dispatches.join(", ") || "no dispatch"}`;
  }
};

const registerOf = (target: Extract<TargetConfig, { protocol: "modbus" }>, value: number | null): number => {
  try {
    return value === null ? 0 : taken(target, value);
  } catch {
    return value ?? 0;
  }
};

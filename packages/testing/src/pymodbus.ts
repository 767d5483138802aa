import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.js";
import { untilListening } from "./until-listening.js";

/** Debian's Python, for which `python3-pymodbus` and `python3-serial-asyncio` are installed. */
const PYTHON = "/usr/bin/python3";
const program = fileURLToPath(new URL("../peers/modbus-device.py", import.meta.url));
const isInstalled = spawnSync(PYTHON, ["-c", "import pymodbus.server"]).status === 0;

/** Why tests with this device are skipped; null: they are not. */
export const withoutPymodbus = isInstalled ? null : "python3-pymodbus and python3-serial-asyncio are not installed";

export interface DevicePoint {
  readonly table: "holding" | "input" | "coil" | "discrete";
  readonly address: number;
  readonly type: "int16" | "uint16" | "int32" | "uint32" | "float32" | "bit";
  readonly word_order: "big" | "little";
}

/** A Modbus TCP device by another implementation than the agent's. */
export interface PymodbusDevice {
  readonly port: number;
  /** What it holds, as it decodes it. */
  held(point: DevicePoint): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a device with these points, each with its first value, and no other registers. */
export const startPymodbus = async (
  points: ReadonlyArray<DevicePoint & { readonly value: number }>,
): Promise<PymodbusDevice> => {
  const port = await freePort();
  const child = spawn(PYTHON, [program, JSON.stringify({ port, points })], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  await untilListening(port, child);
  let turn: Promise<unknown> = Promise.resolve();
  const ask = async (point: DevicePoint): Promise<number> => {
    const answered = once(lines, "line");
    child.stdin.write(`${JSON.stringify(point)}\n`);
    return Number((await answered)[0]);
  };
  return {
    port,
    held(point) {
      const answer = turn.then(() => ask(point));
      turn = answer;
      return answer;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
};

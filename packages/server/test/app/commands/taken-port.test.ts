import { describe, expect, test } from "vitest";
import { namingPorts } from "../../../src/app/commands/taken-port.js";
import { type Config, readConfig } from "../../../src/platform/runtime/config.js";

const configOf = (settings: Readonly<Record<string, string>>): Config => {
  const read = readConfig(settings);
  if ("faults" in read) throw new Error(read.faults.join());
  return read.config;
};

const takenAt = (port: number) => async () => {
  throw Object.assign(new Error(`listen EADDRINUSE: address already in use 127.0.0.1:${port}`), {
    code: "EADDRINUSE",
    port,
  });
};

describe("a port that is taken", () => {
  test.for([
    "CURTAIL_PORT",
    "CURTAIL_SANDBOX_PORT",
    "CURTAIL_OPERATOR_PORT",
    "CURTAIL_OPENADR_PORT",
    "CURTAIL_OPENADR3_PORT",
    "CURTAIL_METRICS_PORT",
  ])("is that of %s", async (name) => {
    const listening = namingPorts(configOf({ [name]: "4711" }), takenAt(4711));
    await expect(listening).rejects.toThrow(
      `port 4711 is taken by another program; stop it, or set ${name} to another port`,
    );
  });

  test("by another listener of the service is that of both settings", async () => {
    const config = configOf({ CURTAIL_OPENADR_PORT: "8090" });
    await expect(namingPorts(config, takenAt(8090))).rejects.toThrow(
      "CURTAIL_OPENADR_PORT and CURTAIL_OPENADR3_PORT name the same port, 8090; set them to different ports",
    );
  });

  test("another error stays what it is", async () => {
    const error = new Error("no certificate");
    await expect(namingPorts(configOf({}), () => Promise.reject(error))).rejects.toBe(error);
  });
});

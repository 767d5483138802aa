import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { untilListening } from "./until-listening.js";

/** Debian puts it beside the programs of administrators. */
const PROGRAMS = ["mosquitto", "/usr/sbin/mosquitto"];
const program = PROGRAMS.find((name) => spawnSync(name, ["-h"]).error === undefined);

/** Why tests with a broker are skipped; null: they are not. */
export const withoutMosquitto = program === undefined ? "mosquitto is not installed" : null;

export interface Broker {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a broker, as the user of the tests, on a port; with `tls` (paths of ca, cert and key) it takes TLS only. */
export const startBroker = async (
  folder: string,
  port: number,
  tls: { readonly certificate: string; readonly key: string } | null = null,
): Promise<Broker> => {
  const file = join(folder, `mosquitto-${port}.conf`);
  const lines = [
    `listener ${port} 127.0.0.1`,
    "allow_anonymous true",
    "persistence false",
    `user ${userInfo().username}`,
  ];
  const secured = tls === null ? [] : [`certfile ${tls.certificate}`, `keyfile ${tls.key}`];
  await writeFile(file, [...lines, ...secured, ""].join("\n"));
  const child = spawn(program ?? "mosquitto", ["-c", file], { stdio: "ignore" });
  await untilListening(port, child);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  return { url: `${tls === null ? "mqtt" : "mqtts"}://localhost:${port}`, stop };
};

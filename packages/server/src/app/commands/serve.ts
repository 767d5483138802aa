import type { AddressInfo } from "node:net";
import { BASE_PATH } from "@curtail/openadr-3";
import type { FastifyInstance } from "fastify";
import { type Config, warningsOf } from "../../platform/runtime/config.js";
import { buildLogger } from "../../platform/runtime/logger.js";
import { urlHost } from "../addresses.js";
import { makeOperatorToken } from "../wire/operator-token.js";
import { type Service, wireService } from "../wire.js";
import { openDatabase } from "./open-database.js";
import { configOrExit, type RunningCommand, runUntilStopped } from "./run-until-stopped.js";
import { namingPorts } from "./taken-port.js";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** `curtail serve`: reads the settings, starts everything, prints the addresses, and drains on SIGTERM. */
export const serve = (): Promise<void> => {
  const config = configOrExit();
  const logger = buildLogger(config.logLevel);
  const failure = "startup failed";
  return runUntilStopped({ logger, failure, isOnce: false, start: (running) => start({ config, logger, running }) });
};

const start = async ({ config, logger, running }: RunningCommand): Promise<void> => {
  for (const doubt of warningsOf(config)) logger.warn({}, doubt);
  const pool = await openDatabase({ config, logger, running });
  running.asked.throwIfAborted();
  const service = await wireService({ config, pool, logger });
  running.onStop(() => service.close());
  running.asked.throwIfAborted();
  // An unusable authority is reported now, not when the first VEN needs it.
  if (config.roles.includes("vtn")) await service.authority.open();
  if (config.operatorToken === null) announceToken(await makeOperatorToken(pool));
  if (config.roles.includes("api")) {
    await namingPorts(config, () => listen(service, config));
    announceFirstUser(await service.inviteFirstUser());
  }
  if (config.roles.includes("vtn")) await namingPorts(config, () => listenToVens(service, config));
  await namingPorts(config, () => listenForMetrics(service, config));
  running.asked.throwIfAborted();
  print("curtail ready");
};

const announceToken = (token: string | null): void => {
  if (token !== null) print(`operator token (shown once, keep it safe): ${token}`);
};

const announceFirstUser = (link: string | null): void => {
  if (link !== null) print(`first operator, to set a password within 24 hours: ${link}`);
};

const listen = async ({ app, sandbox, operators }: Service, config: Config): Promise<void> => {
  const { host, port, sandboxPort, operatorHost, operatorPort } = config;
  const hasOperators = operators !== null && operatorPort !== null;
  print(`production REST${hasOperators ? "" : ", operator API"}: ${await listenOn(app, host, port)}`);
  print(`sandbox REST: ${await listenOn(sandbox, host, sandboxPort)}`);
  if (hasOperators) print(`operator API: ${await listenOn(operators, operatorHost, operatorPort)}`);
};

const listenOn = async (app: FastifyInstance, host: string, port: number): Promise<string> => {
  await app.listen({ host, port });
  return `http://${urlHost(host)}:${(app.server.address() as AddressInfo).port}`;
};

const listenForMetrics = async ({ metrics }: Service, { metricsHost, metricsPort }: Config): Promise<void> => {
  if (metrics !== null && metricsPort !== null)
    print(`health and metrics: ${await listenOn(metrics, metricsHost, metricsPort)}`);
};

const listenToVens = async ({ vtn, openadr3 }: Service, config: Config): Promise<void> => {
  const port = await vtn.listen(config.host, config.openadrPort);
  print(`OpenADR 2.0a (mutual TLS): https://${urlHost(config.host)}:${port}/vtn/{venID}/OpenADR2/Simple/EiEvent`);
  print(`OpenADR 3.1: ${await openadr3.listen(config.host, config.openadr3Port)}${BASE_PATH}`);
};

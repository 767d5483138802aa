import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { type Config, doubtsOf, readConfig } from "../runtime/config.js";
import { buildLogger, type Logger } from "../runtime/logger.js";
import { openPool } from "../storage/database.js";
import { checkDatabase } from "../storage/database-check.js";
import { type EmbeddedPostgres, startEmbedded } from "../storage/embedded/start-embedded.js";
import { migrate } from "../storage/migrate.js";
import { urlHost } from "./addresses.js";
import { makeOperatorToken } from "./operator-token.js";
import { KeyFault } from "./secret-keys.js";
import { tellBroken } from "./tell-broken.js";
import { type Service, wireService } from "./wire.js";

const EXIT_BAD_CONFIG = 78; // EX_CONFIG of sysexits.h
const EXIT_FAILED = 1;

/** What was started, in the order in which it is stopped. */
type Stop = () => Promise<void>;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `curtail serve`: reads the settings, brings everything up, prints the addresses, and drains on SIGTERM. */
export const serve = async (): Promise<void> => {
  const config = configOrExit();
  const logger = buildLogger(config.logLevel);
  const stops: Stop[] = [];
  const stop = stopOnce(stops, logger);
  const asked = new AbortController();
  const starting = start({ config, logger, stops, asked: asked.signal });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      asked.abort(signal);
      // What is still coming up would not be stopped: it comes up to its next step first.
      void starting.catch(() => undefined).then(() => stop(signal));
    });
  }
  try {
    await starting;
  } catch (error) {
    if (asked.signal.aborted) return;
    tellFailure(error, logger, "the start failed");
    await stop("failed start");
  }
};

/** Logs the whole error, tells the operator its message, and lets the process end as failed. */
export const tellFailure = (error: unknown, logger: Logger, what: string): void => {
  logger.fatal({ err: error }, what);
  process.stderr.write(`curtail: ${messageOf(error)}\n`);
  process.exitCode = error instanceof KeyFault ? EXIT_BAD_CONFIG : EXIT_FAILED;
};

export const configOrExit = (): Config => {
  const read = readConfig();
  if ("config" in read) return read.config;
  for (const fault of read.faults) process.stderr.write(`curtail: ${fault}\n`);
  process.exit(EXIT_BAD_CONFIG);
};

/** The database of the settings: one given by address, else our own. */
export const openDatabase = async (config: Config, logger: Logger, stops: Stop[]): Promise<pg.Pool> => {
  const connection =
    config.databaseUrl === null ? await ownDatabase(config, logger, stops) : { connectionString: config.databaseUrl };
  const pool = openPool(connection, tellBroken(logger));
  stops.unshift(() => pool.end());
  await checkDatabase(pool);
  const applied = await migrate(pool);
  if (applied.length > 0) logger.info({ migrations: applied }, "the schema was brought up to date");
  return pool;
};

const ownDatabase = async (config: Config, logger: Logger, stops: Stop[]): Promise<EmbeddedPostgres["connection"]> => {
  const embedded = await startEmbedded({ dataDir: config.dataDir, log: logger });
  stops.unshift(() => embedded.stop());
  return embedded.connection;
};

interface Start {
  readonly config: Config;
  readonly logger: Logger;
  readonly stops: Stop[];
  /** Aborted once it is asked to stop. */
  readonly asked: AbortSignal;
}

const start = async ({ config, logger, stops, asked }: Start): Promise<void> => {
  for (const doubt of doubtsOf(config)) logger.warn({}, doubt);
  const pool = await openDatabase(config, logger, stops);
  asked.throwIfAborted();
  const service = await wireService({ config, pool, logger });
  stops.unshift(() => service.close());
  asked.throwIfAborted();
  // An authority that cannot be used is told of now, not when the first VEN needs it.
  if (config.roles.includes("vtn")) await service.authority.open();
  if (config.operatorToken === null) announceToken(await makeOperatorToken(pool));
  if (config.roles.includes("api")) {
    await listen(service, config);
    announceFirstUser(await service.inviteFirstUser());
  }
  if (config.roles.includes("vtn")) await listenToVens(service, config);
  asked.throwIfAborted();
  say("curtail ready");
};

const announceToken = (token: string | null): void => {
  if (token !== null) say(`operator token (shown once, keep it safe): ${token}`);
};

const announceFirstUser = (link: string | null): void => {
  if (link !== null) say(`first operator, to set a password within 24 hours: ${link}`);
};

const listen = async ({ app, sandbox }: Service, { host, port, sandboxPort }: Config): Promise<void> => {
  say(`production REST, operator API: ${await listenOn(app, host, port)}`);
  say(`sandbox REST: ${await listenOn(sandbox, host, sandboxPort)}`);
};

const listenOn = async (app: FastifyInstance, host: string, port: number): Promise<string> => {
  await app.listen({ host, port });
  return `http://${urlHost(host)}:${(app.server.address() as AddressInfo).port}`;
};

const listenToVens = async ({ vtn }: Service, config: Config): Promise<void> => {
  const port = await vtn.listen(config.host, config.openadrPort);
  say(`OpenADR 2.0a (mutual TLS): https://${urlHost(config.host)}:${port}/vtn/{venID}/OpenADR2/Simple/EiEvent`);
};

const stopOnce = (stops: readonly Stop[], logger: Logger): ((why: string) => Promise<void>) => {
  let stopping: Promise<void> | undefined;
  const run = async (why: string): Promise<void> => {
    logger.info({ why }, "stopping: requests under way are finished first");
    for (const stop of stops) {
      try {
        await stop();
      } catch (error) {
        logger.error({ err: error }, "a part did not stop cleanly");
        process.exitCode = EXIT_FAILED;
      }
    }
    logger.info({}, "stopped");
  };
  return (why) => (stopping ??= run(why));
};

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as { code?: string; port?: number };
  if (code === "EADDRINUSE")
    return `port ${port} is taken by another program; stop it, or set another port (CURTAIL_PORT, CURTAIL_SANDBOX_PORT, CURTAIL_OPENADR_PORT)`;
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
};

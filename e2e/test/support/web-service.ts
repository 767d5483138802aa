import { atEnd } from "@curtail/testing/at-end";
import { clonedDatabase, type OwnDatabase } from "@curtail/testing/database";
import { keepAuthority, takeAuthority } from "./authority.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess, temporaryFolder } from "./service-process.js";

type Settings = Readonly<Record<string, string>>;

/** The service as a process, with its pages and its own database; ends with the test file. */
export const webService = async (settings: Settings = {}, own?: OwnDatabase): Promise<ServiceProcess> => {
  const given = await webSettings(own);
  const service = await startProcess({ ...given, CURTAIL_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", ...settings });
  atEnd(async () => void (await service.end("SIGTERM")));
  await keepAuthority(given.CURTAIL_DATA_DIR);
  return service;
};

/** A folder, and a database in the tests' PostgreSQL: creating a PostgreSQL per file takes longer than its tests. */
export const webSettings = async (own?: OwnDatabase) => {
  const folder = await temporaryFolder();
  atEnd(() => folder.remove());
  await takeAuthority(folder.path);
  const clone = own ?? (await clonedDatabase());
  atEnd(() => clone.drop());
  const { user, host, port, database } = clone.connection;
  return {
    CURTAIL_DATA_DIR: folder.path,
    CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
  };
};

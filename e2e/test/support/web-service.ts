import { atEnd } from "../../../packages/server/test/support/at-end.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess, temporaryFolder } from "./service-process.js";

/** The service as a process, with its pages and a database of its own; ends with the test file. */
export const webService = async (settings: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> => {
  const folder = await temporaryFolder();
  atEnd(() => folder.remove());
  const service = await startProcess({
    CURTAIL_DATA_DIR: folder.path,
    CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
    CURTAIL_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    ...settings,
  });
  atEnd(async () => void (await service.end("SIGTERM")));
  return service;
};

import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { preparedFolder } from "./prepared-data.js";
import { type ServiceProcess, startProcess, underLoad } from "./service-process.js";

/** A service on a folder in which one has run before. It may be away for a while; it ends with the test file. */
export interface PreparedService extends Pick<ServiceProcess, "url" | "sandboxUrl" | "lines" | "end"> {
  /** Starts it again at the same addresses, with the same data. */
  readonly startAgain: () => Promise<void>;
}

export const preparedService = async (): Promise<PreparedService> => {
  const folder = await preparedFolder("memory");
  atEnd(() => folder.remove());
  const ports = { CURTAIL_PORT: String(await freePort()), CURTAIL_SANDBOX_PORT: String(await freePort()) };
  const start = () => startProcess({ ...underLoad(folder.dataDir), ...ports });
  let running = await start();
  atEnd(async () => void (await running.end("SIGTERM")));
  const { url, sandboxUrl, lines } = running;
  return {
    url,
    sandboxUrl,
    lines,
    end: (signal) => running.end(signal),
    async startAgain() {
      running = await start();
    },
  };
};

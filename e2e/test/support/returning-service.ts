import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { type ServiceProcess, startProcess } from "./service-process.js";
import { webSettings } from "./web-service.js";

/** A service that can be down for a while and return at the same address; ends with the test file. */
export interface ReturningService {
  readonly url: string;
  /** Suspends it with its connections open while `look` runs. */
  whileFrozen(look: () => Promise<void>): Promise<void>;
  /** Kills it, and restarts it after `look`. */
  whileAway(look: () => Promise<void>): Promise<void>;
}

export const returningService = async (): Promise<ReturningService> => {
  const settings = { ...(await webSettings()), CURTAIL_PORT: String(await freePort()) };
  const start = async (): Promise<ServiceProcess> => {
    const started = await startProcess(settings);
    atEnd(async () => void (await started.end("SIGTERM")));
    return started;
  };
  let service = await start();
  return {
    url: service.url,
    async whileFrozen(look) {
      process.kill(service.pid, "SIGSTOP");
      try {
        await look();
      } finally {
        process.kill(service.pid, "SIGCONT");
      }
    },
    async whileAway(look) {
      await service.end("SIGKILL");
      try {
        await look();
      } finally {
        service = await start();
      }
    },
  };
};

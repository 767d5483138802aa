import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { kill, type Victim } from "./kills.js";
import { preparedFolder } from "./prepared-data.js";
import { type ServiceProcess, startProcess, underLoad } from "./service-process.js";

/** A service that is killed and started again at the same address; ends with the test file. */
export class KilledService {
  kills = 0;

  private constructor(
    private service: ServiceProcess,
    private readonly settings: ReturnType<typeof underLoad>,
  ) {}

  static async start(): Promise<KilledService> {
    const folder = await preparedFolder();
    const settings = { ...underLoad(folder.dataDir), CURTAIL_PORT: String(await freePort()) };
    const service = new KilledService(await startProcess(settings), settings);
    atEnd(async () => {
      await service.stop();
      await folder.remove();
    });
    return service;
  }

  get url(): string {
    return this.service.url;
  }

  async kill(victim: Exclude<Victim, "database">): Promise<void> {
    const restart = await kill(this.service, victim, this.settings);
    this.kills += 1;
    this.service = await restart();
  }

  async stop(): Promise<void> {
    await this.service.end("SIGTERM");
  }

  async startAgain(): Promise<void> {
    this.service = await startProcess(this.settings);
  }
}

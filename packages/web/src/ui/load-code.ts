import { say } from "@curtail/words/page";
import { connection } from "./use-connected.js";

/** The service responds but lacks the file: it was upgraded since this window was opened. */
export class OutdatedPage extends Error {
  constructor(cause: unknown) {
    super(say("The service was upgraded. Reload this page."), { cause });
    this.name = "OutdatedPage";
  }
}

const RETRY_MS = 1000;

/** Code that is loaded when it is needed, or ahead of that. While the service is down, loading waits. */
export const loaded = async <Module>(load: () => Promise<Module>): Promise<Module> => {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await answers()) throw new OutdatedPage(error);
    }
    connection.lost();
    await untilAnswered();
  }
};

const untilAnswered = async (): Promise<void> => {
  do await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  while (!(await answers()));
  connection.back();
};

/** Requests a small file that every version has. */
const answers = (): Promise<boolean> =>
  fetch("/icon.svg", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

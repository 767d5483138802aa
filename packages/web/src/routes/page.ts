import { lazyRouteComponent } from "@tanstack/react-router";
import { connection } from "../ui/use-connected.js";

/** The service responds but lacks the page's file: it was upgraded since this window was opened. */
export class OutdatedPage extends Error {
  constructor(cause: unknown) {
    super("Curtail was upgraded. Reload this page.", { cause });
    this.name = "OutdatedPage";
  }
}

const RETRY_MS = 1000;

/** A page whose code is loaded when it is opened, or ahead of that. While the service is down, loading waits. */
export const page = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(() => loaded(load), name);

const loaded = async <Module>(load: () => Promise<Module>): Promise<Module> => {
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

const RELOADED_AT = "reloaded-at";
const RELOAD_EVERY_MS = 30_000;

/** Reloads the application at the address of the page; false if it was just reloaded in vain. */
export const reloadOnce = (now = Date.now()): boolean => {
  if (now - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < RELOAD_EVERY_MS) return false;
  sessionStorage.setItem(RELOADED_AT, String(now));
  window.location.reload();
  return true;
};

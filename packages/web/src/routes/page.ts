import { lazyRouteComponent } from "@tanstack/react-router";
import { loaded } from "../ui/load-code.js";

/** A page whose code is loaded when it is opened, or ahead of that. */
export const page = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(() => loaded(load), name);

const RELOADED_AT = "reloaded-at";
const RELOAD_EVERY_MS = 30_000;

/** Reloads the application at the address of the page; false if it was just reloaded in vain. */
export const reloadOnce = (now = Date.now()): boolean => {
  if (now - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < RELOAD_EVERY_MS) return false;
  sessionStorage.setItem(RELOADED_AT, String(now));
  window.location.reload();
  return true;
};
